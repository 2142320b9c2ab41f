"""Opening books: searched positions in a file, reused by every later game.

In a program::

    from mctslab import book, games

    book.build("opening.sqlite", "reversi", seconds=3_600, seed=1)
    with book.Book("opening.sqlite") as opening:
        print(opening.lookup(games.Reversi()).table())

A book is an SQLite file that one program writes while others can read it. Positions that can be
rotated or mirrored into each other are one entry. `build` chooses what to search next, and the
player `book:opening.sqlite:uct:400` plays from the book.
"""

from mctslab.book.building import build
from mctslab.book.store import Book, BookError

__all__ = ["Book", "BookError", "build"]
