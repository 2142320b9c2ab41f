"""The compiled search by PUCT: failing evaluators, batches, full trees, and other trees."""

import functools
import itertools
from typing import Any

import numpy as np
import pytest

from mctslab import fast, games, search
from mctslab.fast.tree import ArrayNode
from mctslab.search.puct_search import batch_length
from tests.fast.same_trees import difference
from tests.games.playing import new_rng
from tests.search.toys import listed

EVEN = search.uniform_evaluator()


def drawn(states: Any, rng: np.random.Generator) -> search.Evaluation:
    """An evaluator in Python to which all positions are worth the same."""
    return search.Evaluation([(0.0, 0.0)] * len(states))


def failing_after(number: int, answer: Any) -> Any:
    """An evaluator that fails at its call number `number` + 1, by raising or by its answer."""
    calls = itertools.count(1)

    def evaluate(states: Any, rng: np.random.Generator) -> search.Evaluation:
        if next(calls) <= number:
            return drawn(states, rng)
        if isinstance(answer, BaseException):
            raise answer
        return search.Evaluation(*answer)

    return evaluate


@pytest.mark.parametrize("solver", [False, True])
@pytest.mark.parametrize(
    "answer",
    [OSError("out of order"), ([(np.nan, 0.0)],), ([(0.0, 0.0)] * 9,), ([(0.0, 0.0)], [[0.5] * 9])],
    ids=["raises", "no number", "nine for one", "too much"],
)
def test_a_failing_evaluator_is_named_and_leaves_the_tree_as_it_was(answer, solver):
    state = games.TicTacToe().child(4).child(1)
    options = {"num_simulations": 30, "solver": solver, "rng": new_rng()}
    root = fast.puct_search(state, evaluator=EVEN, **options).root
    kept = listed(root)
    options |= {"root": root, "noise": search.DirichletNoise()}
    with pytest.raises((search.EvaluationError, OSError), match=r"to move|out of order"):
        fast.puct_search(state, evaluator=failing_after(0, answer), **options)
    assert listed(ArrayNode(root.tree)) == kept
    with pytest.raises(KeyboardInterrupt):
        fast.puct_search(state, evaluator=failing_after(5, KeyboardInterrupt()), **options)
    root = ArrayNode(root.tree)
    assert root.visit_count >= 30 + 5
    assert root.visit_count == 1 + sum(child.visit_count for child in root.children)
    fast.puct_search(state, evaluator=EVEN, **options)  # nobody holds it


@pytest.mark.parametrize("solver", [False, True])
def test_batches_do_not_depend_on_the_slices_in_which_the_search_runs(monkeypatch, solver):
    options = {"evaluator": search.rollout_evaluator(), "batch_size": 7, "num_simulations": 500}
    searched = functools.partial(fast.puct_search, games.ConnectFour(4, 5), solver=solver)
    whole = searched(rng=new_rng(), **options)
    monkeypatch.setattr("mctslab.fast.running._SLICE_SECONDS", 1e-6)
    assert difference(whole.root, searched(rng=new_rng(), **options).root) == ""


def test_the_evaluator_gets_no_larger_batches_than_it_wants_and_stops_between_two():
    lengths = []

    def evaluate(states: Any, rng: np.random.Generator) -> search.Evaluation:
        lengths.append(len(states))
        return drawn(states, rng)

    options = {"evaluator": evaluate, "seconds": 600, "batch_size": 8, "rng": new_rng()}
    result = fast.puct_search(games.Gomoku(size=9), stop=lambda: len(lengths) == 40, **options)
    assert len(lengths) == 40
    assert (lengths[0], max(lengths)) == (1, 8)
    assert result.root.visit_count == result.num_simulations == sum(lengths)
    assert [batch_length(8, visits) for visits in (0, 7, 8, 55, 56, 999)] == [1, 1, 2, 7, 8, 8]
