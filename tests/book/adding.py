"""Searches to add to a book, and what is in one."""

import sqlite3
from contextlib import closing

import numpy as np

from mctslab import games, search
from mctslab.search import SearchResult

TOTAL_VALUES_OF_FIRST_MOVES = (0.25, -0.5, 1.0, 0.0, 2.0, -1.0, 0.5, 0.125, 4.0)
"""Sums of these are exact, in any order."""


def searched(*line: int, num_simulations: int = 100, seed: int = 1) -> SearchResult:
    """A search of the position of Tic-Tac-Toe after `line`."""
    state = games.TicTacToe()
    for action in line:
        state = state.child(action)
    rng = np.random.default_rng(seed)
    return search.mcts(state, num_simulations=num_simulations, rng=rng)


def with_numbers(visits: dict[int, int], *line: int) -> SearchResult:
    """A search of that position in which the moves have these visits, and the values above."""
    result = searched(*line, num_simulations=20)
    for child in result.root.children:
        child.visit_count = visits.get(child.action, 0)
        child.total_value = TOTAL_VALUES_OF_FIRST_MOVES[child.action]
    return SearchResult(result.root, sum(visits.values()), 0.0)


def contents(path) -> set[tuple]:
    """All that is in a file but the time."""
    with closing(sqlite3.connect(path)) as connection:
        columns = "key, ply, num_simulations, moves"
        return {*connection.execute(f"SELECT {columns} FROM positions")}
