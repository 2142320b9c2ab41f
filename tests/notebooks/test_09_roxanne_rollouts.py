"""What notebook 09 says is so."""

from itertools import pairwise

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


@pytest.mark.thorough
def test_scores_agree_with_those_of_another_program(rates):
    for rate, (value, margin) in zip(rates["UCT, nine"], FACTS, strict=True):
        assert rate.low - margin <= value <= rate.high + margin


@pytest.mark.thorough
def test_in_the_tree_both_tables_help_more_with_more_simulations(rates):
    nine, five = rates["UCT, nine"], rates["UCT, five"]
    for ordered in (nine, five):
        assert ordered[0].low > 0.5
        assert all(less.high < more.low for less, more in pairwise(ordered))
    assert all(nine[place].high < five[place].low for place in (1, 2))


@pytest.mark.thorough
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


# The laboratory


def test_a_table_that_avoids_corners_is_found_to_be_weaker(names, capsys, monkeypatch):
    monkeypatch.setattr(names["course"], "budget", lambda full, *, quick: full)
    avoiding = [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    names["laboratory"](avoiding, "uct", 0.9, 97, seed=2)
    assert "is weaker than random rollouts" in capsys.readouterr().out
