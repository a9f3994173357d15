// The uncertainty of a risk: from the training rows, and from unknown answers.

// Standard error of the log-odds of class y: from the tables of known features, and from those of unknown ones,
// averaged over completions; null if the model has none. That of the class shares is the least. As in Python
// (gnbayes/model/averaged_spread.py, weighted.py).
function spreadOf(model, codes, completions, y) {
  const { terms, nClasses: k } = model;
  if (!terms?.every((term) => term.spread)) return null;
  const isKnown = (term) => term.features.every((j) => codes[j] >= 0);
  let variance = total(terms.filter(isKnown).map((term) => term.spread(cellOf(term, codes, 1), y) ** 2));
  if (completions) {
    const slopes = slopesOf(completions, y, k);
    for (const open of completions.open) variance += openVariance(open, slopes, y);
  }
  return (Math.sqrt(Math.max(model.spreadRatio * variance, model.leastVariance[y])) * k) / (k - 1);
}

// Contribution of each completion to the slope of the average for class y.
function slopesOf({ n, weights, shares, mean }, y, k) {
  const away = mean[y] * (1 - mean[y]);
  return Float64Array.from({ length: n }, (_, m) => {
    const share = shares[m * k + y];
    return away > 0 ? (weights[m] * share * (1 - share)) / away : weights[m];
  });
}

function openVariance({ term, cells }, slopes, y) {
  const sums = new Float64Array(term.rows.length);
  for (let m = 0; m < cells.length; m++) sums[cells[m]] += slopes[m];
  let variance = 0;
  for (let cell = 0; cell < sums.length; cell++) if (sums[cell] > 0) variance += (sums[cell] * term.spread(cell, y)) ** 2;
  return variance;
}

// The 90 % interval of a probability with other training rows: normal on the log-odds scale.
const NORMAL_90 = 1.6448536269514722;

function bandOfRisk(share, spread) {
  const odds = Math.log(share) - Math.log1p(-share);
  return [-1, 1].map((side) => 1 / (1 + Math.exp(-(odds + side * NORMAL_90 * spread))));
}

// The 90 % range of the probability of class y once everything is known.
function rangeOfCompletions({ n, weights, shares }, y, k) {
  const order = Array.from({ length: n }, (_, m) => m).sort((a, b) => shares[a * k + y] - shares[b * k + y]);
  const all = total(weights);
  return [0.05, 0.95].map((level) => {
    let reached = 0;
    const at = order.find((m) => (reached += weights[m]) >= level * all - 1e-12);
    return shares[(at ?? order[n - 1]) * k + y];
  });
}
