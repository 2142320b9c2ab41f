"""What the side road on the words of Othello says is so."""

import numpy as np
import pytest

from mctslab import arena
from mctslab.course.positions import after
from mctslab.solvers import EndgameSolver
from tests.notebooks.reading import PROJECT
from tests.notebooks.squares import BLACK, CORNERS, WHITE, empty, moves, named, square


def test_five_moves_give_a_corner_each_that_could_not_be_taken_before(names):
    gift = names["gift"]

    assert gift.current_player == BLACK
    assert not moves(gift, WHITE) & CORNERS
    for name, corner in {"b2": "a1", "g2": "h1", "b7": "a8", "g7": "h8", "a7": "a8"}.items():
        assert moves(after(gift, name), WHITE) & CORNERS == {square(corner)}
        assert names["corners_for_the_other"](gift, square(name)) == [square(corner)]


def test_only_the_move_into_the_odd_region_wins(names):
    parity = names["parity"]
    solved = EndgameSolver().solve_moves(parity)
    values = {parity.action_to_string(action): value for action, value in solved.items()}

    assert parity.current_player == WHITE
    assert named(empty(parity)) == {"h1", "g2", "h2", "a1", "b2", "a8", "b7"}
    assert values == {"b2": -8, "h2": 24, "b7": -14}


@pytest.mark.thorough
def test_moves_into_odd_regions_are_worth_some_discs_and_not_always(names):
    """In the stored games of equal players that the notebook does not play itself."""
    match = arena.load(PROJECT / "notebooks" / "results" / "08_quick_games.jsonl")
    histories = [game.states(match.first_state) for game in match.games[300:]]
    ends = [s for states in histories for s in states if len(empty(s)) == 8]
    gains = [names["parity_gain"](s) for s in ends if not s.is_terminal]
    gains = np.array([gain for gain in gains if gain is not None])

    assert len(gains) > 100
    assert gains.mean() > 1.96 * gains.std() / len(gains) ** 0.5
    assert 0.15 < np.mean(gains <= 0) < 0.5
