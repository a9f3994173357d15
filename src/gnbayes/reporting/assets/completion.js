// Unknown features of a weighted model: the mean of P(y | x) over their possible values, given the known ones. The same
// as in Python (gnbayes/model/completion.py), including the fixed completions.

// Numbers from 0 to 1, the midpoints of n intervals, ordered by a hash of their number and the stream.
const streams = new Map();

function pointsOf(stream, n) {
  if (!streams.has(stream)) streams.set(stream, makePoints(stream, n));
  return streams.get(stream);
}

function makePoints(stream, n) {
  const hashes = Array.from({ length: n }, (_, at) => {
    let mixed = (Math.imul(stream, 0x9e3779b1) + at) >>> 0;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d) >>> 0;
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b) >>> 0;
    return (mixed ^ (mixed >>> 16)) >>> 0;
  });
  const order = hashes.map((_, at) => at).sort((a, b) => hashes[a] - hashes[b] || a - b);
  return order.map((at) => (at + 0.5) / n);
}

// Likelihood of the known features below each feature for its values, (value, class), and tempered P(y | known).
function messages(joint, codes, k) {
  const known = joint.nodes.map((node, j) => (codes[j] < 0 ? -1 : node.codes[codes[j]]));
  const up = joint.nodes.map((node) => new Float64Array(node.size * k).fill(1));
  let posterior = new Float64Array(k).fill(1);
  for (let j = joint.nodes.length - 1; j >= 0; j--) {
    const { size, mother, table } = joint.nodes[j];
    const above = mother < 0 ? posterior : up[mother];
    const given = mother < 0 ? 0 : known[mother];
    const lines = given >= 0 ? [given] : Array.from({ length: joint.nodes[mother].size }, (_, a) => a);
    let largest = 0;
    for (const a of lines) {
      for (let y = 0; y < k; y++) {
        let sum = 0;
        for (let b = 0; b < size; b++)
          if (known[j] < 0 || known[j] === b) sum += table[(a * size + b) * k + y] * up[j][b * k + y];
        above[a * k + y] *= sum;
        largest = Math.max(largest, above[a * k + y]);
      }
    }
    if (largest > 0) for (const a of lines) for (let y = 0; y < k; y++) above[a * k + y] /= largest;
  }
  posterior = posterior.map((value, y) => joint.prior[y] * value ** joint.tempering);
  const all = total(posterior);
  return { known, up, posterior: all > 0 ? posterior.map((value) => value / all) : joint.prior };
}

// Completions of the unknown features, given the known ones: all combinations if they are few, otherwise a fixed
// number. {unknown, drawn, filled, weights, isExact}: features, and for every completion and each of them its value in
// the joint distribution and its code.
function completionsOf(model, codes) {
  const { joint, nClasses: k, nCompletions } = model;
  const { known, up, posterior } = messages(joint, codes, k);
  const unknown = codes.flatMap((code, j) => (code < 0 ? [j] : []));
  const drawn = Array.from(known);
  const cache = new Map();
  const shares = (j, y) => {
    const { size, mother, table } = joint.nodes[j];
    const above = mother < 0 ? 0 : drawn[mother];
    const key = (j * 4096 + above) * k + y;
    let found = cache.get(key);
    if (!found) {
      let own = Float64Array.from({ length: size }, (_, b) => table[(above * size + b) * k + y] * up[j][b * k + y]);
      if (!(total(own) > 0)) own = own.fill(1);
      cache.set(key, (found = { own, total: total(own) }));
    }
    return found;
  };
  const nCombinations = unknown.reduce((product, j) => product * joint.nodes[j].codes.length, 1);
  const isExact = nCombinations <= nCompletions;
  const n = isExact ? nCombinations : nCompletions;
  const made = { unknown, n, isExact, values: new Int16Array(n * unknown.length), codes: new Int16Array(n * unknown.length) };
  made.weights = new Float64Array(n);
  if (isExact) goThroughAll(joint, k, made, posterior, shares, drawn);
  else drawAll(model, made, posterior, shares, drawn);
  return made;
}

function goThroughAll(joint, k, made, posterior, shares, drawn) {
  const { unknown } = made;
  const chosen = new Array(unknown.length);
  let row = 0;
  const go = (at, weights) => {
    if (at === unknown.length) {
      unknown.forEach((j, i) => {
        made.values[row * unknown.length + i] = drawn[j];
        made.codes[row * unknown.length + i] = chosen[i];
      });
      made.weights[row++] = total(weights);
      return;
    }
    const j = unknown[at];
    joint.nodes[j].members.forEach((members, b) => {
      for (const code of members) {
        drawn[j] = b;
        chosen[at] = code;
        const next = weights.map((weight, y) => {
          const { own, total: all } = shares(j, y);
          return (weight * own[b] * joint.nodes[j].within[code * k + y]) / all;
        });
        go(at + 1, next);
      }
    });
  };
  go(0, posterior);
}

function drawAll(model, made, posterior, shares, drawn) {
  const { joint, nClasses: k, nCompletions: n, columns } = model;
  const { unknown } = made;
  const ofClass = pointsOf(0, n);
  const points = unknown.map((j) => pointsOf(columns[j] + 1, n));
  for (let m = 0; m < n; m++) {
    let y = 0;
    for (let sum = posterior[0]; y < k - 1 && ofClass[m] >= sum; ) sum += posterior[++y];
    unknown.forEach((j, at) => {
      const { own, total: all } = shares(j, y);
      const { members, within } = joint.nodes[j];
      const place = points[at][m] * all;
      let b = 0;
      let below = 0;
      while (b < own.length - 1 && place >= below + own[b]) below += own[b++];
      const rest = own[b] > 0 ? (place - below) / own[b] : 0.5;
      let i = 0;
      for (let inside = within[members[b][0] * k + y]; i < members[b].length - 1 && rest >= inside; )
        inside += within[members[b][++i] * k + y];
      drawn[j] = b;
      made.values[m * unknown.length + at] = b;
      made.codes[m * unknown.length + at] = members[b][i];
    });
    made.weights[m] = 1 / n;
  }
}

// The probabilities of every completion, one after the other, and their mean.
function averaged(scores, { n, weights }, k) {
  const shares = new Float64Array(n * k);
  const mean = new Float64Array(k);
  for (let m = 0; m < n; m++) {
    const own = probabilities(scores.subarray(m * k, m * k + k));
    for (let y = 0; y < k; y++) {
      shares[m * k + y] = own[y];
      mean[y] += weights[m] * own[y];
    }
  }
  return { shares, mean };
}

// Contribution of averaging over unknown features to the scores: log-probabilities beyond the known terms, with mean 0
// over the classes; and the completions with their probabilities.
function unknownPart(model, codes, known) {
  const { joint } = model;
  const share = codes.reduce((sum, code, j) => sum + (code < 0 ? joint.importances[j] : 0), 0);
  const made = completionsOf(model, codes);
  const open = openTerms(model, codes, made);
  const { shares, mean: proba } = averaged(completedScores(known, open, made.n), made, model.nClasses);
  const beyond = Float64Array.from(proba, (value, y) =>
    Number.isFinite(known[y]) ? Math.log(Math.max(value, 2.2250738585072014e-308)) + Math.min(share, 1) * joint.lacking[y] - known[y] : NaN,
  );
  const possible = beyond.filter((value) => !Number.isNaN(value));
  const mean = total(possible) / possible.length;
  return {
    beyondKnown: beyond.map((value) => (Number.isNaN(value) ? 0 : value - mean)),
    completions: { ...made, open, shares, mean: proba },
  };
}
