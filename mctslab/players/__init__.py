"""Players: anything that chooses an action.

A player can move in two ways. `choose(state)` thinks to the end and returns an action.
`think(state)` yields what the player has found so far about ten times a second, so that a board can
show a search at work; leaving the loop ends the thinking.

>>> import numpy as np
>>> from mctslab import games
>>> player = make("uct:200", rng=np.random.default_rng(1))
>>> games.TicTacToe().action_to_string(player.choose(games.TicTacToe()))
'b2'
"""

from mctslab.players.alphabeta import AlphaBetaPlayer
from mctslab.players.names import has_own_search, make
from mctslab.players.player import Player, PolicyPlayer, Proposal
from mctslab.players.search_player import FlatPlayer, FunctionPlayer, PUCTPlayer, UCTPlayer
from mctslab.players.shipped import has_torch, shipped_nets

__all__ = [
    "AlphaBetaPlayer",
    "FlatPlayer",
    "FunctionPlayer",
    "PUCTPlayer",
    "Player",
    "PolicyPlayer",
    "Proposal",
    "UCTPlayer",
    "has_own_search",
    "has_torch",
    "make",
    "shipped_nets",
]
