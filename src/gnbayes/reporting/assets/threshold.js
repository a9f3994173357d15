// Acting above a threshold: the decision curve, the spread of risks, and the results of one threshold.

const THRESHOLDS = Array.from({ length: 99 }, (_, at) => (at + 1) / 100);
const NORMAL_95 = 1.959963984540054;

// A share with its 95 % interval by Wilson: [value, low, high].
function shareOf(hits, n) {
  if (!n) return [null];
  const z = NORMAL_95;
  const share = hits / n;
  const middle = (share + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const reach = (z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n);
  return [share, Math.max(0, middle - reach), Math.min(1, middle + reach)];
}

// The three cards for one class; they follow the slider. It starts at the share of the class.
function makeThreshold(found, name) {
  const slider = byId("threshold-slider");
  if (!slider) return;
  const thresholds = found.thresholds ?? THRESHOLDS;
  if (!thresholds.length) {
    for (const card of ["benefit", "spread", "threshold"]) {
      fill(byId(`${card}-chart`), notKnown(say("smallCounts")));
      fill(byId(`${card}-figures`));
    }
    slider.oninput = null;
    byId("threshold-value").textContent = "";
    return;
  }
  const share = found.events / found.rows;
  slider.value = Math.min(99, Math.max(1, Math.round(100 * share)));
  slider.oninput = () => {
    // Scores stored with a model are known at fewer thresholds: the nearest one is used.
    const far = thresholds.map((threshold) => Math.abs(threshold - slider.value / 100));
    const at = far.indexOf(Math.min(...far));
    byId("threshold-value").textContent = wholePercent(thresholds[at]);
    slider.setAttribute("aria-valuetext", wholePercent(thresholds[at]));
    showBenefit(found, name, thresholds, at);
    showSpread(found, name, thresholds[at]);
    showThreshold(found, name, at);
  };
  slider.oninput();
}

// The name of the group without the event.
const otherText = ({ class: y }) =>
  data.classes.length === 2
    ? say("withEvent", { name: cut(data.classes[1 - y]) })
    : say("withoutEvent", { name: cut(data.classes[y]) });

function showBenefit(found, name, thresholds, at) {
  const { netBenefit, netBenefitOfAll } = found;
  const most = Math.max(...netBenefit, found.events / found.rows, 0.01) * 1.05;
  const least = -0.12 * most;
  const { chart, x, y } = frame({
    label: say("benefitLabel", { name }),
    x: { low: 0, high: 1 },
    y: { low: least, high: most },
    xTicks: QUARTERS,
    yTicks: ticks(0, most, 4),
    xText: wholePercent,
    yText: (value) => formatted(value, { maximumFractionDigits: 3 }),
    xTitle: say("thresholdAxis"),
    yTitle: say("benefitAxis"),
  });
  // Lines end where they leave the chart.
  const line = (values, kind) => {
    const inside = values.findIndex((value) => value < least);
    const kept = inside < 0 ? values : values.slice(0, inside);
    if (kept.length > 1)
      chart.append(draw("path", { class: `curve ${kind}`, d: lineOf(kept.map((_, i) => x(thresholds[i])), kept.map(y)) }));
  };
  mark(chart, x(thresholds[at]), CHART.height);
  line(netBenefit.map(() => 0), "none");
  line(netBenefitOfAll, "all");
  line(netBenefit, "own");
  const better = netBenefit.filter((value, i) => value > Math.max(0, netBenefitOfAll[i])).length;
  fill(
    byId("benefit-chart"),
    chart,
    legend([
      ["own", say("ofModel")],
      ["all", say("ofAll")],
      ["none", say("ofNone")],
    ]),
  );
  const words = { n: countText(Math.round(1000 * netBenefit[at])) };
  const [own, all] = [netBenefit[at], netBenefitOfAll[at]].map((value) => [value]);
  const write = (value) => formatted(value, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
  fill(
    byId("benefit-figures"),
    figure(say("benefitAt", { threshold: wholePercent(thresholds[at]) }), own, write, say("benefitAtSays", words)),
    figure(say("ofAll"), all, write, ""),
    make("div", {}, make("dt", {}, say("bestBetween", { places: countText(better), n: countText(thresholds.length) }))),
  );
}

// Shares of the people with the event above the line, of those without below it.
function showSpread(found, name, threshold) {
  const { eventsByRisk, othersByRisk, events, rows } = found;
  const up = eventsByRisk.map((n) => n / (events || 1));
  const down = othersByRisk.map((n) => n / (rows - events || 1));
  const most = Math.max(...up, ...down) * 1.05 || 1;
  const { chart, x, y } = frame({
    label: say("spreadLabel", { name }),
    x: { low: 0, high: 1 },
    y: { low: -most, high: most },
    xTicks: QUARTERS,
    yTicks: ticks(-most, most, 4),
    xText: wholePercent,
    yText: (value) => wholePercent(Math.abs(value)),
    xTitle: say("predictedShare"),
    yTitle: "",
  });
  const width = x(1 / up.length) - x(0) - 2;
  const bar = (share, i, side) =>
    share &&
    chart.append(
      draw("rect", {
        class: side,
        x: x(i / up.length) + 1,
        width,
        y: side === "for" ? y(share) : y(0),
        height: Math.abs(y(share) - y(0)),
      }),
    );
  up.forEach((share, i) => bar(share, i, "for"));
  down.forEach((share, i) => bar(share, i, "against"));
  chart.append(draw("line", { class: "axis", x1: x(0), x2: x(1), y1: y(0), y2: y(0) }));
  mark(chart, x(threshold), CHART.height);
  fill(
    byId("spread-chart"),
    chart,
    legend([
      ["for", say("withEvent", { name: cut(name) })],
      ["against", otherText(found)],
    ]),
  );
}

// Counts as whole numbers that add up to 1,000: those with the largest fractions are rounded up.
function inThousand(counts) {
  const sum = counts.reduce((a, b) => a + b, 0);
  const exact = counts.map((n) => (1000 * n) / sum);
  const whole = exact.map(Math.floor);
  const left = 1000 - whole.reduce((a, b) => a + b, 0);
  const order = exact.map((_, at) => at).sort((a, b) => exact[b] - whole[b] - (exact[a] - whole[a]) || a - b);
  for (const at of order.slice(0, left)) whole[at] += 1;
  return whole;
}

function showThreshold(found, name, at) {
  const hits = found.truePositives[at];
  const alarms = found.falsePositives[at];
  const others = found.rows - found.events;
  const [missed, spared] = [found.events - hits, others - alarms];
  fill(
    byId("threshold-figures"),
    figure(say("sensitivity"), shareOf(hits, found.events), percentText, say("sensitivitySays", { name })),
    figure(say("specificity"), shareOf(spared, others), percentText, say("specificitySays", { name })),
    figure(say("ppv"), shareOf(hits, hits + alarms), percentText, say("ppvSays", { name })),
    figure(say("npv"), shareOf(spared, spared + missed), percentText, say("npvSays", { name })),
  );
  const [hit, alarm, miss, spare] = inThousand([hits, alarms, missed, spared]);
  const line = (words, cells, kind) =>
    make("tr", { class: kind }, make("th", { scope: "row" }, words), cells.map((n) => make("td", {}, countText(n))));
  fill(
    byId("threshold-chart"),
    make(
      "table",
      { class: "thousand" },
      make("caption", {}, make("span", {}, say("perThousand"))),
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          make("td"),
          [say("withEvent", { name: cut(name) }), otherText(found), say("sum")].map((words) =>
            make("th", { scope: "col" }, words),
          ),
        ),
      ),
      make(
        "tbody",
        {},
        line(say("above"), [hit, alarm, hit + alarm], "above"),
        line(say("under"), [miss, spare, miss + spare], null),
        line(say("sum"), [hit + miss, alarm + spare, 1000], "sum"),
      ),
    ),
  );
}
