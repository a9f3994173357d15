// One feature: its place in the tree, its information, its values, and its table P(x | mother, y) as a heat map; for a
// weighted model see odds.js.

const MOST_VALUES = 12;

function showDetail(j, onChoose) {
  const { features, mother } = data.model;
  const { importance, classShare, classGain, weightShare, gain } = data.importances[j];
  const daughters = mother.map((m, at) => (m === j ? at : -1)).filter((at) => at >= 0);
  const link = (at) => {
    const button = make("button", { type: "button", class: "link" }, nameOf(features[at].name));
    button.addEventListener("click", () => onChoose(at));
    return button;
  };
  const isNaive = mother.every((m) => m < 0);
  const orphan = say(isNaive ? "noMotherNaive" : "noMother");
  const listed = daughters.flatMap((at, i) => (i ? [", ", link(at)] : [link(at)]));
  const amount = (share, nats) => `${percentText(share)} (${say("nats", { value: numberText(nats) })})`;
  const fact = (term, ...words) => make("div", {}, make("dt", {}, term), make("dd", {}, words));
  fill(
    byId("detail"),
    make("h4", {}, nameOf(features[j].name)),
    make(
      "dl",
      { class: "facts" },
      fact(say("mother"), mother[j] >= 0 ? link(mother[j]) : orphan),
      fact(say("daughters"), ...(daughters.length ? listed : [say("noDaughters")])),
      fact(say("importance"), percentText(importance)),
      fact(say("classShare"), amount(classShare, classGain)),
      fact(say("weightShare"), amount(weightShare, gain)),
    ),
    data.classes.length > MOST_CLASSES ? classChoice() : null,
    make("div", { id: "tables" }),
  );
  const show = () => fill(byId("tables"), model.rule === "weighted" ? oddsTable(j) : heatMaps(j));
  byId("table-class")?.addEventListener("change", () => {
    tableClass = Number(byId("table-class").value);
    show();
  });
  show();
}

// The class whose tables are shown, if there are many.
let tableClass = data.event.at ?? 0;

const shownClasses = () =>
  data.classes.length > MOST_CLASSES ? [tableClass] : data.classes.map((_, y) => y);

function classChoice() {
  const options = data.classes.map((name, y) => make("option", { value: y }, name));
  const select = make("select", { id: "table-class" }, options);
  select.value = tableClass;
  return make("p", { class: "tools" }, make("label", {}, say("tableClass"), " ", select));
}

// Positions of the values to show, in their order; only the most frequent if there are too many.
function shownValues(j) {
  const totals = valueTotals(j).map((byClass) => byClass.reduce((a, b) => a + b, 0));
  const positions = totals.map((_, x) => x);
  if (positions.length <= MOST_VALUES) return positions;
  return positions
    .sort((a, b) => totals[b] - totals[a] || a - b)
    .slice(0, MOST_VALUES)
    .sort((a, b) => a - b);
}

// Training rows of a feature by value and class.
function valueTotals(j) {
  const size = model.countSizes[j];
  const k = data.classes.length;
  const totals = Array.from({ length: size }, () => new Array(k).fill(0));
  data.model.counts[j].forEach((count, at) => (totals[Math.floor(at / k) % size][at % k] += count));
  return totals;
}

function scrolled(table) {
  return make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": table.caption.textContent }, table);
}

function heatMaps(j) {
  const { mother, features, sizes } = data.model;
  const m = mother[j];
  const columns = shownValues(j);
  const lines = m < 0 ? [0] : shownValues(m);
  const isCut = columns.length < sizes[j] || (m >= 0 && lines.length < sizes[m]);
  return make(
    "div",
    { class: "heat" },
    make(
      "p",
      { class: "hint" },
      say("tableHint") + (isCut ? " " + say("tableCut", { n: countText(MOST_VALUES) }) : ""),
    ),
    shownClasses().map((y) => scrolled(heatMap(j, y, lines, columns, m < 0 ? null : features[m]))),
  );
}

function heatMap(j, y, lines, columns, mother) {
  const feature = data.model.features[j];
  const words = { feature: feature.name, name: data.classes[y], mother: mother ? mother.name : "" };
  const head = columns.map((x) => make("th", { scope: "col" }, nameOf(valueText(feature, x))));
  return make(
    "table",
    { class: "grid shaded" },
    make("caption", {}, make("span", {}, say(mother ? "tableTitleGiven" : "tableTitle", words))),
    make("thead", {}, make("tr", {}, mother ? make("td") : null, head)),
    make(
      "tbody",
      {},
      lines.map((given) => heatLine(j, y, given, columns, mother)),
      mother ? totalLine(j, y, columns) : null,
    ),
  );
}

function heatLine(j, y, given, columns, mother) {
  const { sizes, counts } = data.model;
  const cells = columns.map((x) => {
    const at = (given * sizes[j] + x) * data.classes.length + y;
    return shadedCell(Math.exp(model.tables[j][at]), counts[j][at]);
  });
  return make("tr", {}, mother ? make("th", { scope: "row" }, nameOf(valueText(mother, given))) : null, cells);
}

// All training rows of the class, for any value of the mother.
function totalLine(j, y, columns) {
  const counts = valueTotals(j).map((byClass) => byClass[y]);
  const sum = counts.reduce((a, b) => a + b, 0) || 1;
  const cells = columns.map((x) => shadedCell(counts[x] / sum, counts[x]));
  return make("tr", { class: "all" }, make("th", { scope: "row" }, say("anyMother")), cells);
}

function shadedCell(share, count) {
  const cellOf = make(
    "td",
    {},
    formatted(share, { style: "percent", maximumFractionDigits: 0 }),
    make("small", {}, countText(count)),
  );
  cellOf.style.setProperty("--share", share);
  return cellOf;
}
