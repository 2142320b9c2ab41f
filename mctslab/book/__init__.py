"""Opening books: searched positions in a file, reused by every later game.

    from mctslab import book

    book.build("opening.sqlite", "reversi", seconds=3_600, progress=book.TextProgress())
    with book.Book("opening.sqlite") as opening:
        print(opening.lookup(games.Reversi()).table())

A book is an SQLite file that several programs may read and write at once. Positions that are turned
or mirrored into each other are one entry. `build` chooses what is worth searching next, and the
player `book:opening.sqlite:uct:400` plays from it.
"""

from mctslab.book.building import build
from mctslab.book.canonical import Canonical, canonical
from mctslab.book.errors import BookError
from mctslab.book.progress import Progress, Standing, TextProgress
from mctslab.book.store import MAX_POSITIONS, Book, Summary

__all__ = [
    "MAX_POSITIONS",
    "Book",
    "BookError",
    "Canonical",
    "Progress",
    "Standing",
    "Summary",
    "TextProgress",
    "build",
    "canonical",
]
