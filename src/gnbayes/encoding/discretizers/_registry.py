"""The named discretizers; new ones are registered here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gnbayes.encoding.discretizers._base import Discretizer
from gnbayes.encoding.discretizers._fixed import FixedDiscretizer
from gnbayes.encoding.discretizers._joined import JoinedDiscretizer
from gnbayes.encoding.discretizers._mdlp import MDLPDiscretizer
from gnbayes.encoding.discretizers._nested import nested_for
from gnbayes.encoding.discretizers._quantile import QuantileDiscretizer
from gnbayes.encoding.discretizers._uniform import UniformDiscretizer

# What n_bins="auto" means for bins of equal width.
AUTO_BINS = 5


@dataclass(frozen=True)
class DiscretizerChoice:
    """One value of the `discretizer` parameter.

    Parameters
    ----------
    build : callable
        ``build(n_bins, n_rows)`` is the discretizer, not fitted; arguments as in `choose_discretizer`.
    takes_n_bins : bool
        Whether it uses `n_bins`.
    needs_labels : bool
        Whether it uses the classes of the rows even if `n_bins` is a number.
    description : str
        Text that completes "numbers are cut".
    """

    build: Callable[[Any, int | None], Discretizer]
    takes_n_bins: bool
    needs_labels: bool
    description: str


def _quantiles(n_bins: Any, n_rows: int | None) -> Discretizer:
    if n_bins != "auto":
        return QuantileDiscretizer(n_bins)
    return JoinedDiscretizer() if n_rows is None else nested_for(n_rows)


def _equal_widths(n_bins: Any, _n_rows: int | None) -> Discretizer:
    return UniformDiscretizer(AUTO_BINS if n_bins == "auto" else n_bins)


def _entropy_cuts(_n_bins: Any, _n_rows: int | None) -> Discretizer:
    return MDLPDiscretizer()


DISCRETIZERS: dict[str, DiscretizerChoice] = {
    "quantile": DiscretizerChoice(_quantiles, True, False, "at quantiles"),
    "uniform": DiscretizerChoice(_equal_widths, True, False, "into bins of equal width"),
    "mdlp": DiscretizerChoice(_entropy_cuts, False, True, "where the class changes (Fayyad and Irani 1993)"),
}


def choose_discretizer(discretizer: Any, n_bins: Any, n_rows: int | None = None) -> Any:
    """Turn the `discretizer` parameter into a discretizer.

    Parameters
    ----------
    discretizer : name in `DISCRETIZERS`, mapping of edges, or transformer
    n_bins : int or "auto"
        "auto" means nested fine and coarse quantile bins if `n_rows` is given, otherwise quantile bins merged where
        adjacent bins have similar class distributions; 5 bins for equal width.
    n_rows : int, optional
        Number of rows, or their weight.

    Examples
    --------
    >>> from gnbayes.encoding import choose_discretizer
    >>> choose_discretizer("uniform", 4)
    UniformDiscretizer(n_bins=4)
    """
    if isinstance(discretizer, str):
        chosen: Any = DISCRETIZERS[discretizer].build(n_bins, n_rows)
    elif isinstance(discretizer, Mapping) and n_bins == "auto":
        chosen = FixedDiscretizer(discretizer, others=_quantiles(n_bins, n_rows))
    elif isinstance(discretizer, Mapping):
        chosen = FixedDiscretizer(discretizer, n_bins)
    else:
        chosen = discretizer
    if isinstance(chosen, Discretizer):
        chosen.check_parameters()
    return chosen
