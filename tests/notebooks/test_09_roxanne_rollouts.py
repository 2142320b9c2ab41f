"""What notebook 09 says is so, and stays so with another seed."""

import itertools
from itertools import pairwise

import numpy as np
import pytest

from mctslab import search
from mctslab.course.positions import after
from mctslab.score import Estimate
from mctslab.solvers import EndgameSolver

FACTS = ((0.590, 0.030), (0.698, 0.028), (0.763, 0.048))
"""Scores of UCT with nine classes that others have measured by another program, with margins."""


@pytest.fixture
def rates(names):
    """The scores against random rollouts for each budget."""
    return {
        key: [
            Estimate(value, *ends) for value, ends in zip(values, names["ends"][key], strict=True)
        ]
        for key, values in names["scores"].items()
    }


# The matches


def test_scores_agree_with_those_of_another_program(rates):
    for rate, (value, margin) in zip(rates["UCT, nine"], FACTS, strict=True):
        assert rate.low - margin <= value <= rate.high + margin


def test_in_the_tree_both_tables_help_more_with_more_simulations(rates):
    nine, five = rates["UCT, nine"], rates["UCT, five"]
    for ordered in (nine, five):
        assert ordered[0].low > 0.5
        assert all(less.high < more.low for less, more in pairwise(ordered))
    assert all(nine[place].high < five[place].low for place in (1, 2))


def test_in_flat_monte_carlo_nine_classes_harm_and_five_help_less_than_in_the_tree(rates):
    nine, five = rates["flat, nine"], rates["flat, five"]
    assert 0.5 < nine[0].high < 0.505
    assert max(nine[1].high, nine[2].high) < 0.45
    for flat, tree in zip(five, rates["UCT, five"], strict=True):
        assert 0.5 < flat.low < flat.high < tree.low


# The board with four moves


@pytest.fixture
def puzzle(names):
    state = names["puzzle"]
    assert [state.action_to_string(action) for action in state.legal_actions()] == [
        *("c1", "h2", "a7", "f8")
    ]
    return state


def in_discs(state):
    leads = EndgameSolver().solve_moves(state)
    return {state.action_to_string(action): lead for action, lead in leads.items()}


def test_only_f8_wins_and_after_it_what_the_table_never_plays(puzzle):
    assert in_discs(puzzle) == {"c1": -22, "h2": -12, "a7": -18, "f8": 12}
    position = after(puzzle, "f8 a8")
    assert in_discs(position) == {"c1": -8, "h2": 12, "a7": 2}
    ranks = dict(zip(in_discs(position), search.roxanne().ranks_of(position), strict=True))
    assert ranks == {"c1": 3, "h2": 8, "a7": 8}


def test_every_rollout_by_roxanne_after_f8_is_lost(puzzle):
    waiting, policy = [after(puzzle, "f8")], search.roxanne()
    while waiting:
        state = waiting.pop()
        if state.is_terminal:
            assert state.returns()[0] < 0
            continue
        ranks = policy.ranks_of(state)
        choices = zip(state.legal_actions(), ranks, strict=True)
        waiting += [state.child(action) for action, rank in choices if rank == min(ranks)]


def test_roxannes_flat_search_never_finds_f8_and_the_others_nearly_always(names, monkeypatch):
    monkeypatch.setitem(names, "searches", 60)
    for number in (100, 1_600):
        assert names["times_found"]("flat", "roxanne", number) == 0
        assert names["times_found"]("flat", "uniform", number) >= 55
        assert names["times_found"]("uct", "roxanne", number) >= 55


# The exam


@pytest.fixture(scope="module")
def other_exam(names):
    """The same questions, answered with other random numbers, and with the largest budgets."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(names, "rng", np.random.default_rng(77))
        patch.setitem(names, "TRIES", [30, 6_400])
        patch.setitem(names, "exam", exam_of(names, 150))
        ways = itertools.product(("flat", "uct"), ("uniform", "roxanne"))
        yield {way: names["answers"](*way).astype(float) for way in ways}


def exam_of(names, number):
    exam, games = [], iter(names["flat_games"].games)
    while len(exam) < number:
        for state in next(games).states(names["flat_games"].first_state):
            if 64 - sum(state.disc_counts()) == 10 and len(state.legal_actions()) > 1:
                leads = names["solver"].solve_moves(state)
                outcome = {action: int(np.sign(lead)) for action, lead in leads.items()}
                if len(set(outcome.values())) > 1:
                    exam.append((state, outcome))
    return exam


def test_without_a_tree_roxanne_harms_and_more_so_with_more_simulations(other_exam):
    few, many = (other_exam["flat", "roxanne"] - other_exam["flat", "uniform"]).mean(axis=1)
    assert many < -0.08
    assert many < few


def test_with_a_tree_no_harm_is_seen(other_exam):
    more = other_exam["uct", "roxanne"] - other_exam["uct", "uniform"]
    margins = 1.96 * more.std(axis=1) / more.shape[1] ** 0.5
    assert all(more.mean(axis=1) > -margins)


def test_nine_classes_have_less_variance_and_more_bias_and_five_no_visible_bias(names):
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(names, "rng", np.random.default_rng(7))
        patch.setitem(names, "exam", exam_of(names, 150))
        random, nine, five = (names["parts"](policy) for policy in names["POLICIES"].values())
    for place, signs in ((0, (1, 0)), (1, (-1, -1))):
        for rows, sign in zip((nine, five), signs, strict=True):
            more = rows[:, place] - random[:, place]
            margin = 1.96 * more.std() / len(more) ** 0.5
            assert sign == (0 if abs(more.mean()) < margin else np.sign(more.mean()))
