"""Build a book: search the most important position, store the result, and repeat.

One of the two players plays by the book, and follows its best moves; the opponent can play
anything, but plays good moves more often than bad ones. So positions are looked for twice: for a
book that plays first, and for one that plays second. The reach of a position is the probability
that it is reached, and the positions are searched in the order of their reach, which is best-first
search (in the literature on books: Lincke, "Strategies for the Automatic Construction of Opening
Books", 2000).
"""

import heapq
import itertools
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from mctslab import fast, games
from mctslab.book.canonical import canonical
from mctslab.book.store import Book, Summary
from mctslab.games.state import State
from mctslab.search.budget import Budget
from mctslab.search.result import SearchResult
from mctslab.typed import Number, convert

ANY_MOVE: Final = 0.25
"""The probability that the opponent plays any legal move, all equally likely; otherwise it plays
each move as often as the search of the position has visited it."""

OTHER_THAN_BEST: Final = 0.05
"""The probability that the book's own side plays like the opponent, because a game can begin with
random moves."""


def build(
    path: str | os.PathLike[str],
    game: str,
    *,
    game_options: Mapping[str, Any] | None = None,
    num_simulations: int = 100_000,
    seconds: float | None = None,
    max_positions: int | None = None,
    seed: int,
    progress: Callable[[Summary], object] = lambda summary: None,
) -> Summary:
    """Build a book, or continue building it; one program at a time.

    Every finished search is in the file at once. So a run can end in any way, also by Ctrl-C, and
    the same call continues it. The same seed makes the same book, however often it was stopped.

    Args:
        path: the file; created if it does not exist.
        game: a name for `games.make`.
        game_options: for `games.make`, such as `{"size": 6}`.
        num_simulations: simulations of each search. A position with fewer in the book is searched
            again.
        seconds: end after this time. None: no limit.
        max_positions: end when the book has this number of positions. None: no limit.
        seed: of all random numbers, 0 or more.
        progress: called with the size of the book before every search, and at the end.

    Returns:
        The content of the book, and why the building ended.

    Raises:
        ValueError: an impossible number, no such game, or a file that is not a book, or a different
            one (BookError).
        OSError: the file cannot be created.
    """
    budget = Budget(num_simulations, seconds)  # this says what is wrong before there is a file
    convert(seed, Number, "seed")
    first_state = games.make(game, **(game_options or {}))
    ended = "nothing is left to search"
    with Book(path, first_state) as book:
        for state, ply in frontier(book, first_state, num_simulations):
            summary = book.summary()
            if budget.is_spent:
                ended = "the time is up"
                break
            if max_positions is not None and summary.num_positions >= max_positions:
                ended = "the book is full"
                break
            progress(summary)
            result = fast.mcts(
                state,
                num_simulations=num_simulations,
                rng=np.random.default_rng([seed, num_simulations, *canonical(state)[0]]),
            )
            book.add(result, ply=ply)
        summary = book.summary()._replace(ended=ended)
    progress(summary)
    return summary


def frontier(book: Book, first_state: State, num_simulations: int) -> Iterator[tuple[State, int]]:
    """The positions to search, with their plies; each must be in the book before the next one.

    Nothing but the book is needed to continue: this walks through it from the first position.
    Positions with `num_simulations` or more are not searched again, and a forced move needs no
    search.
    """
    reach_of: dict[tuple[bytes, int], float] = {}
    waiting: list[tuple[float, int, State, int, int]] = []
    numbers = itertools.count()  # among equals, the first one comes first

    def push(state: State, ply: int, reach: float, player: int) -> None:
        while len(forced := state.legal_actions()) == 1:
            state, ply = state.child(forced[0]), ply + 1
        if not state.is_terminal:
            place = canonical(state)[0], player
            # Several moves, and several orders of moves, can lead to the same position.
            reach_of[place] = reach_of.get(place, 0.0) + reach
            heapq.heappush(waiting, (-reach_of[place], next(numbers), state, ply, player))

    for player in (0, 1):
        push(first_state, 0, 1.0, player)
    seen = set()
    while waiting:
        _, _, state, ply, player = heapq.heappop(waiting)
        place = canonical(state)[0], player
        if place in seen:
            continue
        seen.add(place)
        stored = book.lookup(state)
        if stored is None or stored.num_simulations < num_simulations:
            yield state, ply
            stored = book.lookup(state)
            assert stored is not None
        shares = move_probabilities(stored, is_own=state.current_player == player)
        for action, share in shares.items():
            push(state.child(action), ply + 1, reach_of[place] * share, player)


def move_probabilities(stored: SearchResult, *, is_own: bool) -> dict[int, float]:
    """The probability of each move, for the book's own side or for its opponent."""
    visits = sum(child.visit_count for child in stored.children)
    probabilities = {
        child.action: ANY_MOVE / len(stored.children) + (1 - ANY_MOVE) * child.visit_count / visits
        for child in stored.children
    }
    if is_own:
        probabilities = {action: OTHER_THAN_BEST * p for action, p in probabilities.items()}
        probabilities[stored.best_so_far] += 1 - OTHER_THAN_BEST
    return probabilities
