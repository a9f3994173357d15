"""Export as an ONNX graph, from raw columns to probabilities, for runtimes without Python."""

from __future__ import annotations

from importlib import import_module
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gnbayes.encoding import Feature
from gnbayes.files.format import check_classifier
from gnbayes.files.plain_model import check_sum_of_tables
from gnbayes.model import Joint, Model

# Old enough for most runtimes; every operator used here has a double-precision kernel in onnxruntime.
_OPSET, _ML_OPSET, _IR_VERSION = 17, 2, 8
# Numbers of element types in the standard (TensorProto.DataType).
_FLOAT, _INT64, _STRING, _BOOL, _DOUBLE = 1, 7, 8, 9, 11


def to_onnx(clf: Any, path: str | PathLike[str] | None = None) -> Any:
    """A fitted classifier in the ONNX format, with the same probabilities as `predict_proba`.

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted, with ``smoothing="additive"`` or ``"backoff"``, or with `weighting`.
    path : str or path-like, optional
        File to write the model to.

    Returns
    -------
    model : onnx.ModelProto
        Its inputs are the columns, by name, each of shape (n, 1). Its outputs are ``label``, of shape (n,), text or
        int64, and ``probabilities``, of shape (n, k), double; an underscore is added if a column has that name.

    Notes
    -----
    A text column is an input of strings. The empty string represents a missing value, or ``<missing>`` if the empty
    string is a category of that column. Every other column is an input of doubles: NaN represents a missing value, and
    booleans are 0 and 1. Missing values, and values never seen in training, are summed out exactly, as in
    `predict_proba`, unless the column had missing values in training. A model with `weighting` averages over unknown
    values in Python; its graph gives no result for such rows: their probabilities are NaN, and their label is the empty
    string, or the smallest int64. There is no warning about unseen values, and infinite numbers are not rejected.

    Only operators of the ONNX standard are used (opset 17, and LabelEncoder of ai.onnx.ml 2 for text). Rows with absent
    features need memory for n * k * v numbers, where v is the number of values of the largest feature; process large
    tables in parts.

    Examples
    --------
    >>> import numpy as np
    >>> import onnxruntime
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.files.onnx import to_onnx
    >>> X = np.array([[34, "no"], [71, "yes"], [58, "yes"], [45, "no"], [29, "no"]], dtype=object)
    >>> model = to_onnx(GeneralizedNB("gnb-a", n_bins=2, weighting=None).fit(X, ["well", "ill", "ill", "well", "well"]))
    >>> session = onnxruntime.InferenceSession(model.SerializeToString())
    >>> columns = {"x0": np.array([[65.0], [np.nan]]), "x1": np.array([["yes"], [""]])}
    >>> label, probabilities = session.run(None, columns)
    >>> label.tolist()
    ['ill', 'well']
    >>> probabilities.round(3).tolist()
    [[0.738, 0.262], [0.4, 0.6]]
    """
    check_classifier(clf)
    onnx = _import_onnx()
    model: Model = clf.model_
    _check_exportable(model, clf.smoothing)
    names = [feature.name for feature in model.features]
    label, probabilities = _free_name("label", names), _free_name("probabilities", names)
    graph = _Graph(onnx, names)
    scores, has_no_answer = _add_scores(graph, model)
    graph.add("Softmax", scores, axis=1, output=probabilities)
    best = graph.add("ArgMax", scores, axis=1, keepdims=0)
    classes = _plain_classes(model.classes)
    if has_no_answer is not None:
        best = graph.add("Where", has_no_answer, graph.constant(np.int64(len(classes))), best)
    nothing = np.array(["" if classes.dtype == object else np.iinfo(np.int64).min], dtype=classes.dtype)
    graph.add("Gather", graph.constant(np.concatenate([classes, nothing])), best, axis=0, output=label)
    outputs = [
        onnx.helper.make_tensor_value_info(label, _STRING if classes.dtype == object else _INT64, ["n"]),
        onnx.helper.make_tensor_value_info(probabilities, _DOUBLE, ["n", len(classes)]),
    ]
    proto = _model_proto(onnx, graph.proto([_input(onnx, feature) for feature in model.features], outputs))
    if path is not None:
        onnx.save(proto, path)
    return proto


def _import_onnx() -> Any:
    try:
        return import_module("onnx")
    except ImportError as error:
        raise ImportError("to_onnx needs onnx; install it with: pip install 'gnbayes[onnx]'") from error


def _check_exportable(model: Model, smoothing: str) -> None:
    check_sum_of_tables(model, smoothing, "to_onnx")
    for feature in model.features:
        if not feature.name:
            raise ValueError("a column of X has the empty name '', which no input of ONNX can have; rename the column.")
        if {"", "<missing>"} <= feature.lookup.keys():
            raise ValueError(
                f"column {feature.name!r} has both '' and '<missing>' as categories, so that neither can represent "
                "a missing value; rename one of them."
            )


def _input(onnx: Any, feature: Feature) -> Any:
    doc = f"Text; {_missing_text(feature)!r} is missing." if feature.is_text else "Numbers; NaN is missing."
    kind = _STRING if feature.is_text else _DOUBLE
    return onnx.helper.make_tensor_value_info(feature.name, kind, ["n", 1], doc_string=doc)


def _missing_text(feature: Feature) -> str:
    """The text that represents a missing value in a text column."""
    return "<missing>" if "" in feature.lookup else ""


def _plain_classes(classes: NDArray[Any]) -> NDArray[Any]:
    """Classes in a form that ONNX supports: text or integers."""
    return classes.astype(object if isinstance(classes[0], str) else np.int64)


def _model_proto(onnx: Any, graph: Any) -> Any:
    opsets = [onnx.helper.make_opsetid("", _OPSET), onnx.helper.make_opsetid("ai.onnx.ml", _ML_OPSET)]
    return onnx.helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION, producer_name="gnbayes")


def _free_name(name: str, taken: list[str]) -> str:
    while name in taken:
        name += "_"
    return name


class _Graph:
    """Nodes and constants of a graph that is built one operator at a time."""

    def __init__(self, onnx: Any, taken: list[str]) -> None:
        self.onnx, self._taken = onnx, set(taken)
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def add(self, operator: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        """Add a node, and return the name of its output."""
        output = output or self._new_name(operator)
        self._nodes.append(self.onnx.helper.make_node(operator, inputs, [output], name=output, **attributes))
        return output

    def constant(self, value: Any) -> str:
        """Add an array, and return its name."""
        name = self._new_name("constant")
        self._constants.append(self.onnx.numpy_helper.from_array(np.asarray(value), name))
        return name

    def branch(self) -> _Graph:
        """A subgraph, which can use the names of this graph."""
        inner = _Graph(self.onnx, [])
        inner._taken = self._taken
        return inner

    def proto(self, inputs: list[Any], outputs: list[Any]) -> Any:
        """The finished graph."""
        return self.onnx.helper.make_graph(self._nodes, "gnbayes", inputs, outputs, self._constants)

    def _new_name(self, stem: str) -> str:
        name = f"{stem}_{len(self._taken)}"
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name


def _add_scores(graph: _Graph, model: Model) -> tuple[str, str | None]:
    """Scores of every row, shape (n, k), and which rows have no result, shape (n,), if there can be such rows."""
    order = model.tree.order.tolist()
    columns = [_add_codes(graph, model.features[j]) for j in order]
    codes = graph.add("Concat", *columns, axis=1)
    sizes = graph.constant(np.array([len(model.maps[j]) for j in order]))
    is_absent = graph.add("Not", graph.add("Less", codes, sizes))
    safe = graph.add("Where", is_absent, graph.constant(np.int64(0)), codes)
    looked_up = _add_looked_up(graph, model, safe)
    n_absent = graph.add("ReduceSum", graph.add("Cast", is_absent, to=_INT64), graph.constant([1]), keepdims=0)
    if model.unknown_rule == "summed out":
        return _add_summed_out_rows(graph, model.joint, codes, is_absent, n_absent, looked_up), None
    has_no_answer = graph.add("Cast", n_absent, to=_BOOL)
    by_rows = graph.add("Unsqueeze", has_no_answer, graph.constant([1]))
    return graph.add("Where", by_rows, graph.constant(np.nan), looked_up), has_no_answer


def _add_summed_out_rows(graph: _Graph, joint: Joint, codes: str, is_absent: str, n_absent: str, looked_up: str) -> str:
    """Scores with the unknown features of rows summed out by message passing, if there are such rows."""
    has_absent = graph.add("Cast", graph.add("ReduceSum", n_absent, keepdims=0), to=_BOOL)
    complete, incomplete = graph.branch(), graph.branch()
    complete_out = complete.add("Identity", looked_up)
    incomplete_out = _add_messages_of_rows(incomplete, joint, codes, is_absent, n_absent, looked_up)
    branches = {
        name: branch.proto([], [graph.onnx.helper.make_tensor_value_info(out, _DOUBLE, None)])
        for name, branch, out in (("then_branch", incomplete, incomplete_out), ("else_branch", complete, complete_out))
    }
    return graph.add("If", has_absent, **branches)


def _add_codes(graph: _Graph, feature: Feature) -> str:
    """Codes of a column, as returned by `encode`, shape (n, 1)."""
    if feature.is_text:
        return graph.add(
            "LabelEncoder",
            feature.name,
            domain="ai.onnx.ml",
            keys_strings=[*feature.categories, _missing_text(feature)],
            values_int64s=[*range(feature.n_values), feature.missing_code],
            default_int64=feature.unseen_code,
        )
    add_codes = _add_interval_codes if feature.kind == "interval" else _add_category_codes
    missing = graph.constant(np.int64(feature.missing_code))
    return graph.add("Where", graph.add("IsNaN", feature.name), missing, add_codes(graph, feature))


def _add_interval_codes(graph: _Graph, feature: Feature) -> str:
    """The number of lower bounds that a value reaches, not counting the first."""
    is_missed = graph.add("Less", feature.name, graph.constant(feature.lower_bounds))
    # Small numbers are exact in single precision, which takes half the memory.
    n_missed = graph.add("ReduceSum", graph.add("Cast", is_missed, to=_FLOAT), graph.constant([1]), keepdims=1)
    last = graph.constant(np.int64(len(feature.lower_bounds) - 1))
    return graph.add("Sub", last, graph.add("Cast", n_missed, to=_INT64))


def _add_category_codes(graph: _Graph, feature: Feature) -> str:
    """The code of the category that a value equals; at most one matches, so a sum selects it."""
    # NaN equals nothing: a column without categories has only missing and unseen values.
    categories = np.array(feature.categories or (np.nan,), dtype=np.float64)
    above_unseen = np.arange(len(categories), dtype=np.int64) - feature.unseen_code
    is_equal = graph.add("Equal", feature.name, graph.constant(categories))
    picked = graph.add("Where", is_equal, graph.constant(above_unseen), graph.constant(np.int64(0)))
    total = graph.add("ReduceSum", picked, graph.constant([1]), keepdims=1)
    return graph.add("Add", total, graph.constant(np.int64(feature.unseen_code)))


def _add_looked_up(graph: _Graph, model: Model, codes: str) -> str:
    """Intercept and entries of the terms' tables, summed, shape (n, k); codes are of the used features in order.

    Rows are the last axis: runtimes copy them in one piece wherever the same codes are needed for several terms.
    """
    position = {j: at for at, j in enumerate(model.tree.order.tolist())}
    places = _Places(position)
    terms = sorted(model.terms, key=lambda term: len(term.features))
    rows_of = [[places.of(j, own) for j, own in zip(term.features, term.maps, strict=True)] for term in terms]
    by_feature = graph.add("Transpose", codes, perm=[1, 0])
    own = graph.add("Gather", by_feature, graph.constant(np.array(places.used)), axis=0)
    moved = graph.add("Add", own, graph.constant(np.array(places.starts)[:, None]))
    moved = graph.add("Gather", graph.constant(np.concatenate(places.codes)), moved, axis=0)
    cells = []
    for n_features in sorted({len(rows) for rows in rows_of}):
        some = [at for at, rows in enumerate(rows_of) if len(rows) == n_features]
        shapes = np.array([terms[at].table.shape[:-1] for at in some])
        cells.append(_add_cells(graph, moved, np.array([rows_of[at] for at in some]), shapes))
    k = len(model.classes)
    tables = [term.table.reshape(-1, k) for term in terms]
    first = np.cumsum([0, *(len(table) for table in tables[:-1])])
    found = graph.add("Add", graph.add("Concat", *cells, axis=0), graph.constant(first[:, None]))
    found = graph.add("Gather", graph.constant(np.concatenate(tables)), found, axis=0)
    total = graph.add("ReduceSum", found, graph.constant([0]), keepdims=0)
    return graph.add("Add", total, graph.constant(model.intercept))


class _Places:
    """Different maps of the codes of features to places along an axis of a table; many terms have the same one."""

    def __init__(self, position: dict[int, int]) -> None:
        self._position, self._number = position, dict[tuple[int, bytes], int]()
        self.used: list[int] = []
        self.starts: list[int] = []
        self.codes: list[NDArray[np.int64]] = []

    def of(self, feature: int, places: NDArray[np.intp]) -> int:
        """The number of a map."""
        number = self._number.setdefault((feature, places.tobytes()), len(self._number))
        if number == len(self.codes):
            self.used.append(self._position[feature])
            self.starts.append(sum(map(len, self.codes)))
            self.codes.append(places.astype(np.int64))
        return number


def _add_cells(graph: _Graph, moved: str, rows: NDArray[np.intp], shapes: NDArray[np.intp]) -> str:
    """Cells in the tables of terms with equally many features, shape (number of terms, n)."""
    cells = graph.add("Gather", moved, graph.constant(rows[:, 0]), axis=0)
    for axis in range(1, rows.shape[1]):
        cells = graph.add("Mul", cells, graph.constant(shapes[:, axis : axis + 1]))
        cells = graph.add("Add", cells, graph.add("Gather", moved, graph.constant(rows[:, axis]), axis=0))
    return cells


def _add_messages_of_rows(
    graph: _Graph, joint: Joint, codes: str, is_absent: str, n_absent: str, looked_up: str
) -> str:
    """Replace the rows of `looked_up` that have absent features by the log joint from message passing."""
    at = graph.add("Transpose", graph.add("NonZero", n_absent), perm=[1, 0])
    rows = graph.add("Squeeze", at, graph.constant([1]))
    own_codes = graph.add("Gather", codes, rows, axis=0)
    own_absent = graph.add("Gather", is_absent, rows, axis=0)
    return graph.add("ScatterND", looked_up, at, _add_messages(graph, joint, own_codes, own_absent))


def _add_messages(graph: _Graph, joint: Joint, codes: str, is_absent: str) -> str:
    """Log joint by one pass of messages from the leaves to the root, shape (n, k), as in `log_joint_with_absent`.

    The message from feature j to its parent is log P(known values of j and below | x_mother, y), shape (k, n,
    v_mother).
    """
    order = joint.tree.order.tolist()
    inbox: dict[int, list[str]] = {j: [] for j in (-1, *order)}
    for position, j in reversed(list(enumerate(order))):
        column = graph.constant([position])
        own_code, own_absent = (graph.add("Gather", matrix, column, axis=1) for matrix in (codes, is_absent))
        is_possible = graph.add("Equal", own_code, graph.constant(np.arange(joint.cardinalities[j])))
        is_possible = graph.add("Or", is_possible, own_absent)
        box = graph.add("Where", is_possible, graph.constant(0.0), graph.constant(-np.inf))
        for message in inbox.pop(j):
            box = graph.add("Add", box, message)
        inbox[int(joint.tree.mother[j])].append(_add_summed_out(graph, joint.tables[j], box))
    total = inbox[-1][0]
    for message in inbox[-1][1:]:
        total = graph.add("Add", total, message)
    by_rows = graph.add("Transpose", graph.add("Squeeze", total, graph.constant([2])), perm=[1, 0])
    return graph.add("Add", by_rows, graph.constant(joint.log_prior))


def _add_summed_out(graph: _Graph, table: NDArray[np.float64], box: str) -> str:
    """Log of sum_x P(x | x_mother, y) exp(box), shape (k, n, v_mother)."""
    scale = graph.add("ReduceMax", box, axes=[-1], keepdims=1)
    shares = graph.constant(np.exp(table).transpose(2, 1, 0))
    summed = graph.add("MatMul", graph.add("Exp", graph.add("Sub", box, scale)), shares)
    return graph.add("Add", graph.add("Log", summed), scale)
