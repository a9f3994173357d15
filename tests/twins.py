"""Slow, literal versions of the formulas, written from the paper and independent of the package."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import floor, log

import numpy as np
from scipy.stats import norm


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


def repaired_joint(codes, labels, mother, values, y):
    """P(y, x) as the program of the paper's authors has it: every zero is repaired, whatever the other classes say.

    Clusters P(y, xi, xj) over separators P(y, xi), relative frequencies. A zero cluster becomes
    P(y, xi) P(y, xj) / P(y), and a zero pair P(y, x) becomes P(y) P(x). All values must occur among the rows.
    """

    def share(y, features):
        return np.all(codes[:, features] == np.asarray(values)[features], axis=1)[labels == y].sum() / len(labels)

    def pair(j):
        return share(y, [j]) or share(y, []) * np.mean(codes[:, j] == values[j])

    probability = share(y, [])
    for j, m in enumerate(mother):
        if m < 0:
            probability *= pair(j) / share(y, [])
        else:
            cluster = share(y, [m, j]) or pair(m) * pair(j) / share(y, [])
            probability *= cluster / pair(m)
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


def averaged_probability(model, row):
    """P(y | known) of a weighted model: the mean of P(y | x) over all that the unknown features may be.

    Each combination has the probability sum_y q(y) P(unknown | y, known), with P(x, y) the tree by its codes times
    P(code | its code in the tree, y), and q(y) proportional to P(y) P(known | y) ** (2 / 3).
    """
    from itertools import product

    order, mothers = model.tree.order.tolist(), model.tree.mother.tolist()
    sizes = {j: len(model.maps[j]) for j in order}
    choices = [range(sizes[j]) if row[j] >= sizes[j] else [int(row[j])] for j in order]
    k = len(model.classes)
    likelihoods, answers = [], []
    for combination in product(*choices):
        code = dict(zip(order, combination, strict=True))
        likelihood = np.ones(k)
        for j in order:
            value = model.maps[j][code[j]]
            above = model.maps[mothers[j]][code[mothers[j]]] if mothers[j] >= 0 else 0
            likelihood = likelihood * np.exp(model.joint.tables[j][above, value])
            if row[j] >= sizes[j]:
                likelihood = likelihood * model.within[j][code[j]]
        score = model.intercept.copy()
        for term in model.terms:
            cell = tuple(own[code[j]] for j, own in zip(term.features, term.maps, strict=True))
            score = score + term.table[cell]
        answer = np.exp(score - score.max())
        likelihoods.append(likelihood)
        answers.append(answer / answer.sum())
    likelihoods = np.array(likelihoods)
    known = likelihoods.sum(axis=0)
    weight = np.exp(model.log_prior) * known ** (2 / 3)
    weight = weight / weight.sum()
    return ((likelihoods / known) @ weight) @ np.array(answers)


def chance(columns, rows):
    """One and a half times the information that features with these numbers of values share by chance."""
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


def dependence(table):
    """Rows apart from independence given the class, with fractions, rounded down for each class."""
    total = 0
    for label in range(table.shape[2]):
        cells = [[Fraction(int(n)) for n in row] for row in table[:, :, label]]
        n = sum(map(sum, cells))
        if n:
            left, right = [sum(row) for row in cells], [sum(row) for row in zip(*cells, strict=True)]
            apart = sum(
                abs(c - a * b / n) for row, a in zip(cells, left, strict=True) for c, b in zip(row, right, strict=True)
            )
            total += floor(apart / 2)
    return total


def shrunk(observed, expected, variance, n_free, independent, spreads, prior):
    """Posterior means of the cells of one table by numerical integration over each cell, spread by spread."""
    shape = observed.shape
    observed, expected, variance = (np.asarray(array, dtype=float).ravel() for array in (observed, expected, variance))
    weights, means = [], []
    for spread, chance in [(0.0, independent), *zip(spreads, (1 - independent) * np.asarray(prior), strict=True)]:
        total = (expected * spread) ** 2 + variance
        fit = sum(norm.logpdf(z, e, np.sqrt(v)) for z, e, v in zip(observed, expected, total, strict=True))
        weights.append(np.log(chance) + fit * n_free / len(observed))
        means.append([_posterior_mean(*cell, spread) for cell in zip(observed, expected, variance, strict=True)])
    weights = np.exp(np.array(weights) - max(weights))
    return (weights / weights.sum() @ np.array(means)).reshape(shape)


def _posterior_mean(observed, expected, variance, spread):
    """Mean of a cell given its noisy value, on a fine grid above 0."""
    if spread == 0:
        return expected
    width = expected * spread
    grid = np.linspace(0, expected + 12 * width + 12 * np.sqrt(variance), 400_001)
    density = np.exp(-0.5 * ((grid - expected) / width) ** 2 - 0.5 * (observed - grid) ** 2 / variance)
    return float((grid * density).sum() / density.sum())


def pooled_probability(codes, labels, mother, values, y, j, n_values, alpha, strength):
    """P(x_j | y, x_mother) in proportion to P(x_j | x_mother) P(y | x_j, x_mother), straight from the rows."""
    alike = np.ones(len(codes), dtype=bool) if mother[j] < 0 else codes[:, mother[j]] == values[mother[j]]
    share = (alike & (labels == y)).sum() / alike.sum()

    def both(value):
        has_value = alike & (codes[:, j] == value)
        of_class = (has_value & (labels == y)).sum()
        in_class = (of_class + strength * share) / (has_value.sum() + strength)
        return (has_value.sum() + alpha) / (alike.sum() + alpha * n_values) * (in_class if share else 1.0)

    return both(values[j]) / sum(both(value) for value in range(n_values))


def pooled_log_evidence(codes, labels, mother, j, strength):
    """Log-probability of the classes, row by row: each as those of the rows before with its value, and as in all."""
    above = np.zeros(len(codes), dtype=int) if mother[j] < 0 else codes[:, mother[j]]
    total = 0.0
    for i in range(len(codes)):
        share = (labels[above == above[i]] == labels[i]).mean()
        before = (above == above[i]) & (codes[:, j] == codes[i, j]) & (np.arange(len(codes)) < i)
        same = (before & (labels == labels[i])).sum()
        total += np.log((same + strength * share) / (before.sum() + strength))
    return total
