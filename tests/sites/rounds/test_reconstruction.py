"""What the guide warns of: anyone who sees the answers of one site can reconstruct rows that are alone in a cell."""

import numpy as np
import pytest
from round_tables import Recorder, mixed_frame, round_sites, three_sites, weighted_features

from gnbayes import GeneralizedNB
from gnbayes.encoding import encode, read_frame
from gnbayes.sites.rounds import SumQuestion, fit_rounds
from gnbayes.sites.rounds.questions import PARTS
from gnbayes.sites.rounds.tables import all_cells

COLUMNS = ["number", "flag", "rounded", "category", "few", "y"]


def cells_of(layout, codes):
    """Places of the cells of rows among the scores of a question, shape (n, number of tables)."""
    starts = np.cumsum([1, *layout.sizes])
    pairs = zip(layout.specs, starts, strict=False)
    return np.stack([spec.cells(codes).astype(np.intp) + start for spec, start in pairs], axis=1)


def class_and_candidates(rounds, cell, places):
    """The class of the only row in a cell, and the combinations of values that have its predictions in all rounds."""
    fits = np.flatnonzero((places == cell).any(axis=1))
    label = -1
    for question, answer in rounds:
        lacking = answer.numbers["gradient"][cell, 0] / PARTS
        label = int(np.argmin(lacking))
        scores = question.scores[0, 0] + question.scores[places[fits], 0].sum(axis=1)
        proba = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        fits = fits[np.abs(proba - lacking - (np.arange(3) == label)).max(axis=1) < 1e-5]
    return label, fits


@pytest.mark.slow
def test_rows_that_are_alone_in_a_cell_can_be_reconstructed():
    parts = three_sites(mixed_frame(300)[COLUMNS])
    features = weighted_features(parts)
    sites = [Recorder(site) for site in round_sites(parts, features)]
    fit_rounds(GeneralizedNB(), features, sites)
    asked = zip(sites[0].questions, sites[0].answers, strict=True)
    rounds = [(question, answer) for question, answer in asked if isinstance(question, SumQuestion)][2:7]
    question = rounds[0][0]
    layout = all_cells(question.tables)

    all_values = np.indices(features.cardinalities).reshape(len(features.names), -1).T
    places = cells_of(layout, all_values)
    codes = encode(read_frame(parts[0].drop(columns="y")), features.features)
    own = cells_of(layout, codes)
    labels = np.searchsorted(features.classes, parts[0]["y"].to_numpy())
    n_rows = np.bincount(own.ravel())
    alone = [(row, cell) for row in range(len(codes)) for cell in own[row] if n_rows[cell] == 1]
    assert alone
    for row, cell in alone:
        label, found = class_and_candidates(rounds, cell, places)
        assert label == labels[row]
        assert all_values[found].tolist() == [codes[row].tolist()]
