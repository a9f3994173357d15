// Effects: what the values of a feature do to the odds, the most important first; pairs and triples as heat maps. If
// the form is filled in, the person's own position is marked.

// Number of effects shown at first, and with every further step.
const SHOWN_EFFECTS = 9;
const MORE_EFFECTS = 24;
const MOST_BARS = 14;
// Plots of one feature extend beyond the strongest effect by this factor, to leave room for its interval.
const ROOM = 1.25;
const PLOT = { width: 340, left: 54, right: 12, top: 24, curve: 150, gap: 14, shares: 40 };

// Log-odds of a class in every cell: its score less the mean score of the others.
function oddsOfCells({ table }, y, k) {
  return Array.from({ length: table.length / k }, (_, cell) => {
    const scores = table.subarray(cell * k, cell * k + k);
    return ((scores[y] - total(scores) / k) * k) / (k - 1);
  });
}

function makeEffects() {
  const k = data.classes.length;
  let y = data.event.at ?? 0;
  let shown = [];
  let person = null;
  // The strongest effect of some terms; at least a factor of two, so that small effects do not look large.
  const most = (terms) => terms.reduce((found, term) => Math.max(found, ...oddsOfCells(term, y, k).map(Math.abs)), Math.LN2);
  const add = (n) => {
    const ofOne = Math.min(ROOM * most(model.effects.filter(isOfOne)), Math.log(1000));
    const ofMaps = most(model.effects.filter((term) => !isOfOne(term)));
    const cards = model.effects.slice(shown.length, n).map((term) => effectCard(term, y, ofOne, ofMaps));
    byId("effect-list").append(...cards.map((card) => card.element));
    shown.push(...cards);
    const left = Math.min(MORE_EFFECTS, model.effects.length - shown.length);
    byId("effects-more").hidden = left <= 0;
    byId("effects-more").textContent = say("moreEffects", { n: countText(left), all: countText(model.effects.length) });
    if (person) mark(person);
  };
  const mark = ({ codes, values }) => {
    person = { codes, values };
    for (const card of shown) card.mark(codes, values);
  };
  byId("effects-more").addEventListener("click", () => {
    const first = shown.length;
    add(first + MORE_EFFECTS);
    shown[first].element.querySelector("h3").focus();
  });
  byId("effects-class")?.addEventListener("change", () => {
    y = Number(byId("effects-class").value);
    const n = shown.length;
    shown = [];
    fill(byId("effect-list"));
    add(n);
  });
  add(SHOWN_EFFECTS);
  return { mark };
}

// Names in a sentence.
const listed = (names) => say("and", { first: names.slice(0, -1).join(say("comma")), last: names[names.length - 1] });

const isOfOne = (term) => term.features.length === 1;

// {element, mark(codes, values)} of a term.
function effectCard(term, y, most, mostOfMaps) {
  const odds = oddsOfCells(term, y, data.classes.length);
  const axes = term.features.map((j, axis) => mergedBy(features[j], term.maps[axis]));
  const share = term.importance / (total(model.effects.map((one) => one.importance)) || 1);
  const drawn = !isOfOne(term)
    ? heatEffect(term, axes, odds, mostOfMaps)
    : axes[0].kind === "number" && !axes[0].values && axes[0].edges.length
      ? curveEffect(term, axes[0], odds, most, y)
      : barEffect(term, axes[0], odds, most, y);
  const names = axes.map((axis) => axis.name);
  const title = isOfOne(term) ? nameOf(names[0]) : say("effectTogether", { names: listed(names) });
  const here = make("p", { class: "here" });
  return {
    element: make(
      "article",
      { class: term.features.length === 3 ? "effect wide" : "effect" },
      make("h3", { tabindex: "-1" }, title),
      make("p", { class: "hint" }, say("effectShare", { share: percentText(share) }) + (isOfOne(term) ? "" : ` ${say("effectBeyond")}`)),
      drawn.element,
      here,
    ),
    mark(codes, values) {
      const isKnown = term.features.every((j) => codes[j] >= 0);
      drawn.mark(isKnown ? codes : null, values);
      here.textContent = isKnown ? hereText(term, axes, odds, codes, y) : "";
    },
  };
}

// The effect of the person's own values, in words.
function hereText(term, axes, odds, codes, y) {
  const value = term.features.map((j) => form.text(j, state.values[j])).join(", ");
  const does = factorText(odds[cellOf(term, codes, 1)]).replace(" ", "\u00a0");
  return say("effectHere", { value, does, name: data.classes[y] });
}

// Ticks of factors on the odds between both ends.
function factorTicks(most) {
  const steps = [2, 4, 10, 100, 1000].filter((factor) => Math.log(factor) <= most * 1.02);
  const kept = steps.length > 3 ? steps.filter((factor) => factor >= 10) : steps;
  return [...kept.map((factor) => 1 / factor).reverse(), 1, ...kept];
}

const tickFactor = (factor) => "× " + formatted(factor, { maximumSignificantDigits: 3 });

// Where the outermost intervals of a number end in the plot: at the end of the training range, but not so far out that
// the others become too narrow.
function rangeOf(j, edges) {
  const limits = data.fields.find((field) => field.feature === j)?.limits;
  const [first, last] = [edges[0], edges[edges.length - 1]];
  const reach = (last - first) / 5 || Math.abs(first) / 4 || 1;
  const [low, high] = [limits?.low ?? -Infinity, limits?.high ?? Infinity];
  return [low < first ? Math.max(low, first - reach) : first - reach, high > last ? Math.min(high, last + reach) : last + reach];
}

// A curve over the values of a number, with the distribution of the training rows below it.
function curveEffect(term, axis, odds, most, classAt) {
  const { width, left, right, top, curve, gap, shares } = PLOT;
  const [j] = term.features;
  const [low, high] = rangeOf(j, axis.edges);
  const height = top + curve + gap + shares + 40;
  const n = axis.edges.length + 1;
  const x = scale(low, high, left, width - right);
  const y = (value) => scale(-most, most, top + curve, top)(Math.max(-most, Math.min(most, value)));
  const ends = [low, ...axis.edges, high];
  const label = say("curveOf", { name: axis.name, low: tickFactor(Math.exp(Math.min(...odds.slice(0, n)))), high: tickFactor(Math.exp(Math.max(...odds.slice(0, n)))) });
  const chart = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, class: "chart" });
  for (const factor of factorTicks(most)) {
    const at = y(Math.log(factor));
    chart.append(draw("line", { class: factor === 1 ? "axis" : "rule", x1: left, x2: width - right, y1: at, y2: at }));
    chart.append(draw("text", { class: "tick", x: left - 6, y: at + 4, "text-anchor": "end" }, tickFactor(factor)));
  }
  if (term.spread) chart.append(bandOfSteps(term, classAt, ends, odds, x, y, n));
  const steps = odds.slice(0, n).map((value, at) => `${pointAt(x(ends[at]))} ${pointAt(y(value))}H${pointAt(x(ends[at + 1]))}`);
  chart.append(draw("path", { class: "curve own", d: `M${steps.map((step, at) => (at ? `V${step.split(" ")[1].split("H")[0]}H${step.split("H")[1]}` : step)).join("")}` }));
  chart.append(...densityBars(term, ends, n, x, top + curve + gap, shares));
  chart.append(draw("text", { class: "tick", x: 2, y: 13 }, say("oddsAxis")));
  const bottom = top + curve + gap + shares;
  for (const tick of ticks(low, high, 5))
    if (tick >= low && tick <= high)
      chart.append(draw("text", { class: "tick", x: x(tick), y: bottom + 16, "text-anchor": "middle" }, formatted(tick, { maximumSignificantDigits: 4, ...powers(tick, 1e-4, 1e6) })));
  chart.append(draw("text", { class: "tick", x: (left + width - right) / 2, y: height - 5, "text-anchor": "middle" }, unitOf(j) || say("valueAxis")));
  const own = draw("g", { class: "own-place", visibility: "hidden" });
  chart.append(own);
  const missing = odds.length > n ? make("p", { class: "hint" }, missingText(term, odds, n, classAt)) : null;
  return {
    element: make("div", {}, chart, missing),
    mark(codes, values) {
      const value = codes && values[j] !== NOT_RECORDED ? Number(values[j]) : null;
      own.setAttribute("visibility", value === null ? "hidden" : "visible");
      if (value === null) return;
      const at = Math.min(width - right, Math.max(left, x(value)));
      own.replaceChildren(
        draw("line", { x1: at, x2: at, y1: top, y2: bottom }),
        draw("circle", { cx: at, cy: y(odds[term.maps[0][codes[j]]]), r: 5 }),
      );
    },
  };
}

function missingText(term, odds, n, classAt) {
  const words = say("missingEffect", { factor: factorText(odds[n]) });
  return term.spread ? `${words}; ${intervalText(limitsOf(term, n, odds[n], classAt))}.` : `${words}.`;
}

// The distribution of the training rows by value: areas are shares.
function densityBars(term, ends, n, x, top, height) {
  const density = Array.from({ length: n }, (_, at) => term.rows[at] / (ends[at + 1] - ends[at] || 1));
  const most = Math.max(...density) || 1;
  return density.map((value, at) => {
    const tall = (height * value) / most;
    return draw("rect", { class: "rows", x: x(ends[at]), width: Math.max(0.5, x(ends[at + 1]) - x(ends[at])), y: top + height - tall, height: tall });
  });
}

// A bar per category with its 90 % interval, and its share of the training rows; only the most frequent if there are
// many.
function barEffect(term, axis, odds, most, classAt) {
  const [j] = term.features;
  const rows = Array.from(term.rows);
  const all = total(rows) || 1;
  const cells = rows.map((_, at) => at);
  const kept = cells.length <= MOST_BARS ? cells : cells.sort((a, b) => rows[b] - rows[a] || a - b).slice(0, MOST_BARS).sort((a, b) => a - b);
  // Percent of the width, from the left.
  const place = (value) => 50 + (50 * Math.max(-most, Math.min(most, value))) / most;
  const line = (cell) => {
    const limits = term.spread ? limitsOf(term, cell, odds[cell], classAt) : null;
    const parts = [stretch("zero", 50), stretch("bar", ...[50, place(odds[cell])].sort((a, b) => a - b))];
    if (limits) parts.push(stretch(intervalKind(limits, most), ...limits.map(place)));
    const share = say("ofRows", { share: percentText(rows[cell] / all) });
    return make(
      "li",
      { class: odds[cell] > 0 ? "for" : odds[cell] < 0 ? "against" : "" },
      make("p", {}, nameOf(valueText(axis, cell)), make("b", {}, factorText(odds[cell]))),
      make("div", { class: "steps", "aria-hidden": "true" }, parts),
      make("div", { class: "steps rows", "aria-hidden": "true" }, stretch("bar", 0, (100 * rows[cell]) / all)),
      make("small", {}, limits ? `${share}; ${intervalText(limits)}` : share),
    );
  };
  const lines = new Map(kept.map((cell) => [cell, line(cell)]));
  return {
    element: make("ul", { class: "effect-bars" }, [...lines.values()]),
    mark(codes) {
      const cell = codes ? term.maps[0][codes[j]] : -1;
      lines.forEach((line, at) => line.classList.toggle("own", at === cell));
    },
  };
}

// Where an effect would lie with other training rows, in 90 of 100 cases.
function limitsOf(term, cell, logOdds, classAt) {
  const k = data.classes.length;
  const reach = (NORMAL_90 * term.spread(cell, classAt) * k) / (k - 1);
  return [logOdds - reach, logOdds + reach];
}

// Without an end mark where it extends beyond the plot.
const intervalKind = ([low, high], most) => `interval${low < -most ? " open-low" : ""}${high > most ? " open-high" : ""}`;

function intervalText(limits) {
  const [low, high] = limits.map((limit) => factorText(limit).replace("× ", ""));
  return say("effectInterval", { low, high });
}

// The same along a curve.
function bandOfSteps(term, classAt, ends, odds, x, y, n) {
  const limits = odds.slice(0, n).map((value, at) => limitsOf(term, at, value, classAt));
  const xs = limits.flatMap((_, at) => [x(ends[at]), x(ends[at + 1])]);
  const of = (side) => limits.flatMap((pair) => new Array(2).fill(y(pair[side])));
  return draw("path", { class: "band", d: bandOf(xs, of(0), of(1)) });
}
