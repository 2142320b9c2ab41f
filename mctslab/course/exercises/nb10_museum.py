"""Notebook 10, the bug museum: two faults of minimax that were found in other people's programs.

The first is the one of the book in Egaroucid, one of the strongest programs for Reversi (issue
217); the second stood in the alpha-beta of a university's course (games-puzzles-algorithms, pull
request 100).
"""

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

import numpy as np

from mctslab import games
from mctslab.course.checking.comparing import AtMost
from mctslab.course.exercise import exhibit
from mctslab.course.exercises.nb10_minimax_and_clocks import (
    Evaluate,
    Evaluation,
    disc_difference,
    first,
    second,
    turns_at_random,
)
from mctslab.course.question import FROM_MODEL, Case, edits_in, mistakes_in
from mctslab.course.tree_game import IN_ORDER, SPARSE, Place, TreeGame, outlined, turn_of
from mctslab.games.state import State

# museum_negamax


def _negamax_case(
    place: Place, expected: float, depth: int = 9, numbers: tuple[int, ...] = IN_ORDER
) -> Case:
    shown = f"museum_negamax(state, {depth}, evaluate), and the game,\n"
    shown += f"with what its ends are worth to player 0, is\n{outlined(place)}"
    state = TreeGame(place, (), numbers)
    return Case(lambda: (state, depth, _for_the_mover), expected, shown)


def _for_the_mover(state: State) -> float:
    """What stands at the end of a game, for the player to move; 0 before the end."""
    return state.returns()[state.current_player] if state.is_terminal else 0


def _negamax_cases() -> list[Case]:
    return [
        _negamax_case(second(4, -2), 2),
        _negamax_case(first(second(3, 5), second(2, 9)), 3),
        _negamax_case(second(first(3, 5), first(-6, -1)), 1),
        # A player moves twice in a row.
        _negamax_case(first(first(second(3, 8), second(5, 9)), second(1, 4)), 5),
        _negamax_case(first(first(second(-2, -7), second(-4, -1)), second(-3, -5)), -4),
        _negamax_case(second(second(first(2, 6)), first(4, 9)), -6),
        _negamax_case(second(second(first(-3, -8), first(5, 6)), first(1, 0)), 3),
        _negamax_case(first(first(first(second(2, 7)), second(3, 9)), second(1, 8)), 3),
        # After the last move, the same player would be to move.
        _negamax_case(turn_of(0, Place(0, returns=(4.0, -4.0)), Place(1, returns=(2.0, -2.0))), 4),
        # Not all is seen: what is further away counts as 0.
        _negamax_case(second(4, -2), 0, depth=0),
        _negamax_case(first(-1, second(3, 5)), 0, depth=1),
        _negamax_case(first(-1, second(3, 5)), 3, depth=2),
        _negamax_case(first(-4, second(2, first(5, 7))), 0, depth=2),
        _negamax_case(first(-4, second(2, first(5, 7))), 2, depth=3),
        _negamax_case(first(-4, first(second(6, 8), -9)), 0, depth=2),
    ]


def _negamax_variation(rng: np.random.Generator) -> Case:
    place, depth = turns_at_random(rng, int(rng.integers(0, 4))), int(rng.integers(1, 6))
    return replace(_negamax_case(place, 0, depth, SPARSE), expected=FROM_MODEL)


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
negamax_exhibit: Final = exhibit(
    title="A search that is confused by a pass",
    start=edits_in("""
        - if child.current_player != state.current_player:
        -     value = -value
        max(best, value) => max(best, -value)
    """),
    faulty="best = max(best, -value)",
    cases=_negamax_cases,
    variation=_negamax_variation,
    hints=(
        "Go through a line of play in which a player moves twice in a row. For whom is each value?",
        "The value of `child` is for `child.current_player`. When is that different from "
        "`state.current_player`?",
        "Before the maximum: if `child.current_player == state.current_player`, take `value` as it "
        "is; otherwise take `-value`.",
    ),
    when_right="In programs that skip passes, this fault shows only in games in which a player "
    "must pass.",
    mistakes=mistakes_in("""
        no sign flipped at all
            If the other player is to move in the child, what is good there is bad here. The sign
            stays only if the same player moves again.
            - if child.current_player != state.current_player:
            -     value = -value
        the sign flipped where it must stay, and the other way round
            If the same player is to move in the child, its value is for that player already, so
            the sign stays. Otherwise it is flipped.
            != => ==
        the sign by the depth
            The depth does not show whose turn it is. Use `child.current_player` and
            `state.current_player`.
            child.current_player != state.current_player => depth % 2 == 1
        the sign by who moves, not by whether that has changed
            The child's value is for the child's player to move, whichever of the two that is.
            Compare that player with the one who is to move here.
            != state.current_player => == 1
        the sign kept at the end of the game
            An end is evaluated for the player who would be to move there, like every other
            position: compare `child.current_player` with `state.current_player` there as well.
            if child.current => if not child.is_terminal and child.current
        the sign flipped at every end of the game
            An end is evaluated for the player who would be to move there. If that is the same
            player as here, the sign stays.
            != state.current_player: => != state.current_player or child.is_terminal:
        the smaller value taken for player 1
            In negamax every value is for the player to move, so both players take the largest.
            Only the sign needs attention.
            best = -math.inf => best = -math.inf if state.current_player == 0 else math.inf
            max(best, value) => max(best, value) if state.current_player == 0 else min(best, value)
        a move after which the same player moves again is skipped
            Such a move counts like any other. Only its sign is not flipped.
            - if child.current_player != state.current_player:
            -     value = -value
            + if child.current_player == state.current_player:
            +     continue
            + value = -value
        values for player 0
            Minimax with values for player 0 works as well, but here the value must be for the
            player to move.
            - return evaluate(state)
            + return evaluate(state) if state.current_player == 0 else -evaluate(state)
            best = -math.inf => best = -math.inf if state.current_player == 0 else math.inf
            max(best, value) => max(best, value) if state.current_player == 0 else min(best, value)
            - if child.current_player != state.current_player:
            -     value = -value
    """),
)(museum_negamax)


# museum_table

Table: TypeAlias = dict[tuple[State, int], float]
Step: TypeAlias = tuple[int, float, float]
"""A search to a depth, from alpha to beta."""


def _searched(
    before: Sequence[Step],
    function: Callable[..., Any],
    state: State,
    depth: int,
    evaluate: Evaluation,
    alpha: float,
    beta: float,
    table: Table,
) -> object:
    """Take some other steps with the same table, and see what the last search makes of it."""
    for step_depth, step_alpha, step_beta in before:
        function(state, step_depth, evaluate, step_alpha, step_beta, table)
    asked = evaluate.count
    value = function(state, depth, evaluate, alpha, beta, table)
    return {"value": value, "positions evaluated in the last search": evaluate.count - asked}


def _table_case(
    state: State, judge: Evaluate, steps: Sequence[Step], expected: tuple[float, int], shown: str
) -> Case:
    *before, (depth, alpha, beta) = steps
    value, count = expected
    told = "".join(
        f"\nsearched {depth} plies deep, from alpha = {alpha:g} to beta = {beta:g}"
        for depth, alpha, beta in steps
    )
    return Case(
        lambda: (state, depth, Evaluation(judge), alpha, beta, {}),
        {"value": value, "positions evaluated in the last search": AtMost(count)},
        f"{shown}{told}{'; all with one table' if before else ''}",
        functools.partial(_searched, before),
        changes_arguments=True,
    )


def _ends(state: State) -> float:
    """What stands at the end of a game, for player 0."""
    return state.returns()[0] if state.is_terminal else 0


def _table_cases() -> list[Case]:
    # By hand; what is evaluated without a table is the most that may be. The last two were found
    # by trying: a transposition is reached with one window, and then with another.
    everything = (-math.inf, math.inf)
    small = first(second(3, 5), second(2, 9, 8))
    for_second = second(first(-3, 1), first(4, 6), first(-2, 0))
    deeper = first(second(first(2, 6), first(1, 4)), second(first(3, 5), 8))
    return [
        _tree_case(small, [(9, *everything), (9, *everything)], (3, 0)),
        _tree_case(small, [(9, 4, 7), (9, *everything)], (3, 3)),
        _tree_case(small, [(9, -4, 1), (9, *everything)], (3, 3)),
        _tree_case(for_second, [(9, 2, 5), (9, *everything)], (0, 5)),
        _tree_case(for_second, [(9, -4, -1), (9, *everything)], (0, 5)),
        _tree_case(deeper, [(9, *everything), (9, *everything)], (5, 0)),
        _tree_case(deeper, [(9, 2, 4), (9, 6, 7), (9, *everything)], (5, 7)),
        _tree_case(deeper, [(2, *everything), (9, *everything)], (5, 7)),
        _reversi_case("d3 b4 a2 d1 c4 d4", 2, (-2, 6)),
        _reversi_case("d3 b4 a2 d1 c4 d4", 4, (-4, 34)),
        _tic_tac_toe_case("b1 b2 a2", 5, (0, 105)),
    ]


def _table_variation(rng: np.random.Generator) -> Case:
    place, everything = turns_at_random(rng, int(rng.integers(0, 4))), (-math.inf, math.inf)
    low = int(rng.integers(-9, 8))
    case = _tree_case(place, [(9, low, low + 2), (9, *everything)], (0, 10**6))
    value = case.run(museum_table, *case.arguments())["value"]
    return replace(case, expected=case.expected | {"value": value})


def _tree_case(place: Place, steps: Sequence[Step], expected: tuple[float, int]) -> Case:
    return _table_case(TreeGame(place), _ends, steps, expected, f"The game\n{outlined(place)}")


def _reversi_case(moves: str, depth: int, expected: tuple[float, int]) -> Case:
    state = _after(games.Reversi(size=4), moves)
    shown = f"Reversi on 4 x 4, evaluated by Black's discs less White's\n{state}"
    return _table_case(state, disc_difference, [(depth, -math.inf, math.inf)], expected, shown)


def _tic_tac_toe_case(moves: str, depth: int, expected: tuple[float, int]) -> Case:
    state = _after(games.TicTacToe(), moves)
    shown = f"Tic-Tac-Toe, evaluated 1, 0 or -1 at its end and 0 before\n{state}"
    return _table_case(state, _ends, [(depth, -math.inf, math.inf)], expected, shown)


def _after(state: State, moves: str) -> State:
    for move in moves.split():
        state = state.child(state.string_to_action(move))
    return state


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
table_exhibit: Final = exhibit(
    title="A table that remembers too much",
    start=edits_in("""
        - if alpha < value < beta:  # otherwise it is a bound, and depends on the window
        -     table[state, depth] = value
        + table[state, depth] = value
    """),
    faulty="table[state, depth] = value",
    cases=_table_cases,
    variation=_table_variation,
    hints=(
        "What does a search return that was cut off? Is it the value of the state?",
        "If the result is alpha or less, or beta or more, it is only a bound. With another window "
        "the same state can give another number, so this result must not be stored as a value.",
        "The easiest remedy is to store only exact values: `if alpha < value < beta:`. (Better "
        "programs store bounds as well, marked as such.)",
    ),
    when_right="Better tables keep the bounds, too, each with a mark that shows what it is.",
    mistakes=mistakes_in("""
        a table that is never of use
            The value is right, but the same positions are searched again. Store every value that
            lies strictly between the alpha and the beta with which the search began, because it is
            exact. (At the end of the loop `low` and `high` have changed.)
            - if alpha < value < beta:  # otherwise it is a bound, and depends on the window
            -     table[state, depth] = value
        lower bounds taken for values
            At beta or above the search has stopped early. The state is worth at least that much,
            but it can be worth more, so don't store it as a value.
            alpha < value < beta => value > alpha
        upper bounds taken for values
            At alpha or below no move was good enough. The state is worth at most that much, but it
            can be worth less, so don't store it as a value.
            alpha < value < beta => value < beta
        everything stored that was not cut off
            Without a cut the result can be a bound as well: no move may have been good enough for
            player 0 to reach alpha, or for player 1 to get below beta.
            alpha < value < beta => low < high
        the ends of the window taken for values
            This search never returns a number outside the window. If it returns alpha or beta, the
            true value lies there or beyond.
            alpha < value < beta => alpha <= value <= beta
        a table without the depth
            The result of a shallow search does not hold for a deep one. Use the state and the depth
            as the key.
            - if (state, depth) in table:
            -     return table[state, depth]
            + if state in table:
            +     return table[state]
            table[state, depth] = value => table[state] = value
        no cuts any more
            Without cuts every value is exact, but every position is evaluated. Keep the cuts, and
            store only exact values.
            - if low >= high:
            -     break
        the window opened wide everywhere
            With an infinite window at every node every value is exact, but what is known from above
            no longer cuts anything.
            low, high = alpha, beta => low, high = alpha, beta = -math.inf, math.inf
        the value of the last move stored
            In the loop `value` is the value of one move. The value of the state is `low` or `high`
            after the loop. Store it after that line.
            value = low if => last, value = value, low if
            table[state, depth] = value => table[state, depth] = last
    """),
)(museum_table)
