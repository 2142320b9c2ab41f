"""The prover of forced wins, against a search that knows no reasons and leaves nothing out."""

from collections import Counter

import numpy as np
import pytest

from mctslab.games import Gomoku, State
from tests.search.test_threats import scattered
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
