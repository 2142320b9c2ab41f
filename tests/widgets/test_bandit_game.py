"""The bandit game's Python half: what it takes, what it refuses, and its still picture."""

import pytest
from traitlets import TraitError

from mctslab.widgets import BanditGame


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"num_arms": 1}, "'num_arms' trait"),
        ({"num_arms": 7}, "'num_arms' trait"),
        ({"num_pulls": 4}, "'num_pulls' trait"),
        ({"num_pulls": 201}, "'num_pulls' trait"),
        ({"c": -1}, "'c' trait"),
        ({"seed": -1}, "'seed' trait"),
    ],
)
def test_what_cannot_be_is_named(options, words):
    with pytest.raises(TraitError, match=words):
        BanditGame(**options)


def test_its_picture_comes_when_the_game_is_over():
    game = BanditGame(2, num_pulls=5)
    assert game.still_svg() == ""
    assert "2 arms" in game.still_note()
    end = {"pulled": [0, 1, 1, 0, 0], "pulled_by_ucb1": [0, 1, 1, 1, 1], "win_rates": [0.5, 0.75]}
    game.set_state(end)
    assert game.wins_missed(game.pulled) == [0.25, 0.25, 0.25, 0.5, 0.75]
    assert all(words in game.still_svg() for words in ("you", "UCB1", "wins missed"))
    assert "0.5, 0.75" in game.still_note()
