"""The prior for Gomoku: the order in which it prefers moves, in positions set up by hand."""

import numpy as np
import pytest
from hypothesis import given, settings

from mctslab.boards.board import square_bits
from mctslab.games import Gomoku
from mctslab.search import find_threats, gomoku_prior, heuristic
from tests.search.test_threats import positions
from tests.search.toys import play


def weights(state: Gomoku) -> dict[str, float]:
    names = [state.action_to_string(action) for action in state.legal_actions()]
    return dict(zip(names, gomoku_prior(state), strict=True))


def best(state: Gomoku) -> set[str]:
    """The moves with the highest weight."""
    found = weights(state)
    return {name for name, weight in found.items() if weight == max(found.values())}


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        # Black: C8 to F8 with White on B8. Black completes, and White, a stone less, blocks.
        ("C8 B8 D8 A1 E8 O1 F8 O15", {"G8"}),
        ("C8 B8 D8 A1 E8 O1 F8", {"G8"}),
        # Three in a row, both ends free: an open four on either side, and White may stop either.
        ("G8 A1 H8 O1 I8 O15", {"F8", "J8"}),
        ("G8 A1 H8 O1 I8", {"F8", "J8"}),
        # A four and a three meet; two threes meet.
        ("C9 B9 D9 A1 E9 O1 F7 A15 F8 O15", {"F9"}),
        ("G8 A1 F8 O1 H9 A15 H10 O15", {"H8"}),
    ],
)
def test_what_comes_first(moves, expected):
    assert best(play(Gomoku(15), moves)) == expected


def test_the_first_stone_goes_to_the_middle_and_the_second_next_to_the_first():
    assert best(Gomoku(15)) == {"H8"}
    assert best(Gomoku(6)) == {"C3", "C4", "D3", "D4"}
    state = play(Gomoku(9), "B2")
    found = weights(state)
    assert best(state) == {"A1", "B1", "C1", "A2", "C2", "A3", "B3", "C3"}
    two_steps_off = {name for name, weight in found.items() if weight == found["D4"]}
    assert two_steps_off == {"D1", "D2", "D3", "D4", "A4", "B4", "C4"}
    assert found["E5"] == found["I9"] < found["D4"] < found["C3"]


@settings(max_examples=60, deadline=None)
@given(positions())
def test_every_move_has_a_weight_and_fives_come_before_all(state):
    found = gomoku_prior(state)
    assert len(found) == len(state.legal_actions())
    assert min(found) > 0
    chosen = heuristic(state, np.random.default_rng(1))
    wins = set(square_bits(find_threats(state).five))
    blocks = set(square_bits(find_threats(state, 1 - state.current_player).five))
    assert chosen in (wins or blocks or set(state.legal_actions()))
