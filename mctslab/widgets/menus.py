"""The choices in a panel's menus: opponents, from easy to hard, and the rules of Gomoku.

Free-style Gomoku on 15 x 15 is the usual game. Smaller boards are for beginners and for short
experiments, and with 3 or 4 in a row one can watch a search in a game that is won soon.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from mctslab.games.gomoku import Gomoku
from mctslab.games.state import State
from mctslab.players import has_own_search, has_torch, shipped_nets

HUMAN: Final = "human"
"""The name, instead of a player's, of a side that is played by hand."""

NET: Final = "net"
"""The name, instead of a player's, of the usual net for the board; see `usual_net`."""


@dataclass(frozen=True, slots=True)
class Level:
    """An opponent to choose."""

    label: str
    """The label on the screen."""
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
_BESIDE_NETS: Final = (Level("random", "random"), Level("UCT, 1 s a move", "uct:1s"))
_BESIDE_NETS_OF_GOMOKU: Final = (
    *_BESIDE_NETS,
    Level("threats, at sight", "heuristic"),
    Level("PUCT 6,400, by threats", "puct+reuse:6400:static"),
)
_NET_SIMULATIONS: Final = 100
_BEST_NET_SIMULATIONS: Final = (400, 1_600)
_WITHOUT_NET: Final = "uct:1s"
_OWN_SEARCH: Final = Level("your own search, 400 simulations", "mine:400")
_ANY_GAME: Final = (
    Level("Level 1: random", "random"),
    Level("Level 2: UCT, 300 simulations", "uct:300"),
    Level("Level 3: UCT, 1 s a move", "uct:1s"),
    Level("Level 4: UCT, 3 s a move", "uct:3s"),
)
_OF_GAME: Final = MappingProxyType({"gomoku": _GOMOKU, "tictactoe": _TICTACTOE})

_ROXANNE_ACTIONS: Final = 65
"""The Roxanne policy is only defined for 8 x 8: 64 squares and the pass."""


def levels(state: State) -> tuple[Level, ...]:
    """What to offer for the game of `state`, easiest first.

    If mctslab comes with nets for this board, the levels are nets of increasing age and with more
    simulations, and the other players follow. In Reversi on 8 x 8 the nets come after the three
    levels that the course speaks of. The student's own search comes last, once there is one.
    """
    own = (_OWN_SEARCH,) if has_own_search() else ()
    return (*_levels_of(state), *own)


def label_of(player: str) -> str:
    """What a menu calls a player that is not among the levels.

    >>> label_of("alphabeta:1s"), label_of("alphabeta:4"), label_of("uct:5000")
    ('Alpha-beta, 1 s a move', 'Alpha-beta, 4 plies', 'UCT, 5,000 simulations')
    """
    kind, _, budget = player.partition(":")
    name = {"alphabeta": "Alpha-beta", "uct": "UCT"}.get(kind)
    if name is None or not re.fullmatch(r"\d+|[\d.]+s", budget):
        return player
    if budget.endswith("s"):
        return f"{name}, {budget[:-1]} s a move"
    return f"{name}, {int(budget):,} {'plies' if kind == 'alphabeta' else 'simulations'}"


def _levels_of(state: State) -> tuple[Level, ...]:
    """The levels of the game of `state` that everybody has."""
    usual = levels_without_nets(state)
    if usual is _REVERSI:
        return (*_REVERSI, *net_levels(state, first=len(_REVERSI) + 1))
    if by_nets := net_levels(state):
        beside = _BESIDE_NETS_OF_GOMOKU if state.game == "gomoku" else _BESIDE_NETS
        return (*by_nets, *beside)
    return usual


def levels_without_nets(state: State) -> tuple[Level, ...]:
    """The levels of the game of `state` where nets cannot play, as on a page without Python."""
    if state.game == "reversi" and state.num_actions == _ROXANNE_ACTIONS:
        return _REVERSI
    return _OF_GAME.get(state.game, _ANY_GAME)


def net_levels(state: State, first: int = 1) -> tuple[Level, ...]:
    """The levels that are nets, the youngest first; none if there is no net, or no PyTorch.

    Args:
        state: a position of the game.
        first: the number of the first level.
    """
    nets = shipped_nets(state) if has_torch() else ()
    if not nets:
        return ()
    searched = [(number, net.name, _NET_SIMULATIONS) for number, net in enumerate(nets, start=1)]
    searched += [(len(nets), nets[-1].name, number) for number in _BEST_NET_SIMULATIONS]
    return tuple(
        Level(
            f"Level {level}: net {number} of {len(nets)}, {simulations:,} simulations",
            f"net:{name}:{simulations}",
        )
        for level, (number, name, simulations) in enumerate(searched, start=first)
    )


def usual_net(state: State) -> tuple[str, str]:
    """The opponent when a net was chosen, and a sentence if there is no such net.

    It is the second youngest net for the board, which can be beaten; UCT if there is no net, or no
    PyTorch.
    """
    if not has_torch():
        return _WITHOUT_NET, (
            "A net needs PyTorch, which is not installed, so UCT plays instead. "
            "`python3 run.py setup` installs it."
        )
    found = net_levels(state)
    if not found:
        return _WITHOUT_NET, NO_NET
    return found[min(1, len(found) - 1)].player, ""


NO_NET: Final = "mctslab has no net for this board, so UCT plays instead."


def on_another_board(player: str, before: State, after: State) -> tuple[str, str]:
    """Who replaces `player` when the board changes, and a sentence if it is no longer a net.

    A net plays on one board only, so it is replaced by the net of the same level.
    """
    old = [level.player for level in net_levels(before)]
    if player not in old:
        return player, ""
    new = net_levels(after)
    if not new:
        return _WITHOUT_NET, NO_NET
    return new[min(old.index(player), len(new) - 1)].player, ""


def hint_player(state: State) -> str:
    """The player who gives hints in the game of `state`: a quick one that plays well."""
    if state.game == "reversi" and state.num_actions == _ROXANNE_ACTIONS:
        return "uct:1s:roxanne"
    return "puct:1s:static" if state.game == "gomoku" else "uct:1s"


SIZES: Final = range(6, 20)
IN_A_ROW: Final = range(3, 7)


def rule_menus(state: State) -> list[dict[str, Any]]:
    """The menus for the game of `state`, with the current rules; none if nothing can be chosen.

    Each is `{name, label, value, options: [[value, label]]}`; side by side they read as
    "Board 15 x 15, to win 5 in a row or more". A value outside the usual range is offered
    only if it is the current one, and a value that doesn't go with the others never is.

    >>> [(menu["label"], menu["value"]) for menu in rule_menus(Gomoku(size=9))]
    [('Board', 9), ('To win', 5), ('', False)]
    """
    if not isinstance(state, Gomoku):
        return []
    size, in_a_row = state.size, state.in_a_row
    sizes = (choice for choice in {*SIZES, size} if choice >= in_a_row)
    rows = (choice for choice in {*IN_A_ROW, in_a_row} if choice <= size)
    return [
        _menu("size", "Board", size, ((n, f"{n} × {n}") for n in sorted(sizes))),
        _menu("in_a_row", "To win", in_a_row, ((n, f"{n} in a row") for n in sorted(rows))),
        _menu("exactly_five", "", state.exactly_five, ((False, "or more"), (True, "exactly"))),
    ]


def with_rules(state: State, **rules: Any) -> State:
    """The first position of the game of `state` by other rules; rules that are not given stay.

    Raises:
        ValueError: the rules don't go together.

    >>> with_rules(Gomoku(size=9, in_a_row=4), size=7).in_a_row
    4
    """
    known = {menu["name"]: menu["value"] for menu in rule_menus(state)}
    return type(state)(**(known | rules))


def _menu(name: str, label: str, value: Any, options: Iterable[tuple[Any, str]]) -> dict[str, Any]:
    return {
        "name": name,
        "label": label,
        "value": value,
        "options": [list(option) for option in options],
    }
