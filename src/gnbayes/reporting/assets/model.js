// The model: from codes to contributions, from contributions to scores, from scores to probabilities.
//
// A code is the position of a value; -1 stands for unknown. Features are in the order of the tree.

function readModel(described, nClasses) {
  const { rule, sizes, mother } = described;
  const rows = mother.map((m) => (m < 0 ? 1 : sizes[m]));
  const once = mother.map(() => 1);
  const split = (values, lines, columns = sizes) => {
    const cells = logarithms(values);
    let start = 0;
    return columns.map((size, j) => cells.subarray(start, (start += lines[j] * size * nClasses)));
  };
  const intercept = logarithms(described.logPrior);
  const { columns, nCompletions } = described;
  const model = { rule, sizes, mother, nClasses, columns, nCompletions, intercept, start: intercept, countSizes: sizes };
  if (rule === "weighted") return readWeighted(model, described);
  model.tables = split(described.tables, rows);
  model.effects = readTerms(described.effects, nClasses);
  if (rule === "paper") {
    model.alone = split(described.alone, once);
    model.repaired = split(described.repaired, rows);
    model.repairedAlone = split(described.repairedAlone, once);
  }
  if (rule === "tree") model.joint = jointOfTables(model);
  return model;
}

// Terms, and the joint distribution. If nothing is known, the result is the share of each class.
function readWeighted(model, described) {
  const { mother, nClasses } = model;
  const coarse = described.features.map((feature) => feature.coarse ?? null);
  const terms = readTerms(described.terms, nClasses);
  const joint = readJoint(described.joint, mother, coarse, nClasses);
  const countSizes = model.sizes.map((size, j) => (coarse[j] ? Math.max(...coarse[j]) + 1 : size));
  const { spreadRatio, leastVariance } = described;
  return { ...model, terms, effects: terms, joint, countSizes, start: joint.logPrior, spreadRatio, leastVariance };
}

// Logarithms; null in JSON stands for minus infinity.
const logarithms = (values) => Float64Array.from(values, (value) => value ?? -Infinity);

// log P(x | mother, y) of one feature for all classes.
function cell(model, tables, j, given, code) {
  const k = model.nClasses;
  const start = (given * model.sizes[j] + code) * k;
  return Float64Array.from(tables[j].subarray(start, start + k));
}

// Contribution of each feature to the log joint of every class, when they join in order.
function contributions(model, codes) {
  const ways = { paper: paperContributions, tree: treeContributions, weighted: weightedContributions };
  return ways[model.rule](model, codes);
}

// The log joint of every class: the prior, and the contributions of the features.
function score(model, added) {
  const sum = Float64Array.from(model.start);
  for (const part of added.unknown ? [...added, added.unknown] : added) for (let y = 0; y < sum.length; y++) sum[y] += part[y];
  return sum;
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
function treeContributions(model, codes) {
  const k = model.nClasses;
  const added = [];
  const collected = [];
  for (let j = 0; j < codes.length; j++) {
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

// Steps 1 and 2 of the paper, and steps 3 and 4 if no class is possible. An unknown feature drops out, and so does a
// value without training rows; its daughters fall back to P(x | y).
function paperContributions(model, codes) {
  const k = model.nClasses;
  const isAbsent = (j) =>
    codes[j] < 0 || cell(model, model.alone, j, 0, codes[j]).every((value) => value === -Infinity);
  const gathered = (tables, alone) =>
    codes.map((_, j) => {
      const mother = model.mother[j];
      if (isAbsent(j)) return new Float64Array(k);
      if (mother < 0) return cell(model, tables, j, 0, codes[j]);
      return isAbsent(mother) ? cell(model, alone, j, 0, codes[j]) : cell(model, tables, j, codes[mother], codes[j]);
    });
  const plain = gathered(model.tables, model.alone);
  const isPossible = score(model, plain).some((value) => value > -Infinity);
  return isPossible ? plain : gathered(model.repaired, model.repairedAlone);
}
