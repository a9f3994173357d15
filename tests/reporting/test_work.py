"""How much the page computes for an answer, counted rather than timed: a form of 100 features, half filled."""

import json

import numpy as np
import pandas as pd
import pytest

from gnbayes import GeneralizedNB
from gnbayes.model import N_COMPLETIONS

# Count calls of a function of Math while every second field is answered, and then once more for a changed answer; the
# second number is of what follows a moment later.
COUNT = """async (name) => {
  const wait = () => new Promise((done) => setTimeout(() => setTimeout(done)));
  const type = (field, text) => {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const fields = [...document.querySelectorAll("input[inputmode=decimal]")].filter((_, at) => at % 2);
  fields.forEach((field) => type(field, "0.3"));
  await wait();
  const own = Math[name];
  let calls = 0;
  Math[name] = (...values) => (calls++, own(...values));
  type(fields[0], "0.7");
  const first = calls;
  await wait();
  Math[name] = own;
  return [first, calls - first];
}"""


@pytest.fixture(scope="module")
def report(page_of):
    rng = np.random.default_rng(0)
    y = np.where(rng.random(1500) < 0.5, "ill", "well")
    X = pd.DataFrame(rng.normal(size=(1500, 100)) + 0.3 * (y == "ill")[:, None]).add_prefix("value ")
    clf = GeneralizedNB().fit(X, y)
    return page_of(clf)


@pytest.mark.slow
def test_an_answer_takes_one_softmax_per_completion(report, open_page):
    page = open_page(report)
    first, after = page.evaluate(COUNT, "exp")
    assert json.loads(page.get_attribute("#next", "data-values")).count(0) < 60
    # Two classes; and a few for the result itself and its words.
    assert 2 * N_COMPLETIONS <= first <= 2 * N_COMPLETIONS + 100
    assert after <= 100


@pytest.mark.slow
def test_what_is_usual_is_found_once_for_a_set_of_known_features(report, open_page):
    page = open_page(report)
    first, after = page.evaluate(COUNT, "log")
    assert first <= 100
    # One of log P(x) of the person, and a few of charts; not those of 512 others.
    assert after <= 100
