"""Players: anything that chooses an action.

A player can be asked for its move in two ways. `choose(state)` thinks to the end and answers.
`think(state)` hands out what it has so far about ten times a second, so that a board can show a
search at work; whoever stops listening stops the thinking.

>>> import numpy as np
>>> from mctslab import games
>>> player = make("uct:200", rng=np.random.default_rng(1))
>>> games.TicTacToe().action_to_string(player.choose(games.TicTacToe()))
'b2'
"""

from mctslab.players.alphabeta import AlphaBetaPlayer
from mctslab.players.book import BookPlayer
from mctslab.players.engine_process import EngineError
from mctslab.players.gomocup import GomocupPlayer
from mctslab.players.guided import PUCTPlayer
from mctslab.players.names import known, make
from mctslab.players.player import Player, PolicyPlayer, Proposal
from mctslab.players.searching import FlatPlayer, SearchPlayer, UCTPlayer
from mctslab.players.shipped import ShippedNet, has_torch, shipped_nets

__all__ = [
    "AlphaBetaPlayer",
    "BookPlayer",
    "EngineError",
    "FlatPlayer",
    "GomocupPlayer",
    "PUCTPlayer",
    "Player",
    "PolicyPlayer",
    "Proposal",
    "SearchPlayer",
    "ShippedNet",
    "UCTPlayer",
    "has_torch",
    "known",
    "make",
    "shipped_nets",
]
