// How good the model is: every card of the evidence, for one class.

const verdictWords = {
  fine: () => say("verdictFine"),
  few: () => say("verdictFew"),
  "too low": () => say("verdictLow"),
  "too high": () => say("verdictHigh"),
  "too extreme": () => say("verdictExtreme"),
  "too moderate": () => say("verdictModerate"),
};

const isMeasured = Boolean(data.evaluation) && !data.evaluation.obstacle;

// All cards that depend on the class; `at` is its position among those that were assessed.
function showEvidence(at) {
  if (!isMeasured) return;
  const found = data.evaluation.assessed[at];
  const name = data.classes[found.class];
  for (const place of document.querySelectorAll(".class-name")) place.textContent = name;
  showDiscrimination(found, name);
  showCalibration(found, name);
  showOverall(found);
  showInstability(at, name);
  makeThreshold(found, name);
}

const notKnown = (why) => make("p", { class: "hint" }, why);

function showDiscrimination({ auroc, roc, thresholds }, name) {
  fill(byId("discrimination-figures"), figure(say("auroc"), auroc, threeDigits, say("aurocSays")));
  if (!roc) return fill(byId("discrimination-chart"), notKnown(thresholds ? say("smallCounts") : say("noCurve")));
  const label = say("rocLabel", { name, auc: threeDigits(auroc[0]) });
  const { chart, x, y } = square(label, say("falseShare"), say("trueShare"));
  chart.append(draw("path", { class: "curve", d: lineOf(roc[0].map(x), roc[1].map(y)) }));
  fill(byId("discrimination-chart"), chart);
}

function showCalibration(found, name) {
  const { curve, slope, intercept, knots } = found;
  if (curve) {
    const label = say("calibrationLabel", { name, slope: twoDigits(slope[0]) });
    const { chart, x, y } = square(label, say("predictedShare"), say("observedShare"));
    const xs = curve.predicted.map(x);
    chart.append(
      draw("path", { class: "band", d: bandOf(xs, curve.low.map(y), curve.high.map(y)) }),
      draw("path", { class: "curve", d: lineOf(xs, curve.observed.map(y)) }),
    );
    fill(byId("calibration-chart"), chart, knots ? null : make("p", { class: "hint" }, say("straightLine")));
  } else fill(byId("calibration-chart"), make("p", { class: "hint" }, say("noCalibration")));
  fill(
    byId("calibration-figures"),
    figure(say("meanRisk"), [found.meanRisk], percentText, say("meanRiskSays")),
    figure(say("observed"), found.observed, percentText, say("observedSays")),
    figure(say("intercept"), intercept, twoDigits, say("interceptSays")),
    figure(say("slope"), slope, twoDigits, say("slopeSays")),
    figure(say("ici"), [found.ici], percentText, say("iciSays")),
    figure(say("e50"), [found.e50], percentText, say("e50Says")),
    figure(say("e90"), [found.e90], percentText, say("e90Says")),
  );
}

function showOverall({ brier, scaledBrier, logloss }) {
  fill(
    byId("overall-figures"),
    figure(say("brier"), brier, threeDigits, say("brierSays")),
    figure(say("scaledBrier"), scaledBrier, percentText, say("scaledBrierSays")),
    figure(say("logloss"), logloss, threeDigits, say("loglossSays")),
  );
}

function showInstability(at, name) {
  const steady = data.evaluation.instability?.classes[at];
  if (!steady) return;
  const label = say("instabilityLabel", { name, mape: percentText(steady.mape) });
  const { chart, x, y } = square(label, say("thisRisk"), say("otherRisk"));
  const xs = steady.risk.map(x);
  const of = (key) => steady[key].map(y);
  chart.append(
    draw("path", { class: "band", d: bandOf(xs, of("low"), of("high")) }),
    draw("path", { class: "band", d: bandOf(xs, of("lower"), of("upper")) }),
  );
  fill(byId("instability-chart"), chart);
  fill(
    byId("instability-figures"),
    figure(say("mape"), [steady.mape], percentText, say("mapeSays")),
    figure(say("mape90"), [steady.mape90], percentText, say("mape90Says")),
  );
}

// Groups of people, one line each.
function showParts() {
  if (!isMeasured || !data.evaluation.parts.length) return;
  const name = data.classes[data.event.at];
  const head = [
    say("partColumn"),
    say("partVerdict"),
    say("partRows"),
    say("partEvents", { name: cut(name) }),
    say("auroc"),
    say("meanRisk"),
    say("observed"),
    say("intercept"),
    say("slope"),
  ];
  const table = make(
    "table",
    { class: "parts" },
    make("caption", { class: "hidden" }, say("partsCaption")),
    make("thead", {}, make("tr", {}, head.map((words) => make("th", { scope: "col" }, words)))),
    data.evaluation.parts.map((part) =>
      make(
        "tbody",
        {},
        make("tr", { class: "part-name" }, make("th", { scope: "rowgroup", colspan: head.length }, nameOf(part.name))),
        part.parts.map(partLine),
      ),
    ),
  );
  fill(byId("parts-chart"), scrolled(table));
}

function partLine(part) {
  const isOff = !["fine", "few"].includes(part.verdict);
  const cellOf = ([value, low, high], write) =>
    make(
      "td",
      {},
      value === null ? "–" : write(value),
      low === null || low === undefined ? null : make("small", {}, say("interval", { low: write(low), high: write(high) })),
    );
  return make(
    "tr",
    { class: isOff ? "off" : null },
    make("th", { scope: "row" }, nameOf(part.name)),
    make("td", { class: "verdict" }, isOff ? make("b", {}, verdictWords[part.verdict]()) : verdictWords[part.verdict]()),
    make("td", {}, countText(part.rows)),
    make("td", {}, countText(part.events)),
    cellOf(part.auroc, twoDigits),
    cellOf([part.meanRisk], percentText),
    cellOf(part.observed, percentText),
    cellOf(part.intercept, twoDigits),
    cellOf(part.slope, twoDigits),
  );
}

function showClasses() {
  if (!isMeasured) return;
  const found = data.evaluation.classification;
  const common = { name: data.classes[found.commonest], share: percentText(found.commonestShare) };
  const prior = say("loglossPrior", { value: threeDigits(found.priorLogloss) });
  fill(
    byId("classes-figures"),
    figure(say("accuracy"), found.accuracy, percentText, say("accuracySays", common)),
    figure(say("balanced"), [found.balanced], percentText, say("balancedSays")),
    data.classes.length > 2 ? figure(say("logloss"), found.logloss, threeDigits, `${say("loglossSays")} ${prior}`) : null,
  );
  byId("classes").classList.toggle("whole", data.classes.length > MOST_CLASSES);
  fill(byId("classes-chart"), scrolled(confusionTable(found.confusion)));
}

function confusionTable(cells) {
  const k = data.classes.length;
  const lines = data.classes.map((name, y) => {
    const row = cells.slice(y * k, y * k + k);
    if (row.includes(null))
      return make(
        "tr",
        {},
        make("th", { scope: "row" }, nameOf(name)),
        row.map((count) => make("td", {}, count === null ? "–" : countText(count))),
      );
    const sum = row.reduce((a, b) => a + b, 0) || 1;
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, nameOf(name)),
      row.map((count) => {
        const share = count ? make("small", {}, formatted(count / sum, { style: "percent" })) : null;
        const cellOf = make("td", {}, countText(count), share);
        cellOf.style.setProperty("--share", count / sum);
        return cellOf;
      }),
    );
  });
  return make(
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
  );
}
