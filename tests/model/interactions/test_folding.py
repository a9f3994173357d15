"""Standard errors of the mean of several fits."""

import numpy as np

from gnbayes.model import Term
from gnbayes.model.interactions.dealing import LEFT_OUT_SHARE
from gnbayes.model.interactions.folding import _mean_term


def test_two_fits_that_agree_by_chance_do_not_make_a_table_certain():
    """The average variance counts that of the fits as often as there are fits but one, that of the posterior once."""
    rows, tables = np.array([3.0, 1.0]), np.array([[[0.2, -0.2], [-0.6, 0.6]], [[0.22, -0.22], [-0.66, 0.66]]])
    spread = np.array([[0.5, 0.5], [1.0, 1.0]])
    mean = _mean_term([Term((0,), (np.arange(2),), table, rows, spread=spread) for table in tables])
    factor = (1 - LEFT_OUT_SHARE) / LEFT_OUT_SHARE
    of_fits = [factor * 0.01**2, factor * 0.03**2]
    average_of_fits = (3 * of_fits[0] + of_fits[1]) / 4
    average_of_posterior = (3 * 0.25 + 1.0) / 4
    average = (1 * average_of_fits + 1 * average_of_posterior) / 2
    shape = [
        (v / average_of_fits + 4 * p / average_of_posterior) / 5 for v, p in zip(of_fits, [0.25, 1.0], strict=True)
    ]
    np.testing.assert_allclose(mean.spread**2, np.outer(average * np.array(shape), [1.0, 1.0]))


def test_a_table_without_a_posterior_has_the_variance_over_fits():
    tables = np.array([[[0.2, -0.2], [-0.6, 0.6]], [[0.4, -0.4], [-0.6, 0.6]]])
    mean = _mean_term([Term((0,), (np.arange(2),), table, np.ones(2), spread=np.zeros((2, 2))) for table in tables])
    factor = (1 - LEFT_OUT_SHARE) / LEFT_OUT_SHARE
    np.testing.assert_allclose(mean.spread**2, [[factor * 0.01] * 2, [0.0] * 2], atol=1e-15)


def test_cells_without_rows_do_not_make_standard_errors_infinite():
    tables = [np.array([[size, -size], [1.0 + number, -1.0 - number]]) for number, size in enumerate((0.0, 1e-160))]
    spread = np.array([[0.1, 0.1], [0.3, 0.3]])
    terms = [Term((0,), (np.arange(2),), table, np.array([5.0, 0.0]), spread=spread) for table in tables]
    assert np.isfinite(_mean_term(terms).spread).all()
