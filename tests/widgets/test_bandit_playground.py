"""The bandit playground's Python half: what it takes, what it refuses, and its still picture."""

import math
import subprocess
import sys

import pytest
from traitlets import TraitError

from mctslab.widgets import BanditPlayground
from tests.notebooks.reading import PROJECT


def test_it_begins_as_it_was_told_and_follows_the_sliders():
    told = {"c": 0.7, "epsilon": 0.2, "num_pulls": 50, "num_runs": 9, "seed": 4}
    state = BanditPlayground((0.2, 0.9), **told).get_state()
    assert state["win_rates"] == [0.2, 0.9]
    assert {name: state[name] for name in told} == told
    playground = BanditPlayground()
    assert playground.c == math.sqrt(2)
    playground.set_state({"c": 0.35, "win_rates": [0.1, 0.5, 0.6], "seed": 2})
    assert (playground.c, playground.win_rates, playground.seed) == (0.35, [0.1, 0.5, 0.6], 2)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"win_rates": (0.5,)}, "1 win rates"),
        ({"win_rates": (0.5,) * 7}, "7 win rates"),
        ({"win_rates": (0.5, 1.5)}, "1.5 is not a win rate"),
        ({"win_rates": (0.5, math.nan)}, "nan is not a win rate"),
        ({"c": -0.1}, "'c' trait"),
        ({"c": 3.1}, "'c' trait"),
        ({"epsilon": 1.1}, "'epsilon' trait"),
        ({"num_pulls": 9}, "'num_pulls' trait"),
        ({"num_runs": 10_001}, "'num_runs' trait"),
        ({"seed": -1}, "'seed' trait"),
    ],
)
def test_what_cannot_be_is_named(options, words):
    with pytest.raises(TraitError, match=words):
        BanditPlayground(**options)


@pytest.mark.parametrize("rates", [[0.5, 0.5], [0.1, 0.2, 3.0]])
def test_the_arms_stay_as_many_and_as_possible_as_they_were(rates):
    playground = BanditPlayground()

    with pytest.raises(TraitError):
        playground.win_rates = rates
    assert playground.win_rates == [0.3, 0.5, 0.7]


def test_without_a_kernel_its_curves_are_a_picture():
    playground = BanditPlayground(c=0.5, num_pulls=60, num_runs=5)

    picture = playground.still_svg()
    for words in ("UCB1, c = 0.5", "greedy", "Thompson sampling", "pulls"):
        assert words in picture
    assert "0.3, 0.5, 0.7" in playground.still_note()


def test_the_widgets_do_not_load_matplotlib():
    code = "import sys, mctslab.widgets; print('matplotlib' in sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    assert run.stdout == "False\n"
