"""What shows in any wrong answer from outside is told, and nothing that is not so."""

import math
from dataclasses import replace

import numpy as np
import pytest

from mctslab import search
from mctslab.course import exercises, question
from mctslab.course.judging import _try, judge
from mctslab.course.question import Case, Question, case
from mctslab.course.tree_game import SPARSE, TreeGame, drawn, turn_of
from tests.course.catalogue import EXERCISES, mistakes_in, name_of
from tests.course.invented import answers_to, function_of


def shares(counts):
    """The shares of some counts."""
    return [count / sum(counts) for count in counts]


SHARES = Question(
    model_answer=shares,
    cases=lambda: [
        Case(lambda: ([1, 3],), [0.25, 0.75]),
        Case(lambda: ([4, 1],), [0.8, 0.2]),
        Case(lambda: ([5, 3, 2],), [0.5, 0.3, 0.2]),
    ],
    mistakes=(),
)


def last_move(state):
    """The last legal action."""
    return state.legal_actions()[-1]


def _game(player, options):
    return TreeGame(turn_of(player, *[drawn()] * options), (), SPARSE)


LAST_MOVE = Question(
    model_answer=last_move,
    cases=lambda: [
        case(_game(player, options), expected=SPARSE[options - 1])
        for player in (0, 1)
        for options in range(1, 7)
    ],
    mistakes=(),
)


@pytest.mark.parametrize(
    ("answer", "symptom"),
    [
        (lambda counts: [-c / sum(counts) for c in counts], "with the opposite sign"),
        (lambda counts: [1 - c / sum(counts) for c in counts], "1 minus the expected one"),
        (lambda counts: [c / sum(counts) for c in counts][::-1], "in reverse order"),
        (lambda counts: counts[0] / sum(counts), "only the first part"),
        (lambda counts: [c * 100 / sum(counts) for c in counts], "100 times the expected one"),
        (lambda counts: [c / sum(counts) + 0.5 for c in counts], "larger by 0.5"),
        (lambda counts: [[c / sum(counts) for c in counts]], "inside an extra list or pair"),
        (lambda counts: sorted(c / sum(counts) for c in counts), "sorted"),
        (lambda counts: [c / (sum(counts) + 1) for c in counts], "not in its sum"),
        (lambda counts: [1, 2], "the same, whatever the input"),
    ],
)
def test_it_is_told_how_all_results_follow_from_the_expected_ones(answer, symptom):
    result = judge(SHARES, answer)

    assert symptom in result.mistake
    assert result.looks_like == "Every result is"


def test_a_result_that_never_changes_is_told_before_a_change_that_gives_it():
    """With 0 instead of 1 everywhere, the model answer never finds a winner either."""

    def line_up_returns(squares):
        return (1, -1) if squares[0] == "X" else (0, 0)

    result = judge(exercises.line_up_returns, line_up_returns)
    assert result.mistake == "the same, whatever the input"


def test_of_a_node_that_is_not_returned_no_text_is_expected():
    def select(root, rule):
        if not root.is_fully_expanded or not root.children:
            return root
        select(rule.best_child(root), rule)  # the result is lost

    result = judge(exercises.select, select)
    assert result.message == "The function returned None."
    assert "where it calls itself" in result.explanation


def test_a_method_that_is_returned_and_not_called_is_told():
    def playout(state, rng):
        while not state.is_terminal:
            state = state.child(rng.choice(state.legal_actions()))
        return state.returns

    assert "Write brackets" in judge(exercises.playout, playout).explanation


def test_the_place_of_an_action_is_told_from_the_action():
    result = judge(LAST_MOVE, lambda state: len(state.legal_actions()) - 1)
    assert result.mistake == "the index of an action in a list"


def test_what_the_inputs_with_wrong_results_have_in_common_is_told():
    def for_player_0(state):
        return state.legal_actions()[-1] if state.current_player == 0 else SPARSE[0] - 1

    assert judge(LAST_MOVE, for_player_0).mistake == "where player 1 is to move"


def test_of_results_without_a_pattern_nothing_is_told():
    numbers = iter(range(10, 10_000))
    seen = {}

    def unrelated(counts):
        return seen.setdefault(tuple(counts), [next(numbers) ** 0.5, 1])

    assert judge(SHARES, unrelated).mistake == ""


@pytest.mark.parametrize(
    ("body", "symptom"),
    [
        ("state.legal_actions[0]", "a function where its result is needed"),
        ("rng.choice(state.legal_actions)", "a function where its result is needed"),
        ("state.is_terminal()", "a value with brackets after it"),
        ("state.legal_action()", "a name that does not exist"),
        ("state.child(0)", "an action that is not legal here"),
        ("state.returns()", "`returns()` of a game that is not over"),
        ("state.legal_actions()[99]", "an index beyond the end of a list"),
        ("np.zeros((3, 3))[5]", "an index that an array does not have"),
        ("list(state)", "a single thing where several are needed"),
        ("{}.values() / 2", "a part of a dictionary in a calculation"),
        ("rng.choice({1: 2})", "a dictionary where a list"),
        ("rng.choice(2, p=[1, 1])", "whose sum is not 1"),
        ("list(zip([1], [], strict=True))", "two lists of different lengths"),
        ("math.log(0)", "a logarithm or a root that does not exist"),
        ("1 / 0", "a division by zero"),
        ("None.parent", "a None that nobody expected"),
        ("[state].child(3)", "a list where one of its items is needed"),
        ("max([])", "a choice where there is nothing to choose from"),
        ("last_move()", "a call with the wrong number of arguments"),
        ("unknown", "a name that Python does not know"),
        ("state.is_fully_expanded", "something else where a node is needed"),
        ("setattr(search.Node(state), 'mean_value', 1)", "a property that cannot be set"),
        ("search.ucb1.best_child(state)", "a selection rule that was not made"),
        ("{}[state]", "an entry that is not there"),
        ("(3).state", "a number where an object is needed"),
    ],
)
def test_an_error_is_explained(body, symptom):
    names = {**globals(), "math": math, "rng": np.random.default_rng(1)}
    assert symptom in judge(LAST_MOVE, eval(f"lambda state: {body}", names)).mistake


def test_of_a_name_of_math_it_is_told_where_it_is():
    assert judge(LAST_MOVE, lambda state: sqrt(4)).explanation == "Write `math.sqrt`."  # noqa: F821
    assert judge(LAST_MOVE, lambda state: Node()).explanation == "Write `search.Node`."  # noqa: F821


def test_a_museum_piece_that_does_the_same_as_before_has_still_the_same_fault():
    def museum_reward(winner, player):
        if winner is not None and winner == player:
            return 1.0
        return -1.0

    assert judge(exercises.museum_reward, museum_reward).mistake == "still the same fault"


def test_looking_for_a_cause_warns_of_nothing(recwarn):
    """Among the relations that are tried is the mean of what is expected, here of an empty list."""

    def expand(node, rng):
        if node.state.is_terminal:
            return node
        child = search.Node(parent=node, action=rng.choice(node.untried_actions))
        node.untried_actions.remove(child.action)
        node.children = [child]  # the other children are lost
        return child

    assert judge(exercises.expand, expand).outcome == "wrong"
    assert [str(each.message) for each in recwarn] == []


def test_what_is_random_where_nothing_is_left_to_chance_is_told_so():
    rng = np.random.default_rng(1)

    def select(root, rule):
        while root.children and root.is_fully_expanded:
            root = root.children[rng.integers(len(root.children))]
        return root

    result = judge(exercises.select, select)
    assert result.mistake == "a result that is not always the same"
    assert "the order of a set" in result.explanation


def test_an_error_is_told_before_results_that_differ():
    """Where the game is over already there is no last position."""
    rng = np.random.default_rng(1)

    def rollout(state, policy, _):
        path = []
        while not state.is_terminal:
            state = state.child(policy(state, rng))
            path.append(state)
        return path[-1].returns()

    result = judge(exercises.rollout, rollout)
    assert "IndexError" in result.message
    assert "another source" not in result.mistake


def test_of_every_result_nothing_is_said_where_an_input_has_none():
    def shares_of_some(counts):
        return [1, 2] if len(counts) < 3 else counts[9]

    question = replace(SHARES, cases=lambda: [*SHARES.cases(), case((2, 2), expected=[0.5, 0.5])])
    assert "Every result" in str(judge(question, lambda counts: [1, 2]))
    assert "Every result" not in str(judge(question, shares_of_some))


def test_no_limit_of_a_length_is_told():
    """It was: wrong only where the length of `playouts` is 2 or more."""

    def bias_and_variance(playouts, exact):
        means = [np.mean(results) for results in playouts]
        bias = np.mean([(mean - value) ** 2 for mean, value in zip(means, exact, strict=True)])
        return bias, np.var([one for results in playouts for one in results])

    assert "or more" not in str(judge(exercises.bias_and_variance, bias_and_variance))


def test_nothing_is_told_of_a_change_that_makes_only_some_of_the_results_right():
    """It was: with `(...)` in another order, 21 of the 70 wrong results would be right."""
    why = "the column is computed with //, so the edges are wrong"
    answers = {answer.why: answer for answer in answers_to(exercises.breakthrough_moves)}
    result = judge(exercises.breakthrough_moves, function_of(answers[why]))

    assert (result.outcome, result.mistake) == ("wrong", "")


def test_beside_a_known_mistake_the_place_of_another_one_is_told():
    why = "the index of the prior is the move, and the value is player 0's (two faults)"
    answers = {answer.why: answer for answer in answers_to(exercises.misjudges)}
    result = judge(exercises.misjudges, function_of(answers[why]))

    assert result.mistake == "the index of a prior used as its action"
    assert "There is another fault as well. Look at the line `v = returns[0]`." in str(result)


def test_two_mistakes_at_once_are_both_named():
    def clipped(number, more):
        """The sum, but at least 0 and at most 10."""
        low = max(0, number + more)
        return min(10, low)

    parted = Question(
        model_answer=clipped,
        cases=lambda: [case(n, 1, expected=clipped(n, 1)) for n in range(-4, 20)],
        mistakes=mistakes_in("""
            no lower end
                There is one.
                max(0, number + more) => number + more
            no upper end
                There is one.
                min(10, low) => low
        """),
    )
    result = judge(parted, lambda number, more: number + more)
    assert result.mistake == "no lower end together with no upper end"


@pytest.mark.parametrize("name", ["select", "playout", "rollout", "expand", "minimax"])
def test_inputs_made_at_random_are_the_same_every_time(name):
    exercise = getattr(exercises, name)
    made = exercise.variations()
    question._variations.cache_clear()

    assert all(each.is_random for each in made)
    assert [each.shown for each in made] == [each.shown for each in exercise.variations()]


@pytest.mark.parametrize("exercise", [each for each in EXERCISES if each.variation], ids=name_of)
def test_small_inputs_suit_the_model_answer(exercise):
    small = list(exercise.small_variations())

    assert all(_try(each, exercise.model_answer, 5).is_right for each in small)
