// The table of a feature of a weighted model: the effect of each of its values on the odds.

// What a class is compared with: the other one of two, or the average of all. One view per column.
function oddsViews() {
  const positive = data.event.at;
  if (data.classes.length === 2) return [{ y: positive, of: (part) => part[positive] - part[1 - positive] }];
  return shownClasses().map((y) => ({ y, of: (part) => part[y] - total(part) / part.length }));
}

function oddsTable(j) {
  const { classes, model: described } = data;
  const positive = data.event.at;
  const k = classes.length;
  const feature = described.features[j];
  const views = oddsViews();
  const term = model.terms.find(({ features: own }) => own.length === 1 && own[0] === j);
  const rows = described.joint.values[j];
  const codes = Array.from({ length: model.sizes[j] }, (_, code) => code);
  const parts = codes.map((code) => (term ? term.table.slice(term.maps[0][code] * k, term.maps[0][code] * k + k) : new Float64Array(k)));
  const most = largest(parts.flatMap((part) => views.map((view) => view.of(part))));
  const words = k === 2 ? say("oddsHint", { first: classes[positive], second: classes[1 - positive] }) : say("oddsHintMany");
  const line = (code) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, nameOf(valueText(feature, code))),
      views.map((view) => oddsCell(view.of(parts[code]), most, rows.slice(code * k, code * k + k), view.y)),
    );
  const head = views.map((view) => make("th", { scope: "col" }, say("oddsOf", { name: classes[view.y] })));
  return make(
    "div",
    { class: "heat" },
    make("p", { class: "hint" }, words),
    scrolled(
      make(
        "table",
        { class: `grid odds fine${views.length === 1 ? " bars" : ""}` },
        make("caption", {}, make("span", {}, say("oddsAlone", { feature: feature.name }))),
        make("thead", {}, make("tr", {}, make("td"), head)),
        make("tbody", {}, codes.map(line)),
      ),
    ),
  );
}

// The value with the strongest shading; at least a factor of two, so that small effects do not look large.
const largest = (odds) => Math.max(Math.LN2, ...odds.map(Math.abs));

// A factor, and below it the number of training rows of the class; pale if there are none at all.
function oddsCell(logOdds, most, byClass, y) {
  const all = total(byClass);
  const rows = all ? say("rowsOf", { n: countText(byClass[y]), all: countText(all) }) : say("noRows");
  const side = !all ? "empty" : logOdds > 0 ? "for" : "against";
  const cellOf = make("td", { class: side }, factorText(logOdds), make("small", {}, rows));
  cellOf.style.setProperty("--share", Math.abs(logOdds) / most);
  cellOf.style.setProperty("--side", Math.sign(logOdds));
  return cellOf;
}
