// One patient: a number, the code of a choice, "na" for not recorded, or null for unknown, for every feature; and how
// many features are used. All of it can stand in the address of the page.

const NOT_RECORDED = "na";

// The position of a value; -1 for unknown.
function codeOf(feature, value) {
  if (value === null) return -1;
  if (value === NOT_RECORDED) return feature.kind === "number" ? feature.edges.length + 1 : feature.values.length;
  return feature.kind === "number" ? feature.edges.filter((edge) => value >= edge).length : value;
}

const nValues = (feature) => (feature.kind === "number" ? feature.edges.length + 1 : feature.values.length);

function valueText(feature, code) {
  if (code < 0) return say("unknown");
  if (code === nValues(feature)) return say("notRecorded");
  if (feature.kind !== "number") {
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

// The feature by its coarse values, as it stands in pairs and in counts.
function coarseOf(feature) {
  const { coarse } = feature;
  if (!coarse) return feature;
  if (feature.kind !== "number") {
    const groups = Array.from({ length: Math.max(...coarse.slice(0, feature.values.length)) + 1 }, () => []);
    feature.values.forEach((value, code) => groups[coarse[code]].push(value));
    return { ...feature, values: groups.map((group) => group.join(", ")), isNumeric: false };
  }
  const isCut = (_, at) => coarse[at] !== coarse[at + 1];
  return { ...feature, edges: feature.edges.filter(isCut), edgeTexts: feature.edgeTexts.filter(isCut) };
}

function addressOf(fingerprint, used, values) {
  const parts = [`m=${fingerprint}`, `n=${used}`];
  values.forEach((value, j) => {
    if (value !== null) parts.push(`${j}=${value}`);
  });
  return "#" + parts.join("&");
}

// {used, values, problem}; null where the address says nothing.
function readAddress(address, fingerprint, features, mostUsed) {
  const found = new Map(
    address
      .slice(1)
      .split("&")
      .map((part) => [part.split("=")[0], part.slice(part.indexOf("=") + 1)]),
  );
  if (!found.has("m")) return null;
  const nothing = { used: mostUsed, values: features.map(() => null) };
  if (found.get("m") !== fingerprint) return { ...nothing, problem: say("otherModel") };
  let damaged = 0;
  const values = features.map((feature, j) => {
    const text = found.get(String(j));
    if (text === undefined) return null;
    const isFine = text === NOT_RECORDED ? feature.hasMissing : isValue(feature, text);
    damaged += isFine ? 0 : 1;
    return isFine ? (text === NOT_RECORDED ? text : Number(text)) : null;
  });
  const asked = Number(found.get("n"));
  const used = Number.isInteger(asked) && asked >= 1 && asked <= mostUsed ? asked : mostUsed;
  return { used, values, problem: damaged ? say("badLink", { n: countText(damaged) }) : "" };
}

// Whether a text is what the page itself writes for a value.
function isValue(feature, text) {
  if (feature.kind === "number") return /^-?\d+(\.\d+)?(e[+-]\d+)?$/.test(text) && Number.isFinite(Number(text));
  return /^\d+$/.test(text) && Number(text) < feature.values.length;
}
