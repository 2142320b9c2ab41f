"""Model answers held against every finished game, a theorem, and a table that must change nothing.

The others are held against the right answers in `answers`, some of which are the package's.
"""

import math

from hypothesis import given
from hypothesis import strategies as st

from mctslab import games
from mctslab.course.exercises import alphabeta, line_up_returns, museum_table
from mctslab.course.tree_game import TreeGame
from mctslab.course.valued_games import Counted, disc_difference, first, second
from tests.games.playing import choices, played


def test_line_up_returns_is_right_for_every_finished_game():
    rules, waiting, seen = {}, [games.TicTacToe()], set()
    while waiting:
        state = waiting.pop()
        if state.is_terminal:
            rules[state.board().stones] = state.returns()
        children = {state.child(action) for action in state.legal_actions()} - seen
        seen |= children
        waiting += children

    assert {squares: line_up_returns.model_answer(squares) for squares in rules} == rules


def minimax(state, depth, evaluate):
    """What minimax says, without any cut."""
    if depth == 0 or state.is_terminal:
        return evaluate(state)
    values = [minimax(state.child(action), depth - 1, evaluate) for action in state.legal_actions()]
    return max(values) if state.current_player == 0 else min(values)


def needed(state, depth, evaluate, alpha=-math.inf, beta=math.inf):
    """How many positions alpha-beta evaluates: Baudet (1978), by the values of minimax alone.

    A position is looked at if and only if the best that player 0 has among the elder siblings of
    it and of the positions above it is less than the best that player 1 has there.
    """
    if alpha >= beta:
        return 0
    if depth == 0 or state.is_terminal:
        return 1
    total = 0
    for action in state.legal_actions():
        child = state.child(action)
        total += needed(child, depth - 1, evaluate, alpha, beta)
        value = minimax(child, depth - 1, evaluate)
        if state.current_player == 0:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
    return total


turns = st.deferred(
    lambda: st.builds(
        lambda player, options: (first, second)[player](*options),
        st.integers(0, 1),
        st.lists(st.integers(-5, 5) | turns, min_size=1, max_size=3),
    )
)


def ends(state):
    return state.returns()[0] if state.is_terminal else len(state.path) % 3 - 1


@given(turns.map(TreeGame), st.integers(0, 6))
def test_alphabeta_gives_minimax_and_looks_where_the_theorem_says(state, depth):
    evaluate = Counted(ends)

    assert alphabeta.model_answer(state, depth, evaluate) == minimax(state, depth, ends)
    assert evaluate.count == needed(state, depth, ends)


@given(choices(5), st.integers(1, 5), st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 9))))
def test_a_table_of_exact_values_changes_nothing(moves, depth, windows):
    state, table = played(games.Reversi(size=4), moves)[-1], {}
    for low, width in windows:
        museum_table.model_answer(state, depth, disc_difference, low, low + width, table)
    value = museum_table.model_answer(state, depth, disc_difference, -math.inf, math.inf, table)

    assert value == minimax(state, depth, disc_difference)
    for (position, plies), known in table.items():
        assert known == minimax(position, plies, disc_difference)
