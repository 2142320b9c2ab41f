"""Notebook 10, the bug museum: two faults of minimax that were found in other people's programs.

The first is the one of the book in Egaroucid, one of the strongest programs for Reversi (issue
217); the second stood in the alpha-beta of a university's course (games-puzzles-algorithms, pull
request 100).
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from mctslab import games
from mctslab.course.checking.cases import AtMost, Case
from mctslab.course.exercise import exercise
from mctslab.course.positions import after
from mctslab.course.tree_game import Place, game_of, outlined, turn_of
from mctslab.course.valued_games import (
    Counted,
    Evaluate,
    disc_difference,
    first,
    judge_of,
    second,
    turns_at_random,
)
from mctslab.games.state import State

# museum_negamax


def _negamax_case(place: Place, depth: int) -> Case:
    shown = f"museum_negamax(state, {depth}, evaluate), and the game,\n"
    shown += f"with what its ends are worth to player 0, is\n{outlined(place)}"
    return Case(lambda: (game_of(place), depth, _for_the_mover), shown=shown)


def _for_the_mover(state: State) -> float:
    """What stands at the end of a game, for the player to move; 0 before the end."""
    return state.returns()[state.current_player] if state.is_terminal else 0


def _negamax_cases() -> list[Case]:
    # After the last move, the same player would be to move.
    place = turn_of(0, Place(0, returns=(4.0, -4.0)), Place(1, returns=(2.0, -2.0)))
    return [_negamax_case(second(4, -2), 9), _negamax_case(place, 9)]


def _negamax_variation(rng: np.random.Generator) -> Case:
    place, depth = turns_at_random(rng, int(rng.integers(0, 4))), int(rng.integers(1, 6))
    return _negamax_case(place, depth)


def museum_negamax(state: State, depth: int, evaluate: Evaluate) -> float:
    """The value of `state` for the player to move; `evaluate` is for that player, too."""
    if depth == 0 or state.is_terminal:
        return evaluate(state)
    best = -math.inf
    for action in state.legal_actions():
        child = state.child(action)
        value = museum_negamax(child, depth - 1, evaluate)
        if child.current_player != state.current_player:
            value = -value
        best = max(best, value)
    return best


# The function calls itself by its name, so the exhibit goes by another one.
negamax_exhibit: Final = exercise(
    start="""
        - if child.current_player != state.current_player:
        -     value = -value
        max(best, value) => max(best, -value)
    """,
    faulty="best = max(best, -value)",
    cases=_negamax_cases,
    variation=_negamax_variation,
    points=2,
)(museum_negamax)


# museum_table

Table: TypeAlias = dict[tuple[State, int], float]
Step: TypeAlias = tuple[int, float, float]
"""A search to a depth, from alpha to beta."""


def _table_case(
    state: State, judge: Evaluate, steps: Sequence[Step], most: int, shown: str
) -> Case:
    """Searches with one table, of which the last one may evaluate at most `most` positions."""
    *before, (depth, alpha, beta) = steps

    def use(
        function: Callable[..., Any], state: State, depth: int, evaluate: Counted, *others: Any
    ) -> Any:
        *_, table = others
        for step_depth, *window in before:
            function(state, step_depth, evaluate, *window, table)
        asked = evaluate.count
        value = function(state, depth, evaluate, *others)
        return {"value": value, _COUNT: evaluate.count - asked}

    def arguments() -> tuple[Any, ...]:
        return state, depth, Counted(judge), alpha, beta, {}

    told = "".join(
        f"\nsearched {depth} plies deep, from alpha = {alpha:g} to beta = {beta:g}"
        for depth, alpha, beta in steps
    )
    facts = use(museum_table, *arguments()) | {_COUNT: AtMost(most)}
    text = f"{shown}{told}{'; all with one table' if before else ''}"
    return Case(arguments, facts, text, use, changes_arguments=True)


_COUNT: Final = "positions evaluated in the last search"


def _tree_case(place: Place, steps: Sequence[Step], most: int) -> Case:
    return _table_case(game_of(place), judge_of(), steps, most, f"The game\n{outlined(place)}")


_WINDOWS: Final = (
    "A position is reached in several ways here, with different windows: a bound "
    "that was found with one of them is not its value."
)


def _table_cases() -> list[Case]:
    # What is evaluated without a table is the most that may be. The last two were found by trying:
    # a transposition is reached with one window, and then with another.
    everything = (-math.inf, math.inf)
    deeper = first(second(first(2, 6), first(1, 4)), second(first(3, 5), 8))
    reversi = after(games.Reversi(size=4), "d3 b4 a2 d1 c4 d4")
    tic_tac_toe = after(games.TicTacToe(), "b1 b2 a2")
    return [
        _tree_case(first(second(3, 0), -2), [(9, *everything)] * 2, 0),
        *(
            _tree_case(first(second(3, 0), -2), steps, 10**6).with_about(
                "With its window, the first search only finds a bound, which is not the value."
            )
            for steps in ([(9, 2, 5), (9, -math.inf, 5)], [(9, -5, -2), (9, -5, math.inf)])
        ),
        _tree_case(deeper, [(2, *everything), (9, *everything)], 7).with_about(
            "The first search is less deep than the second one, which cannot use its values."
        ),
        _tree_case(deeper, [(9, *everything), (2, *everything)], 4).with_about(
            "The first search is deeper than the second one, whose value is that of two plies."
        ),
        _table_case(
            *(reversi, disc_difference, [(4, *everything)], 34),
            f"Reversi on 4 x 4, evaluated by Black's discs less White's\n{reversi}",
        ).with_about(_WINDOWS),
        _table_case(
            *(tic_tac_toe, judge_of(), [(5, *everything)], 105),
            f"Tic-Tac-Toe, evaluated 1, 0 or -1 at its end and 0 before\n{tic_tac_toe}",
        ).with_about(_WINDOWS),
    ]


def _table_variation(rng: np.random.Generator) -> Case:
    place, everything = turns_at_random(rng, int(rng.integers(0, 4))), (-math.inf, math.inf)
    low, depth = int(rng.integers(-9, 8)), int(rng.integers(1, 6))
    return _tree_case(place, [(depth, low, low + 2), (depth, *everything)], 10**6)


def museum_table(
    state: State, depth: int, evaluate: Evaluate, alpha: float, beta: float, table: Table
) -> float:
    """Alpha-beta, for player 0, with a table of the values of states to a depth."""
    if (state, depth) in table:
        return table[state, depth]
    if depth == 0 or state.is_terminal:
        return evaluate(state)
    low, high = alpha, beta
    for action in state.legal_actions():
        value = museum_table(state.child(action), depth - 1, evaluate, low, high, table)
        if state.current_player == 0:
            low = max(low, value)
        else:
            high = min(high, value)
        if low >= high:
            break
    value = low if state.current_player == 0 else high
    if alpha < value < beta:  # otherwise it is a bound, and depends on the window
        table[state, depth] = value
    return value


# The function calls itself by its name, so the exhibit goes by another one.
table_exhibit: Final = exercise(
    start="""
        - if alpha < value < beta:  # otherwise it is a bound, and depends on the window
        -     table[state, depth] = value
        + table[state, depth] = value
    """,
    faulty="table[state, depth] = value",
    cases=_table_cases,
    variation=_table_variation,
    points=3,
)(museum_table)
