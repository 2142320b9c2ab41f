"""The position that a book should search next: the one that is most likely to be reached.

One of the two players plays by the book, and follows its best moves; the opponent can play
anything, but plays good moves more often than bad ones. So the frontier is followed twice: for a
book that plays first, and for one that plays second. The reach of a position is the product of the
probabilities of the moves that lead to it; the first position has reach 1. The positions are
searched in the order of their reach, which is best-first search (in the literature on books:
Lincke, "Strategies for the Automatic Construction of Opening Books", 2000).
"""

import heapq
import itertools
from collections.abc import Iterator
from typing import Final, NamedTuple

from mctslab.book.canonical import canonical
from mctslab.book.store import Book
from mctslab.games.state import State
from mctslab.search.result import SearchResult

ANY_MOVE: Final = 0.25
"""The probability that the opponent plays any legal move, all equally likely; otherwise it plays
each move as often as the search of the position has visited it."""

OTHER_THAN_BEST: Final = 0.05
"""The probability that the book's own side plays like the opponent, because a game can begin with
random moves."""


class Candidate(NamedTuple):
    """A position that the book could contain."""

    state: State
    ply: int
    """The number of plies from the first position."""
    reach: float
    """The probability that it is reached."""
    for_player: int
    """The player who plays by the book."""
    key: bytes


def frontier(book: Book, first_state: State, *, num_simulations: int) -> Iterator[Candidate]:
    """The positions to search; each of them must be in the book before the next one.

    Args:
        book: the book, which is only read.
        first_state: the first position of its game.
        num_simulations: a position with this number or more is not searched again.
    """
    waiting: list[tuple[float, int, Candidate]] = []
    numbers = itertools.count()  # among equals, the first one comes first

    def push(state: State, ply: int, reach: float, player: int) -> None:
        """Queue a position; if its move is forced, the one after it."""
        while len(forced := state.legal_actions()) == 1:
            state, ply = state.child(forced[0]), ply + 1
        if not state.is_terminal:
            candidate = Candidate(state, ply, reach, player, canonical(state).key)
            heapq.heappush(waiting, (-reach, next(numbers), candidate))

    for player in (0, 1):
        push(first_state, 0, 1.0, player)
    seen = set()
    while waiting:
        *_, candidate = heapq.heappop(waiting)
        state, ply, reach, player, key = candidate
        if (key, player) in seen:
            continue
        seen.add((key, player))
        stored = book.lookup(state)
        if stored is None or stored.num_simulations < num_simulations:
            yield candidate
            stored = book.lookup(state)
            assert stored is not None
        shares = move_probabilities(stored, is_own=state.current_player == player)
        for equals in canonical(state).classes(state.legal_actions()).values():
            share = sum(shares.get(action, 0.0) for action in equals)
            push(state.child(equals[0]), ply + 1, reach * share, player)


def move_probabilities(stored: SearchResult, *, is_own: bool) -> dict[int, float]:
    """The probability of each legal action, for the book's own side or for its opponent."""
    children = stored.children
    visits = sum(child.visit_count for child in children)
    probabilities = {
        child.action: ANY_MOVE / len(children) + (1 - ANY_MOVE) * child.visit_count / visits
        for child in children
    }
    if is_own:
        probabilities = {action: OTHER_THAN_BEST * p for action, p in probabilities.items()}
        probabilities[stored.best_so_far] += 1 - OTHER_THAN_BEST
    return probabilities
