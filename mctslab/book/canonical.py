"""One entry for all positions that can be rotated or mirrored into each other.

A position is written down in all orientations that its game allows, and the one that comes first in
order represents all of them: the canonical one. The game cannot always reach this orientation.
"""

from hashlib import blake2b

import numpy as np

from mctslab.games.state import State


def canonical(state: State) -> tuple[bytes, dict[int, int]]:
    """The key of a position, and what becomes of its legal actions in the canonical orientation.

    Two positions have the same key, of 16 bytes, exactly when they have the same player to move and
    a symmetry moves one board onto the other.

    >>> from mctslab.games import ConnectFour
    >>> (left, actions), (right, mirrored) = map(canonical, map(ConnectFour().child, (0, 6)))
    >>> left == right, actions[1], mirrored[5]
    (True, 5, 5)
    """
    board = state.board()
    stones, moved = min(
        ([board.stones[square] for square in np.argsort(symmetry.squares)], symmetry.actions)
        for symmetry in state.symmetries()
    )
    position = repr((state.current_player, stones, board.text))
    key = blake2b(position.encode(), digest_size=16).digest()
    return key, {action: moved[action] for action in state.legal_actions()}
