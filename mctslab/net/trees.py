"""The trees in which a net searches many games at once: compiled, or readable where that can't be.

Both grow the same trees and draw the same random numbers.
"""

import warnings
from collections.abc import Sequence

import numpy as np

from mctslab.fast import CompiledForest, NotCompilableError, SlowSearchWarning
from mctslab.games.state import State
from mctslab.net.encode import Floats, InputPlanes, encode_batch
from mctslab.search.forest import Counts, Forest
from mctslab.search.selection import PUCT, puct


def forest_for(
    games: Sequence[Sequence[State]],
    num_simulations: int,
    inputs: InputPlanes,
    selection: PUCT = puct(),
    solver: bool = False,
) -> Forest:
    """A tree for each of `games`, searched from its newest position; see `CompiledForest`.

    Args:
        games: for each tree the positions so far, the newest last.
        num_simulations: for how many each tree has room.
        inputs: what the net sees.
        selection: the constants of PUCT.
        solver: whether proven values are carried up the trees.

    Warns:
        SlowSearchWarning: the game cannot be compiled; the message says why.
    """
    first = games[0][-1]
    try:
        return CompiledForest(
            games,
            num_simulations=num_simulations,
            selection=selection,
            history=inputs.history,
            solver=solver,
        )
    except NotCompilableError as error:
        words = (
            f"{first.title} is searched in plain Python ({error}), so self-play is several times "
            "slower. The docstring of mctslab.games.rules shows which rules can be compiled."
        )
        warnings.warn(words, SlowSearchWarning, stacklevel=2)
        return Forest(games, selection=selection, solver=solver)


def planes_of(forest: Forest, walks: Counts, inputs: InputPlanes) -> Floats:
    """The planes of the leaves of `walks`, as in `encode_batch`.

    Args:
        forest: made with these inputs; a compiled one draws the stones itself, if its rules say
            where they lie.
        walks: some of the return value of `forest.gather`.
        inputs: which planes.

    Returns:
        [walks, C, rows, cols], zeros and ones.
    """
    if not isinstance(forest, CompiledForest) or not forest.can_draw:
        return encode_batch([forest.positions_on(walk) for walk in walks], inputs)
    rows, cols = forest.board_shape
    planes = np.zeros((len(walks), inputs.count, rows * cols), np.float32)
    num_drawn = 2 * inputs.history
    forest.draw_leaves(walks, planes[:, :num_drawn])
    if inputs.last_move:
        squares = forest.last_squares(walks)
        moved = np.flatnonzero(squares >= 0)
        planes[moved, num_drawn, squares[moved]] = 1.0
    if inputs.player_to_move:
        planes[:, -1] = (forest.movers(walks) == 0)[:, None]
    return planes.reshape(len(walks), inputs.count, rows, cols)
