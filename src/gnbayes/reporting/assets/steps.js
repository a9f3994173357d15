// Scores of models with fewer features; the last one is the model of this page.

const counted = isMeasured ? data.evaluation.numbers : null;

function showSteps(at) {
  const { numbers } = counted;
  const isOwn = at === numbers.length - 1;
  const words = isOwn ? `${countText(numbers[at])}: ${say("thisModel")}` : countText(numbers[at]);
  byId("slider").setAttribute("aria-valuetext", words);
  byId("used").textContent = words;
  showChosen(at);
  const shares = ["auroc", "accuracy"].filter((key) => counted[key]?.some(([value]) => value !== null));
  fill(byId("number-loss"), stepChart(["logloss"], at, twoDigits));
  fill(
    byId("number-shares"),
    stepChart(shares, at, wholePercent),
    legend(shares.map((key, place) => [`s${place}`, scoreNames[key]()])),
  );
  fill(
    byId("number-figures"),
    [...shares, "logloss"].map((key) => figure(scoreNames[key](), counted[key][at], scoreTexts[key], "")),
  );
}

// The features of a number, in the order in which they join, and in how many folds each of them was chosen.
function showChosen(at) {
  const shares = counted.chosenIn[at] ?? null;
  const names = counted.order.slice(0, counted.numbers[at]).map((place) => data.model.features[place].name);
  fill(
    byId("number-features"),
    names.map((name, i) =>
      make("li", {}, nameOf(name), shares ? `, ${say("chosenIn", { share: wholePercent(shares[i]) })}` : ""),
    ),
  );
  byId("number-steady").textContent = counted.isStable[at] === false ? say("unsteady") : "";
}

const scoreNames = { auroc: () => say("auroc"), accuracy: () => say("accuracy"), logloss: () => say("logloss") };
const scoreTexts = { auroc: threeDigits, accuracy: percentText, logloss: threeDigits };

function stepChart(keys, at, write) {
  const { numbers } = counted;
  const last = numbers.length - 1;
  const all = keys.flatMap((key) => counted[key].flat()).filter((value) => value !== null);
  const room = 0.06 * (Math.max(...all) - Math.min(...all)) || 0.05;
  const [low, high] = [Math.max(0, Math.min(...all) - room), Math.max(...all) + room];
  const label = keys.map((key) => {
    const [first, end] = [counted[key][0][0], counted[key][last][0]].map((value) => scoreTexts[key](value ?? 0));
    return say("curveLabel", { score: scoreNames[key](), first, last: end, n: countText(numbers[last]) });
  });
  const { chart, x, y } = frame({
    label: label.join(" "),
    x: { low: 1, high: Math.max(2, numbers[last]), isLog: true },
    y: { low, high },
    xTicks: numbers.filter((n, i) => i % 2 === 0 || i === last || numbers.length < 8),
    yTicks: ticks(low, high, 4),
    xText: countText,
    yText: write,
    xTitle: say("featuresAxis"),
    yTitle: "",
  });
  mark(chart, x(numbers[at]), CHART.height);
  keys.forEach((key, place) => {
    const known = numbers.map((_, i) => i).filter((i) => counted[key][i][0] !== null);
    const xs = known.map((i) => x(numbers[i]));
    const of = (part) => known.map((i) => y(counted[key][i][part] ?? counted[key][i][0]));
    chart.append(
      draw("path", { class: `band s${place}`, d: bandOf(xs, of(1), of(2)) }),
      draw("path", { class: `curve s${place}`, d: lineOf(xs, of(0)) }),
      ...known.map((i, at) => draw("circle", { class: `dot s${place}`, cx: xs[at], cy: of(0)[at], r: 3 })),
    );
  });
  return chart;
}
