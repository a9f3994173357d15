// Terms: tables over the values of one to three features, the summands of a weighted model, which effects show.

// {features, maps, shape, table, rows, importance} of every term. The table has one number per cell and class, and the
// sum over the classes is 0; a map gives the position of each code along an axis.
function readTerms(described, nClasses) {
  const { spreads, spreadStep, step } = described;
  const errorsPerCell = nClasses === 2 ? 1 : nClasses;
  let start = 0;
  return described.terms.map(({ features, maps, shape, importance }) => {
    const size = shape.reduce((product, length) => product * length, 1);
    const [from, to] = [start, (start += size)];
    const own = summed(described.tables, from, to, shape, nClasses - 1);
    const errors = spreads && summed(spreads, from, to, shape, errorsPerCell).map((steps) => Math.exp(steps * spreadStep));
    return {
      features,
      maps: maps.map((way, axis) => described.maps[features[axis]][way]),
      shape,
      table: withFirstClass(own, step, nClasses),
      // Standard error of a cell's score for class y, less the mean over the classes; the same for both of two classes.
      spread: errors ? (cell, y) => errors[cell * errorsPerCell + (errorsPerCell > 1 ? y : 0)] : null,
      rows: Float64Array.from(described.rows.slice(from, to)),
      importance,
    };
  });
}

// Cells of a table, in steps, from the differences between neighbors along each axis.
function summed(differences, from, to, shape, perCell) {
  const cells = Float64Array.from(differences.slice(from * perCell, to * perCell));
  let width = perCell;
  for (const length of [...shape].reverse()) {
    for (let at = width; at < cells.length; at++) if (Math.floor(at / width) % length) cells[at] += cells[at - width];
    width *= length;
  }
  return cells;
}

// Scores of all classes from the steps of all but the first.
function withFirstClass(steps, step, k) {
  const table = new Float64Array((steps.length / (k - 1)) * k);
  for (let at = 0, cell = 0; cell < table.length; cell += k)
    for (let y = 1; y < k; y++) {
      table[cell + y] = steps[at++] * step;
      table[cell] -= table[cell + y];
    }
  return table;
}

// Start of the numbers of a cell; all codes must be known.
function cellOf(term, codes, k) {
  let cell = 0;
  term.features.forEach((j, axis) => (cell = cell * term.shape[axis] + term.maps[axis][codes[j]]));
  return cell * k;
}

// Contribution of every feature; a term of several features is divided evenly among them. The difference between the
// share of the class, where the page starts, and the intercept is divided by importance. As in Python
// (gnbayes/model/reasons.py).
function weightedContributions(model, codes) {
  const { nClasses: k, intercept } = model;
  const { importances, logPrior } = model.joint;
  const beyond = intercept.map((value, y) => (Number.isFinite(value) && Number.isFinite(logPrior[y]) ? value - logPrior[y] : 0));
  const added = codes.map((code, j) => beyond.map((value) => (code < 0 ? 0 : value * importances[j])));
  const known = Float64Array.from(intercept);
  for (const term of model.terms) {
    if (term.features.some((j) => codes[j] < 0)) continue;
    const start = cellOf(term, codes, k);
    for (let y = 0; y < k; y++) {
      known[y] += term.table[start + y];
      for (const j of term.features) added[j][y] += term.table[start + y] / term.features.length;
    }
  }
  if (codes.some((code) => code < 0)) {
    const left = total(importances.filter((_, j) => codes[j] < 0));
    const { beyondKnown, completions } = unknownPart(model, codes, known);
    added.unknown = beyondKnown.map((value, y) => value + left * beyond[y]);
    added.completions = completions;
  }
  return added;
}

const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

// The terms with unknown features, and the cell of each completion in their tables: {term, cells}.
function openTerms(model, codes, made) {
  return model.terms.filter((term) => term.features.some((j) => codes[j] < 0)).map((term) => ({ term, cells: cellsOf(term, codes, made) }));
}

// There are many terms and completions, so the known part of a cell is computed once, and axes one at a time.
function cellsOf(term, codes, { unknown, n, codes: filled }) {
  const cells = new Int32Array(n);
  let start = 0;
  let step = 1;
  for (let axis = term.features.length - 1; axis >= 0; axis--) {
    const j = term.features[axis];
    const map = term.maps[axis];
    const place = unknown.indexOf(j);
    if (place < 0) start += map[codes[j]] * step;
    else for (let m = 0, at = place; m < n; m++, at += unknown.length) cells[m] += map[filled[at]] * step;
    step *= term.shape[axis];
  }
  return start ? cells.map((cell) => cell + start) : cells;
}

// The scores of all completions, one after the other: those of the known terms plus those with unknown features.
function completedScores(known, open, n) {
  const k = known.length;
  const scores = new Float64Array(n * k);
  for (let m = 0; m < n; m++) scores.set(known, m * k);
  for (const { term, cells } of open) {
    const { table } = term;
    for (let m = 0, to = 0; m < n; m++) for (let y = 0, at = cells[m] * k; y < k; y++) scores[to++] += table[at++];
  }
  return scores;
}
