"""A search in pieces is the search in one piece."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab import search
from mctslab.games import ConnectFour
from mctslab.search import DirichletNoise
from mctslab.widgets.selection_run import SelectionRun

BUDGET = 120
RULES = {search.puct_search: search.puct(), search.mcts: search.ucb1()}


EVALUATOR = search.rollout_evaluator()


def make_run(function=search.puct_search, **options) -> SelectionRun:
    options = {"num_simulations": BUDGET, "seed": 1, "evaluator": EVALUATOR, **options}
    return SelectionRun(ConnectFour(), function, selection=RULES[function], **options)


def visits(result):
    return [(child.action, child.visit_count, child.mean_value) for child in result.children]


def whole(function, **noise):
    rng, rule = np.random.default_rng(1), RULES[function]
    options = {"selection": rule, "evaluator": EVALUATOR, "num_simulations": BUDGET, **noise}
    return visits(function(ConnectFour(), rng=rng, **options))


@pytest.mark.parametrize("function", RULES)
@given(pieces=st.lists(st.integers(1, 60), min_size=1))
@settings(max_examples=15, deadline=None)
def test_pieces_of_any_length_make_the_same_search(function, pieces):
    run = make_run(function)
    for piece in (*pieces, BUDGET, 1):
        run.advance(piece)
    assert run.is_complete
    assert visits(run.result) == whole(function)
    assert run.num_done == run.root.visit_count == run.result.num_simulations == BUDGET


def test_simulations_and_seconds_of_all_pieces_are_added_up():
    run = make_run(num_simulations=10_000_000)
    seconds = [0.0]
    for done in (3, 6, 9):
        run.advance(3)
        assert run.num_done == run.result.num_simulations == done
        seconds.append(run.result.seconds)
    assert seconds == sorted(set(seconds))
    run.advance(10_000_000, seconds=0.05)
    assert 10 <= run.num_done < 10_000_000


def test_noise_is_mixed_in_once():
    noise = DirichletNoise(alpha=0.5, weight=0.5)
    run = make_run(noise=noise)
    run.advance(2)
    run.advance(BUDGET)
    assert visits(run.result) == whole(search.puct_search, noise=noise)
    assert visits(run.result) != whole(search.puct_search)


def test_after_a_reset_all_is_the_same_again_and_another_seed_is_another_search():
    run, other = make_run(), make_run(seed=2)
    for each in (run, other):
        each.advance(70)
    first = visits(run.result)
    assert first != visits(other.result)
    run.reset()
    assert (run.num_done, run.result, run.root.children) == (0, None, [])
    run.advance(70)
    assert visits(run.result) == first
    fresh = run.fresh()
    assert (fresh.num_done, run.num_done) == (0, 70)
    fresh.advance(70)
    assert visits(fresh.result) == first
