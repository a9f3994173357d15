from dataclasses import replace

import numpy as np
import pandas as pd
import pyagrum as gum
import pytest
import twins
from classifiers import counted
from fitting import build
from hypothesis import given
from hypothesis import strategies as st
from strategies import coded_rows

from gnbayes import AveragedTAN
from gnbayes.counting import count
from gnbayes.model import build_joint
from gnbayes.relatives import averaged_tan
from gnbayes.relatives.averaged_tan import averaged_tan_model, rerooted
from gnbayes.structure import Tree, tan


def mothers_from(root, edges, d):
    """Mothers when the edges of a tree are directed away from a root, found by walking."""
    mother, inside = np.full(d, -1), [root]
    while len(inside) < d:
        for a, b in [*edges, *((b, a) for a, b in edges)]:
            if a in inside and b not in inside:
                mother[b] = a
                inside.append(b)
    return mother


def test_is_the_mean_of_the_class_probabilities_over_all_roots(random_codes):
    codes, y = random_codes
    clf = AveragedTAN(alpha=0.7, categorical_features=range(7)).fit(codes, y)
    edges = [(int(m), j) for j, m in enumerate(clf.tree_.mother) if m >= 0]
    some = codes[:20]
    joint = np.empty((7, 20, 3))
    for root in range(7):
        mother = mothers_from(root, edges, 7)
        for i, values in enumerate(some.tolist()):
            joint[root, i] = [twins.joint_probability(codes, y, mother, values, label, 0.7) for label in range(3)]
    proba = (joint / joint.sum(axis=2, keepdims=True)).mean(axis=0)
    np.testing.assert_allclose(clf.predict_proba(some), proba, rtol=1e-9)
    evidence = np.exp(clf.predict_joint_log_proba(some)).sum(axis=1)
    np.testing.assert_allclose(evidence, joint.sum(axis=2).mean(axis=0), rtol=1e-9)


@pytest.mark.parametrize("smoothing", ["additive", "backoff"])
@given(rows=coded_rows(min_classes=2), data=st.data())
def test_every_root_is_a_model_of_its_own(smoothing, rows, data):
    alpha = data.draw(st.floats(0.1, 3))
    if data.draw(st.booleans()):
        rows = replace(rows, weights=np.array([data.draw(st.sampled_from([1.0, 2.0, 0.5])) for _ in rows.labels]))
    first, counts = build(rows, tan, smoothing, alpha), count(rows)
    codes = np.array([[data.draw(st.integers(0, v)) for v in rows.cardinalities] for _ in range(5)], dtype=np.uint8)
    by_root = averaged_tan_model(first, counts, smoothing, alpha).log_joint_by_root(codes)
    for root in range(rows.n_features):
        mother = mothers_from(root, first.tree.edges.tolist(), rows.n_features)
        tree = rerooted(first.tree, root)[0]
        np.testing.assert_array_equal(tree.mother, mother)
        single = build_joint(tree, counts, smoothing, alpha)
        np.testing.assert_allclose(np.exp(by_root[root]), np.exp(single.log_joint(codes)), rtol=1e-9)


def test_rerooted_mothers_come_before_their_daughters():
    tree = Tree(np.array([1, -1, 1, 2, 2]), np.array([1, 0, 2, 4, 3]), np.array([0.5, 0.4, 0.3, 0.2, 0.1]))
    turned, path = rerooted(tree, 4)
    assert turned.mother.tolist() == [1, 2, 4, 2, -1]
    assert turned.order.tolist() == [4, 2, 1, 0, 3]
    assert path == [(4, 2), (2, 1)]


def test_without_smoothing_the_root_does_not_matter(random_codes):
    codes, y = random_codes
    ours = AveragedTAN(alpha=1e-12, categorical_features=range(7)).fit(codes, y)
    one = counted("tan", information="plug-in", alpha=1e-12, categorical_features=range(7)).fit(codes, y)
    own = np.arange(len(y)), y
    np.testing.assert_allclose(ours.predict_proba(codes)[own], one.predict_proba(codes)[own], rtol=1e-6)


def test_posteriors_against_pyagrum(random_codes):
    codes, y = random_codes
    prior = (np.bincount(y) + 1.0) / (len(y) + 3)
    clf = AveragedTAN(class_prior=prior, categorical_features=range(7)).fit(codes, y)
    frame = pd.DataFrame(codes.astype(int), columns=[f"x{j}" for j in range(7)]).assign(y=y)
    rows = codes[:10].astype(float)
    rows[np.random.default_rng(0).random(rows.shape) < 0.3] = np.nan
    theirs = np.zeros((7, 10, 3))
    for root in range(7):
        template = gum.BayesNet()
        for column in frame:
            template.add(gum.RangeVariable(column, column, 0, int(frame[column].max())))
        for j, mother in enumerate(mothers_from(root, clf.tree_.edges.tolist(), 7).tolist()):
            template.addArc("y", f"x{j}")
            if mother >= 0:
                template.addArc(f"x{mother}", f"x{j}")
        learner = gum.BNLearner(frame, template)
        learner.useSmoothingPrior(1.0)
        inference = gum.LazyPropagation(learner.learnParameters(template.dag()))
        for i, row in enumerate(rows):
            inference.setEvidence({f"x{j}": int(value) for j, value in enumerate(row) if not np.isnan(value)})
            theirs[root, i] = inference.posterior("y").toarray()
    np.testing.assert_allclose(clf.predict_proba(rows), theirs.mean(axis=0), rtol=0, atol=1e-9)


def test_blocks_do_not_change_the_result(random_codes, monkeypatch):
    codes, y = random_codes
    clf = AveragedTAN(categorical_features=range(7)).fit(codes, y)
    expected = clf.predict_proba(codes)
    monkeypatch.setattr(averaged_tan, "_BLOCK_VALUES", 100)
    np.testing.assert_array_equal(clf.predict_proba(codes), expected)


@pytest.mark.parametrize("d", [1, 2])
def test_few_features(random_codes, d):
    codes, y = random_codes
    clf = AveragedTAN(categorical_features=range(d)).fit(codes[:, :d], y)
    assert clf.predict_proba(codes[:, :d]).sum() == pytest.approx(len(y))


@pytest.mark.slow
def test_many_values_keep_the_tables_of_the_edges_alone():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 3000)
    frame = pd.DataFrame({name: rng.integers(0, 2000, 3000).astype(str) for name in "abcd"}).assign(e=y.astype(str))
    clf = AveragedTAN().fit(frame, y)
    assert clf.counts_.pairs.tolist() == clf.tree_.edges.tolist()
    assert clf.score(frame, y) == 1.0
