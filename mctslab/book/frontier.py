"""The position that a book should search next: the one that is most likely to be reached.

One of the two players plays by the book, and follows its best moves; the opponent can play
anything, but plays good moves more often than bad ones. So the frontier is followed twice: for a
book that plays first, and for one that plays second. The reach of a position is the product of the
probabilities of the moves that lead to it; the first position has reach 1. The positions are
searched roughly in the order of their reach, which is best-first search (in the literature on
books: Lincke, "Strategies for the Automatic Construction of Opening Books", 2000).
"""

import heapq
from typing import Final, NamedTuple

import numpy as np

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

_LEAST_FACTOR: Final = 0.8
"""Reach is multiplied by a random number from here to 1. So two programs that build the same book
from different seeds search different positions."""


class Candidate(NamedTuple):
    """A position that the book could contain, with the moves that lead to it from the first one."""

    line: tuple[int, ...]
    """The actions that lead there."""
    state: State
    reach: float
    """The probability that it is reached."""
    for_player: int
    """The player who plays by the book."""
    key: bytes


class Frontier:
    """Walks through the positions of a book, and finds those that should be searched.

    Args:
        book: the book, which is only read.
        num_simulations: a position with this number or more is not searched again.
        max_plies: leave out positions further from the first one; None for no limit.
        rng: the source of random numbers.
    """

    def __init__(
        self, book: Book, *, num_simulations: int, max_plies: int | None, rng: np.random.Generator
    ) -> None:
        self._book = book
        self._num_simulations = num_simulations
        self._max_plies = max_plies
        self._rng = rng
        self._waiting: list[tuple[float, int, Candidate]] = []
        self._seen: set[tuple[bytes, int]] = set()
        self._handed_out: dict[bytes, list[Candidate]] = {}
        self._num_pushed = 0
        for player in (0, 1):
            self._push((), book.first_state, 1.0, player)

    def next(self) -> Candidate | None:
        """The position to search next, and never twice; None if there is none now."""
        while self._waiting:
            *_, candidate = heapq.heappop(self._waiting)
            if (candidate.key, candidate.for_player) in self._seen:
                continue
            self._seen.add((candidate.key, candidate.for_player))
            if candidate.key in self._handed_out:
                self._handed_out[candidate.key].append(candidate)
                continue
            stored = self._book.lookup(candidate.state)
            if stored is None or stored.num_simulations < self._num_simulations:
                self._handed_out[candidate.key] = [candidate]
                return candidate
            self._go_beyond(candidate, stored)
        return None

    def searched(self, key: bytes) -> None:
        """Continue behind a position that `next` has returned and that is now in the book."""
        for candidate in self._handed_out.pop(key):
            stored = self._book.lookup(candidate.state)
            if stored is not None:  # otherwise it was dropped, to make room
                self._go_beyond(candidate, stored)

    def _go_beyond(self, candidate: Candidate, stored: SearchResult) -> None:
        is_own = candidate.state.current_player == candidate.for_player
        probabilities = move_probabilities(stored, is_own=is_own)
        for equals in canonical(candidate.state).classes(candidate.state.legal_actions()).values():
            reach = candidate.reach * sum(probabilities[action] for action in equals)
            line = (*candidate.line, equals[0])
            self._push(line, candidate.state.child(equals[0]), reach, candidate.for_player)

    def _push(self, line: tuple[int, ...], state: State, reach: float, player: int) -> None:
        """Queue a position; if its move is forced, the one after it."""
        while len(forced := state.legal_actions()) == 1:
            line, state = (*line, forced[0]), state.child(forced[0])
        if state.is_terminal or (self._max_plies is not None and len(line) > self._max_plies):
            return
        candidate = Candidate(line, state, reach, player, canonical(state).key)
        self._num_pushed += 1  # among equals, the first one comes first
        order = -reach * self._rng.uniform(_LEAST_FACTOR, 1.0)
        heapq.heappush(self._waiting, (order, self._num_pushed, candidate))


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
