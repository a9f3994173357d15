import numpy as np
import pytest

from gnbayes import GeneralizedNB
from gnbayes.cli.main import main
from gnbayes.structure import STRUCTURES, Information, Structure, naive

INFO = Information(np.array([0.3, 0.5, 0.2]), np.array([[0.0, 0.1, 0.4], [0.1, 0.0, 0.2], [0.4, 0.2, 0.0]]))
X, Y = np.array([[0, 1], [1, 1], [1, 0], [0, 0]] * 5), np.array([0, 1, 1, 0] * 5)


@pytest.mark.parametrize("name", STRUCTURES)
def test_a_structure_needs_pairs_exactly_where_they_change_its_tree(name):
    tree = STRUCTURES[name](INFO)
    without = STRUCTURES[name](Information(INFO.with_class, np.zeros((3, 3))))
    assert STRUCTURES[name].needs_pairs == (tree.weight != without.weight)


def test_every_structure_is_described():
    words = [structure.description for structure in STRUCTURES.values()]
    assert all(words)
    assert len(set(words)) == len(words)


def test_a_new_structure_is_known_to_the_classifier_and_the_shell(monkeypatch, capsys):
    monkeypatch.setitem(STRUCTURES, "reversed", Structure(naive, False, "turned around"))
    with pytest.raises(SystemExit):
        main(["fit", "--help"])
    assert "reversed" in capsys.readouterr().out
    monkeypatch.setitem(GeneralizedNB._parameter_constraints, "structure", [str])  # made when the class was
    assert GeneralizedNB("reversed", weighting=None).fit(X, Y).tree_.mother.tolist() == [-1, -1]
