"""What the side road on rollouts says is so, and stays so with another seed."""

import numpy as np
import pytest

from mctslab import games, search
from mctslab.arena import results_file
from tests.notebooks.reading import PROJECT

FACTS = {"100 for each move": (0.384, 0.030), "400 for each move": (0.364, 0.029)}
"""Scores that others have measured by another program, with their margins."""


# A hundred of what?


@pytest.mark.parametrize("name", FACTS)
def test_scores_agree_with_those_of_another_program(names, name):
    value, margin = FACTS[name]
    rate = names["rates"][name]
    assert rate.low - margin <= value <= rate.high + margin


# Bias and variance


NUM_POSITIONS = {6: 120, 10: 120, 14: 40}
"""By the number of empty squares: a position with 14 takes twenty times as long to solve."""


@pytest.fixture(scope="module")
def examined(names):
    """Other questions than the notebook's: from games of other players, with another seed.

    By the number of empty squares: the questions, and what is measured for the three policies.
    """
    file = PROJECT / "notebooks" / "results" / "09_flat5_400.jsonl"
    played = [game.states(games.Reversi()) for game in results_file.read(file).games]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(names, "rng", np.random.default_rng(77))
        patch.setitem(names, "all_states", [state for states in played for state in states])
        found = {}
        for empty, number in NUM_POSITIONS.items():
            patch.setitem(names, "num_positions", number)
            exam = names["questions"](empty)
            assert len(exam) == number
            rows = [names["parts"](exam, policy) for policy in names["POLICIES"].values()]
            found[empty] = exam, rows
        yield found


@pytest.mark.parametrize("empty", [6, 10])
def test_more_rollouts_help_random_ones_and_hardly_roxannes(names, examined, empty):
    exam, _ = examined[empty]
    random, nine, five = (
        [
            np.mean([names["share_right"](s, o, names["means"](s, policy, n)) for s, o in exam])
            for n in (1, 10, 300)
        ]
        for policy in names["POLICIES"].values()
    )

    assert random[2] > random[0] + 0.15
    assert abs(nine[2] - nine[1]) < 0.08
    assert random[2] > max(nine[2], five[2]) + 0.04
    assert abs(nine[0] - random[0]) < 0.1


@pytest.mark.parametrize("empty", NUM_POSITIONS)
def test_roxanne_has_less_variance_and_shouts_and_nine_classes_more_bias_and_less_order(
    names, examined, empty
):
    """With 14 empty squares no difference in bias or order is claimed."""
    _, rows = examined[empty]
    random, nine, five = map(names["summary"], rows)
    nine_margins, five_margins = (names["margins"](each, rows[0]) for each in rows[1:])

    assert nine[1] < five[1] < random[1] - five_margins[1], "variance"
    assert five[0] < random[0] + five_margins[0], "squared bias"
    assert nine[2] > five[2] > 1.5 * random[2], "spread"
    if empty < 14:
        assert nine[0] > random[0] + nine_margins[0]
        assert nine[3] < random[3] - nine_margins[3], "correlation"
    else:
        assert nine[0] < random[0] + nine_margins[0], "in positions from other games"


def test_five_classes_leave_more_to_chance_than_nine(names, examined):
    more = [
        names["num_choices"](state, search.FIVE_CLASSES)
        - names["num_choices"](state, search.NINE_CLASSES)
        for exam, _ in examined.values()
        for state, _ in exam
    ]
    assert min(more) >= 0
    assert np.mean(more) > 1.96 * np.std(more) / len(more) ** 0.5 + 0.1


# When can rollouts be heard?


@pytest.mark.parametrize(("empty", "least"), [(44, 100), (28, 45)])
def test_random_rollouts_are_heard_late_and_roxannes_early(names, monkeypatch, empty, least):
    monkeypatch.setitem(names, "rng", np.random.default_rng(8))
    states = names["with_empty"](empty)[:25]
    random, nine, five = (
        names["rollouts_to_hear"](states, policy, 300)[0] for policy in names["POLICIES"].values()
    )
    assert random > least
    assert nine < random / 3
    assert five < random / 2


def test_near_the_end_random_rollouts_are_heard_too(names):
    states = names["with_empty"](10)[:40]
    assert names["rollouts_to_hear"](states, search.uniform, 300)[0] < 400 / 9
