import numpy as np
import pytest

from gnbayes.reproduction.published import TABLES, published


@pytest.mark.parametrize(
    ("score", "data", "structure", "value"),
    [
        ("accuracy", "wdbc", "gnb-o", 0.9442),
        ("accuracy", "thyroid", "tan", 0.941),
        ("precision", "wdbc", "tan", 0.9777),
        ("recall", "thyroid", "nb", 0.9996),
        ("f1", "parkinsons", "gnb-o", 0.924),
        ("balanced_accuracy", "diabetes", "gnb-a", 0.877),
        ("balanced_accuracy", "thyroid", "nb", 0.4998),
    ],
)
def test_spot_values(score, data, structure, value):
    assert published(score, data, structure) == value


def test_no_number_for_what_the_paper_did_not_measure():
    assert published("neg_log_loss", "wdbc", "nb") is None


def test_accuracies_are_whole_numbers_of_rows_over_five_test_sets():
    sizes = {"wdbc": 86, "heart": 45, "diabetes": 78, "thyroid": 566, "parkinsons": 30}
    for data, values in TABLES["accuracy"].items():
        right = np.array(values) * 5 * sizes[data]
        assert (np.abs(right - right.round()) <= 0.00005 * 5 * sizes[data]).all()
