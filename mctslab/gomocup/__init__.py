"""Gomoku engines that speak the protocol of Gomocup, in both directions.

Our players as an engine for managers such as Piskvork: `python -m mctslab gomocup`, in `engine`.
Other programs as our players: `GomocupPlayer`, or `players.make("gomocup:2s:COMMAND")`, in `guest`.
"""

from mctslab.gomocup.guest import GomocupPlayer

__all__ = ["GomocupPlayer"]
