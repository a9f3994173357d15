// What all charts share: scales, ticks, frames and lines.

const CHART = { width: 420, height: 300, left: 50, right: 24, top: 26, bottom: 42 };

function scale(low, high, start, end) {
  return (value) => start + ((value - low) / (high - low || 1)) * (end - start);
}

function ticks(low, high, most) {
  const rough = (high - low) / most || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough * 0.8);
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at++)
    found.push(Number((at * step).toPrecision(12)));
  return found;
}

const wholePercent = (value) => formatted(value, { style: "percent" });
const QUARTERS = [0, 0.25, 0.5, 0.75, 1];

// An empty chart with light grid lines: {chart, x, y}.
function frame({ label, height = CHART.height, x, y, xTicks, yTicks, xText, yText, xTitle, yTitle }) {
  const { width, left, right, top, bottom } = CHART;
  const chart = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, class: "chart" });
  const xAt = x.isLog
    ? (value) => scale(Math.log(x.low), Math.log(x.high), left, width - right)(Math.log(value))
    : scale(x.low, x.high, left, width - right);
  const yAt = scale(y.low, y.high, height - bottom, top);
  chart.append(
    ...yTicks.map((tick) => draw("line", { class: "rule", x1: left, x2: width - right, y1: yAt(tick), y2: yAt(tick) })),
    ...yTicks.map((tick) =>
      draw("text", { class: "tick", x: left - 6, y: yAt(tick) + 4, "text-anchor": "end" }, yText(tick)),
    ),
    ...xTicks.map((tick) =>
      draw("text", { class: "tick", x: xAt(tick), y: height - bottom + 17, "text-anchor": "middle" }, xText(tick)),
    ),
    draw("text", { class: "tick", x: (left + width - right) / 2, y: height - 5, "text-anchor": "middle" }, xTitle),
    draw("text", { class: "tick", x: 2, y: 13 }, yTitle),
  );
  return { chart, x: xAt, y: yAt };
}

// A square plot of two shares, with the diagonal on which they are equal.
function square(label, xTitle, yTitle) {
  const range = { low: 0, high: 1 };
  const made = frame({
    label,
    height: 390,
    x: range,
    y: range,
    xTicks: QUARTERS,
    yTicks: QUARTERS,
    xText: wholePercent,
    yText: wholePercent,
    xTitle,
    yTitle,
  });
  const { chart, x, y } = made;
  chart.append(draw("line", { class: "chance", x1: x(0), y1: y(0), x2: x(1), y2: y(1) }));
  return made;
}

const pointAt = (number) => Math.round(number * 100) / 100;

const lineOf = (xs, ys) => "M" + xs.map((x, i) => `${pointAt(x)} ${pointAt(ys[i])}`).join("L");

const bandOf = (xs, lows, highs) => lineOf([...xs, ...xs.slice().reverse()], [...highs, ...lows.slice().reverse()]) + "Z";

// A position on the horizontal axis.
function mark(chart, x, height) {
  chart.append(draw("line", { class: "chosen", x1: x, x2: x, y1: CHART.top, y2: height - CHART.bottom }));
}

function legend(keys) {
  return make(
    "p",
    { class: "legend", "aria-hidden": "true" },
    keys.map(([kind, words]) => make("span", { class: `key ${kind}` }, words)),
  );
}

// A number with its interval, and a one-line explanation.
function figure(term, [value, low, high], write, says) {
  return make(
    "div",
    {},
    make("dt", {}, term, says ? make("small", {}, says) : null),
    make(
      "dd",
      {},
      value === null ? "–" : write(value),
      low === null || low === undefined
        ? null
        : make("small", {}, `(${say("interval", { low: write(low), high: write(high) })})`),
    ),
  );
}

const threeDigits = (value) => formatted(value, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const twoDigits = (value) => formatted(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
