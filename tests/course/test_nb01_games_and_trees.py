"""The exercises of notebook 01 held against the package and all finished games."""

from mctslab import games, search
from mctslab.course.exercises.nb01_games_and_trees import line_up_returns, minimax_exercise


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
        if isinstance(case.expected, dict):
            assert case.expected["the value"] == search.minimax(state)
        elif case.use is None:  # else the memo is wrong on purpose
            assert case.expected == search.minimax(state, dict(memo))
