"""A search in pieces is the search in one piece."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab import search
from mctslab.games import ConnectFour, TicTacToe
from mctslab.search import DirichletNoise
from mctslab.widgets.selection_run import SelectionRun

BUDGET = 120
RULES = {search.puct_search: search.puct(), search.mcts: search.ucb1()}


def make_run(function=search.puct_search, **options) -> SelectionRun:
    options = {"num_simulations": BUDGET, "seed": 1, **options}
    evaluator = search.rollout_evaluator()
    return SelectionRun(
        ConnectFour(), function, selection=RULES[function], evaluator=evaluator, **options
    )


def visits(result):
    return [(child.action, child.visit_count, child.mean_value) for child in result.children]


def whole(function, **noise):
    return function(
        ConnectFour(),
        selection=RULES[function],
        evaluator=search.rollout_evaluator(),
        num_simulations=BUDGET,
        rng=np.random.default_rng(1),
        **noise,
    )


@pytest.mark.parametrize("function", RULES)
@given(pieces=st.lists(st.integers(1, 60), min_size=1))
@settings(max_examples=15, deadline=None)
def test_pieces_of_any_length_make_the_same_search(function, pieces):
    run = make_run(function)
    for piece in pieces:
        run.advance(piece)
    run.advance(BUDGET)
    assert run.is_complete
    assert visits(run.result) == visits(whole(function))
    assert run.result.num_simulations == BUDGET


def test_simulations_and_seconds_of_all_pieces_are_added_up():
    run = make_run(noise=DirichletNoise(alpha=0.5, weight=0.5))
    seconds = [0.0]
    for done in (3, 6, 9):
        run.advance(3)
        assert run.num_done == run.result.num_simulations == done
        seconds.append(run.result.seconds)
    assert seconds == sorted(set(seconds))


@pytest.mark.parametrize("first", [1, 2, 50])
def test_noise_is_mixed_in_once(first):
    noise = DirichletNoise(alpha=0.5, weight=0.5)
    run = make_run(noise=noise)
    run.advance(first)
    run.advance(BUDGET)
    assert visits(run.result) == visits(whole(search.puct_search, noise=noise))
    assert visits(run.result) != visits(whole(search.puct_search))


def test_after_a_reset_all_is_the_same_again():
    run = make_run()
    run.advance(70)
    first = visits(run.result)
    run.reset()
    assert (run.num_done, run.result, run.root.children) == (0, None, [])
    run.advance(70)
    assert visits(run.result) == first
    fresh = run.fresh()
    assert (fresh.num_done, run.num_done) == (0, 70)
    fresh.advance(70)
    assert visits(fresh.result) == first


def test_more_than_the_budget_is_never_made_and_another_seed_is_another_search():
    run, other = make_run(), make_run(seed=2)
    for each in (run, other):
        each.advance(10 * BUDGET)
        each.advance(1)
        assert each.num_done == each.root.visit_count == BUDGET
    assert visits(run.result) != visits(other.result)


def test_a_piece_ends_when_its_time_is_up():
    run = make_run(num_simulations=10_000_000)
    run.advance(10_000_000, seconds=0.05)
    assert 1 <= run.num_done < 10_000_000


def test_what_cannot_be_run_is_named():
    with pytest.raises(ValueError, match="num_simulations=0 is too few"):
        make_run(num_simulations=0)
    won = TicTacToe()
    for action in (0, 3, 1, 4, 2):
        won = won.child(action)
    with pytest.raises(ValueError, match="the game is over"):
        SelectionRun(won, search.mcts, selection=search.ucb1(), num_simulations=5, seed=1)
