"""How long a search thinks: by count, by time, by both, and until it is stopped."""

from types import SimpleNamespace

import pytest

from mctslab.games import Reversi, TicTacToe
from mctslab.search import mcts, puct_search, uniform_evaluator
from tests.search.toys import FunctionEvaluator, play


@pytest.mark.parametrize(
    ("number", "seconds", "spent"),
    [
        (None, 1, 4),  # after 0.75 there is time left; the simulation that ends at 1.0 is the last
        (None, 0.6, 3),  # one that begins before the end is finished
        (3, 1, 3),  # of two budgets the first to end counts
        (10, 1, 4),
        (4, 1, 4),
    ],
)
def test_a_time_ends_the_search_with_the_simulation_that_was_running(
    number, seconds, spent, rng, monkeypatch
):
    now = 1_000.0
    clock = SimpleNamespace(perf_counter=lambda: now)
    monkeypatch.setattr("mctslab.search.budget.time", clock)

    def take_time(state):
        nonlocal now
        now += 0.25
        return 0.0

    options = {"num_simulations": number, "seconds": seconds, "rng": rng}
    result = mcts(Reversi(), evaluator=FunctionEvaluator(take_time), **options)
    assert (result.num_simulations, result.seconds) == (spent, spent * 0.25)


def test_stopped_before_the_first_simulation_there_is_still_a_move(rng):
    state = play(TicTacToe(), "b2")
    result = mcts(state, num_simulations=100, stop=lambda: True, rng=rng)
    assert (result.num_simulations, result.children, result.value) == (0, (), 0.0)
    assert result.principal_variation == ()
    assert result.best_so_far in state.legal_actions()
    assert str(result.table()).split() == ["play", "visits", "share", "win", "rate"]


def test_by_puct_the_position_itself_is_evaluated_even_if_it_is_stopped_at_once(rng):
    options = {"evaluator": uniform_evaluator(), "num_simulations": 500, "stop": lambda: True}
    result = puct_search(TicTacToe(), rng=rng, **options)
    assert (result.num_simulations, result.best_action) == (1, 0)
    again = puct_search(TicTacToe(), root=result.root, rng=rng, **options)  # and not again
    assert (again.num_simulations, again.root.visit_count) == (0, 1)
