// Effects of two or three features as heat maps.

const MOST_MAPS = 8;

// A heat map of two features; of three one for each value of that with the fewest.
function heatEffect(term, axes, odds, most) {
  const third = term.features.length === 3 ? term.shape.indexOf(Math.min(...term.shape)) : -1;
  const [down, along] = axes.map((_, axis) => axis).filter((axis) => axis !== third);
  const values = third < 0 ? [0] : Array.from({ length: Math.min(MOST_MAPS, term.shape[third]) }, (_, value) => value);
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
  const [left, top, bottom] = [axes[down].kind === "number" && !axes[down].values && axes[down].edges.length + 1 === rows ? 64 : 104, 6, 42];
  const tall = Math.max(14, Math.min(30, 260 / rows));
  const wide = (width - left - 8) / columns;
  const height = top + rows * tall + bottom;
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
  for (const { at, text, isBetween } of axisTicks(axes[down], rows, tall, 16, () => 15))
    chart.append(draw("text", { class: "tick", x: left - (isBetween ? 3 : 5), y: top + at + 4, "text-anchor": "end" }, text));
  for (const { at, text } of axisTicks(axes[along], columns, wide, 9, (text) => 7.4 * text.length))
    chart.append(draw("text", { class: "tick", x: left + at, y: top + rows * tall + 15, "text-anchor": "middle" }, text));
  chart.append(draw("text", { class: "tick", x: left + (width - left) / 2, y: height - 6, "text-anchor": "middle" }, cut(axes[along].name, 44)));
  const own = draw("rect", { class: "own-cell", width: wide - 1, height: tall - 1, visibility: "hidden" });
  chart.append(own);
  const title = third < 0 ? null : make("p", { class: "map-title" }, `${axes[third].name}: ${valueText(axes[third], value)}`);
  return {
    element: make("div", {}, title, make("p", { class: "tick-title" }, cut(axes[down].name, 44)), chart),
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

// What stands along an axis of a heat map: edges of numbers between the cells, names of categories at their middles; as many
// as there is room for.
function axisTicks(axis, n, step, longest, room) {
  const isNumber = axis.kind === "number" && !axis.values;
  const inner = isNumber ? axis.edges.map((edge, at) => ({ at: (at + 1) * step, text: numberText(edge), isBetween: true })) : [];
  const first = isNumber ? axis.edges.length + 1 : 0;
  const named = Array.from({ length: n - first }, (_, at) => ({ at: (first + at + 0.5) * step, text: cut(valueText(axis, first + at), longest) }));
  const all = [...inner, ...named];
  const every = Math.max(1, Math.ceil(Math.max(...all.map(({ text }) => room(text))) / step));
  return all.filter((_, at) => at % every === 0);
}

function cellText(axes, { down, along }, r, c, logOdds, rows) {
  const where = `${axes[down].name}: ${valueText(axes[down], r)}, ${axes[along].name}: ${valueText(axes[along], c)}`;
  return `${where}. ${factorText(logOdds)}, ${rows ? say("cellRows", { n: countText(rows) }) : say("noRows")}`;
}
