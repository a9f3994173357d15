"""Slow, literal versions of the formulas, written from the paper and independent of the package."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from math import log

import numpy as np


def information_content(*columns):
    """I(X1, ..., Xm) by its definition: sum of P log P / (P(x1) ... P(xm)) over all value combinations."""
    n = len(columns[0])
    joint = Counter(zip(*(np.asarray(column).tolist() for column in columns), strict=True))
    alone = [Counter(np.asarray(column).tolist()) for column in columns]
    total = 0.0
    for values, count in joint.items():
        independent = 1.0
        for marginal, value in zip(alone, values, strict=True):
            independent *= marginal[value] / n
        total += count / n * log(count / n / independent)
    return total


def entropy(*columns):
    """H(X1, ..., Xm) by its definition."""
    n = len(columns[0])
    counts = Counter(zip(*(np.asarray(column).tolist() for column in columns), strict=True)).values()
    return -sum(count / n * log(count / n) for count in counts)


def cherries(codes, labels):
    """I(Y, Xi, Xj) of all pairs and I(Y, Xi) of all features."""
    d = codes.shape[1]
    triplets = {}
    for i, j in combinations(range(d), 2):
        triplets[i, j] = triplets[j, i] = information_content(labels, codes[:, i], codes[:, j])
    return triplets, [information_content(labels, codes[:, i]) for i in range(d)]


def first_cherry(triplets, d, tie):
    best = max(triplets.values())
    return next(pair for pair in combinations(range(d), 2) if triplets[pair] >= best - tie)


def gnb_a(codes, labels):
    """Algorithm GNB-A as printed: lists of triplets and pairs; ties to the smallest feature, then mother."""
    d = codes.shape[1]
    triplets, pairs = cherries(codes, labels)
    tie = 1e-11
    i1, i2 = first_cherry(triplets, d, tie)
    inside, clusters = [i1, i2], [(i1, i2)]
    while len(inside) < d:
        scores = {
            (new, mother): triplets[mother, new] - pairs[mother]
            for new, mother in product(set(range(d)) - set(inside), inside)
        }
        best = max(scores.values())
        new, mother = min(key for key, value in scores.items() if value >= best - tie)
        clusters.append((mother, new))
        inside.append(new)
    return clusters


def weight(codes, labels, clusters):
    """Weight by the paper's formula: sum of I over clusters minus I(Y, mother) from the third feature on."""
    triplets, pairs = cherries(codes, labels)
    return sum(triplets[cluster] for cluster in clusters) - sum(pairs[mother] for mother, _ in clusters[1:])


def spanning_trees(d):
    """All spanning trees of the complete graph, by their Pruefer sequences."""
    if d == 2:
        yield [(0, 1)]
        return
    for sequence in product(range(d), repeat=d - 2):
        degree = [1 + sequence.count(vertex) for vertex in range(d)]
        edges = []
        for vertex in sequence:
            leaf = degree.index(1)
            edges.append((min(leaf, vertex), max(leaf, vertex)))
            degree[leaf] -= 1
            degree[vertex] -= 1
        last = [vertex for vertex in range(d) if degree[vertex] == 1]
        yield [*edges, (last[0], last[1])]


def tree_weight(codes, labels, edges):
    """Weight of a spanning tree: sum of I(Xj; Y) plus sum of I(Xi; Xj | Y) = H(Xi,Y) + H(Xj,Y) - H(Xi,Xj,Y) - H(Y)."""
    alone = sum(information_content(labels, column) for column in codes.T)
    together = 0.0
    for i, j in edges:
        a, b = codes[:, i], codes[:, j]
        together += entropy(a, labels) + entropy(b, labels) - entropy(a, b, labels) - entropy(labels)
    return alone + together


def quantile_codes(column, n_bins):
    """The paper's rule, value by value: cuts at sorted[floor(n j / b)], equal cuts merged, [Q_s, Q_s+1)."""
    column = np.asarray(column, dtype=float)
    if len(set(column.tolist())) <= n_bins:
        values = sorted(set(column.tolist()))
        return [values.index(value) for value in column.tolist()]
    ordered = sorted(column.tolist())
    cuts = []
    for j in range(1, n_bins):
        cut = ordered[len(ordered) * j // n_bins]
        if cut not in cuts and cut > ordered[0]:
            cuts.append(cut)
    return [sum(value >= cut for cut in cuts) for value in column.tolist()]


def mdlp_cuts(values, labels):
    """Fayyad and Irani's recursion on sorted rows, with entropies from the definition."""
    rows = sorted(zip(np.asarray(values, dtype=float).tolist(), list(labels), strict=True))

    def bits(part):
        counts = Counter(label for _, label in part)
        return -sum(c / len(part) * np.log2(c / len(part)) for c in counts.values()), len(counts)

    def split(part):
        entropy_all, k = bits(part)
        best = None
        for at in range(1, len(part)):
            if part[at - 1][0] == part[at][0]:
                continue
            left, right = part[:at], part[at:]
            (e1, k1), (e2, k2) = bits(left), bits(right)
            after = (len(left) * e1 + len(right) * e2) / len(part)
            if best is None or after < best[0] - 1e-12:
                best = (after, at, k * entropy_all - k1 * e1 - k2 * e2)
        if best is None:
            return []
        after, at, saved = best
        if entropy_all - after <= (np.log2(len(part) - 1) + np.log2(3**k - 2) - saved) / len(part):
            return []
        cut = (part[at - 1][0] + part[at][0]) / 2
        return [*split(part[:at]), cut, *split(part[at:])]

    return split(rows)


def joint_probability(codes, labels, mother, values, y, alpha):
    """P(y) times the product of additively smoothed P(x_j | y, x_mother), straight from the rows."""
    n, d = codes.shape
    in_class = labels == y
    probability = in_class.sum() / n
    for j in range(d):
        rows = in_class if mother[j] < 0 else in_class & (codes[:, mother[j]] == values[mother[j]])
        v = codes[:, j].max() + 1
        probability *= ((rows & (codes[:, j] == values[j])).sum() + alpha) / (rows.sum() + alpha * v)
    return probability


def weighted_objective(x, cells, labels, row_weights, basis, base, ridge):
    """Log-loss plus ridge of a softmax over tables, with plain loops; x (p + 1, k), the intercept first."""
    values = np.zeros((basis.shape[0], x.shape[1]))
    for cell in range(basis.shape[0]):
        for unknown in range(basis.shape[1]):
            values[cell] += basis[cell, unknown] * x[unknown + 1]
    total = 0.0
    for row, label, weight in zip(cells, labels, row_weights, strict=True):
        scores = base + x[0]
        for cell in row:
            scores = scores + values[cell]
        total += weight * (np.log(np.exp(scores).sum()) - scores[label])
    return total + 0.5 * sum(r * (line**2).sum() for r, line in zip(ridge, x, strict=True))


def chance(columns, rows):
    """One and a half times the information that features of so many values share by chance."""
    cells = 1.0
    for column in columns:
        cells *= len(set(column)) - 1
    return 1.5 * log(1 + cells / rows + (cells / rows) ** 2) / 2


def corrected_information(codes, labels, i, j=None):
    """I(Xi; Y), or I(Xi; Xj | Y), less what is there by chance and lost on new rows."""
    a, y, n = codes[:, i].tolist(), labels.tolist(), len(labels)
    if j is None:
        return information_content(a, y) - chance([a, y], n)
    b = codes[:, j].tolist()
    total = entropy(a, y) + entropy(b, y) - entropy(a, b, y) - entropy(y)
    for c in set(y):
        here = [row for row in range(n) if y[row] == c]
        total -= len(here) / n * chance([[a[row] for row in here], [b[row] for row in here]], len(here))
    return total
