"""The prover of forced wins, against a search that knows no reasons and leaves nothing out."""

from collections import Counter

import numpy as np
import pytest

from mctslab.games import Gomoku, State
from tests.search.test_threats import scattered
from tests.search.toys import play
from tests.tactics.prover import Prover


def wins(state: State, attacker: int, plies: int) -> bool:
    """Whether `attacker` can force a win within so many plies, by the rules of the game alone."""
    if state.is_terminal:
        return state.returns()[attacker] == 1
    if plies == 0:
        return False
    results = (wins(state.child(a), attacker, plies - 1) for a in state.legal_actions())
    return any(results) if state.current_player == attacker else all(results)


def nearly_full(size: int, num_empty: int, rng: np.random.Generator) -> Gomoku:
    """A board with so many squares left, and rows that are not far from five."""
    while True:
        state = scattered(Gomoku(size), size * size, 9, rng)
        while len(state.legal_actions()) < num_empty:
            state = scattered(Gomoku(size), size * size - num_empty, 9, rng)
        if len(state.legal_actions()) == num_empty:
            return state


@pytest.mark.parametrize(("size", "num_empty", "plies"), [(7, 16, 3), (6, 10, 5), (6, 8, 7)])
def test_the_prover_agrees_with_a_plain_search(size, num_empty, plies):
    rng = np.random.default_rng(plies)
    to_check = Counter({True: 8, False: 16})  # with a win, and without
    while to_check.total():
        state = nearly_full(size, num_empty, rng)
        mover = state.current_player
        fives = {a for a in state.legal_actions() if wins(state.child(a), mover, 0)}
        found = Prover(state).winning_moves(plies)
        has_win = bool(found and not fives)
        if to_check[has_win]:
            to_check[has_win] -= 1
            longer = [a for a in state.legal_actions() if wins(state.child(a), mover, plies - 1)]
            assert found == (fives or set(longer)), str(state)


@pytest.mark.parametrize(
    ("moves", "plies", "expected"),
    [
        # Three in a row, both ends free: an open four on either side, and no win at once.
        ("G8 A1 H8 O1 I8 O15", 1, set()),
        ("G8 A1 H8 O1 I8 O15", 3, {"F8", "J8"}),
        # A four and a three meet at F9: the four is answered, and the three becomes an open four.
        ("C9 B9 D9 A1 E9 O1 F7 A15 F8 O15", 3, set()),
        ("C9 B9 D9 A1 E9 O1 F7 A15 F8 O15", 5, {"F9"}),
        # Two threes meet; but where the opponent has an open three, that comes first.
        ("G8 A1 F8 O1 H9 A15 H10 O15", 5, {"H8"}),
        ("G8 B3 F8 C3 H9 D3 H10 O15", 5, set()),
    ],
)
def test_wins_by_hand(moves, plies, expected):
    state = play(Gomoku(15), moves)
    found = {state.action_to_string(action) for action in Prover(state).winning_moves(plies)}
    assert found == expected
