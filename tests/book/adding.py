"""Searches to add to a book, and a program that adds them until it is killed."""

import sys

import numpy as np

from mctslab import games, search
from mctslab.book import Book
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
    """A search of that position in which the moves have so many visits, and the values above."""
    result = searched(*line, num_simulations=20)
    for child in result.root.children:
        child.visit_count = visits.get(child.action, 0)
        child.total_value = TOTAL_VALUES_OF_FIRST_MOVES[child.action]
    return SearchResult(result.root, sum(visits.values()), 0.0)


def main(path: str, who: str) -> None:
    """Add one search after the other, and say of each when it is in the file."""
    result = with_numbers({action: action + 1 for action in range(9)})
    with Book(path) as book:
        for number in range(1_000_000):
            name = f"{who}-{number}"
            book.add((), result, name=name, seconds=0.5)
            print(name, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
