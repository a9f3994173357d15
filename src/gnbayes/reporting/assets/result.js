// The result: probabilities of the classes, and what each known feature does to the odds of two of them.

const MOST_LINES = 10;

// The two classes that are weighed against each other: those that are chosen, else the positive one of two, else the
// two most probable.
function weighed(shares, chosen) {
  if (shares.length === 2) return [data.positive, 1 - data.positive];
  const order = ranked(shares);
  const first = chosen.first ?? order.find((y) => y !== chosen.second);
  return [first, chosen.second !== null && chosen.second !== first ? chosen.second : order.find((y) => y !== first)];
}

// Classes from the most to the least probable.
const ranked = (shares) => shares.map((_, y) => y).sort((a, b) => shares[b] - shares[a] || a - b);

const oddsOf = (part, [first, second]) => part[first] - part[second];

function makeResult() {
  const bars = data.classes.map((name, y) => {
    const fillBar = make("i");
    const value = make("span", { class: "share" });
    const line = make(
      "div",
      { class: "class-line" },
      nameOf(name),
      make("span", { class: "track", "aria-hidden": "true" }, fillBar),
      value,
    );
    line.dataset.index = y;
    return { line, fillBar, value };
  });
  fill(
    byId("shares"),
    bars.map((bar) => bar.line),
  );
  const isLong = bars.length > MOST_CLASSES;
  byId("shares").classList.toggle("many", isLong);
  if (isLong)
    for (const [key, value] of Object.entries({ tabindex: 0, role: "group", "aria-label": say("allClasses") }))
      byId("shares").setAttribute(key, value);
  return {
    show(shares, pair, lines, known, used) {
      const main = data.classes.length === 2 ? data.positive : pair[0];
      byId("risk-name").textContent = say("probabilityOf", { name: data.classes[main] });
      byId("risk").textContent = riskText(shares[main]);
      byId("mini").textContent =
        `${say("probabilityOf", { name: cut(data.classes[main]) })}: ${riskText(shares[main])}`;
      byId("risk").dataset.values = JSON.stringify(shares);
      bars.forEach(({ line, fillBar, value }, y) => {
        fillBar.style.width = `${100 * shares[y]}%`;
        value.textContent = shortRiskText(shares[y]);
        line.classList.toggle("for", y === pair[0]);
        line.classList.toggle("against", y === pair[1]);
      });
      if (isLong) byId("shares").append(...ranked(shares).map((y) => bars[y].line));
      byId("known").textContent = knownText(known, used);
      showEvidence(lines, pair);
    },
  };
}

// How much is known; and what that means to a model that does not sum over what is not.
function knownText(known, used) {
  const isWeighted = model.rule === "weighted";
  if (!known) return say(isWeighted ? "nothingKnownWeighted" : "nothingKnown");
  const words = { known: countText(known), used: countText(used) };
  return say(isWeighted && known < used ? "knownWeighted" : "known", words);
}

// Lines of the waterfall: the start, the strongest features, the others in one, all together.
function evidenceLines(codes, added, logPrior, pair, used) {
  const known = [];
  for (let j = 0; j < used; j++) if (codes[j] >= 0) known.push({ feature: j, logOdds: oddsOf(added[j], pair) });
  const size = (line) => (Number.isNaN(line.logOdds) ? Infinity : Math.abs(line.logOdds));
  known.sort((a, b) => size(b) - size(a) || a.feature - b.feature);
  const shown = known.length > MOST_LINES + 1 ? known.slice(0, MOST_LINES) : known;
  const lines = [{ kind: "base", logOdds: oddsOf(logPrior, pair) }, ...shown];
  const rest = known.slice(shown.length);
  if (rest.length)
    lines.push({ kind: "others", n: rest.length, logOdds: rest.reduce((sum, line) => sum + line.logOdds, 0) });
  const total = lines.reduce((sum, line) => sum + line.logOdds, 0);
  return [...lines, { kind: "total", logOdds: total }].map((line) => ({ ...line, ...lineWords(line, codes) }));
}

function lineWords(line, codes) {
  if (line.kind === "base") return { name: say("base"), value: "", given: "" };
  if (line.kind === "total") return { name: say("total"), value: "", given: "" };
  if (line.kind === "others")
    return { name: line.n === 1 ? say("othersOne") : say("others", { n: countText(line.n) }), value: "", given: "" };
  const { features, mother } = data.model;
  const m = mother[line.feature];
  const isAlone = m < 0 || (model.rule === "weighted" && codes[m] < 0);
  const motherText = () =>
    model.rule === "weighted"
      ? valueText(coarseOf(features[m]), coarseCode(model, m, codes[m]))
      : valueText(features[m], codes[m]);
  return {
    name: features[line.feature].name,
    value: valueText(features[line.feature], codes[line.feature]),
    given: isAlone ? "" : say("given", { name: features[m].name, value: motherText() }),
  };
}

function showEvidence(lines, pair) {
  const [first, second] = pair.map((y) => data.classes[y]);
  byId("evidence-title").textContent = say("evidenceCaption", { first, second });
  let reached = 0;
  const ends = lines.map((line) => {
    const start = line.kind === "total" ? 0 : reached;
    const step = Number.isFinite(line.logOdds) ? line.logOdds : 0;
    reached = line.kind === "total" ? reached : start + step;
    return [start, start + step];
  });
  const low = Math.min(0, ...ends.flat());
  const span = Math.max(0, ...ends.flat()) - low || 1;
  const percent = (value) => `${(100 * (value - low)) / span}%`;
  fill(
    byId("evidence"),
    lines.map((line, at) => {
      const [start, end] = ends[at];
      const bar = make("i", { class: "bar" });
      bar.style.left = percent(Math.min(start, end));
      bar.style.width = `${(100 * Math.abs(end - start)) / span}%`;
      const zero = make("i", { class: "zero" });
      zero.style.left = percent(0);
      const side = line.logOdds > 0 ? "for" : line.logOdds < 0 ? "against" : "";
      return make(
        "li",
        { class: `${line.kind || "feature"} ${side}` },
        make("p", {}, nameOf(line.name), make("b", {}, towardText(line.logOdds, first, second))),
        line.value ? make("small", {}, [line.value, line.given].filter(Boolean).join(", ")) : null,
        make("div", { class: "steps", "aria-hidden": "true" }, zero, bar),
      );
    }),
  );
}

// The same in plain text, to be pasted into a letter.
function resultText(shares, pair, lines, values, used) {
  const [first, second] = pair.map((y) => data.classes[y]);
  const evidence = lines.map((line) => {
    const words = [line.name, line.value].filter(Boolean).join(" ") + (line.given ? `, ${line.given}` : "");
    return `  ${words}: ${towardText(line.logOdds, first, second)}`;
  });
  const typed = knownValues(values, used).map(([name, value]) => `  ${name}: ${value}`);
  return [
    data.title,
    ...shares.map((share, y) => `${say("probabilityOf", { name: data.classes[y] })}: ${riskText(share)}`),
    knownText(typed.length, used),
    "",
    say("evidenceCaption", { first, second }),
    ...evidence,
    "",
    say("valuesKnown"),
    ...(typed.length ? typed : [`  ${say("nothing")}`]),
    "",
    footerText(used),
  ]
    .join("\n")
    .replace(/[\u2068\u2069]/g, "");
}

function knownValues(values, used) {
  const known = [];
  data.model.features.slice(0, used).forEach((feature, j) => {
    const value = values[j];
    if (value === null) return;
    const isNumber = feature.kind === "number" && value !== NOT_RECORDED;
    known.push([feature.name, isNumber ? typedText(value) : valueText(feature, codeOf(feature, value))]);
  });
  return known;
}

function footerText(used) {
  const { library: version, fingerprint } = data;
  return say("reportFooter", { version, fingerprint, used: countText(used), all: countText(data.facts.features) });
}

// For paper: the values that were filled in, and where the numbers come from.
const MOST_PRINTED = 100;

function showPrinted(values, used) {
  const known = knownValues(values, used);
  const left = known.length - MOST_PRINTED;
  byId("printed-values").classList.toggle("many", known.length > 45);
  fill(
    byId("printed-values"),
    known.slice(0, MOST_PRINTED).map(([name, value]) => make("li", {}, nameOf(name), ": ", make("b", {}, value))),
    left > 0 ? make("li", {}, say("andMore", { n: countText(left) })) : null,
    known.length ? null : make("li", {}, say("nothing")),
  );
  byId("printed-footer").textContent =
    `${footerText(used)} ${say("printedOn", { date: new Intl.DateTimeFormat().format(new Date()) })}`;
}
