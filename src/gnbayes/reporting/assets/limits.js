// Which values of a number are possible, and which were seen in training: the twin of limits.py.

const isOutside = (value, low, high) => (low !== null && value < low) || (high !== null && value > high);

// "impossible", "unseen", "rare" or "fine".
function judge(limits, value) {
  if (isOutside(value, limits.lowest, limits.highest)) return "impossible";
  if (isOutside(value, limits.low, limits.high)) return "unseen";
  return isOutside(value, limits.rareLow, limits.rareHigh) ? "rare" : "fine";
}

// A number of the table in the unit that is shown: the first one, or the second.
const inUnit = (field, value, isSecond) => (isSecond ? value / field.factor : value);
const fromUnit = (field, value, isSecond) => (isSecond ? value * field.factor : value);
const unitText = (field, isSecond) => (isSecond ? field.secondUnit : field.unit);

// A number of the table, written in the unit that is shown; bounds with meaningful digits only.
const boundText = (field, value, isSecond) =>
  isSecond
    ? numberText(inUnit(field, value, true))
    : formatted(value, { maximumSignificantDigits: 6, ...powers(value, 1e-6, 1e9) });

function withUnit(field, text, isSecond) {
  const unit = unitText(field, isSecond);
  return unit ? `${text} ${unit}` : text;
}

function possibleText(field, isSecond) {
  const { lowest, highest } = field.limits;
  const [low, high] = [lowest, highest].map((bound) => (bound === null ? "" : boundText(field, bound, isSecond)));
  if (lowest === null && highest === null) return "";
  if (highest === null) return say("possibleFrom", { low: withUnit(field, low, isSecond) });
  if (lowest === null) return say("possibleTo", { high: withUnit(field, high, isSecond) });
  return say("possibleRange", { low, high: withUnit(field, high, isSecond) });
}

function seenText(field, isSecond) {
  const { low, high, isExact } = field.limits;
  if (low === null || high === null) return "";
  const words = {
    low: boundText(field, low, isSecond),
    high: withUnit(field, boundText(field, high, isSecond), isSecond),
  };
  return isExact ? say("seenRange", words) : say("seenAbout", words);
}

// The message about a value, or about its notation: {kind, text}.
function remark(field, value, written, isSecond) {
  const kind = judge(field.limits, value);
  const { low, high, isExact, rareLow } = field.limits;
  const words = { value: withUnit(field, written, isSecond) };
  if (kind === "fine") return { kind, text: "" };
  if (kind === "impossible")
    return { kind, text: say("impossible", { ...words, range: possibleText(field, isSecond) }) };
  if (kind === "rare")
    return { kind, text: rareLow !== null && value < rareLow ? say("rareLow", words) : say("rareHigh", words) };
  const seen = {
    ...words,
    low: boundText(field, low, isSecond),
    high: withUnit(field, boundText(field, high, isSecond), isSecond),
  };
  return { kind, text: isExact ? say("beyondSeen", seen) : say("beyondAbout", seen) };
}

// A number of the table after a change of unit: no more digits than are meaningful.
function convertedText(field, value, isSecond) {
  const digits = isSecond ? 3 : (field.decimals ?? 3);
  return typedText(Number(inUnit(field, value, isSecond).toFixed(digits)));
}
