"""A player that looks up positions in an opening book before it thinks."""

import os
from collections.abc import Iterator
from typing import Final

from mctslab.book import Book
from mctslab.games.state import State
from mctslab.players.player import Player, Proposal

MIN_VISITS: Final = 1_000
"""Entries with fewer simulations are not used."""


class BookPlayer(Player):
    """Plays the book's best move at once if the book has the position; otherwise as another player.

    The best move is the robust child of the book's statistics. The other player's search could also
    begin with these statistics. But if the book has searched much longer than that player would,
    its search would hardly change them, so we save the time.

    Args:
        path: the file of the book. A book that is still being built is used as it grows.
        inner: the player for positions that are not in the book.
        name: the name of this player; derived from the other arguments if not given.

    Raises:
        BookError: there is no such file, or it is not a book.
    """

    def __init__(self, path: str | os.PathLike[str], inner: Player, *, name: str = "") -> None:
        self.name = name or f"book:{path}:{inner.name}"
        self._book = Book(path)
        self._inner = inner

    def prepare(self, state: State) -> None:
        """Get the other player ready."""
        self._inner.prepare(state)

    def think(self, state: State) -> Iterator[Proposal]:
        """Yield one proposal if the book has the position, otherwise those of the other player.

        Raises:
            ValueError: the book is of another game.
        """
        self._inner.prepare(state)  # it can need every position of the game
        result = self._book.lookup(state)
        if result is None or result.num_simulations < MIN_VISITS:
            yield from self._inner.think(state)
        else:
            yield Proposal(result.best_so_far, progress=1.0, result=result)
