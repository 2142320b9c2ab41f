"""A player that looks into an opening book before it thinks."""

import os
from collections.abc import Iterator
from typing import Final

from mctslab.book import Book
from mctslab.games.state import State
from mctslab.players.player import Player, Proposal
from mctslab.search.result import SearchResult

MIN_VISITS: Final = 1_000
"""What is known of a position from fewer simulations is not played unless you say otherwise."""


class BookPlayer(Player):
    """Plays the book's best move at once where the book knows the position; else another player.

    The best move is the robust child of the book's statistics. They could also be the first
    statistics of the other player's search, but where the book has searched much longer than that
    player would, its search would hardly change them: its time is better saved.

    Args:
        path: the file of the book. One that is being built is used as it grows.
        inner: who plays where the book knows nothing.
        min_visits: how many simulations the book must have of a position.
        name: what to call this player; made up from the rest when not given.

    Raises:
        BookError: there is no such file, or it is no book.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        inner: Player,
        *,
        min_visits: int = MIN_VISITS,
        name: str = "",
    ) -> None:
        self.name = name or f"book:{path}:{inner.name}"
        self._book = Book(path, read_only=True)
        self._inner = inner
        self._min_visits = min_visits

    def prepare(self, state: State) -> None:
        """Get the other player ready."""
        self._inner.prepare(state)

    def think(self, state: State) -> Iterator[Proposal]:
        """One thought where the book knows the position, else those of the other player.

        Raises:
            ValueError: the book is of another game.
        """
        known = self._look_up(state)
        if known is None:
            yield from self._inner.think(state)
        else:
            yield Proposal(known.best_so_far, progress=1.0, result=known)

    def _look_up(self, state: State) -> SearchResult | None:
        known = self._book.lookup(state)
        return known if known and known.num_simulations >= self._min_visits else None
