"""The opponents that a panel offers, from easy to hard."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from mctslab.games.state import State

HUMAN: Final = "human"
"""The name, in place of a player's, of a side that is played by hand."""


@dataclass(frozen=True, slots=True)
class Level:
    """An opponent to choose."""

    label: str
    """What stands on the screen."""
    player: str
    """The short name from which `mctslab.players.make` makes it."""


_REVERSI: Final = (
    Level("Level 1: random", "random"),
    Level("Level 2: Roxanne", "roxanne"),
    Level("Level 3: MCTS, 2 s a move", "uct:2s:roxanne"),
)
_TICTACTOE: Final = (
    Level("Level 1: random", "random"),
    Level("Level 2: UCT, 20 simulations", "uct:20"),
    Level("Level 3: UCT, 2,000 simulations", "uct:2000"),
)
_GOMOKU: Final = (
    Level("Level 1: random", "random"),
    Level("Level 2: UCT, 1 s a move", "uct:1s"),
    Level("Level 3: PUCT, 6,400 rollouts", "puct+reuse:6400"),
    Level("Level 4: threats, at sight", "heuristic"),
    Level("Level 5: PUCT 100, by threats", "puct+reuse:100:static"),
    Level("Level 6: PUCT 6,400, by threats", "puct+reuse:6400:static"),
)
_ANY_GAME: Final = (
    Level("Level 1: random", "random"),
    Level("Level 2: UCT, 300 simulations", "uct:300"),
    Level("Level 3: UCT, 1 s a move", "uct:1s"),
    Level("Level 4: UCT, 3 s a move", "uct:3s"),
)
_OF_GAME: Final = MappingProxyType(
    {"gomoku": _GOMOKU, "reversi": _REVERSI, "tictactoe": _TICTACTOE}
)

_ROXANNE_ACTIONS: Final = 65
"""The Roxanne policy knows one board: 64 squares and the pass."""


def levels(state: State) -> tuple[Level, ...]:
    """What to offer for the game of `state`, easiest first."""
    if state.game == "reversi" and state.num_actions != _ROXANNE_ACTIONS:
        return _ANY_GAME
    return _OF_GAME.get(state.game, _ANY_GAME)


def hint_player(state: State) -> str:
    """Who gives the hints in the game of `state`: one who is quick and plays well."""
    if state.game == "reversi" and state.num_actions == _ROXANNE_ACTIONS:
        return "uct:1s:roxanne"
    return "puct:1s:static" if state.game == "gomoku" else "uct:1s"
