// The result: probabilities of the classes, and the effect of each answer on the odds of two of them.

const MOST_LINES = 10;

// The two classes to compare: those that are chosen, otherwise the event and the other one of two, otherwise the two
// most probable.
function weighed(shares, chosen) {
  if (shares.length === 2) return [data.event.at, 1 - data.event.at];
  const order = ranked(shares);
  const first = chosen.first ?? data.event.at ?? order.find((y) => y !== chosen.second);
  return [first, chosen.second !== null && chosen.second !== first ? chosen.second : order.find((y) => y !== first)];
}

// Classes from the most to the least probable.
const ranked = (shares) => shares.map((_, y) => y).sort((a, b) => shares[b] - shares[a] || a - b);

const oddsOf = (part, [first, second]) => part[first] - part[second];

const titleOf = (y) => (data.event.isRisk && y === data.event.at ? say("riskOf", { name: data.classes[y] }) : say("probabilityOf", { name: data.classes[y] }));

function makeResult() {
  const bars = data.classes.length > 2 ? shareBars() : null;
  const people = data.classes.length === 2 ? makePeople() : null;
  return {
    show({ shares, pair, band, range, lines, known, asked, warnings }) {
      const main = pair[0];
      byId("risk-name").textContent = titleOf(main);
      byId("risk").textContent = riskText(shares[main]);
      byId("mini").textContent = `${cut(titleOf(main), 40)}: ${riskText(shares[main])}`;
      byId("risk").dataset.values = JSON.stringify(shares);
      byId("band").textContent = bandText(band);
      byId("band").dataset.values = JSON.stringify(band);
      byId("range").textContent = rangeText(range);
      byId("range").dataset.values = JSON.stringify(range);
      bars?.show(shares, pair);
      people?.show(shares[main], data.classes[main]);
      byId("known").textContent = knownText(known, asked);
      fill(
        byId("warnings"),
        warnings.map((text) => make("li", {}, text)),
      );
      showReasons(lines, pair);
    },
    // The part that is computed later.
    showMore({ unusual, rank, next }) {
      byId("unusual").dataset.value = unusual;
      byId("unusual").textContent = isRare(rank) ? "" : unusualText(rank);
      byId("rare").textContent = isRare(rank) ? unusualText(rank) : "";
      fill(byId("next"), next ? nextLine(next) : null);
    },
  };
}

// How much the result depends on the training rows, and how much it may change once unknown answers are known.
const bandText = (band) => (band ? say("band", limitWords(band)) : "");
const rangeText = (range) => (range ? say("range", limitWords(range)) : "");
const limitWords = ([low, high]) => ({ low: shortRiskText(low), high: shortRiskText(high) });

// The rarest one in a hundred.
const isRare = (rank) => rank !== null && rank >= 0.99;

function unusualText(rank) {
  if (rank === null) return "";
  const of = data.unusual.isDrawn ? say("peopleDrawn") : say("peopleGiven");
  if (isRare(rank)) return say("rareAnswers", { of });
  return rank < 0.5 ? say("usualAnswers", { of }) : say("rankedAnswers", { n: countText(Math.floor(100 * rank)), of });
}

// The next best question, as a button that leads to its field.
function nextLine({ feature, change }) {
  const name = features[feature].name;
  const button = make("button", { type: "button", class: "link" }, nameOf(name));
  button.addEventListener("click", () => form.focus(feature));
  return [say("nextQuestion"), " ", button, " ", say("nextChange", { change: pointsText(change) })];
}

// A difference of probabilities.
const pointsText = (change) => say("points", { n: formatted(100 * change, { maximumFractionDigits: 100 * change < 1 ? 1 : 0 }) });

// One bar per class; if there are many, the most probable first.
function shareBars() {
  const bars = data.classes.map((name) => {
    const fillBar = make("i");
    const value = make("span", { class: "share" });
    const track = make("span", { class: "track", "aria-hidden": "true" }, fillBar);
    return { line: make("div", { class: "class-line" }, nameOf(name), track, value), fillBar, value };
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
    show(shares, pair) {
      bars.forEach(({ line, fillBar, value }, y) => {
        fillBar.style.width = `${100 * shares[y]}%`;
        value.textContent = shortRiskText(shares[y]);
        line.classList.toggle("for", y === pair[0]);
        line.classList.toggle("against", y === pair[1]);
      });
      if (isLong) byId("shares").append(...ranked(shares).map((y) => bars[y].line));
    },
  };
}

// A hundred people in four rows, as many of them filled as will have the event.
function makePeople() {
  const dots = Array.from({ length: 100 }, (_, at) =>
    draw("circle", { cx: 6 + 12 * (at % 25), cy: 6 + 12 * Math.floor(at / 25), r: 4.6 }),
  );
  const words = make("p", { class: "hint" });
  fill(byId("people"), draw("svg", { viewBox: "0 0 300 48", "aria-hidden": "true" }, dots), words);
  return {
    show(share, name) {
      const n = Math.round(100 * share);
      dots.forEach((dot, at) => dot.setAttribute("class", at < n ? "person event" : "person"));
      words.textContent =
        n === 0
          ? say("peopleSome", { name })
          : n === 100
            ? say("peopleMost", { name })
            : say("people", { n: countText(n), name });
    },
  };
}

// How much is known, and how the rest is treated.
function knownText(known, asked) {
  const isWeighted = model.rule === "weighted";
  if (!known) return say(isWeighted ? "nothingKnownWeighted" : "nothingKnown");
  const words = { known: countText(known), used: countText(asked) };
  return say(isWeighted && known < asked ? "knownWeighted" : "known", words);
}

// Lines of the waterfall: the start, the strongest answers, the others in one, what is unknown, all together.
function reasonLines(codes, added, start, pair, textOf) {
  const known = [];
  codes.forEach((code, j) => code >= 0 && known.push({ feature: j, logOdds: oddsOf(added[j], pair) }));
  const size = (line) => (Number.isNaN(line.logOdds) ? Infinity : Math.abs(line.logOdds));
  known.sort((a, b) => size(b) - size(a) || a.feature - b.feature);
  const shown = known.length > MOST_LINES + 1 ? known.slice(0, MOST_LINES) : known;
  const lines = [{ kind: "base", logOdds: oddsOf(start, pair) }, ...shown];
  const rest = known.slice(shown.length);
  if (rest.length)
    lines.push({ kind: "others", n: rest.length, logOdds: rest.reduce((sum, line) => sum + line.logOdds, 0) });
  if (added.unknown && known.length) lines.push({ kind: "unknown", logOdds: oddsOf(added.unknown, pair) });
  const total = lines.reduce((sum, line) => sum + line.logOdds, 0);
  return [...lines, { kind: "total", logOdds: total }].map((line) => ({ ...line, ...lineWords(line, codes, textOf) }));
}

function lineWords(line, codes, textOf) {
  if (line.kind === "base") return { name: say("base"), value: "", given: "" };
  if (line.kind === "unknown") return { name: say("unknownAveraged"), value: "", given: say("unknownMeans") };
  if (line.kind === "total") return { name: say("total"), value: "", given: "" };
  if (line.kind === "others")
    return { name: line.n === 1 ? say("othersOne") : say("others", { n: countText(line.n) }), value: "", given: "" };
  const { features, mother } = data.model;
  const m = mother[line.feature];
  const isAlone = model.rule === "weighted" || m < 0 || codes[m] < 0;
  return {
    name: features[line.feature].name,
    value: textOf(line.feature),
    given: isAlone ? "" : say("given", { name: features[m].name, value: textOf(m) }),
  };
}

// For two classes, start and end are probabilities; all other lines are factors on the odds.
const lineText = (line, pair) =>
  ["base", "total"].includes(line.kind) && data.classes.length === 2
    ? riskText(1 / (1 + Math.exp(-line.logOdds)))
    : doesText(line.logOdds, pair);

const reasonsTitle = (pair) => {
  const [first, second] = pair.map((y) => data.classes[y]);
  return data.classes.length === 2 ? say("reasonsOf", { first }) : say("reasonsAgainst", { first, second });
};

// Start and end of the bar of each line, as log-odds relative to the starting point.
function barEnds(lines) {
  let reached = 0;
  return lines.map((line) => {
    if (line.kind === "base") return [0, 0];
    if (line.kind === "total") return [0, reached];
    const start = reached;
    reached += Number.isFinite(line.logOdds) ? line.logOdds : 0;
    return [start, reached];
  });
}

function showReasons(lines, pair) {
  byId("reasons-title").textContent = reasonsTitle(pair);
  const ends = barEnds(lines);
  const low = Math.min(0, ...ends.flat());
  const span = Math.max(0, ...ends.flat()) - low || 1;
  const percent = (value) => (100 * (value - low)) / span;
  fill(
    byId("reasons"),
    lines.map((line, at) => {
      const [start, end] = ends[at];
      const parts = [stretch("zero", percent(0))];
      if (line.kind !== "base") parts.push(stretch("bar", ...[start, end].sort((a, b) => a - b).map(percent)));
      const change = line.kind === "total" ? end : line.logOdds;
      const side = change > 0 ? "for" : change < 0 ? "against" : "";
      return make(
        "li",
        { class: `${line.kind || "feature"} ${side}`, "data-odds": line.logOdds },
        make(
          "p",
          {},
          make("span", { class: "reason" }, nameOf(line.name), line.value ? [": ", make("span", {}, line.value)] : null),
          make("b", {}, lineText(line, pair)),
        ),
        line.given ? make("small", {}, line.given) : null,
        make("div", { class: "steps", "aria-hidden": "true" }, parts),
      );
    }),
  );
}

// The same in plain text, to be pasted into a letter.
function resultText({ shares, pair, lines, known, asked, warnings: remarks, answers, rank, band, range }) {
  const warnings = [...remarks, ...(isRare(rank) ? [unusualText(rank)] : [])];
  const reasons = lines.map((line) => {
    const words = [line.name, line.value].filter(Boolean).join(": ") + (line.given && line.kind !== "unknown" ? ` (${line.given})` : "");
    return `  ${words}: ${lineText(line, pair)}`;
  });
  const classes = shares.length === 2 ? [data.event.at] : shares.map((_, y) => y);
  return [
    data.title,
    ...classes.map((y) => `${titleOf(y)}: ${riskText(shares[y])}`),
    ...[bandText(band), rangeText(range)].filter(Boolean),
    knownText(known, asked),
    ...(isRare(rank) || rank === null ? [] : [unusualText(rank)]),
    ...(warnings.length ? ["", say("warnings"), ...warnings.map((text) => `  ${text}`)] : []),
    "",
    reasonsTitle(pair),
    ...reasons,
    "",
    say("valuesKnown"),
    ...(answers.length ? answers.map(([name, value]) => `  ${name}: ${value}`) : [`  ${say("nothing")}`]),
    "",
    footerText(),
  ]
    .join("\n")
    .replace(/[\u2068\u2069]/g, "");
}

function footerText() {
  const { library: version, fingerprint } = data;
  const own = data.page.version ? say("reportVersion", { version: data.page.version }) + " " : "";
  return own + say("reportFooter", { version, fingerprint });
}

// For print: the given answers, and the source of the numbers.
const MOST_PRINTED = 100;

function showPrinted(answers) {
  const left = answers.length - MOST_PRINTED;
  byId("printed-values").classList.toggle("many", answers.length > 45);
  fill(
    byId("printed-values"),
    answers.slice(0, MOST_PRINTED).map(([name, value]) => make("li", {}, nameOf(`${name}:`), " ", make("b", {}, value))),
    left > 0 ? make("li", {}, say("andMore", { n: countText(left) })) : null,
    answers.length ? null : make("li", {}, say("nothing")),
  );
  byId("printed-footer").textContent =
    `${footerText()} ${say("printedOn", { date: new Intl.DateTimeFormat().format(new Date()) })}`;
}
