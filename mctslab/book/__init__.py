"""Opening books: searched positions in a file, reused by every later game.

In a program::

    from mctslab import book

    book.build("opening.sqlite", "reversi", seconds=3_600, progress=book.TextProgress())
    with book.Book("opening.sqlite") as opening:
        print(opening.lookup(games.Reversi()).table())

A book is an SQLite file that several programs can read and write at once. Positions that can be
rotated or mirrored into each other are one entry. `build` chooses what to search next, and the
player `book:opening.sqlite:uct:400` plays from the book.
"""

from mctslab.book.building import TextProgress, build
from mctslab.book.schema import BookError
from mctslab.book.store import Book

__all__ = ["Book", "BookError", "TextProgress", "build"]
