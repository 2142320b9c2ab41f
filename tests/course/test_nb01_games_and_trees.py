"""Right answers to the exercises of notebook 01, written differently, and cases held against it."""

import pytest

from mctslab import games, search
from mctslab.course.exercises.nb01_games_and_trees import line_up_returns, minimax_exercise
from mctslab.course.result import Outcome

# line_up_returns


def by_strings(squares):
    text = "".join("XO."[square] for square in squares)
    lines = [text[i : i + 3] for i in (0, 3, 6)] + [text[i::3] for i in range(3)]
    lines += [text[::4], text[2:7:2]]
    if "XXX" in lines:
        return [1, -1]
    return [-1, 1] if "OOO" in lines else [0, 0]


def by_sums(squares):
    signs = [{0: 1, 1: -1, -1: 0}[square] for square in squares]
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    sums = {sum(signs[i] for i in line) for line in lines}
    value = 1.0 if 3 in sums else -1.0 if -3 in sums else 0.0
    return value, -value


def by_sets(squares):
    mine = [{i for i in range(9) if squares[i] == player} for player in (0, 1)]
    wins = ["012", "345", "678", "036", "147", "258", "048", "246"]
    won = [any(set(map(int, win)) <= squares for win in wins) for squares in mine]
    return (won[0] - won[1], won[1] - won[0])


# minimax


def at_the_top(state, memo):
    if state in memo:
        return memo[state]
    if state.is_terminal:
        memo[state] = state.returns()
        return memo[state]
    best = None
    for action in state.legal_actions():
        value = at_the_top(state.child(action), memo)
        if best is None or value[state.current_player] > best[state.current_player]:
            best = value
    memo[state] = best
    return best


def for_player_0(state, memo):
    """Terminal states are not written down, and only one number is compared."""
    if state.is_terminal:
        return state.returns()
    if state not in memo:
        best = max if state.current_player == 0 else min
        value = best(for_player_0(state.child(a), memo)[0] for a in state.legal_actions())
        memo[state] = (value, -value)
    return memo[state]


def before_the_call(state, memo):
    """Who looks a child up before the call need not look the state itself up."""
    if state.is_terminal:
        return state.returns()
    values = []
    for child in map(state.child, state.legal_actions()):
        if child not in memo:
            memo[child] = before_the_call(child, memo)
        values.append(memo[child])
    return max(values, key=lambda value: value[state.current_player])


def without_recursion(state, memo):
    line = [state]
    while line:
        here = line[-1]
        children = [here.child(action) for action in here.legal_actions()]
        unknown = [child for child in children if child not in memo]
        if unknown:
            line.append(unknown[0])
            continue
        if here not in memo:
            values = [memo[child] for child in children]
            mover = here.current_player
            memo[here] = max(values, key=lambda v: v[mover]) if values else here.returns()
        line.pop()
    return memo[state]


RIGHT = [
    (line_up_returns, by_strings),
    (line_up_returns, by_sums),
    (line_up_returns, by_sets),
    (minimax_exercise, at_the_top),
    (minimax_exercise, for_player_0),
    (minimax_exercise, before_the_call),
    (minimax_exercise, without_recursion),
    (minimax_exercise, search.minimax),
]


@pytest.mark.parametrize(
    ("exercise", "answer"), RIGHT, ids=lambda each: getattr(each, "name", None) or each.__name__
)
def test_right_answers_that_are_written_differently_pass(exercise, answer):
    assert exercise.check(answer).outcome is Outcome.RIGHT


def copied_memo(state, memo):
    """A mistake with the same consequences as one that is named."""
    if state not in memo:
        values = [copied_memo(state.child(a), dict(memo)) for a in state.legal_actions()]
        mover = state.current_player
        memo[state] = max(values, key=lambda v: v[mover]) if values else state.returns()
    return memo[state]


def test_a_memo_that_is_copied_on_the_way_down_is_told_like_one_that_is_never_filled():
    assert minimax_exercise.check(copied_memo).mistake == "the memo read but never filled"


# The cases


def finished_games():
    """Every position of Tic-Tac-Toe in which the game is over, once."""
    found, waiting = set(), [games.TicTacToe()]
    while waiting:
        state = waiting.pop()
        if state not in found:
            found.add(state)
            waiting += map(state.child, state.legal_actions())
    return [state for state in found if state.is_terminal]


def test_the_cases_of_line_up_returns_are_finished_games_and_what_the_rules_make_of_them():
    rules = {state.board().stones: state.returns() for state in finished_games()}

    for case in line_up_returns.cases():
        (squares,) = case.arguments()
        assert case.expected == rules[squares]


def test_the_answer_shown_is_right_for_every_finished_game():
    for state in finished_games():
        assert line_up_returns.model_answer(state.board().stones) == state.returns()


def test_the_values_of_minimax_are_those_of_the_package():
    for case in minimax_exercise.cases():
        state, memo = case.arguments()
        if case.use is None:
            assert case.expected == search.minimax(state, dict(memo))
        else:
            assert case.expected["the value"] == search.minimax(state)
