"""GeneralizedNB: the scikit-learn classifier over encoding, counting, structure and model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if

from gnbayes._sklearn import HasMethods, Interval, StrOptions
from gnbayes.base import all_or_nothing, check_classes, check_prior
from gnbayes.counting import Counts, RowSource
from gnbayes.encoding import DISCRETIZERS, Feature
from gnbayes.fitted import FittedModel
from gnbayes.model import SMOOTHINGS, WEIGHTINGS
from gnbayes.pipeline import RULES, Batch, Counted, Learned, MoreRows, Rows, Settings, check_settings, learn
from gnbayes.prefixes import learn_chosen
from gnbayes.structure import INFORMATIONS, STRUCTURES, Tree, weighed


def _goes_on(clf: Any) -> bool:
    """Whether a classifier can go on from its counts; scikit-learn asks by hasattr."""
    weighting = WEIGHTINGS.get(clf.weighting)
    if weighting is not None and weighting.needs_rows:
        raise AttributeError(
            f"weighting={clf.weighting!r} learns from all rows at once, which partial_fit does not have; use fit, or "
            "weighting=None."
        )
    return True


class GeneralizedNB(FittedModel):
    """Generalized Naive Bayes: naive Bayes whose features may each depend on one other feature.

    The dependences form a tree, learned in one pass over the data from the information that pairs of features hold
    about the class [1]_. Numbers are cut into intervals, text and categories are taken as they are.

    Parameters
    ----------
    structure : {"gnb-o", "gnb-a", "tan", "nb"}, default="gnb-o"
        How the tree is learned: the paper's optimal algorithm, the heaviest tree that contains the most informative
        pair; its greedy algorithm; the heaviest tree of all (Friedman et al. 1997); or no tree, naive Bayes.
    discretizer : {"quantile", "uniform", "mdlp"}, mapping or transformer, default="quantile"
        How columns of numbers become intervals: at quantiles, as in the paper; of equal width; where the class
        changes (Fayyad and Irani 1993); at given edges, ``{"age": [40, 60]}``, all other columns at quantiles; or any
        object with scikit-learn's fit and transform, cloned for each column.
    n_bins : int or "auto", default="auto"
        Number of intervals, for "quantile" and "uniform", and for columns that a mapping leaves out; an object has its
        own. A column with at most this many distinct values is left as it is. "auto", without `weighting`: up to 40
        quantiles, of which neighbours are joined where they tell the same of the class (5 for "uniform"), which has a
        mean log-loss of 0.446 on 21 tables that had no part in this choice; five quantiles have 0.472, MDLP 0.454. With
        `weighting`: two numbers that grow with the rows, up to 40 intervals for what a feature tells by itself and 5
        to 8 for pairs, and a value that is frequent gets an interval of its own (not for "uniform").
    interactions : "auto", "tree", int, or sequence of tuples, default="auto"
        Which pairs and triples of features have a table, with `weighting`. "tree": the pairs of the tree. "auto": also
        further pairs, up to three per feature in all, and up to one triple per feature, chosen by what they gain on
        half of the training rows; the other half says how much they count, and those that do not help count for
        nothing. A number: so many further pairs at most, and no triples. Or the pairs and triples themselves, as tuples
        of names or positions, in the place of those of the tree. ``structure="nb"`` has none with "auto".
    smoothing : {"additive", "backoff", "paper", "repair"}, default="additive"
        What is done about combinations that are rare in training: add `alpha` to every count; add as much in all, but
        shared out as P(x_j | y); the paper's steps 1 to 4, which repair zeros only where no class is possible; or
        repair every zero, as the program of the paper's authors does.
    alpha : float or "auto", default=1.0
        Strength of the first two kinds of smoothing; above 0, at most 1e100. "auto": the one of 0.01, 0.03, ..., 1000
        that has the least log-loss when every training row is left out in turn (intervals and tree held fixed).
    weighting : {"discriminative", None}, default="discriminative"
        "discriminative": the tables of the tree's features and edges are learned for the log-loss of the class, as in
        logistic regression, with strengths chosen on the training rows. None: probabilities P(x_j | y, x_mother), from
        counts, as in the paper: a fit that is many times quicker, in batches if need be, and a joint distribution of
        features and class. `smoothing` and `alpha` are for None. See the notes.
    information : {"corrected", "plug-in"}, default="corrected"
        By what the tree is chosen: information that new rows can be expected to have, so that a column does not win for
        having many values; or that of the training rows, as in the paper. `tree_.weight` is always the latter.
    n_features : int, "auto" or "few", optional
        Use only some features. With `weighting`: the first of an order in which each feature is the one that adds most
        to the log-loss of held-out rows, so that a copy comes last; the model is the same as one fitted to these
        columns alone. "auto": the fewest that are within noise of the best number, by five-fold cross-validation with
        everything learned inside the folds; "few": the fewest within one standard error of it, as `selection_curve`
        has them. Without `weighting`: the first features of the tree's c-ordering; "auto" has the least log-loss when
        every training row is left out in turn (intervals and tree held fixed), "few" the fewest within one standard
        error of it. All features by default.
    n_fits : int or "auto", default="auto"
        With `weighting`, the tables are the mean of so many fits, each on other 85 % of the rows and with terms of its
        own. "auto": up to four where rows are few, at most 1,000, and one where there are more or no terms are chosen.
    monotonic_cst : mapping or array-like of shape (d,), optional
        Columns along which the score of the second of two classes must never fall, 1, or never rise, -1, whatever the
        other columns are; 0 for all others. By name or position as a mapping, or one number per column, as in
        scikit-learn's HistGradientBoosting. Of columns of numbers, with `weighting`.
    categorical_features : "from_dtype" or sequence, default="from_dtype"
        Columns of numbers to be taken as categories, by name, by position or as a mask. Text, booleans and columns of a
        categorical type always are.
    class_prior : array-like of shape (k,), optional
        Probabilities of the classes, in the order of `classes_`. Their shares of the training rows by default.
    class_weight : {"balanced"} or mapping, optional
        Weights of the classes, by which those of their rows are multiplied, as in scikit-learn: all classes the same
        in sum, or ``{"ill": 5}``, where a class that is not named has weight 1. Probabilities are those of a population
        so weighted; to state how frequent the classes are where the model is used, `class_prior` is the way. Where
        "auto" leaves rows out, one of weight 2 counts as two rows.
    n_jobs : int, optional
        Threads; -1 for all cores. The result does not depend on it.
    verbose : int, default=0
        Show progress of long work on standard error.

    Attributes
    ----------
    classes_ : ndarray of shape (k,)
    tree_ : Tree
        Mothers, order of the features, and the gain of each step.
    features_ : list of Feature
        Intervals or categories of each column.
    counts_ : Counts
        The counts that everything was learned from. With `weighting` those that the tree was learned from, by the
        coarse codes of the features.
    alpha_ : float
        Strength of smoothing: given, or chosen.
    model_ : Model
        Intercept, terms and joint distribution: all that the methods below compute from.
    joint_ : Joint
        The joint distribution of features and class along the tree.
    terms_ : list of Term
        What the scores add up: every feature by itself, every pair beyond both, the most important first.
    feature_order_ : ndarray of shape (n_features_,)
        Features that are used, as they were chosen where `n_features` is given, the one that adds most first; else in
        c-ordering, a mother before her daughters, as in ``tree_.order``.
    n_features_ : int
        Number of features that are used.
    feature_importances_ : ndarray of shape (d,)
        Mean absolute contribution of each feature to the log-odds over the training rows, pairs shared among their
        features; the sum is 1. The paper's share of the weight is ``tree_.weight_shares``.
    class_gain_ : ndarray of shape (d,)
        Information of each feature about the class beyond its mother, I(Xj; Y | X_mother), in nats; 0 for a copy.
    weight_ : float
        Weight of the approximation in nats; the larger, the closer the model is to the training data.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (d,)
        Only when X has column names that are all strings.

    See Also
    --------
    sklearn.naive_bayes.CategoricalNB : Naive Bayes for codes; ``structure="nb"`` gives the same probabilities.

    Notes
    -----
    A missing value is a value of its own where training had missing values in that column; elsewhere the feature is
    unknown, and so is a value that training never saw, with one warning that counts such values. The probability is
    then the mean of P(y | x) over what the unknown features may be, given the known ones, by `joint_`; with nothing
    known it is the class prior. A counted model sums them out exactly. With ``smoothing="paper"`` or ``"repair"`` such
    a feature drops out of the product instead, and its daughters fall back to P(x_j | y). Repaired zeros make the joint
    sum to more than 1 over all rows: `predict_proba` scales it to 1 in each row, and `log_likelihood` takes it as it
    is.

    With ``weighting="discriminative"`` the score of a class is b + sum_j U_j[x_j] + sum_j V_j[c(x_mother), c(x_j)] with
    codes x and coarser codes c(x), and probabilities are the softmax of the scores. Tables are pure: they have mean 0
    over the training rows, and those of pairs along each axis, too. They have ridge penalties, along intervals those of
    a random walk that keeps neighbours alike: one penalty per table, chosen by empirical Bayes, times one multiplier
    for all, chosen by the log-loss of held-out rows, three folds or a quarter. With ``interactions="auto"`` each family
    of tables (features, the tree's pairs, further pairs, triples; smooth ones and those with free cells) has its own
    multiplier, chosen on held-out rows that chose no terms; pairs and triples of ordered features are surfaces, on up
    to 16 and 6 intervals a side, whose coefficients are tensor products of waves. Duplicate rows stay together, and
    where rows are duplicates, or weights no whole numbers, only ratios of weights count. Nothing is random, and the
    order of rows does not matter. `joint_` is then P(x) of the tree, and P(y | x) that of the terms: `sample` draws
    from both, and `partial_fit` is not there.

    References
    ----------
    .. [1] E. A. Kovács, A. Ország, D. Pfeifer and A. Benczúr (2024), Generalized Naive Bayes, arXiv:2408.15923.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from gnbayes import GeneralizedNB
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> clf = GeneralizedNB().fit(X, y)
    >>> clf.feature_names_in_[clf.feature_order_[:2]].tolist()
    ['worst radius', 'worst area']
    >>> round(clf.weight_, 6)
    19.842139
    >>> clf.predict(X[:3]).tolist()
    [0, 0, 0]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "structure": [StrOptions(set(STRUCTURES))],
        "discretizer": [StrOptions(set(DISCRETIZERS)), Mapping, HasMethods(["fit", "transform"])],
        "n_bins": [Interval(Integral, 2, None, closed="left"), StrOptions({"auto"})],
        "interactions": [StrOptions({"auto", "tree"}), Interval(Integral, 0, None, closed="left"), "array-like"],
        "smoothing": [StrOptions(set(SMOOTHINGS))],
        "alpha": [Interval(Real, 0, 1e100, closed="right"), StrOptions({"auto"})],
        "weighting": [StrOptions({name for name in WEIGHTINGS if name is not None}), None],
        "information": [StrOptions(set(INFORMATIONS))],
        "n_features": [Interval(Integral, 1, None, closed="left"), StrOptions(set(RULES)), None],
        "n_fits": [Interval(Integral, 1, None, closed="left"), StrOptions({"auto"})],
        "monotonic_cst": [Mapping, "array-like", None],
        "categorical_features": [StrOptions({"from_dtype"}), "array-like"],
        "class_prior": ["array-like", None],
        "class_weight": [StrOptions({"balanced"}), Mapping, None],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        structure: str = "gnb-o",
        *,
        discretizer: Any = "quantile",
        n_bins: Any = "auto",
        interactions: Any = "auto",
        smoothing: str = "additive",
        alpha: Any = 1.0,
        weighting: str | None = "discriminative",
        information: str = "corrected",
        n_features: Any = None,
        n_fits: Any = "auto",
        monotonic_cst: Any = None,
        categorical_features: Any = "from_dtype",
        class_prior: Any = None,
        class_weight: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.structure = structure
        self.discretizer = discretizer
        self.n_bins = n_bins
        self.interactions = interactions
        self.smoothing = smoothing
        self.alpha = alpha
        self.weighting = weighting
        self.information = information
        self.n_features = n_features
        self.n_fits = n_fits
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features
        self.class_prior = class_prior
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.verbose = verbose

    @classmethod
    def as_published(cls, structure: str = "gnb-a", **parameters: Any) -> Self:
        """The classifier of the paper: five quantiles, plug-in information, counted probabilities, steps 1 to 4.

        The program that the paper's authors published repairs every zero; ``smoothing="repair"`` does so.

        Parameters
        ----------
        structure : {"gnb-a", "gnb-o", "tan", "nb"}, default="gnb-a"
        **parameters
            What to change, such as ``n_features=10`` or ``smoothing="repair"``.

        Returns
        -------
        clf : GeneralizedNB
            Not fitted.

        Examples
        --------
        >>> from gnbayes import GeneralizedNB
        >>> GeneralizedNB.as_published()
        GeneralizedNB(information='plug-in', n_bins=5, smoothing='paper', structure='gnb-a',
                      weighting=None)
        """
        paper: dict[str, Any] = {
            "discretizer": "quantile",
            "n_bins": 5,
            "smoothing": "paper",
            "weighting": None,
            "information": "plug-in",
        }
        return cls(structure, **(paper | parameters))

    @available_if(_goes_on)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from one more batch of rows.

        The first batch fixes the intervals of numeric columns; later batches may bring new categories and missing
        values. With edges given by `discretizer`, batches give the same model as one `fit`. Not there with `weighting`,
        which needs all rows at once.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)
        y : array-like of shape (n,)
        classes : array-like of shape (k,)
            All classes there will ever be; needed in the first call only.
        sample_weight : array-like of shape (n,), optional

        Returns
        -------
        self : GeneralizedNB
        """
        return super().partial_fit(X, y, classes, sample_weight)

    def _settings(self, classes: NDArray[Any], n_columns: int, *, in_batches: bool) -> Settings:
        check_classes(classes)
        prior = check_prior(self.class_prior, len(classes))
        parameters = {field.name: getattr(self, field.name) for field in fields(Settings)}
        settings = Settings(**{**parameters, "class_prior": prior})
        check_settings(settings, n_columns, in_batches=in_batches)
        return settings

    def _learn(self, settings: Settings, batch: Batch) -> None:
        if settings.n_features is not None and WEIGHTINGS[settings.weighting].needs_rows:
            self._set(learn_chosen(settings, self.classes_, batch))
        else:
            self._set(learn(settings, self.classes_, Rows(batch)))

    def _learn_more(self, settings: Settings, batch: Batch) -> None:
        self._set(learn(settings, self.classes_, MoreRows(self.features_, self._counts_so_far(), batch)))

    def _counts_so_far(self) -> Counts:
        """Counts to go on from; those beside learned terms are by coarser values."""
        if [feature.cardinality for feature in self.features_] != self.counts_.cardinalities.tolist():
            raise ValueError(
                "partial_fit cannot go on from a model with weights, whose counts are by coarser values; begin anew "
                "with fit and weighting=None."
            )
        return self.counts_

    def _set(self, learned: Learned) -> None:
        self.features_, self.counts_ = learned.features, learned.counts
        self.tree_, self.model_, self.alpha_ = learned.tree, learned.model, learned.alpha
        # What an earlier fit from counts of sites had to say is not of this model.
        self.__dict__.pop("site_report_", None)


def settings_of(clf: GeneralizedNB, classes: NDArray[Any], n_columns: int) -> Settings:
    """The checked parameters of a classifier that learns from counts."""
    clf._validate_params()
    if clf.class_weight is not None:
        raise ValueError(
            f"class_weight must be None where a model is learned from counts, got {clf.class_weight!r} instead; fit on "
            "rows, or say with class_prior how frequent the classes are."
        )
    return clf._settings(classes, n_columns, in_batches=True)


def fit_counts(
    clf: GeneralizedNB,
    features: list[Feature],
    classes: NDArray[Any],
    counts: Counts,
    tree: Tree | None = None,
    rows: RowSource | None = None,
    *,
    has_names: bool = True,
) -> GeneralizedNB:
    """Fit a classifier from counts of rows that are elsewhere.

    Parameters
    ----------
    clf : GeneralizedNB
    features : list of Feature
    classes : ndarray of shape (k,)
    counts, tree, rows
        As in `Counted`.
    has_names : bool
        Whether the features have names of their own, for `feature_names_in_`.
    """
    settings = settings_of(clf, classes, len(features))
    with all_or_nothing(clf):
        known = None if tree is None else weighed(tree, counts)
        learned = learn(settings, classes, Counted(features, counts, known, rows))
        return set_fitted(clf, classes, learned, has_names=has_names)


def set_fitted(clf: GeneralizedNB, classes: NDArray[Any], learned: Learned, *, has_names: bool) -> GeneralizedNB:
    """Give a classifier what was learned elsewhere: from counts, or read from a file."""
    clf._set(learned)
    clf.classes_, clf.n_features_in_ = classes, len(learned.features)
    clf.__dict__.pop("feature_names_in_", None)
    if has_names:
        clf.feature_names_in_ = np.array([feature.name for feature in learned.features], dtype=object)
    return clf
