// Effects of two or three features as heat maps.

// Width of a character, height of a line, and the longest name that is written in full.
const SIGN = 7.6;
const LINE = 15;
const LONGEST_TICK = 15;

// A heat map of two features; for three, one for each value of the feature with the fewest values.
function heatEffect(term, axes, odds, most) {
  const third = term.features.length === 3 ? term.shape.indexOf(Math.min(...term.shape)) : -1;
  const [down, along] = axes.map((_, axis) => axis).filter((axis) => axis !== third);
  const values = third < 0 ? [0] : Array.from({ length: term.shape[third] }, (_, value) => value);
  const maps = values.map((value) => heatMapOf(term, axes, odds, most, { down, along, third, value }));
  const scaleLine = say("heatScale", { low: factorText(-most), high: factorText(most) });
  return {
    element: make("div", { class: third < 0 ? "heat-map" : "heat-map several" }, maps.map((map) => map.element), make("p", { class: "hint" }, scaleLine)),
    mark(codes) {
      for (const map of maps) map.mark(codes);
    },
  };
}

function heatMapOf(term, axes, odds, most, { down, along, third, value }) {
  const { width } = PLOT;
  const [rows, columns] = [term.shape[down], term.shape[along]];
  const tall = Math.max(LINE, Math.min(30, 260 / rows));
  const sides = sideTicks(axes[down], rows, tall);
  const [left, top] = [10 + SIGN * longestOf(sides), 6];
  const wide = (width - left - 8) / columns;
  const feet = footTicks(axes[along], columns, wide);
  const height = top + rows * tall + feet.depth + 22;
  const place = (r, c) => {
    const at = [];
    at[down] = r;
    at[along] = c;
    if (third >= 0) at[third] = value;
    return at.reduce((cell, step, axis) => cell * term.shape[axis] + step, 0);
  };
  const label = say("heatLabel", { first: axes[down].name, second: axes[along].name });
  const chart = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, class: "chart heat-chart" });
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      const at = place(r, c);
      const share = Math.abs(odds[at]) / most;
      const box = draw("rect", { x: left + c * wide, y: top + r * tall, width: wide - 1, height: tall - 1, class: odds[at] > 0 ? "for" : "against" }, draw("title", {}, cellText(axes, { down, along }, r, c, odds[at], term.rows[at])));
      box.style.fillOpacity = String(0.06 + 0.94 * share);
      chart.append(box);
    }
  for (const { at, text } of sides) chart.append(draw("text", { class: "tick", x: left - 5, y: top + at + 4, "text-anchor": "end" }, text));
  for (const foot of feet.ticks) chart.append(drawFoot(foot, left, top + rows * tall));
  chart.append(draw("text", { class: "tick", x: left + (width - left) / 2, y: height - 6, "text-anchor": "middle" }, axisName(term.features[along], axes[along])));
  const own = draw("rect", { class: "own-cell", width: wide - 1, height: tall - 1, visibility: "hidden" });
  chart.append(own);
  const title = third < 0 ? null : make("p", { class: "map-title" }, `${axes[third].name}: ${withUnitOf(term.features[third], valueText(axes[third], value), value < numberCells(axes[third]))}`);
  return {
    element: make("div", {}, title, make("p", { class: "tick-title" }, axisName(term.features[down], axes[down])), chart),
    mark(codes) {
      const at = (axis) => term.maps[axis][codes[term.features[axis]]];
      const isHere = codes !== null && (third < 0 || at(third) === value);
      own.setAttribute("visibility", isHere ? "visible" : "hidden");
      if (!isHere) return;
      own.setAttribute("x", left + at(along) * wide);
      own.setAttribute("y", top + at(down) * tall);
    },
  };
}

const unitOf = (j) => data.fields.find((field) => field.feature === j)?.unit || "";
const withUnitOf = (j, text, isNumber) => (isNumber && unitOf(j) ? `${text} ${unitOf(j)}` : text);
const axisName = (j, axis) => cut(axis.values || !unitOf(j) ? axis.name : `${axis.name} (${unitOf(j)})`, 44);
const longestOf = (ticks) => Math.max(3, ...ticks.map(({ text }) => text.length));

// How many cells of an axis are intervals of a number; the others have names.
const numberCells = (axis) => (axis.kind === "number" && !axis.values ? axis.edges.length + 1 : 0);

// Names of cells at their centers.
const namedTicks = (axis, n, step) =>
  Array.from({ length: n - numberCells(axis) }, (_, at) => numberCells(axis) + at).map((cell) => ({ at: (cell + 0.5) * step, text: cut(valueText(axis, cell), LONGEST_TICK) }));

// Edges of numbers between the cells, as many as there is room for.
function edgeTicks(axis, step, room) {
  if (!numberCells(axis)) return [];
  const edges = axis.edges.map((edge, at) => ({ at: (at + 1) * step, text: numberText(edge) }));
  const every = Math.max(1, Math.ceil(Math.max(0, ...edges.map(room)) / step));
  return edges.filter((_, at) => at % every === 0);
}

const sideTicks = (axis, n, step) => [...edgeTicks(axis, step, () => LINE), ...namedTicks(axis, n, step)];

// The labels below a map, and their height: names that do not fit side by side are rotated, and names next to numbers
// have a line of their own.
function footTicks(axis, n, step) {
  const edges = edgeTicks(axis, step, ({ text }) => SIGN * text.length + 6);
  const names = namedTicks(axis, n, step);
  if (edges.length) return { ticks: [...edges, ...names.map((tick) => ({ ...tick, end: n * step, isBelow: true }))], depth: names.length ? 2 * LINE + 3 : LINE + 3 };
  const isTurned = names.some(({ text }) => SIGN * text.length + 4 > step);
  const every = isTurned ? Math.max(1, Math.ceil(LINE / step)) : 1;
  const ticks = names.filter((_, at) => at % every === 0).map((tick) => ({ ...tick, isTurned }));
  return { ticks, depth: isTurned ? 8 + SIGN * longestOf(names) : LINE + 3 };
}

function drawFoot({ at, text, end, isTurned, isBelow }, left, bottom) {
  if (isTurned) return draw("text", { class: "tick", transform: `translate(${left + at + 4} ${bottom + 5}) rotate(-90)`, "text-anchor": "end" }, text);
  if (isBelow) return draw("text", { class: "tick", x: left + end, y: bottom + 2 * LINE, "text-anchor": "end" }, text);
  return draw("text", { class: "tick", x: left + at, y: bottom + LINE, "text-anchor": "middle" }, text);
}

function cellText(axes, { down, along }, r, c, logOdds, rows) {
  const where = `${axes[down].name}: ${valueText(axes[down], r)}, ${axes[along].name}: ${valueText(axes[along], c)}`;
  return `${where}. ${factorText(logOdds)}, ${rows ? say("cellRows", { n: countText(rows) }) : say("noRows")}`;
}
