"""Each change of a model answer is noticed by an input of its exercise, or makes no difference."""

import ast
from inspect import signature

import pytest

from mctslab.course.checking.judging import depends_on_chance, judge, try_case
from mctslab.course.result import Outcome
from tests.course.catalogue import EXERCISES, inputs_of, is_noticed, name_of
from tests.course.counted import MANY_ROUNDS, Copy, TooManyRoundsError
from tests.course.invented import answers_to, copy_of, function_of
from tests.course.mutants import noticed_in

NO_DIFFERENCE = {
    "alphazero": ["buffer[number] => buffer[1 - number]"],
    "anytime": ["clock() >= deadline => clock() > deadline"],  # At the deadline both will do.
    "bias_and_variance": ["np.mean(results) - value => value - np.mean(results)"],  # It is squared.
    "catches_backpropagate": [  # Any way of three nodes will do; no known fault is in N alone.
        *(f"4 => {other}" for other in (0, 1, 2, 3, 5, 8)),
        *(f"0 => {other}" for other in (-1, 1, 2)),
    ],
    "catches_encode": [  # The order does not matter.
        "((games.ConnectFour().child(3), 38), (games.TicTacToe().child(0), 0)) => "
        "((games.TicTacToe().child(0), 0), (games.ConnectFour().child(3), 38))",
        "np.array_equal(encode(games.TicTacToe()), empty) => "
        "np.array_equal(empty, encode(games.TicTacToe()))",
        "np.array_equal(encode(state), planes.reshape(4, board.rows, board.cols)) => "
        "np.array_equal(planes.reshape(4, board.rows, board.cols), encode(state))",
    ],
    "deepen": [
        *(f"0 => {other}" for other in (1, -1)),  # Any legal move will do.
        "legal_actions[0] => legal_actions[1 - 0]",
        "is_finished and best is not None => is_finished",  # A finished search has a move.
    ],
    "encode": ["3 => -1"],  # The last of four planes.
    "hex_distance": ["1 - player => player - 1", "1 => -1"],  # The last of two.
    "in_background": ["0 => -1"],  # There is one move.
    "exact_shares": [  # Shares that are rounded are close enough.
        *(f"Fraction({part}) => {part}" for part in ("len(children)", "result == value")),
    ],
    "evaluate": [
        "np.array([encode(state) for state in states]) => [encode(state) for state in states]",
        "values.tolist() => values",
        "logits[legal].softmax(dim=0).tolist() => logits[legal].softmax(dim=0)",
    ],
    "flat_ucb1": [  # All scores rise by the same amount.
        "(1 + returns[mover]) / 2 => 1 + returns[mover] / 2",
        "1 + returns[mover] => returns[mover]",
    ],
    "is_trap": ["search.minimax(child, values) => search.minimax(child)"],  # It is only slower.
    "line_up_returns": ["8 => -1"],  # The last of nine squares.
    "loss": ["returns - values => values - returns", "1 => -1"],  # It is squared.
    "misjudged_position": ["value * proven => value / proven"],  # Their signs are compared.
    "misjudges": [  # No value is exactly 0.
        "value * proven => value / proven",
        "value * proven < 0 => value * proven <= 0",
    ],
    "mobility": ["range(6) => range(6 + 1)", "6 => 7", "6 => 12"],  # Longer runs do not fit.
    "museum_mirror": ["2 => -1"],  # The last of the axes.
    "museum_play": ["range(num_squares) => range(num_squares + 1)"],  # A full board is an end.
    "museum_values": [  # Only the first of the two players is used.
        f"1 - state.current_player => {other}"
        for other in ("1", "1 + state.current_player", "state.current_player - 1",
                      "state.current_player")
    ],
    "roxanne_move": ["0 => -1"],  # A pass is the only legal move.
    "same_tree": [  # It is symmetric.
        "same_tree(child, others[action]) => same_tree(others[action], child)",
    ],
    "smallest_view": [  # A board is square, and a fifth turn makes no new view.
        *("3 => -1", "4 => 5", "4 => 8", "range(4) => range(4 + 1)"),
        "np.array(squares).reshape(3, 3) => np.array(squares).reshape(3, 3)",
    ],
    "symmetries": [
        *("1 => 2", "1 => -1", "2 => -1"),  # A board is square.
        "policy[:size * size].reshape(size, size) => policy[:size * size].reshape(size, size)",
        "shares.reshape(-1) => shares",  # NumPy appends to a table in one row.
        "shares[:, ::-1].reshape(-1) => shares[:, ::-1]",
    ],
    "value_of_each_move": ["0 => -1"],  # The only one of the positions.
}  # fmt: skip
"""By exercise: the changes that no input can tell from the right answer, and why."""


SHARE = 3
"""One of so many is tried here; `python -m tests.measure mutants` tries all."""
NUM_SEEDED = 3
"""So many right answers of an exercise get the same seed again."""
NOT_FREE = [each for each in EXERCISES if each.name not in ("next_arm", "sabotage")]
"""Those two accept any strategy that is good enough, and any fault."""


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("while True: pass", TooManyRoundsError),
        ("return f(a, b)", TooManyRoundsError),
        ("for _ in range(40): a **= 2", OverflowError),
        ("return a << b", OverflowError),
        ("ok = [a]; ok.append(ok)", OverflowError),
    ],
)
def test_a_mutant_without_an_end_or_that_needs_all_the_memory_is_stopped(body, error):
    mutant = Copy(ast.parse(f"def f(a, b):\n    {body}"), {})
    mutant.rounds_left = MANY_ROUNDS if error is OverflowError else 500
    with pytest.raises(error):
        mutant(3, 2**40)


@pytest.mark.thorough
@pytest.mark.parametrize("exercise", NOT_FREE, ids=name_of)
def test_every_change_is_noticed_by_an_input_or_makes_no_difference(exercise):
    tried = noticed_in(exercise, SHARE)
    unnoticed = {text for text, is_noticed in tried.items() if not is_noticed}

    assert unnoticed == {*NO_DIFFERENCE.get(exercise.name, [])} & tried.keys()


@pytest.mark.parametrize("exercise", EXERCISES, ids=name_of)
def test_of_the_answers_that_were_invented_the_right_ones_pass_and_no_wrong_one(exercise):
    """Each input is tried with one of the right answers; a wrong one gets all until it fails."""
    cases, answers = [each.case for each in inputs_of(exercise.name)], list(answers_to(exercise))
    right = [function_of(answer) for answer in answers if answer.is_right]
    assert len(right) >= 6, "that look different"
    step = min(len(right), len(cases))
    for number, function in enumerate(right):
        some = cases[number % step :: step]
        trials = [try_case(each, function, exercise.seconds) for each in some]
        assert all(trial.is_right for trial in trials), function.__code__.co_filename
        if number < NUM_SEEDED and "rng" in signature(function).parameters:
            is_by_chance = depends_on_chance(function, trials, exercise.seconds)
            assert not is_by_chance, function.__code__.co_filename
    for answer in [answer for answer in answers if not answer.is_right][::SHARE]:
        if not is_noticed(copy_of(answer), exercise.name):
            # To try the same seed again takes longer.
            assert judge(exercise, function_of(answer)).outcome is Outcome.WRONG, answer.why
