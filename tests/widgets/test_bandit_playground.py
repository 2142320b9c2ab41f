"""The Python half of the bandit playground and of the bandit game."""

import math
import subprocess
import sys

import pytest
from traitlets import TraitError

from mctslab.widgets import BanditGame, BanditPlayground
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
        ({"c": 3.1}, "'c' trait"),
    ],
)
def test_what_cannot_be_is_named(options, words):
    with pytest.raises(TraitError, match=words):
        BanditPlayground(**options)
    playground = BanditPlayground()
    with pytest.raises(TraitError):
        playground.win_rates = [0.5, 0.5]  # the arms stay as many as they were


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


def test_what_the_game_cannot_be_is_named():
    for name, value in (("num_arms", 1), ("num_arms", 7), ("num_pulls", 201), ("c", -1)):
        with pytest.raises(TraitError, match=f"'{name}' trait"):
            BanditGame(**{name: value})


def test_the_picture_of_the_game_comes_when_the_game_is_over():
    game = BanditGame(2, num_pulls=5)
    assert game.still_svg() == ""
    assert "2 arms" in game.still_note()
    end = {"pulled": [0, 1, 1, 0, 0], "pulled_by_ucb1": [0, 1, 1, 1, 1], "win_rates": [0.5, 0.75]}
    game.set_state(end)
    assert game.wins_missed(game.pulled) == [0.25, 0.25, 0.25, 0.5, 0.75]
    assert all(words in game.still_svg() for words in ("you", "UCB1", "wins missed"))
    assert "0.5, 0.75" in game.still_note()
