"""mctslab: Monte Carlo Tree Search, from the first rollout to a small AlphaZero.

Importing this package loads nothing else. Each room is imported by name when it is needed::

    from mctslab import games, search, players
"""

__version__ = "0.1.0"
