// The model: from codes to contributions, from contributions to scores, from scores to probabilities.
//
// A code is the position of a value; -1 stands for unknown. Features stand in the order of the tree, so that the first
// n of them are a model of their own, unless the model is a weighted one.

function readModel(described, nClasses) {
  const { rule, sizes, mother } = described;
  const rows = mother.map((m) => (m < 0 ? 1 : sizes[m]));
  const once = mother.map(() => 1);
  const split = (packed, lines, columns = sizes) => {
    const cells = unpacked(packed);
    let start = 0;
    return columns.map((size, j) => cells.subarray(start, (start += lines[j] * size * nClasses)));
  };
  const model = { rule, sizes, mother, nClasses, logPrior: unpacked(described.logPrior), countSizes: sizes };
  model.tables = split(described.tables, rule === "weighted" ? once : rows);
  if (rule === "paper") {
    model.alone = split(described.alone, once);
    model.repaired = split(described.repaired, rows);
    model.repairedAlone = split(described.repairedAlone, once);
  }
  if (rule === "weighted") {
    model.coarse = described.features.map((feature) => feature.coarse ?? null);
    model.countSizes = sizes.map((size, j) => (model.coarse[j] ? Math.max(...model.coarse[j]) + 1 : size));
    const lines = mother.map((m) => (m < 0 ? 0 : model.countSizes[m]));
    model.pairs = split(described.pairs, lines, model.countSizes);
    model.joint = readJoint(described.joint, mother, model.coarse, nClasses);
  }
  return model;
}

function unpacked(packed) {
  const text = atob(packed);
  const bytes = new DataView(new ArrayBuffer(text.length));
  for (let i = 0; i < text.length; i++) bytes.setUint8(i, text.charCodeAt(i));
  return Float64Array.from({ length: text.length / 8 }, (_, i) => bytes.getFloat64(8 * i, true));
}

// log P(x | mother, y) of one feature for all classes.
function cell(model, tables, j, given, code) {
  const k = model.nClasses;
  const start = (given * model.sizes[j] + code) * k;
  return Float64Array.from(tables[j].subarray(start, start + k));
}

// What each of the first `used` features adds to the log joint of every class, when they join in order.
function contributions(model, codes, used) {
  const ways = { paper: paperContributions, tree: treeContributions, weighted: weightedContributions };
  return ways[model.rule](model, codes, used);
}

// The log joint of every class: where the model starts, and what the features add.
function score(model, added) {
  const total = Float64Array.from(model.logPrior);
  for (const part of added.unknown ? [...added, added.unknown] : added) for (let y = 0; y < total.length; y++) total[y] += part[y];
  return total;
}

function probabilities(logJoint) {
  const highest = Math.max(...logJoint);
  const shares = Array.from(logJoint, (value) => Math.exp(value - highest));
  const sum = shares.reduce((a, b) => a + b, 0);
  return shares.map((share) => share / sum);
}

// An unknown feature adds nothing, and is summed out: it collects the messages of its daughters, log P(known below it |
// its value, y). When a feature joins below unknown ones, its message changes theirs, up to the first known one or the
// root; the change there is what the feature adds.
function treeContributions(model, codes, used) {
  const k = model.nClasses;
  const added = [];
  const collected = [];
  for (let j = 0; j < used; j++) {
    const mother = model.mother[j];
    if (codes[j] < 0) {
      collected[j] = new Float64Array(model.sizes[j] * k);
      added.push(new Float64Array(k));
    } else if (mother < 0) {
      added.push(cell(model, model.tables, j, 0, codes[j]));
    } else if (codes[mother] >= 0) {
      added.push(cell(model, model.tables, j, codes[mother], codes[j]));
    } else {
      const message = new Float64Array(model.sizes[mother] * k);
      for (let m = 0; m < model.sizes[mother]; m++) message.set(cell(model, model.tables, j, m, codes[j]), m * k);
      added.push(sentUp(model, codes, collected, mother, message));
    }
  }
  return added;
}

function sentUp(model, codes, collected, node, message) {
  for (;;) {
    const before = collected[node];
    const after = before.map((value, at) => value + message[at]);
    collected[node] = after;
    const mother = model.mother[node];
    const change = (given) => {
      const old = summedOut(model, node, given, before);
      return summedOut(model, node, given, after).map((value, y) => value - old[y]);
    };
    if (mother < 0) return change(0);
    if (codes[mother] >= 0) return change(codes[mother]);
    message = new Float64Array(model.sizes[mother] * model.nClasses);
    for (let m = 0; m < model.sizes[mother]; m++) message.set(change(m), m * model.nClasses);
    node = mother;
  }
}

// log of sum_x P(x | mother, y) exp(box), for every class.
function summedOut(model, j, given, box) {
  const k = model.nClasses;
  const size = model.sizes[j];
  const table = model.tables[j];
  const out = new Float64Array(k);
  for (let y = 0; y < k; y++) {
    let highest = -Infinity;
    for (let x = 0; x < size; x++) highest = Math.max(highest, table[(given * size + x) * k + y] + box[x * k + y]);
    let sum = 0;
    for (let x = 0; x < size; x++) sum += Math.exp(table[(given * size + x) * k + y] + box[x * k + y] - highest);
    out[y] = Math.log(sum) + highest;
  }
  return out;
}

// Steps 1 and 2 of the paper, and steps 3 and 4 where they leave no class possible. An unknown feature drops out, and so
// does a value that no training row has; its daughters fall back to P(x | y).
function paperContributions(model, codes, used) {
  const k = model.nClasses;
  const isAbsent = (j) =>
    codes[j] < 0 || cell(model, model.alone, j, 0, codes[j]).every((value) => value === -Infinity);
  const gathered = (tables, alone) =>
    Array.from({ length: used }, (_, j) => {
      const mother = model.mother[j];
      if (isAbsent(j)) return new Float64Array(k);
      if (mother < 0) return cell(model, tables, j, 0, codes[j]);
      return isAbsent(mother) ? cell(model, alone, j, 0, codes[j]) : cell(model, tables, j, codes[mother], codes[j]);
    });
  const plain = gathered(model.tables, model.alone);
  const isPossible = score(model, plain).some((value) => value > -Infinity);
  return isPossible ? plain : gathered(model.repaired, model.repairedAlone);
}

// The code by which a value is looked up in pairs.
const coarseCode = (model, j, code) => (model.coarse[j] ? model.coarse[j][code] : code);

// What a pair of coarse codes adds beyond what the feature adds by itself.
function pairCell(model, j, given, value) {
  const k = model.nClasses;
  const start = (given * model.countSizes[j] + value) * k;
  return model.pairs[j].subarray(start, start + k);
}

// Tables that were learned together: what a feature adds by itself, and with its mother where both are known. What unknown
// features add in the mean is kept beside them.
function weightedContributions(model, codes, used) {
  const added = Array.from({ length: used }, (_, j) => {
    if (codes[j] < 0) return new Float64Array(model.nClasses);
    const alone = cell(model, model.tables, j, 0, codes[j]);
    const mother = model.mother[j];
    if (mother < 0 || codes[mother] < 0) return alone;
    const pair = pairCell(model, j, coarseCode(model, mother, codes[mother]), coarseCode(model, j, codes[j]));
    return alone.map((value, y) => value + pair[y]);
  });
  if (codes.some((code) => code < 0)) {
    const known = score(model, added);
    added.unknown = unknownPart(model, codes, known, completedScore(model, codes, known));
  }
  return added;
}

// The score of a completion: that of the known terms, and the terms of unknown features. It is computed many times for an
// answer, so that it makes no arrays of its own.
function completedScore(model, codes, known) {
  const k = model.nClasses;
  const total = new Float64Array(k);
  const single = codes.flatMap((code, j) => (code < 0 ? [j] : []));
  const paired = model.mother.flatMap((m, j) => (m >= 0 && (codes[j] < 0 || codes[m] < 0) ? [j] : []));
  const add = (table, start) => {
    for (let y = 0; y < k; y++) total[y] += table[start + y];
  };
  return (filled) => {
    total.set(known);
    for (const j of single) add(model.tables[j], filled[j] * k);
    for (const j of paired) {
      const m = model.mother[j];
      const given = coarseCode(model, m, filled[m]);
      add(model.pairs[j], (given * model.countSizes[j] + coarseCode(model, j, filled[j])) * k);
    }
    return total;
  };
}
