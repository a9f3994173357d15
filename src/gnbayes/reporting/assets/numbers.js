// Numbers in the reader's notation, and back.

const locale = new Intl.NumberFormat().resolvedOptions().locale;
// The decimal sign to type; a point if the reader's own is neither of the two.
const decimalSign = new Intl.NumberFormat(locale).format(1.5).includes(",") ? "," : ".";
const formats = new Map();

function formatted(value, options) {
  const key = JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl.NumberFormat(locale, options));
  return formats.get(key).format(value);
}

// Nine digits, to which results agree, so that a share computed in two ways is written in one way.
const percentText = (share) =>
  formatted(Number(share.toPrecision(9)), { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });
const countText = (count) => formatted(count, { maximumFractionDigits: 1 });
const numberText = (value) => formatted(value, { maximumSignificantDigits: 3, ...powers(value, 1e-4, 1e9) });

// Powers of ten for numbers that would be a row of zeros.
function powers(value, least, most) {
  const size = Math.abs(value);
  return size !== 0 && (size < least || size >= most) ? { notation: "scientific" } : {};
}

// As many digits as needed, but never "100 %" unless it is certain.
function riskText(share) {
  if (share > 0.999 && share < 1) return say("moreThan", { value: percentText(0.999) });
  if (share < 0.001 && share > 0) return say("lessThan", { value: percentText(0.001) });
  return percentText(share);
}

function shortRiskText(share) {
  if (share > 0.999 && share < 1) return ">\u00a0" + percentText(0.999);
  return share < 0.001 && share > 0 ? "<\u00a0" + percentText(0.001) : percentText(share);
}

// A number as Python writes it, with as many digits as needed.
function sameDigits(text) {
  if (/^-?[\d.]+e[+-]\d+$/.test(text)) {
    const all = text.split("e")[0].replace(/\D/g, "").length;
    return formatted(Number(text), { minimumSignificantDigits: all, notation: "scientific" });
  }
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text;
  const digits = (text.split(".")[1] || "").length;
  return formatted(Number(text), { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });
}

// What to write into a field so that reading it gives the same number.
const typedText = (value) => String(value).replace(".", decimalSign);

// Arabic and Persian digits and their decimal sign, and the minus sign, converted to ASCII.
function plainDigits(text) {
  return text
    .replace(/[\u0660-\u0669]/g, (sign) => sign.charCodeAt(0) - 0x0660)
    .replace(/[\u06f0-\u06f9]/g, (sign) => sign.charCodeAt(0) - 0x06f0)
    .replace("\u066b", ".")
    .replace(/\u2212/g, "-");
}

// {value}, {value: null} for nothing, or {error} for text that is not a number, or is ambiguous.
function readNumber(text) {
  const typed = plainDigits(text.trim());
  if (typed === "") return { value: null };
  if (!/^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i.test(typed)) return { value: null, error: say("notANumber") };
  const other = decimalSign === "," ? "." : ",";
  if (new RegExp(`^[+-]?[1-9]\\d{0,2}\\${other}\\d{3}$`).test(typed)) {
    const [whole, rest] = typed.split(other);
    return { value: null, error: say("ambiguous", { first: whole + rest, second: whole + decimalSign + rest }) };
  }
  const value = Number(typed.replace(",", "."));
  return Number.isFinite(value) ? { value } : { value: null, error: say("notANumber") };
}

// A factor on the odds, from its logarithm.
function factorText(logFactor) {
  const power = logFactor / Math.LN10;
  if (Math.abs(power) > 300) return `× 10^${Math.round(power)}`;
  const factor = Math.exp(logFactor);
  return "× " + formatted(factor, { maximumSignificantDigits: 3, ...powers(factor, 1e-4, 1e5) });
}

// The effect of log-odds, in words.
function doesText(logOdds, [first, second]) {
  const [forName, againstName] = [data.classes[first], data.classes[second]];
  if (Number.isNaN(logOdds)) return say("ruledOutBoth");
  if (!Number.isFinite(logOdds)) return say("ruledOut", { name: logOdds > 0 ? againstName : forName });
  const factor = factorText(Math.abs(logOdds));
  if (factor === factorText(0)) return say("even");
  if (data.classes.length > 2) return say("toward", { factor, name: logOdds > 0 ? forName : againstName });
  return logOdds > 0 ? say("raises", { factor }) : say("lowers", { factor: dividedText(-logOdds) });
}

// A factor below one, as the divisor of the odds.
const dividedText = (logFactor) => factorText(logFactor).replace("×", "÷");

const cut = (name, most = 24) => (name.length > most ? name.slice(0, most - 1) + "…" : name);
