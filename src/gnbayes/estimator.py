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
from gnbayes.base import check_classes, check_prior
from gnbayes.counting import CodedRows, Counts
from gnbayes.encoding import DISCRETIZERS
from gnbayes.evidence import Evaluation
from gnbayes.fitted import FittedModel
from gnbayes.model import REPAIRING, SMOOTHINGS, WEIGHTINGS
from gnbayes.model.fitting.row_hashes import row_hash
from gnbayes.pipeline import Batch, Learned, MoreRows, Rows, learn
from gnbayes.prefixes import learn_chosen
from gnbayes.settings import RULES, Settings, check_settings
from gnbayes.structure import INFORMATIONS, STRUCTURES

# For more rows no hashes are kept: computing them would take longer than counting.
_MOST_HASHED = 100_000


def _goes_on(clf: Any) -> bool:
    """Whether a classifier can continue from its counts; scikit-learn asks by hasattr."""
    weighting = WEIGHTINGS.get(clf.weighting)
    if weighting is not None and weighting.needs_rows:
        raise AttributeError(
            f"weighting={clf.weighting!r} needs all rows at once, which partial_fit does not have; use fit, or "
            "weighting=None."
        )
    return True


class GeneralizedNB(FittedModel):
    """Generalized Naive Bayes: naive Bayes in which each feature may depend on one other feature.

    The dependencies form a tree, learned in one pass over the data from the information that pairs of features carry
    about the class [1]_. Numbers are binned; text and categories are used unchanged.

    Parameters
    ----------
    structure : {"gnb-o", "gnb-a", "tan", "nb"}, default="gnb-o"
        How the tree is learned: the paper's optimal algorithm, which finds the heaviest tree that contains the most
        informative pair; its greedy algorithm; the heaviest tree of all (Friedman et al. 1997); or no tree, naive
        Bayes.
    discretizer : {"quantile", "uniform", "mdlp"}, mapping or transformer, default="quantile"
        How columns of numbers are binned: at quantiles, as in the paper; with equal width; where the class distribution
        changes (Fayyad and Irani 1993); at given edges, ``{"age": [40, 60]}``, with all other columns at quantiles; or
        with any object that has scikit-learn's fit and transform, cloned for each column.
    n_bins : int or "auto", default="auto"
        Number of bins, for "quantile" and "uniform", and for columns that a mapping omits; an object has its own. A
        column with at most this many distinct values is used unchanged. "auto" without `weighting`: up to 40 quantiles,
        where adjacent bins with similar class distributions are merged (5 bins for "uniform"). Its mean log-loss is
        0.446 on 21 tables that were not used to choose it; five quantiles have 0.472, MDLP 0.454. "auto" with
        `weighting`: two numbers that grow with the number of rows, up to 40 bins for single features and 5 to 8 for
        pairs; a frequent value gets its own bin (not for "uniform").
    interactions : "auto", "tree", int, or sequence of tuples, default="auto"
        Which pairs and triples of features get a table, with `weighting`. "tree": the pairs of the tree. "auto": also
        further pairs, up to three per feature in total, and up to one triple per feature. They are chosen by their gain
        on half of the training rows; the other half determines how much they count, and tables that do not help are
        switched off. An integer: at most this many further pairs, and no triples. Or a list of pairs and triples, as
        tuples of names or positions, which replace those of the tree. With "auto", ``structure="nb"`` has none.
    smoothing : {"additive", "backoff", "paper", "repair"}, default="additive"
        How combinations that are rare in training are treated: add `alpha` to every count; add the same total,
        distributed according to P(x_j | y); the paper's steps 1 to 4, which repair zeros only if no class is possible;
        or repair every zero, as the program of the paper's authors does.
    alpha : float or "auto", default=1.0
        Amount of smoothing for "additive" and "backoff"; above 0, at most 1e100. "auto" chooses from 0.01, 0.03, ...,
        1000 the value with the lowest leave-one-out log-loss on the training rows (with bins and tree held fixed).
        If there are groups, whole groups are left out, in 20 folds if there are more than 20 of them.
    weighting : {"discriminative", None}, default="discriminative"
        "discriminative": the tables of the tree's features and edges are fitted to minimize the log-loss of the class,
        as in logistic regression, with ridge penalties chosen on the training rows. None: probabilities P(x_j | y,
        x_mother) are estimated from counts, as in the paper. Fitting is then many times faster and possible in batches,
        and the model is a joint distribution of features and class. `smoothing` and `alpha` apply only to None. See the
        notes.
    information : {"corrected", "plug-in"}, default="corrected"
        How the tree is chosen: by an estimate of the information on new rows, so that a column is not preferred just
        because it has many values; or by the information on the training rows, as in the paper, which is always used
        with the smoothing "paper" and "repair". `tree_.weight` is always the latter.
    n_features : int, "auto" or "few", optional
        Use only some features. With `weighting`: the first features of an order in which each next feature is the one
        that improves the log-loss on held-out rows most, so that a copy comes last; the model is the same as one fitted
        to these columns alone. Without `weighting`: the first features of the tree's c-ordering. "auto": the smallest
        number within noise of the best one, by five-fold cross-validation with everything learned inside the folds;
        "few": the smallest number within one standard error of the best, as in `selection_curve`. With `weighting` and
        more than 300 columns, the search considers the 300 that are individually most informative about the class, and
        "auto" uses fewer than all only if they are clearly better. All features by default; with `weighting`, of more
        than 2,000 columns and ten per row the individually most informative ones: 2,000, or ten per row if that is
        more.
    n_fits : int or "auto", default="auto"
        With `weighting`, the tables are the mean over this many fits, each on a different 85 % of the rows and with its
        own terms. "auto": up to eight fits if there are at most 1,000 rows and fitting is cheap; otherwise one.
    monotonic_cst : mapping or array-like of shape (d,), optional
        Columns along which the score of the second of two classes must never decrease (1) or never increase (-1),
        whatever the values of the other columns; 0 for no constraint. A mapping by name or position, or one number per
        column, as in scikit-learn's HistGradientBoosting. For numeric columns, with `weighting`.
    categorical_features : "from_dtype" or sequence, default="from_dtype"
        Columns of numbers to treat as categories, by name, by position or as a mask. Text, booleans and columns of a
        categorical type are always categories.
    class_prior : array-like of shape (k,), optional
        Probabilities of the classes, in the order of `classes_`. Class frequencies of the training rows by default.
    class_weight : {"balanced"} or mapping, optional
        Weights of the classes, by which the weights of their rows are multiplied, as in scikit-learn: "balanced" gives
        all classes the same total weight; in ``{"ill": 5}``, a class that is not named has weight 1. Probabilities then
        refer to the reweighted population. To specify how frequent the classes are where the model is used, use
        `class_prior` instead. In leave-one-out ("auto"), a row of weight 2 counts as two rows.
    n_jobs : int, optional
        Number of threads; -1 for all cores. The result does not depend on it.
    verbose : int, default=0
        Show progress on standard error.

    Attributes
    ----------
    classes_ : ndarray of shape (k,)
    tree_ : Tree
        Parent of each feature (``mother``), order of the features, and the gain of each step.
    features_ : list of Feature
        Bins or categories of each column.
    counts_ : Counts
        The counts from which everything was learned. With `weighting`, those from which the tree was learned, in the
        coarse codes of the features.
    alpha_ : float
        Amount of smoothing, given or chosen.
    pooling_ : ndarray of shape (d,) or None
        How many rows P(y | x_mother) counts for in each value of a feature with more than 20 values, otherwise 0; see
        the notes. None if all features are treated alike.
    model_ : Model
        Intercept, terms and joint distribution, from which all methods compute their results.
    joint_ : Joint
        The joint distribution of features and class along the tree.
    terms_ : list of Term
        The terms of the scores: each feature by itself, and each pair beyond its two features; the most important
        first.
    feature_order_ : ndarray of shape (n_features_,)
        Features used: if `n_features` is given, in the order in which they were chosen, the one that adds most first;
        otherwise in c-ordering (a parent comes before its children), as in ``tree_.order``.
    n_features_ : int
        Number of features used.
    feature_importances_ : ndarray of shape (d,)
        Mean absolute contribution of each feature to the log-odds over the training rows, with pairs split between
        their features; the sum is 1. The paper's share of the weight is ``tree_.weight_shares``.
    class_gain_ : ndarray of shape (d,)
        Information of each feature about the class given its parent, I(Xj; Y | X_mother), in nats; 0 for a copy.
    weight_ : float
        Weight of the approximation in nats; the larger, the closer the model is to the training data.
    evaluation_ : Evaluation, optional
        Scores and curves of held-out rows, read from the model file if it contains them; see `save`.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (d,)
        Only if X has column names that are all strings.

    See Also
    --------
    sklearn.naive_bayes.CategoricalNB : Naive Bayes for codes; ``structure="nb"`` gives the same probabilities.

    Notes
    -----
    A missing value is a category of its own if the column had missing values in training. Otherwise the feature is
    unknown, as is a value never seen in training; one warning counts such values. The probability is then the mean of
    P(y | x) over the possible values of the unknown features, given the known ones, under `joint_`; with nothing known
    it is the class prior. A counted model (``weighting=None``) sums them out exactly. With ``smoothing="paper"`` or
    ``"repair"`` such a feature drops out of the product instead, and its children fall back to P(x_j | y). With
    repaired zeros the joint sums to more than 1 over all rows: `predict_proba` normalizes it in each row,
    `log_likelihood` does not.

    In a counted tree, a feature with more than 20 values has P(x_j | y, x_mother) in proportion to P(x_j | x_mother),
    smoothed by `alpha`, times P(y | x_j, x_mother), which is drawn to P(y | x_mother) as strongly as makes the classes
    of the training rows most probable. So a random column costs next to nothing. ``structure="nb"``, ``alpha="auto"``
    and ``information="plug-in"`` treat all features alike.

    With ``weighting="discriminative"`` the score of a class is b + sum_j U_j[x_j] + sum_j V_j[c(x_mother), c(x_j)] with
    codes x and coarser codes c(x), and probabilities are the softmax of the scores. Tables are pure: they have mean 0
    over the training rows, and those of pairs also along each axis. They are fitted with ridge penalties; along bins,
    the penalty is that of a random walk, which smooths adjacent bins toward each other. There is one penalty per table,
    chosen by empirical Bayes, times a multiplier chosen by the log-loss on held-out rows. With ``interactions="tree"``
    all tables share one multiplier. With "auto", each family of tables (features, the pairs of the tree, further pairs,
    triples; smooth ones and those with free cells) has its own, chosen on held-out rows that had no part in choosing
    the terms. Pairs and triples of ordered features are smooth surfaces, on up to 24 and 10 bins per axis, whose
    coefficients are tensor products of cosine waves. Unless ``interactions="tree"``, the same terms are also learned by
    gradient boosting of small trees, whose leaves are parts of tables, and single features as straight lines along
    their bins (logistic regression) and by naive Bayes; the scores are a weighted mean, with weights chosen on held-out
    rows. Equal rows count in full to the extent that their classes vary as the probabilities
    predict, and otherwise as copies, which are held out together. Integer weights are numbers of rows. If weights are
    not integers, each is that of one row, and only their ratios matter. Nothing is random, and the order of rows does
    not matter. `joint_` is then P(x) of the tree, and P(y | x) that of the terms: `sample` draws from both, and
    `partial_fit` is not available.

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

        The program published by the paper's authors repairs every zero; use ``smoothing="repair"`` for that.

        Parameters
        ----------
        structure : {"gnb-a", "gnb-o", "tan", "nb"}, default="gnb-a"
        **parameters
            Parameters to change, such as ``n_features=10`` or ``smoothing="repair"``.

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
        """Update the model with one more batch of rows.

        The first batch determines the bins of numeric columns; later batches may contain new categories and missing
        values. With bin edges given by `discretizer`, batches give the same model as one `fit`. Not available with
        `weighting`, which needs all rows at once.

        Parameters
        ----------
        X : array-like or data frame of shape (n, d)
        y : array-like of shape (n,)
        classes : array-like of shape (k,)
            All classes that can occur; needed in the first call only.
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
        # The paper's probabilities go with the paper's information.
        information = "plug-in" if self.smoothing in REPAIRING else self.information
        settings = Settings(**{**parameters, "class_prior": prior, "information": information})
        check_settings(settings, n_columns, in_batches=in_batches)
        return settings

    def _learn(self, settings: Settings, batch: Batch) -> None:
        if settings.n_features is not None:
            learned = learn_chosen(settings, self.classes_, batch)
        else:
            learned = learn(settings, self.classes_, Rows(batch))
        self._set(learned)
        if isinstance(learned.rows, CodedRows) and learned.rows.n_rows <= _MOST_HASHED:
            self._training_hashes = row_hashes(learned.rows.codes, learned.rows.labels, learned.rows.n_threads)
        self._has_groups = batch.groups is not None

    @property
    def has_groups(self) -> bool:
        """Whether rows of a group were kept together in fitting, or in the evaluation stored in the model file."""
        kept = self.evaluation_ is not None and self.evaluation_.has_groups
        return kept or bool(self.__dict__.get("_has_groups", False))

    @property
    def training_hashes(self) -> NDArray[np.uint64] | None:
        """Hashes of up to 100,000 training rows, kept only in the process that fitted them, never in a file or
        pickle.
        """
        return self.__dict__.get("_training_hashes")

    def __getstate__(self) -> Any:
        state = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_training_hashes"}

    def _learn_more(self, settings: Settings, batch: Batch) -> None:
        self._set(learn(settings, self.classes_, MoreRows(self.features_, self._counts_so_far(), batch)))

    def _counts_so_far(self) -> Counts:
        """Counts to continue from; those of a weighted model use coarser values."""
        if [feature.cardinality for feature in self.features_] != self.counts_.cardinalities.tolist():
            raise ValueError(
                "partial_fit cannot continue from a model with weights, whose counts use coarser values; start again "
                "with fit and weighting=None."
            )
        return self.counts_

    def _set(self, learned: Learned) -> None:
        self.features_, self.counts_ = learned.features, learned.counts
        self.tree_, self.model_ = learned.tree, learned.model
        self.alpha_, self.pooling_ = learned.alpha, learned.pooling
        self.evaluation_: Evaluation | None = None
        self.__dict__.pop("_training_hashes", None)
        self.__dict__.pop("_has_groups", None)
        # A report from an earlier fit to counts of sites does not belong to this model.
        self.__dict__.pop("site_report_", None)


def row_hashes(codes: NDArray[Any], labels: NDArray[np.intp], n_threads: int = 1) -> NDArray[np.uint64]:
    """A hash of the codes and the class of each row, shape (n,)."""
    return row_hash(np.column_stack([row_hash(codes, n_threads=n_threads), labels.astype(np.uint64)]))
