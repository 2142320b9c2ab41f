"""The rules that a panel lets a person choose: those of Gomoku.

Free-style Gomoku on 15 x 15 is the usual game; smaller boards are for beginners and for short
experiments, and 3 or 4 in a row show what a search makes of a game that is soon won.
"""

from collections.abc import Iterable
from typing import Any, Final

from mctslab.games.gomoku import Gomoku
from mctslab.games.state import State

SIZES: Final = range(6, 20)
IN_A_ROW: Final = range(3, 7)


def menus(state: State) -> list[dict[str, Any]]:
    """The menus for the game of `state`, with what counts there; none where nothing can be chosen.

    Each is `{name, label, value, options: [{value, label}]}`; side by side they read as
    "Board 15 x 15, to win 5 in a row or more". What is not in the usual range is
    offered only where it counts now, and never what doesn't go with the rest.

    >>> [(menu["label"], menu["value"]) for menu in menus(Gomoku(size=9))]
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
    """The first position of the game of `state` by other rules; what is not given stays.

    Raises:
        ValueError: the game has no such rule to choose, or the rules don't go together.

    >>> with_rules(Gomoku(size=9, in_a_row=4), size=7).in_a_row
    4
    """
    if not isinstance(state, Gomoku):
        raise ValueError(f"{state.title} has no rules to choose; Gomoku has.")
    known = {menu["name"]: menu["value"] for menu in menus(state)}
    if unknown := sorted(rules.keys() - known.keys()):
        raise ValueError(f"Gomoku has no rule {unknown[0]!r} to choose; it has {', '.join(known)}.")
    return type(state)(**(known | rules))


def _menu(name: str, label: str, value: Any, options: Iterable[tuple[Any, str]]) -> dict[str, Any]:
    return {
        "name": name,
        "label": label,
        "value": value,
        "options": [{"value": choice, "label": text} for choice, text in options],
    }
