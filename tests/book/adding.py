"""What to put into a book, and what is in one."""

import sqlite3
from contextlib import closing

from mctslab import games
from mctslab.games import State
from mctslab.search import Node, SearchResult


def after(*line: int) -> State:
    """The position of Tic-Tac-Toe after these actions."""
    state = games.TicTacToe()
    for action in line:
        state = state.child(action)
    return state


def with_visits(state: State, visits: dict[int, int]) -> SearchResult:
    """A search of `state` in which the moves have these visits, and Q = 1/8, 1/4 ... of them."""
    root = Node(state)
    for action, visit_count in visits.items():
        child = Node(parent=root, action=action)
        child.visit_count, child.total_value = visit_count, visit_count * (1 + action % 8) / 8
        root.children.append(child)
    return SearchResult(root, sum(visits.values()), 0.0)


def contents(path) -> set[tuple]:
    """All that is in a file."""
    with closing(sqlite3.connect(path)) as connection:
        return {*connection.execute("SELECT key, ply, moves FROM positions")}
