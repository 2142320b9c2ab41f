"""Which position a book should search next: the one that will be reached most often.

A book is asked by one of the two players. That player follows the book's best moves; the other one
plays anything, but good moves more often than bad ones. So the frontier is followed twice, once for
a book that plays first and once for one that plays second. The reach of a position is the product
of the probabilities of the moves that lead to it; the first position has reach 1. The positions are
searched in about the order of their reach, which is best-first search (in the literature on books:
Lincke, "Strategies for the Automatic Construction of Opening Books", 2000).
"""

import heapq
from typing import Final, NamedTuple

import numpy as np

from mctslab.book.canonical import canonical
from mctslab.book.store import Book
from mctslab.games.state import State
from mctslab.search.result import SearchResult

ANY_MOVE: Final = 0.25
"""How often the opponent is thought to play any legal move, all equally likely; else each move as
often as the search of the position has visited it."""

OTHER_THAN_BEST: Final = 0.05
"""How often the book's own side is thought to play as the opponent would. The game may begin with
moves that were drawn by lot."""

_LEAST_FACTOR: Final = 0.8
"""Reach is multiplied by chance, from here to 1. So two programs that build one book, from
different seeds, work at different positions."""


class Wanted(NamedTuple):
    """A position that the book should know of, on its way from the first one."""

    line: tuple[int, ...]
    """The actions that lead there."""
    state: State
    reach: float
    """How likely it is to be met, in [0, 1]."""
    for_player: int
    """Whose book this is: that player plays by it."""
    key: bytes


class Frontier:
    """Walks through the known positions of a book, and finds the ones to be searched.

    Args:
        book: is read, and not changed.
        num_simulations: a position with so many is known.
        max_plies: positions further from the first one are left out; None for no limit.
        rng: the source of chance.
    """

    def __init__(
        self,
        book: Book,
        *,
        num_simulations: int,
        max_plies: int | None,
        rng: np.random.Generator,
    ) -> None:
        self._book = book
        self._num_simulations = num_simulations
        self._max_plies = max_plies
        self._rng = rng
        self._waiting: list[tuple[float, int, Wanted]] = []
        self._seen: set[tuple[bytes, int]] = set()
        self._handed_out: dict[bytes, list[Wanted]] = {}
        self._num_pushed = 0
        for player in (0, 1):
            self._push((), book.first_state, 1.0, player)

    def next(self) -> Wanted | None:
        """The position to search next, which counts as handed out; None if there is none now."""
        while self._waiting:
            *_, wanted = heapq.heappop(self._waiting)
            if (wanted.key, wanted.for_player) in self._seen:
                continue
            self._seen.add((wanted.key, wanted.for_player))
            if wanted.key in self._handed_out:
                self._handed_out[wanted.key].append(wanted)
                continue
            known = self._book.lookup(wanted.state)
            if known is None or known.num_simulations < self._num_simulations:
                self._handed_out[wanted.key] = [wanted]
                return wanted
            self._go_beyond(wanted, known)
        return None

    def searched(self, key: bytes) -> None:
        """Go on from a position that was handed out and is in the book by now."""
        for wanted in self._handed_out.pop(key):
            known = self._book.lookup(wanted.state)
            if known is not None:  # else it was dropped, to make room
                self._go_beyond(wanted, known)

    def _go_beyond(self, wanted: Wanted, known: SearchResult) -> None:
        is_own = wanted.state.current_player == wanted.for_player
        chances = move_chances(known, is_own=is_own)
        for equals in canonical(wanted.state).classes(wanted.state.legal_actions()).values():
            action = equals[0]
            reach = wanted.reach * sum(chances[each] for each in equals)
            self._push((*wanted.line, action), wanted.state.child(action), reach, wanted.for_player)

    def _push(self, line: tuple[int, ...], state: State, reach: float, player: int) -> None:
        """Let a position wait for its turn; where a move is forced, the one after it."""
        while len(forced := state.legal_actions()) == 1:
            line, state = (*line, forced[0]), state.child(forced[0])
        if state.is_terminal or (self._max_plies is not None and len(line) > self._max_plies):
            return
        wanted = Wanted(line, state, reach, player, canonical(state).key)
        self._num_pushed += 1  # of equals, the one that came first
        order = -reach * self._rng.uniform(_LEAST_FACTOR, 1.0)
        heapq.heappush(self._waiting, (order, self._num_pushed, wanted))


def move_chances(known: SearchResult, *, is_own: bool) -> dict[int, float]:
    """How likely each legal action is to be played, by the book's side or by its opponent."""
    children = known.children
    visits = sum(child.visit_count for child in children)
    chances = {
        child.action: ANY_MOVE / len(children) + (1 - ANY_MOVE) * child.visit_count / visits
        for child in children
    }
    if is_own:
        chances = {action: OTHER_THAN_BEST * chance for action, chance in chances.items()}
        chances[known.best_so_far] += 1 - OTHER_THAN_BEST
    return chances
