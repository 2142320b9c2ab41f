"""MCTS-Solver in the compiled search by PUCT: the readable one's tree with the same proofs."""

import copy
import itertools
import pickle
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab import fast, games, search
from mctslab.fast import SlowSearchWarning
from mctslab.fast.tree import ArrayNode
from mctslab.games import State
from mctslab.search import minimax
from tests.fast.same_trees import difference
from tests.fast.test_puct_search import OPTIONS, both, by_number, failing_after
from tests.fast.test_solving import (
    EXACT,
    GAMES,
    MEMO_SIZES,
    PLAYED,
    Proving,
    check_endgames,
    check_going_on_without,
    check_small_reversi,
    check_tic_tac_toe,
    check_whole_games,
    in_pairs,
    late,
    proofs,
)
from tests.games.own_games import Hex
from tests.search.test_puct_solving import BLIND, WIN, row_of_four

EVEN = search.uniform_evaluator()


# The same tree


@pytest.mark.parametrize(("first_state", "num_empty", "options", "seed"), in_pairs(OPTIONS))
def test_the_same_seed_grows_the_same_tree_with_the_same_proofs(
    first_state, num_empty, options, seed
):
    state = late(first_state, num_empty, np.random.default_rng(seed))
    for num_simulations in (1, 30, 400):
        compiled, _ = both(state, seed, num_simulations=num_simulations, solver=True, **options)
    assert proofs(compiled.root)


@pytest.mark.parametrize("black_to_move", [True, False])
@pytest.mark.parametrize("batch_size", [1, 8])
def test_it_sees_what_a_prior_overlooks(black_to_move, batch_size):
    state = row_of_four(black_to_move=black_to_move)
    options = {"evaluator": BLIND, "batch_size": batch_size, "num_simulations": 100}
    result, _ = both(state, 1, solver=True, **options)
    assert result.best_action == WIN
    assert result.num_simulations == (1 if black_to_move else 100)


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("game", PLAYED)
def test_whole_games_with_one_tree_and_the_solver_now_and_then(game, options):
    check_whole_games("puct_search", game, num_simulations=80, **options)


def test_without_the_solver_nothing_is_proven():
    state = games.TicTacToe().child(4).child(1)
    for evaluator in (EVEN, search.rollout_evaluator(), BLIND):
        result, _ = both(state, 1, evaluator=evaluator, num_simulations=500, batch_size=4)
        assert proofs(result.root) == []
        assert (result.num_simulations, result.proven) == (500, None)


def test_without_the_solver_a_tree_with_proofs_grows_on_as_any_other():
    check_going_on_without("puct_search", evaluator=EVEN, batch_size=4)


def test_batches_do_not_depend_on_the_slices_in_which_the_search_runs(monkeypatch):
    state = games.ConnectFour(rows=4, cols=5)
    options = {"evaluator": search.rollout_evaluator(), "batch_size": 7, "solver": True}
    options["num_simulations"] = 1_000
    whole = fast.puct_search(state, rng=np.random.default_rng(1), **options)
    module = sys.modules["mctslab.fast.running"]
    monkeypatch.setattr(module, "_FIRST_SLICE", 3)
    monkeypatch.setattr(module, "_SLICE_SECONDS", 1e-6)
    sliced = fast.puct_search(state, rng=np.random.default_rng(1), **options)
    assert difference(whole.root, sliced.root) == ""
    assert len(proofs(whole.root)) > 10


# Against exact solvers


def proving(num_simulations: int, evaluator: search.Evaluator = EVEN, **options: Any) -> Proving:
    """The search by PUCT with proofs."""
    options |= {"num_simulations": num_simulations, "evaluator": evaluator, "solver": True}
    return lambda state, rng: fast.puct_search(state, rng=rng, **options)


def test_every_position_of_tic_tac_toe_is_proven_with_its_exact_value():
    in_batches = itertools.cycle([proving(200_000, batch_size=size) for size in range(1, 9)])
    check_tic_tac_toe(lambda state, rng: next(in_batches)(state, rng))


def test_a_small_game_is_solved_from_its_first_position():
    check_small_reversi(proving(10**6))


@pytest.mark.parametrize("batch_size", [1, 8])
@pytest.mark.parametrize("name", EXACT)
def test_endgames_are_proven_as_other_solvers_say(name, batch_size):
    evaluator = search.rollout_evaluator()
    check_endgames(name, proving(10**6, evaluator, batch_size=batch_size))


@pytest.fixture(scope="module")
def memo() -> dict[State, tuple[float, float]]:
    return {}


@given(
    st.sampled_from(sorted(MEMO_SIZES)),
    st.integers(0, 10**9),
    st.integers(1, 2_000),
    st.integers(1, 9),
)
@settings(max_examples=50)
def test_whatever_is_proven_anywhere_is_what_minimax_says(
    memo, name, seed, num_simulations, batch_size
):
    rng = np.random.default_rng(seed)
    state = late(GAMES[name][0], int(rng.integers(1, MEMO_SIZES[name] + 1)), rng)
    result = fast.puct_search(
        state,
        evaluator=(EVEN, search.rollout_evaluator())[seed % 2],
        num_simulations=num_simulations,
        batch_size=batch_size,
        solver=True,
        rng=rng,
    )
    assert result.root.visit_count == result.num_simulations
    for node in proofs(result.root):
        assert node.proven == minimax(node.state, memo)[node.mover]


# The search around it


@pytest.mark.parametrize("is_compiled", [True, False])
def test_a_time_is_not_used_up_when_the_root_is_proven(is_compiled):
    state = games.TicTacToe().child(4).child(1)
    evaluator = EVEN if is_compiled else search.with_priors(EVEN, by_number)
    arguments = {"evaluator": evaluator, "seconds": 3_600, "solver": True}
    result = fast.puct_search(state, rng=np.random.default_rng(1), **arguments)
    assert result.proven == 1.0
    assert result.seconds < 60
    again = fast.puct_search(state, root=result.root, rng=np.random.default_rng(1), **arguments)
    assert (again.num_simulations, again.proven) == (0, 1.0)
    assert again.best_action == result.best_action


def test_what_was_proven_of_a_reply_is_kept():
    state = games.TicTacToe().child(4).child(1)
    arguments = {"evaluator": EVEN, "solver": True, "rng": np.random.default_rng(1)}
    first = fast.puct_search(state, num_simulations=10**6, **arguments)
    ours = next(child for child in first.root.children if child.action == first.best_action)
    assert (first.proven, ours.proven) == (1.0, 1.0)
    for reply in ours.children:
        assert reply.proven == -1.0
        here = reply.state
        result = fast.puct_search(here, num_simulations=10**6, root=first.root, **arguments)
        assert (result.num_simulations, result.proven, result.root.proven) == (0, 1.0, 1.0)
        assert minimax(here.child(result.best_action))[0] == 1.0


def test_a_tree_that_is_full_proves_nothing_wrong():
    state, rng = games.TicTacToe().child(4).child(0), np.random.default_rng(1)
    result = fast.puct_search(
        state, evaluator=EVEN, num_simulations=9_000, max_nodes=300, solver=True, rng=rng
    )
    assert result.note.startswith("The tree is full")
    assert result.proven is None
    assert len(proofs(result.root)) > 10
    for node in proofs(result.root):
        assert node.proven == minimax(node.state)[node.mover]


def test_a_failing_evaluator_leaves_the_proofs_as_they_were():
    state = games.TicTacToe().child(4).child(1)
    arguments = {"num_simulations": 30, "solver": True, "rng": np.random.default_rng(1)}
    before = fast.puct_search(state, evaluator=EVEN, **arguments)
    assert before.proven is None
    kept = copy.deepcopy(before.root)
    assert len(proofs(kept)) > 0
    with pytest.raises(search.EvaluationError):
        fast.puct_search(
            state, evaluator=failing_after(0, OSError("no power")), root=before.root, **arguments
        )
    assert difference(ArrayNode(before.root.tree), kept) == ""


@pytest.mark.parametrize("again", [copy.deepcopy, lambda root: pickle.loads(pickle.dumps(root))])
def test_a_tree_that_is_copied_keeps_what_is_proven(again):
    state = games.TicTacToe().child(4)
    options = {"evaluator": EVEN, "solver": True}
    first = fast.puct_search(state, num_simulations=200, rng=np.random.default_rng(1), **options)
    root = again(first.root)
    assert difference(root, first.root) == ""
    assert len(proofs(root)) > 10
    one, other = (
        fast.puct_search(
            state, num_simulations=200, root=kept, rng=np.random.default_rng(2), **options
        )
        for kept in (root, first.root)
    )
    assert difference(one.root, other.root) == ""


def test_what_cannot_be_compiled_is_proven_by_the_readable_search():
    state, rng = Hex(size=3, stones=(-1,) * 9), np.random.default_rng(1)
    with pytest.warns(SlowSearchWarning):
        result = fast.puct_search(
            state, evaluator=EVEN, num_simulations=10**6, solver=True, rng=rng
        )
    assert result.proven == 1.0  # who moves first wins Hex
    assert result.num_simulations < 10**6


def test_a_search_graph_proves_nothing_and_says_so():
    with pytest.raises(ValueError, match="transpositions=True cannot be combined with solver=True"):
        fast.puct_search(
            games.TicTacToe(),
            evaluator=EVEN,
            num_simulations=9,
            transpositions=True,
            solver=True,
            rng=np.random.default_rng(1),
        )


def test_with_the_solver_another_module_is_compiled_and_without_it_the_same_as_ever():
    state = games.TicTacToe()
    plain, proving = (
        fast.puct_search(
            state, evaluator=EVEN, num_simulations=5, solver=each, rng=np.random.default_rng(1)
        ).root.tree.engine
        for each in (False, True)
    )
    assert (plain.SOLVER, proving.SOLVER) == (False, True)
    assert fast.why_not_puct(state, solver=True) == fast.why_not_puct(state) == ""
