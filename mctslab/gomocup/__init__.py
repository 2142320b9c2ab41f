"""Our players as an engine for the managers of Gomocup, such as Piskvork.

`python -m mctslab gomocup` speaks the protocol on standard input and output. `session` knows the
protocol and touches neither a pipe nor a clock; `serving` connects it with both, and with the
thread in which a player thinks. The other direction, an engine as a player of ours, is
`mctslab.players.GomocupPlayer`.
"""
