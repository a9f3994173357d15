// One person: a number, the code of a choice, "na" for not recorded, or null for unknown, for every feature. All of it
// fits into the address of the page.

const NOT_RECORDED = "na";

// The position of a value; -1 for unknown.
function codeOf(feature, value) {
  if (value === null) return -1;
  if (value === NOT_RECORDED) return nValues(feature);
  return feature.kind === "number" ? feature.edges.filter((edge) => value >= edge).length : value;
}

const nValues = (feature) => (feature.kind === "number" ? feature.edges.length + 1 : feature.values.length);

function valueText(feature, code) {
  if (code < 0) return say("unknown");
  if (code === nValues(feature)) return say("notRecorded");
  if (feature.values) {
    const text = feature.isNumeric ? sameDigits(feature.values[code]) : feature.values[code];
    return feature.isGrouped ? say("group", { value: text }) : text;
  }
  const edges = feature.edgeTexts.map(sameDigits);
  if (!edges.length) return say("anyNumber");
  if (code === 0) return say("below", { high: edges[0] });
  return code === edges.length
    ? say("from", { low: edges[code - 1] })
    : say("between", { low: edges[code - 1], high: edges[code] });
}

function groupedNames(values, map) {
  const groups = Array.from({ length: Math.max(...map.slice(0, values.length)) + 1 }, () => []);
  values.forEach((value, code) => groups[map[code]].push(value));
  return groups.map((group) => group.join(", "));
}

// The feature with fewer values, given a map from its codes.
function mergedBy(feature, map) {
  const values = feature.values && groupedNames(feature.values, map);
  if (feature.kind !== "number") return { ...feature, values, isNumeric: feature.isNumeric && values.length === feature.values.length };
  const isCut = (_, at) => map[at] !== map[at + 1];
  return { ...feature, values, edges: feature.edges.filter(isCut), edgeTexts: feature.edgeTexts.filter(isCut) };
}

// The feature with its coarse values, as used in counts.
const coarseOf = (feature) => (feature.coarse ? mergedBy(feature, feature.coarse) : feature);

function addressOf(fingerprint, values) {
  const parts = [`m=${fingerprint}`];
  values.forEach((value, j) => {
    if (value !== null) parts.push(`${j}=${value}`);
  });
  return "#" + parts.join("&");
}

// {values, problem}; null if the address contains no answers.
function readAddress(address, fingerprint, features) {
  const found = new Map(
    address
      .slice(1)
      .split("&")
      .map((part) => [part.split("=")[0], part.slice(part.indexOf("=") + 1)]),
  );
  if (!found.has("m")) return null;
  if (found.get("m") !== fingerprint) return { values: features.map(() => null), problem: say("otherModel") };
  let damaged = 0;
  const values = features.map((feature, j) => {
    const text = found.get(String(j));
    if (text === undefined) return null;
    const isFine = text === NOT_RECORDED ? feature.hasMissing : isValue(feature, text);
    damaged += isFine ? 0 : 1;
    return isFine ? (text === NOT_RECORDED ? text : Number(text)) : null;
  });
  return { values, problem: damaged ? say("badLink", { n: countText(damaged) }) : "" };
}

// Whether a text is exactly what the page itself writes for a value.
function isValue(feature, text) {
  if (feature.kind === "number") return /^-?\d+(\.\d+)?(e[+-]\d+)?$/.test(text) && Number.isFinite(Number(text));
  return /^\d+$/.test(text) && Number(text) < feature.values.length;
}
