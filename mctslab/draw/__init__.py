"""Pictures of positions and trees as SVG; no widgets here.

`board` draws a position, `bitboard` a set of squares as bits, `tree` the tree behind a search,
`game_tree` the tree of a game, `minimax_tree` a tree of numbers with the parts that were skipped,
`backup` one backpropagation, `clocks` the time and work of the moves of a game, `planes` a net's
input, `sample` what a net learns from, and `net_layers` the net itself; `table` sets words and
numbers in columns, and `side_by_side` puts pictures in a row. Other charts are in
`mctslab.draw.simple_charts` and its neighbours. Matplotlib is large, so it is loaded only when a
chart is drawn.
"""

from mctslab.draw.backup import backup
from mctslab.draw.clocks import clocks
from mctslab.draw.lookahead import minimax_tree
from mctslab.draw.net_layers import net_layers
from mctslab.draw.picture import side_by_side
from mctslab.draw.planes import planes
from mctslab.draw.positions import bitboard, board, sample
from mctslab.draw.tables import table
from mctslab.draw.trees import game_tree, tree

__all__ = [
    "backup",
    "bitboard",
    "board",
    "clocks",
    "game_tree",
    "minimax_tree",
    "net_layers",
    "planes",
    "sample",
    "side_by_side",
    "table",
    "tree",
]
