"""Inputs that show whether a function of a position and a memo uses the memo."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Final, Self

from mctslab.course.checking.cases import AtMost, Case, Function
from mctslab.course.tree_game import SPARSE, drawn, game_of, outlined, turn_of, won_by
from mctslab.games.state import State
from mctslab.games.tictactoe import TicTacToe

Memo = dict[State, Any]
Use = Callable[[Function, State, Memo], Any]


def _called(function: Function, state: State, memo: Memo) -> Any:
    return function(state, memo)


_MET_AGAIN: Final = (
    "What the memo says of a position counts when it is met again, and what is found for a "
    "position stays in the memo, also where the game is not over."
)


def false_memo(player_1_wins: object, use: Use = _called) -> Case:
    """The memo has another value for a position than the true one, and is believed.

    The value is the one that the function itself writes where player 1 wins. If it writes nothing,
    the value is `player_1_wins`.
    """
    place = turn_of(1, turn_of(0, drawn()), won_by(0))
    lost = game_of(turn_of(0, turn_of(1, won_by(1))))

    def used(function: Function, state: State, memo: Memo) -> Any:
        filled: Memo = {}
        use(function, lost, filled)
        memo[state.child(SPARSE[0])] = next(iter(filled.values()), player_1_wins)
        return use(function, state, memo)

    shown = f"a memo that says, wrongly, that player 1 wins after move {SPARSE[0]}\n"
    shown += outlined(place)
    return Case(
        lambda: (game_of(place), {}),
        shown=shown,
        use=used,
        changes_arguments=True,
        about=_MET_AGAIN,
    )


def many_transpositions(value: object, use: Use = _called) -> Case:
    """A position from which many ways lead to the same positions; its value is this one."""

    def used(function: Function, state: "_CountedTicTacToe", memo: Memo) -> dict[str, Any]:
        found = use(function, state, memo)
        kept = {key for key in memo if isinstance(key, State) and not key.is_terminal} - {state}
        return {
            "what is returned": found,
            "moves played": state.played["moves"],
            "positions below it that are missing in the memo": _NUM_POSITIONS - len(kept),
        }

    def arguments() -> tuple[State, Memo]:
        state = _CountedTicTacToe()
        state.played = Counter()
        state = state.child(4).child(0)
        state.played.clear()
        return state, {}

    facts = {
        "what is returned": value,
        "moves played": AtMost(_MOST_MOVES),
        # Below a sure win nothing has to be worked out.
        "positions below it that are missing in the memo": AtMost(_NUM_POSITIONS // 2),
    }
    shown = "Tic-Tac-Toe after b2 a1, an empty memo, and the moves that you play are counted"
    return Case(arguments, facts, shown, used, changes_arguments=True, about=_MET_AGAIN)


_NUM_POSITIONS: Final = 441
"""The number of positions that can still arise and are not terminal."""
_MOST_MOVES: Final = 3 * 1_341
"""These positions have 1,341 moves in all; some answers make a child twice. All ways to them have
6,811 moves."""


class _CountedTicTacToe(TicTacToe):
    """A position that counts the moves played from it and from all positions after it."""

    __slots__ = ("played",)

    played: Counter[str]
    """Shared by all positions of one input."""

    def child(self, action: int) -> Self:
        """The position after the move, which is counted."""
        child = super().child(action)
        child.played = self.played
        self.played["moves"] += 1
        return child
