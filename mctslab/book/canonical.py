"""One entry for all positions that can be rotated or mirrored into each other.

A position is written down in all orientations that its game allows, and the text that comes first
in order represents all of them: the canonical one. The game cannot always reach this orientation.
"""

from hashlib import blake2b
from typing import Final, NamedTuple

from mctslab.games.state import State
from mctslab.games.symmetry import Symmetry

_KEY_BYTES: Final = 16
"""With 16 bytes, about one of 10^20 books of a billion positions has two with the same key."""


class Canonical(NamedTuple):
    """How a book stores a position."""

    key: bytes
    """[16]: the same for two positions exactly when a symmetry moves one onto the other."""
    actions: tuple[int, ...]
    """[actions]: the action under which the book stores each action; the same one for actions
    that are equivalent by a symmetry of the position itself."""

    def classes(self, actions: tuple[int, ...]) -> dict[int, list[int]]:
        """`actions`, grouped by the action under which they are stored."""
        found: dict[int, list[int]] = {}
        for action in actions:
            found.setdefault(self.actions[action], []).append(action)
        return found


def canonical(state: State) -> Canonical:
    """The key of a position, and the action under which each of its actions is stored.

    A position consists of the player to move, the stones, and the legal actions.

    >>> from mctslab.games import TicTacToe
    >>> corner, opposite = TicTacToe().child(0), TicTacToe().child(8)
    >>> canonical(corner).key == canonical(opposite).key
    True
    >>> canonical(TicTacToe()).actions  # a corner, an edge, the centre
    (0, 1, 0, 1, 4, 1, 0, 1, 0)
    """
    stones, legal = state.board().stones, state.legal_actions()
    pictures = [(_picture(stones, legal, each), each) for each in state.symmetries()]
    first = min(picture for picture, _ in pictures)
    ways = [symmetry.actions for picture, symmetry in pictures if picture == first]
    key = blake2b(bytes([state.current_player]) + first, digest_size=_KEY_BYTES)
    return Canonical(key.digest(), tuple(map(min, zip(*ways, strict=True))))


def _picture(stones: tuple[int, ...], legal: tuple[int, ...], symmetry: Symmetry) -> bytes:
    """The board after a symmetry: a byte for each square, then one for each action, 1 if legal."""
    picture = bytearray(len(stones) + len(symmetry.actions))
    for square, stone in zip(symmetry.squares, stones, strict=True):
        picture[square] = 1 + stone
    for action in legal:
        picture[len(stones) + symmetry.actions[action]] = 1
    return bytes(picture)
