"""Gomoku engines that speak the protocol of Gomocup, in both directions.

Our players as an engine for managers such as Piskvork: `python -m mctslab gomocup`. The module
`session` knows the protocol and uses neither pipes nor clocks; `serving` connects it with both.

Other programs as our players: `GomocupPlayer`, or `players.make("gomocup:2s:COMMAND")`. The module
`engine_player` knows the protocol, `engine_process` runs the program.
"""

from mctslab.gomocup.engine_player import SECONDS, GomocupPlayer

__all__ = ["SECONDS", "GomocupPlayer"]
