"""The Python half of the bandit playground and of the bandit game."""

import math
import subprocess
import sys

import pytest
from traitlets import TraitError

from mctslab.widgets import BanditGame, BanditPlayground
from tests.notebooks.reading import PROJECT


def test_a_playground_begins_as_it_was_told_and_follows_the_sliders():
    told = {"c": 0.7, "epsilon": 0.2, "num_pulls": 50, "num_runs": 9, "seed": 4}
    state = BanditPlayground((0.2, 0.9), **told).get_state()
    assert state["win_rates"] == [0.2, 0.9]
    assert {name: state[name] for name in told} == told
    playground = BanditPlayground()
    assert playground.c == math.sqrt(2)
    playground.set_state({"c": 0.35, "win_rates": [0.1, 0.5, 0.6], "seed": 2})
    assert (playground.c, playground.win_rates, playground.seed) == (0.35, [0.1, 0.5, 0.6], 2)


@pytest.mark.parametrize(
    ("make", "options", "words"),
    [
        (BanditPlayground, {"win_rates": (0.5,)}, r"length 2 <= L <= 6, but a value of \[0.5\]"),
        (BanditPlayground, {"win_rates": (0.5,) * 7}, "length 2 <= L <= 6"),
        (BanditPlayground, {"win_rates": (0.5, 1.5)}, "1.5 is not a win rate"),
        (BanditPlayground, {"win_rates": (0.5, math.nan)}, "nan is not a win rate"),
        (BanditPlayground, {"c": 3.1}, "'c' trait .* greater than 3.0, but a value of 3.1"),
        (BanditGame, {"num_arms": 1}, "'num_arms' trait .* less than 2, but a value of 1"),
        (BanditGame, {"num_arms": 7}, "'num_arms' trait"),
        (BanditGame, {"num_pulls": 201}, "'num_pulls' trait"),
        (BanditGame, {"c": -1}, "'c' trait"),
    ],
)
def test_what_cannot_be_is_named(make, options, words):
    with pytest.raises(TraitError, match=words):
        make(**options)


def test_without_a_kernel_the_curves_are_a_picture_and_a_game_is_a_sentence():
    playground = BanditPlayground(c=0.5, num_pulls=60, num_runs=5)
    picture = playground.still_svg()
    for words in ("UCB1, c = 0.5", "greedy", "Thompson sampling", "pulls"):
        assert words in picture
    assert "0.3, 0.5, 0.7" in playground.still_note()

    game = BanditGame(2, num_pulls=5)
    assert game.still_note() == "A bandit with 2 arms. Run this cell again to pull the arms."
    game.set_state({"pulled": [0, 1, 1, 0, 0], "result": "You have 3 wins."})
    assert game.still_note() == "You have 3 wins. Run this cell again to pull the arms."


def test_the_widgets_do_not_load_matplotlib():
    code = "import sys, mctslab.widgets; print('matplotlib' in sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    assert run.stdout == "False\n"
