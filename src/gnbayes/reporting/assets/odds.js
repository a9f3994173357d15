// Tables of a weighted model: what a value does to the odds, with its mother by coarse values and counts, and by itself.

// Against what a class is weighed: the other one of two, or the average of all. One view a table.
function oddsViews() {
  const { classes } = data;
  const positive = data.event.at;
  if (classes.length === 2) return [{ y: positive, of: (part) => part[positive] - part[1 - positive] }];
  return shownClasses().map((y) => ({ y, of: (part) => part[y] - part.reduce((a, b) => a + b, 0) / part.length }));
}

function oddsTables(j) {
  const { classes, model: described } = data;
  const positive = data.event.at;
  const m = described.mother[j];
  const columns = shownValues(j);
  const lines = m < 0 ? [] : shownValues(m);
  const isCut = columns.length < model.countSizes[j] || (m >= 0 && lines.length < model.countSizes[m]);
  const hints = [
    classes.length === 2
      ? say("oddsHint", { first: classes[positive], second: classes[1 - positive] })
      : say("oddsHintMany"),
    model.coarse[j] ? say("oddsMean") : "",
    isCut ? say("tableCut", { n: countText(MOST_VALUES) }) : "",
  ];
  return make(
    "div",
    { class: "heat" },
    make("p", { class: "hint" }, hints.filter(Boolean).join(" ")),
    oddsViews().map((view) => scrolled(oddsTable(j, view, lines, columns))),
    model.coarse[j] ? scrolled(fineTable(j)) : null,
  );
}

// What the values of a coarse one add by themselves, on average.
function meanAlone(j, value) {
  const fine = Array.from({ length: model.sizes[j] }, (_, code) => code).filter(
    (code) => coarseCode(model, j, code) === value,
  );
  const sum = new Float64Array(model.nClasses);
  for (const code of fine) cell(model, model.tables, j, 0, code).forEach((added, y) => (sum[y] += added / fine.length));
  return sum;
}

function oddsTable(j, view, lines, columns) {
  const m = data.model.mother[j];
  const feature = coarseOf(data.model.features[j]);
  const mother = m < 0 ? null : coarseOf(data.model.features[m]);
  const words = { feature: feature.name, name: data.classes[view.y], mother: mother ? mother.name : "" };
  const alone = columns.map((x) => meanAlone(j, x));
  const given = lines.map((line) =>
    columns.map((x, at) => view.of(alone[at].map((added, y) => added + pairCell(model, j, line, x)[y]))),
  );
  const unknown = alone.map(view.of);
  const most = largest([...given.flat(), ...unknown]);
  const totals = valueTotals(j);
  const lineOf = (name, odds, rowsOf, kind) =>
    make(
      "tr",
      { class: kind },
      name,
      odds.map((value, at) => oddsCell(value, most, rowsOf(columns[at]), view.y)),
    );
  return make(
    "table",
    { class: "grid odds" },
    make("caption", {}, make("span", {}, say(mother ? "oddsTitleGiven" : "oddsTitle", words))),
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        mother ? make("td") : null,
        columns.map((x) => make("th", { scope: "col" }, nameOf(valueText(feature, x)))),
      ),
    ),
    make(
      "tbody",
      {},
      given.map((odds, at) =>
        lineOf(
          make("th", { scope: "row" }, nameOf(valueText(mother, lines[at]))),
          odds,
          (x) => pairCounts(j, lines[at], x),
          null,
        ),
      ),
      lineOf(
        mother ? make("th", { scope: "row" }, say("unknownMother")) : null,
        unknown,
        (x) => totals[x],
        mother ? "all" : null,
      ),
    ),
  );
}

// What each of the fine values adds by itself; one column a class, and a bar in place of a shade if there is one only.
function fineTable(j) {
  const feature = data.model.features[j];
  const views = oddsViews();
  const lines = Array.from({ length: model.sizes[j] }, (_, code) => {
    const part = cell(model, model.tables, j, 0, code);
    return views.map((view) => view.of(part));
  });
  const most = largest(lines.flat());
  return make(
    "table",
    { class: `grid odds fine${views.length === 1 ? " bars" : ""}` },
    make("caption", {}, make("span", {}, say("oddsAlone", { feature: feature.name }))),
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        make("td"),
        views.map((view) => make("th", { scope: "col" }, say("oddsOf", { name: data.classes[view.y] }))),
      ),
    ),
    make(
      "tbody",
      {},
      lines.map((odds, code) =>
        make(
          "tr",
          {},
          make("th", { scope: "row" }, nameOf(valueText(feature, code))),
          odds.map((value) => oddsCell(value, most)),
        ),
      ),
    ),
  );
}

// What is shaded most; at least a factor of two, so that little does not look like much.
const largest = (odds) => Math.max(Math.LN2, ...odds.map(Math.abs));

function pairCounts(j, given, x) {
  const k = data.classes.length;
  const start = (given * model.countSizes[j] + x) * k;
  return data.model.counts[j].slice(start, start + k);
}

// A factor, and below it how many training rows there are of the class; pale where there are none at all.
function oddsCell(logOdds, most, byClass, y) {
  const all = byClass ? byClass.reduce((a, b) => a + b, 0) : 0;
  const rows = all ? say("rowsOf", { n: countText(byClass[y]), all: countText(all) }) : say("noRows");
  const side = byClass && !all ? "empty" : logOdds > 0 ? "for" : "against";
  const cellOf = make("td", { class: side }, factorText(logOdds), byClass ? make("small", {}, rows) : null);
  cellOf.style.setProperty("--share", Math.abs(logOdds) / most);
  cellOf.style.setProperty("--side", Math.sign(logOdds));
  return cellOf;
}
