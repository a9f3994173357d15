// Unknown features of a weighted model: the mean of P(y | x) over what they may be, given the known ones. As in Python
// (gnbayes/model/completion.py), down to the fixed completions.

// Numbers from 0 to 1, the middles of n intervals, in an order that a hash of their number and the stream decides.
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

// What the known features below each feature say of its values, (value, class), and P(y | known), tempered.
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
  const total = posterior.reduce((a, b) => a + b, 0);
  return { known, up, posterior: total > 0 ? posterior.map((value) => value / total) : joint.prior };
}

// The mean of the probabilities over completions: all combinations where they are few, else a fixed number.
function averaged(model, codes, scoreOf) {
  const { joint, nClasses: k } = model;
  const { known, up, posterior } = messages(joint, codes, k);
  const unknown = codes.flatMap((code, j) => (code < 0 ? [j] : []));
  const filled = Array.from(codes);
  const drawn = Array.from(known);
  const out = new Float64Array(k);
  const cache = new Map();
  const shares = (j, y) => {
    const { size, mother, table } = joint.nodes[j];
    const above = mother < 0 ? 0 : drawn[mother];
    const key = (j * 4096 + above) * k + y;
    let found = cache.get(key);
    if (!found) {
      let own = Float64Array.from({ length: size }, (_, b) => table[(above * size + b) * k + y] * up[j][b * k + y]);
      if (!(own.reduce((a, b) => a + b, 0) > 0)) own = own.fill(1);
      cache.set(key, (found = { own, total: own.reduce((a, b) => a + b, 0) }));
    }
    return found;
  };
  const add = (weight) => probabilities(scoreOf(filled)).forEach((share, y) => (out[y] += weight * share));
  const goThrough = (at, weights) => {
    if (at === unknown.length) return add(weights.reduce((a, b) => a + b, 0));
    const j = unknown[at];
    joint.nodes[j].members.forEach((members, b) => {
      for (const code of members) {
        drawn[j] = b;
        filled[j] = code;
        const next = weights.map((weight, y) => {
          const { own, total } = shares(j, y);
          return (weight * own[b] * joint.nodes[j].within[code * k + y]) / total;
        });
        goThrough(at + 1, next);
      }
    });
  };
  const nCombinations = unknown.reduce((product, j) => product * joint.nodes[j].codes.length, 1);
  if (nCombinations <= joint.nCompletions) goThrough(0, posterior);
  else drawAll(model, unknown, posterior, shares, drawn, filled, add);
  return out;
}

function drawAll(model, unknown, posterior, shares, drawn, filled, add) {
  const { joint, nClasses: k } = model;
  const n = joint.nCompletions;
  const ofClass = pointsOf(0, n);
  const points = unknown.map((j) => pointsOf(joint.columns[j] + 1, n));
  for (let m = 0; m < n; m++) {
    let y = 0;
    for (let sum = posterior[0]; y < k - 1 && ofClass[m] >= sum; ) sum += posterior[++y];
    unknown.forEach((j, at) => {
      const { own, total } = shares(j, y);
      const { members, within } = joint.nodes[j];
      const place = points[at][m] * total;
      let b = 0;
      let below = 0;
      while (b < own.length - 1 && place >= below + own[b]) below += own[b++];
      const rest = own[b] > 0 ? (place - below) / own[b] : 0.5;
      let i = 0;
      for (let inside = within[members[b][0] * k + y]; i < members[b].length - 1 && rest >= inside; )
        inside += within[members[b][++i] * k + y];
      drawn[j] = b;
      filled[j] = members[b][i];
    });
    add(1 / n);
  }
}

// What unknown features add to the scores in the mean: log-probabilities beyond the known terms, 0 in the mean over classes.
function unknownPart(model, codes, known, scoreOf) {
  const { joint, nClasses: k } = model;
  const share = codes.reduce((sum, code, j) => sum + (code < 0 ? joint.importances[j] : 0), 0);
  const proba = averaged(model, codes, scoreOf);
  const beyond = Float64Array.from(proba, (value, y) =>
    Number.isFinite(known[y]) ? Math.log(Math.max(value, 2.2250738585072014e-308)) + Math.min(share, 1) * joint.lacking[y] - known[y] : NaN,
  );
  const possible = beyond.filter((value) => !Number.isNaN(value));
  const mean = possible.reduce((a, b) => a + b, 0) / possible.length;
  return beyond.map((value) => (Number.isNaN(value) ? 0 : value - mean));
}
