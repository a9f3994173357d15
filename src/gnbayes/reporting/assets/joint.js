// The joint distribution P(x, y) of a weighted model, from its counts, as in Python (gnbayes/model/nested.py).

function readJoint(described, mother, coarse, nClasses) {
  const nodes = described.codes.map((codes, j) => readNode(described, codes, j, mother[j], coarse[j], nClasses));
  nodes.forEach((node, j) => {
    const cells = described.edges[j];
    node.table = node.mother < 0 ? node.alone : leaningTable(cells, nodes[node.mother], node, described.strengths, nClasses);
  });
  const logPrior = logarithms(described.logPrior);
  return {
    nodes,
    logPrior,
    prior: logPrior.map(Math.exp),
    lacking: logarithms(described.lacking),
    importances: described.importances,
    tempering: described.tempering,
  };
}

// The same for a model whose tables are the joint distribution.
function jointOfTables({ tables, sizes, mother, nClasses: k, start }) {
  const nodes = sizes.map((size, j) => {
    const codes = Array.from({ length: size }, (_, code) => code);
    const members = codes.map((code) => [code]);
    return { size, mother: mother[j], members, codes, within: new Float64Array(size * k).fill(1), table: tables[j].map(Math.exp) };
  });
  return { nodes, logPrior: start, prior: start.map(Math.exp), tempering: 1 };
}

// A feature with its codes in the joint distribution: P(x | y), P(code | x, y), and the coarse code of each.
function readNode(described, codes, j, mother, coarse, k) {
  const size = Math.max(...codes) + 1;
  const members = Array.from({ length: size }, () => []);
  codes.forEach((value, code) => members[value].push(code));
  const rows = Float64Array.from(described.values[j]);
  const more = described.strengths.within;
  const alone = new Float64Array(size * k).fill(1);
  const totals = new Float64Array(size * k);
  rows.forEach((count, at) => {
    const place = codes[Math.floor(at / k)] * k + (at % k);
    alone[place] += count;
    totals[place] += count + more;
  });
  const within = rows.map((count, at) => (count + more) / totals[codes[Math.floor(at / k)] * k + (at % k)]);
  const sums = new Float64Array(k);
  alone.forEach((count, at) => (sums[at % k] += count));
  return {
    size,
    mother,
    members,
    codes,
    within,
    alone: alone.map((count, at) => count / sums[at % k]),
    coarse: members.map(([first]) => (coarse ? coarse[first] : first)),
  };
}

// P(x | mother, y): counts back off to those with a coarse mother, these to both coarse, and these to P(x | y).
function leaningTable(cells, above, own, strengths, k) {
  const [nAbove, nOwn] = [above, own].map((node) => Math.max(...node.coarse) + 1);
  const table = new Float64Array(cells.length);
  for (let y = 0; y < k; y++) {
    const at = (a, b) => (a * own.size + b) * k + y;
    const alone = (b) => own.alone[b * k + y];
    const byMother = Array.from({ length: nAbove }, () => new Float64Array(own.size));
    const both = Array.from({ length: nAbove }, () => new Float64Array(nOwn));
    const aloneCoarse = new Float64Array(nOwn);
    own.coarse.forEach((group, b) => (aloneCoarse[group] += alone(b)));
    above.coarse.forEach((group, a) => own.coarse.forEach((_, b) => (byMother[group][b] += cells[at(a, b)])));
    const given = byMother.map((counts, group) => {
      const total = counts.reduce((sum, count) => sum + count, 0);
      const lean = (count, toward) => (count + strengths.coarse * toward) / (total + strengths.coarse);
      counts.forEach((count, b) => (both[group][own.coarse[b]] += count));
      const coarse = both[group].map((count, b) => lean(count, aloneCoarse[b]));
      return counts.map((count, b) => lean(count, (coarse[own.coarse[b]] * alone(b)) / aloneCoarse[own.coarse[b]]));
    });
    above.coarse.forEach((group, a) => {
      let total = 0;
      for (let b = 0; b < own.size; b++) total += cells[at(a, b)];
      for (let b = 0; b < own.size; b++)
        table[at(a, b)] = (cells[at(a, b)] + strengths.fine * given[group][b]) / (total + strengths.fine);
    });
  }
  return table;
}
