// Scores over the number of features, and at the chosen number: figures, confusion matrix, ROC curve, calibration.

const CHART = { width: 400, height: 230, left: 46, right: 14, top: 12, bottom: 40 };

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

// A frame with light lines to read values by.
function frame(x, y, xTicks, yTicks, xText, yText, xTitle) {
  const { width, height, left, right, bottom } = CHART;
  return [
    ...yTicks.map((tick) => draw("line", { class: "rule", x1: left, x2: width - right, y1: y(tick), y2: y(tick) })),
    ...yTicks.map((tick) =>
      draw("text", { class: "tick", x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, yText(tick)),
    ),
    ...xTicks.map((tick) =>
      draw("text", { class: "tick", x: x(tick), y: height - bottom + 16, "text-anchor": "middle" }, xText(tick)),
    ),
    draw("text", { class: "tick", x: (left + width - right) / 2, y: height - 5, "text-anchor": "middle" }, xTitle),
  ];
}

const wholeTicks = (last) => {
  const found = ticks(1, last, 6).filter((tick) => Number.isInteger(tick) && tick >= 1);
  return found.includes(1) ? found : [1, ...found];
};

// Values beyond the last step are those of the model itself, which is no part of the curve.
function lineChart(label, steps, series, at, valueText) {
  const { width, height, left, right, top, bottom } = CHART;
  const all = series.flatMap(({ mean, low, high }) => [...mean, ...low, ...high]).filter((value) => value !== null);
  const least = Math.min(...all);
  const most = Math.max(...all);
  const room = 0.06 * (most - least) || 0.05;
  const last = steps[steps.length - 1];
  const x = scale(1, Math.max(2, last), left, width - right);
  const y = scale(Math.max(0, least - room), most + room, height - bottom, top);
  const chart = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, class: "chart" });
  chart.append(
    ...frame(
      x,
      y,
      wholeTicks(last),
      ticks(Math.max(0, least - room), most + room, 4),
      countText,
      valueText,
      say("featuresAxis"),
    ),
  );
  const place = x(stepAt(at));
  chart.append(draw("line", { class: "chosen", x1: place, x2: place, y1: top, y2: height - bottom }));
  series.forEach(({ mean, low, high }, number) => {
    const known = steps.map((_, i) => i).filter((i) => mean[i] !== null);
    if (low.some((value) => value !== null)) {
      const there = known.map((i) => `${x(steps[i])} ${y(high[i])}`);
      const back = known.map((i) => `${x(steps[i])} ${y(low[i])}`).reverse();
      chart.append(draw("path", { class: `spread s${number}`, d: `M${[...there, ...back].join("L")}Z` }));
    }
    chart.append(
      draw("path", { class: `curve s${number}`, d: "M" + known.map((i) => `${x(steps[i])} ${y(mean[i])}`).join("L") }),
    );
    if (mean[at] !== null && at < steps.length)
      chart.append(draw("circle", { class: `dot s${number}`, cx: place, cy: y(mean[at]), r: 4.5 }));
    const own = mean[steps.length] ?? null;
    if (own !== null) chart.append(diamond(x(last), y(own), number));
  });
  return chart;
}

const diamond = (x, y, number) => draw("path", { class: `own s${number}`, d: `M${x - 7} ${y}l7-7l7 7l-7 7Z` });

// The number of features at a place of the slider; all of them at the last one of a weighted model.
const stepAt = (at) => data.steps[at] ?? data.model.features.length;

const scoreText = (name, value) => (value === null ? "–" : name === "logloss" ? numberText(value) : percentText(value));

function curveLabel(name, values, steps) {
  const words = {
    score: data.scoreNames[name],
    first: scoreText(name, values[0]),
    last: scoreText(name, values[steps.length - 1]),
  };
  const label = say("curveLabel", { ...words, n: countText(steps[steps.length - 1]) });
  const own = values.length > steps.length ? " " + say("ownLabel", { value: scoreText(name, values.at(-1)) }) : "";
  return label + own;
}

// The drawn curves, for the step at this position.
function showCurves(at) {
  const { evaluation, steps } = data;
  if (!evaluation) {
    let reached = 0;
    const told = data.importances.map((part) => (reached += part.classShare));
    const mean = steps.map((n) => told[n - 1]);
    const none = steps.map(() => null);
    fill(
      byId("curve"),
      lineChart(say("information"), steps, [{ mean, low: none, high: none }], at, (value) =>
        formatted(value, { style: "percent" }),
      ),
    );
    return;
  }
  const { scores } = evaluation;
  const hasOwn = scores.accuracy.mean.length > steps.length;
  const ownKey = () => (hasOwn ? make("span", { class: "key own" }, say("thisModel")) : null);
  const shares = ["accuracy", "auc"].filter((name) => scores[name].mean.some((value) => value !== null));
  const label = shares.map((name) => curveLabel(name, scores[name].mean, steps)).join(" ");
  fill(
    byId("curve"),
    lineChart(
      label,
      steps,
      shares.map((name) => scores[name]),
      at,
      (value) => formatted(value, { style: "percent" }),
    ),
    make(
      "p",
      { class: "legend", "aria-hidden": "true" },
      shares.map((name, number) => make("span", { class: `key s${number}` }, data.scoreNames[name])),
      ownKey(),
    ),
  );
  fill(
    byId("loss"),
    lineChart(curveLabel("logloss", scores.logloss.mean, steps), steps, [scores.logloss], at, numberText),
    make("p", { class: "legend", "aria-hidden": "true" }, ownKey()),
  );
  showScores(at);
  showConfusion(at);
  const which = Number(byId("curve-class")?.value ?? 0);
  showRoc(at, which);
  showCalibration(at, which);
}

function showScores(at) {
  const { scores } = data.evaluation;
  fill(
    byId("scores"),
    Object.entries(scores).map(([name, { mean, low, high }]) =>
      make(
        "div",
        {},
        make("dt", {}, data.scoreNames[name]),
        make(
          "dd",
          {},
          scoreText(name, mean[at]),
          low[at] === null ? null : make("small", {}, `${scoreText(name, low[at])} – ${scoreText(name, high[at])}`),
        ),
      ),
    ),
  );
}

function showConfusion(at) {
  const k = data.classes.length;
  const cells = data.evaluation.confusion[at];
  const lines = data.classes.map((name, y) => {
    const row = cells.slice(y * k, y * k + k);
    const sum = row.reduce((a, b) => a + b, 0) || 1;
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, nameOf(name)),
      row.map((count, said) => {
        const share = count ? make("small", {}, formatted(count / sum, { style: "percent" })) : null;
        const cellOf = make("td", { class: y === said ? "right" : "wrong" }, countText(count), share);
        cellOf.style.setProperty("--share", count / sum);
        return cellOf;
      }),
    );
  });
  byId("confusion").parentElement.classList.toggle("whole", k > MOST_CLASSES);
  fill(
    byId("confusion"),
    scrolled(
      make(
        "table",
        { class: "grid shaded" },
        make("caption", { class: "quiet" }, make("span", {}, say("confusionCaption"))),
        make(
          "thead",
          {},
          make("tr", {}, make("td"), make("th", { scope: "colgroup", colspan: k }, say("predicted"))),
          make(
            "tr",
            {},
            make("th", { scope: "col" }, say("trueClass")),
            data.classes.map((name) => make("th", { scope: "col" }, nameOf(name))),
          ),
        ),
        make("tbody", {}, lines),
      ),
    ),
  );
}

function square(label, xTitle, yTitle) {
  const { width, height, left, right, top, bottom } = { ...CHART, height: 400, top: 26, right: 20 };
  const x = scale(0, 1, left, width - right);
  const y = scale(0, 1, height - bottom, top);
  const marks = [0, 0.25, 0.5, 0.75, 1];
  const text = (value) => formatted(value, { style: "percent" });
  const chart = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, class: "chart" });
  chart.append(
    ...marks.map((tick) => draw("line", { class: "rule", x1: left, x2: width - right, y1: y(tick), y2: y(tick) })),
    ...marks.map((tick) =>
      draw("text", { class: "tick", x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, text(tick)),
    ),
    ...marks.map((tick) =>
      draw("text", { class: "tick", x: x(tick), y: height - bottom + 16, "text-anchor": "middle" }, text(tick)),
    ),
    draw("text", { class: "tick", x: (left + width - right) / 2, y: height - 5, "text-anchor": "middle" }, xTitle),
    draw("text", { class: "tick", x: 4, y: 12 }, yTitle),
    draw("line", { class: "chance", x1: x(0), y1: y(0), x2: x(1), y2: y(1) }),
  );
  return { chart, x, y };
}

const cut = (name) => (name.length > 24 ? name.slice(0, 23) + "…" : name);

function showRoc(at, which) {
  const { roc, curves, scores } = data.evaluation;
  const name = data.classes[curves[which]];
  const points = roc[at][which];
  if (!points) {
    fill(byId("roc"), make("p", { class: "hint" }, say("noCurve")));
    return;
  }
  const words = { name, n: countText(stepAt(at)), auc: scoreText("auc", scores.auc.mean[at]) };
  const label = say(curves.length === 1 ? "rocLabel" : "rocPlain", words);
  const { chart, x, y } = square(label, say("falseShare", { name: cut(name) }), say("trueShare", { name: cut(name) }));
  const path = [];
  for (let i = 0; i < points.length; i += 2) path.push(`${x(points[i] / 1000)} ${y(points[i + 1] / 1000)}`);
  chart.append(draw("path", { class: "curve s0", d: "M" + path.join("L") }));
  fill(byId("roc"), chart);
}

function showCalibration(at, which) {
  const { calibration, curves, rows } = data.evaluation;
  const name = data.classes[curves[which]];
  const label = say("calibrationLabel", { name, n: countText(stepAt(at)) });
  const { chart, x, y } = square(label, say("predictedShare", { name: cut(name) }), say("observedShare"));
  const points = calibration[at][which];
  points.forEach(([said, seen, low, high, n]) =>
    chart.append(
      draw("line", { class: "reach", x1: x(said), x2: x(said), y1: y(low), y2: y(high) }),
      draw("circle", { class: "point", cx: x(said), cy: y(seen), r: 3 + 9 * Math.sqrt(n / rows) }),
    ),
  );
  fill(byId("calibration"), chart, make("p", { class: "hint" }, say("calibrationHint")));
}
