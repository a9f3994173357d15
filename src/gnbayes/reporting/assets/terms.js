// Terms: tables over the values of one to three features. What a weighted model adds up, and what effects show.

// {features, maps, shape, table, rows, importance} of every term. The table has one number per cell and class; a map
// leads from a code to the cell's place along an axis.
function readTerms(described, nClasses) {
  const cells = described.step ? rounded(described.tables, described.step) : unpacked(described.tables);
  const perCell = described.isOdd ? 1 : nClasses;
  let start = 0;
  return described.terms.map(({ features, maps, shape, rows, importance }) => {
    const size = shape.reduce((product, length) => product * length, 1);
    const own = cells.subarray(start, (start += size * perCell));
    return {
      features,
      maps: maps.map((way, axis) => described.maps[features[axis]][way]),
      shape,
      table: described.isOdd ? Float64Array.from({ length: 2 * size }, (_, at) => (at % 2 ? 1 : -1) * own[at >> 1]) : own,
      rows: withZeros(rows),
      importance,
    };
  });
}

// Multiples of a step.
function rounded(packed, step) {
  const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float64Array.from({ length: bytes.length / 2 }, (_, at) => view.getInt16(2 * at, true) * step);
}

// Where the numbers of a cell begin, for codes that are all known.
function cellOf(term, codes, k) {
  let cell = 0;
  term.features.forEach((j, axis) => (cell = cell * term.shape[axis] + term.maps[axis][codes[j]]));
  return cell * k;
}

// What every feature adds; a term of several features is shared evenly among them. What lies between the share of the
// class, where the page starts, and the intercept is shared by importance. As in Python (gnbayes/model/reasons.py).
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
    const { beyondKnown, completions } = unknownPart(model, codes, known, completedScore(model, codes, known));
    added.unknown = beyondKnown.map((value, y) => value + left * beyond[y]);
    added.completions = completions;
  }
  return added;
}

const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

// The score of a completion: that of the known terms, and the terms of unknown features. It is computed many times for an
// answer, so that what is known of a cell is found once, and no arrays are made.
function completedScore(model, codes, known) {
  const k = model.nClasses;
  const sum = new Float64Array(k);
  const open = model.terms
    .filter((term) => term.features.some((j) => codes[j] < 0))
    .map((term) => openTerm(term, codes, k));
  return (filled) => {
    sum.set(known);
    for (const { table, start, features, steps } of open) {
      let at = start;
      for (let i = 0; i < features.length; i++) at += steps[i][filled[features[i]]];
      for (let y = 0; y < k; y++) sum[y] += table[at + y];
    }
    return sum;
  };
}

// A term with unknown features: where the known ones lead to, and how far each code of the others leads from there.
function openTerm(term, codes, k) {
  const features = [];
  const steps = [];
  let start = 0;
  let step = k;
  for (let axis = term.features.length - 1; axis >= 0; axis--) {
    const j = term.features[axis];
    const width = step;
    if (codes[j] >= 0) start += term.maps[axis][codes[j]] * width;
    else {
      features.push(j);
      steps.push(Int32Array.from(term.maps[axis], (place) => place * width));
    }
    step *= term.shape[axis];
  }
  return { table: term.table, start, features, steps };
}
