// Other uses of the joint distribution: which question to ask next, and how unusual the answers are. The same as in
// Python (gnbayes/model/questions.py).

// Expected change of the probabilities when an unknown feature becomes known, for every feature.
function questionValues(model, codes, completions) {
  const values = new Float64Array(codes.length);
  if (model.rule === "paper") return values;
  if (model.rule === "weighted") {
    completions?.unknown.forEach((j, at) => (values[j] = completedChange(model, completions, at)));
    return values;
  }
  const beliefs = beliefsOf(model.joint, codes, model.nClasses);
  codes.forEach((code, j) => code < 0 && (values[j] = changeOf(beliefs[j], model.joint.nodes[j].size, model.nClasses)));
  return values;
}

// Half the mean absolute change of all classes, from P(value, class).
function changeOf(belief, size, k) {
  const all = total(belief);
  const overall = Array.from({ length: k }, (_, y) => total(belief.filter((_, at) => at % k === y)) / all);
  let change = 0;
  for (let b = 0; b < size; b++) {
    const share = total(belief.subarray(b * k, b * k + k));
    for (let y = 0; y < k; y++) change += Math.abs(belief[b * k + y] - share * overall[y]) / all;
  }
  return change / 2;
}

// P(value, class) of every unknown feature, up to a factor: messages go up the tree, then down.
function beliefsOf(joint, codes, k) {
  const { nodes, prior } = joint;
  const up = nodes.map((node, j) =>
    Float64Array.from({ length: node.size * k }, (_, at) => (codes[j] < 0 || Math.floor(at / k) === codes[j] ? 1 : 0)),
  );
  const sent = nodes.map(() => null);
  let root = Float64Array.from(prior);
  for (let j = nodes.length - 1; j >= 0; j--) {
    sent[j] = messageOf(nodes, j, up[j], k);
    const above = nodes[j].mother < 0 ? root : up[nodes[j].mother];
    sent[j].forEach((value, at) => (above[at] *= value));
    const most = Math.max(...above);
    above.forEach((value, at) => (above[at] = value / most));
  }
  const beliefs = [];
  nodes.forEach(({ size, mother, table }, j) => {
    const above = mother < 0 ? root : beliefs[mother];
    const own = new Float64Array(size * k);
    for (let a = 0; a < sent[j].length / k; a++)
      for (let b = 0; b < size; b++)
        for (let y = 0; y < k; y++)
          if (above[a * k + y] > 0)
            own[b * k + y] += (above[a * k + y] / sent[j][a * k + y]) * table[(a * size + b) * k + y] * up[j][b * k + y];
    beliefs.push(own);
  });
  return beliefs;
}

// The message of a feature about its mother's values, or, from a root, about the class.
function messageOf(nodes, j, up, k) {
  const { size, table } = nodes[j];
  const message = new Float64Array(table.length / size);
  for (let at = 0; at < table.length; at++) {
    const [line, y] = [Math.floor(at / (size * k)), at % k];
    message[line * k + y] += table[at] * up[at - line * size * k];
  }
  return message;
}

// The same over completions. If they are not all combinations, the change due to chance is subtracted.
function completedChange(model, made, at) {
  const { nClasses: k, joint } = model;
  const { unknown, n, isExact, weights, shares, mean } = made;
  const j = unknown[at];
  const groups = isExact ? made.codes : made.values;
  const size = isExact ? joint.nodes[j].codes.length : joint.nodes[j].size;
  const share = new Float64Array(size);
  const sums = new Float64Array(size * k);
  let spread = 0;
  for (let m = 0; m < n; m++) {
    const group = groups[m * unknown.length + at];
    share[group] += weights[m];
    for (let y = 0; y < k; y++) {
      sums[group * k + y] += weights[m] * shares[m * k + y];
      spread += weights[m] * (shares[m * k + y] - mean[y]) ** 2;
    }
  }
  const all = total(weights);
  let change = 0;
  let between = 0;
  for (let group = 0; group < size; group++)
    for (let y = 0; y < k && share[group] > 0; y++) {
      const away = sums[group * k + y] / share[group] - mean[y] / all;
      change += (share[group] * Math.abs(away)) / all / 2;
      between += (share[group] * away ** 2) / all;
    }
  const nGroups = share.filter((value) => value > 0).length;
  if (isExact) return change;
  if (between <= 0 || n === nGroups) return 0;
  const chance = ((nGroups - 1) * (spread - between)) / (n - nGroups);
  return change * Math.sqrt(Math.max(0, 1 - chance / between));
}

// log P(what is known), for codes in the joint distribution; -1 for unknown. It is computed many times for a set of
// known features, so that it makes no arrays of its own.
function logEvidence(joint, codes, k) {
  const { nodes, prior } = joint;
  joint.boxes ??= nodes.map((node) => new Float64Array(node.size * k));
  joint.isOpen ??= new Uint8Array(nodes.length);
  joint.root ??= new Float64Array(k);
  const { boxes, isOpen, root } = joint;
  isOpen.fill(0);
  root.set(prior);
  let logScale = 0;
  for (let j = nodes.length - 1; j >= 0; j--) {
    if (codes[j] < 0 && !isOpen[j]) continue; // nothing is known below it: sums to 1
    const { mother } = nodes[j];
    const isSent = mother >= 0 && codes[mother] < 0;
    if (isSent && !isOpen[mother]) {
      boxes[mother].fill(1);
      isOpen[mother] = 1;
    }
    const lines = isSent ? nodes[mother].size : 1;
    const first = mother >= 0 && !isSent ? codes[mother] : 0;
    logScale += sendUp(nodes[j], codes[j], boxes[j], isSent ? boxes[mother] : root, first, lines, k);
  }
  return Math.log(total(root)) + logScale;
}

// Multiply the likelihood of a feature and those below it into the box of its mother; return the log of the scale
// removed.
function sendUp({ size, table }, code, below, target, first, lines, k) {
  let most = 0;
  for (let a = 0; a < lines; a++)
    for (let y = 0; y < k; y++) {
      const start = (first + a) * size * k + y;
      let sum = 0;
      if (code >= 0) sum = table[start + code * k];
      else for (let b = 0; b < size; b++) sum += table[start + b * k] * below[b * k + y];
      target[a * k + y] *= sum;
      if (target[a * k + y] > most) most = target[a * k + y];
    }
  if (!(most > 0) || most > 1e-100) return 0;
  for (let at = 0; at < lines * k; at++) target[at] /= most;
  return Math.log(most);
}

// Mean and standard deviation of log P(known) over people drawn from the joint distribution, for one set of known
// features.
let everyone = null;
const usuals = new Map();

function usualEvidence(model, codes) {
  const key = codes.map((code) => (code < 0 ? "0" : "1")).join("");
  if (usuals.has(key)) return usuals.get(key);
  everyone ??= completionsOf(model, codes.map(() => -1));
  const { n, weights, values } = everyone;
  const all = total(weights);
  const person = new Int16Array(codes.length);
  const evidence = new Float64Array(n);
  for (let m = 0; m < n; m++) {
    for (let j = 0; j < codes.length; j++) person[j] = codes[j] < 0 ? -1 : values[m * codes.length + j];
    evidence[m] = logEvidence(model.joint, person, model.nClasses);
  }
  const mean = evidence.reduce((sum, value, m) => sum + weights[m] * value, 0) / all;
  const deviation = Math.sqrt(evidence.reduce((sum, value, m) => sum + weights[m] * (value - mean) ** 2, 0) / all);
  usuals.set(key, { mean, deviation: deviation > 1e-9 ? deviation : 0 });
  return usuals.get(key);
}

// Number of standard deviations by which log P(known) is below its mean.
function unusualness(model, codes) {
  const { mean, deviation } = usualEvidence(model, codes);
  const values = codes.map((code, j) => (code < 0 ? -1 : model.joint.nodes[j].codes[code]));
  return deviation > 0 ? (mean - logEvidence(model.joint, values, model.nClasses)) / deviation : 0;
}

// The share of training rows that are less unusual, with as many features known.
function unusualRank(described, value, share) {
  const { shares, quantiles } = described;
  const above = shares.findIndex((one) => one >= share);
  const [low, high] = [Math.max(0, above - 1), above < 0 ? shares.length - 1 : above];
  const weight = high === low ? 0 : Math.min(1, Math.max(0, (share - shares[low]) / (shares[high] - shares[low])));
  const here = quantiles[high].map((quantile, at) => weight * quantile + (1 - weight) * quantiles[low][at]);
  const last = here.length - 1;
  const next = here.findIndex((quantile) => quantile >= value);
  if (next < 0) return 1;
  if (next === 0) return 0;
  return (next - 1 + (value - here[next - 1]) / (here[next] - here[next - 1] || 1)) / last;
}
