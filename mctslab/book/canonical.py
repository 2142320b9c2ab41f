"""One entry for all positions that can be rotated or mirrored into each other.

A position is written down in all orientations that its game allows, and the text that comes first
in order represents all of them: the canonical one. The game cannot always reach this orientation.
"""

from hashlib import blake2b

from mctslab.games.state import State
from mctslab.games.symmetry import Symmetry


def canonical(state: State) -> tuple[bytes, dict[int, int]]:
    """The key of a position, and what becomes of its legal actions in the canonical orientation.

    A position consists of the player to move, the stones, and the legal actions. Two positions have
    the same key, of 16 bytes, exactly when a symmetry moves one onto the other.

    >>> from mctslab.games import ConnectFour
    >>> (left, actions), (right, mirrored) = map(canonical, map(ConnectFour().child, (0, 6)))
    >>> left == right, actions[1], mirrored[5]
    (True, 5, 5)
    """
    stones, legal = state.board().stones, state.legal_actions()
    first, moved = min((_picture(stones, legal, s), s.actions) for s in state.symmetries())
    key = blake2b(bytes([state.current_player]) + first, digest_size=16).digest()
    return key, {action: moved[action] for action in legal}


def _picture(stones: tuple[int, ...], legal: tuple[int, ...], symmetry: Symmetry) -> bytes:
    """The board after a symmetry: a byte for each square, then one for each action, 1 if legal."""
    picture = bytearray(len(stones) + len(symmetry.actions))
    for square, stone in zip(symmetry.squares, stones, strict=True):
        picture[square] = 1 + stone
    for action in legal:
        picture[len(stones) + symmetry.actions[action]] = 1
    return bytes(picture)
