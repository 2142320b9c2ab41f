"""The compiled search by PUCT grows the readable one's tree, and minds what that one minds."""

import copy
import functools
import pickle
import sys
import threading
from typing import Any

import numpy as np
import pytest

from mctslab import fast, games, search
from mctslab.fast.tree import ArrayNode
from mctslab.games import State
from mctslab.search.puct_search import batch_length
from tests.fast import same_trees
from tests.fast.same_trees import difference
from tests.fast.test_same_tree import played

GAMES: dict[str, tuple[State, int]] = {
    "tictactoe": (games.TicTacToe(), 400),
    "connect_four": (games.ConnectFour(), 200),
    "reversi": (games.Reversi(), 80),
    "reversi 4x4": (games.Reversi(size=4), 300),
    "gomoku 6x6": (games.Gomoku(size=6, in_a_row=4), 150),
    "gomoku 15x15": (games.Gomoku(), 60),
}


def by_number(state: State) -> list[float]:
    """Weights without a meaning, but different ones."""
    return [1.0 + action % 5 for action in state.legal_actions()]


def not_zero_sum(states: Any, rng: np.random.Generator) -> search.Evaluation:
    """Values that draw on chance, and do not add up to nothing."""
    return search.Evaluation([(rng.random(), -rng.random()) for _ in states])


OPTIONS: dict[str, dict[str, Any]] = {
    "rollouts": {"evaluator": search.rollout_evaluator()},
    "three rollouts, batches": {
        "evaluator": search.rollout_evaluator(num_rollouts=3),
        "batch_size": 8,
    },
    "uniform, batches, noise": {
        "evaluator": search.uniform_evaluator(),
        "batch_size": 5,
        "noise": search.DirichletNoise(0.3, 0.5),
    },
    "priors in Python, batches, noise": {
        "evaluator": search.with_priors(search.rollout_evaluator(), by_number),
        "batch_size": 8,
        "noise": search.DirichletNoise(),
        "selection": search.puct(2, c_base=50, fpu="parent"),
    },
    "everything in Python": {
        "evaluator": search.with_priors(not_zero_sum, by_number),
        "batch_size": 16,
        "selection": search.puct(0.7, fpu=-1),
    },
}


both = functools.partial(same_trees.both, "puct_search")


CASES = [
    pytest.param(state, simulations, options, 1 + (row + column) % 2, id=f"{game}, {name}")
    for row, (game, (state, simulations)) in enumerate(GAMES.items())
    for column, (name, options) in enumerate(OPTIONS.items())
]
"""Each game and each option with both seeds, but a game with an option with one of them."""


@pytest.mark.parametrize(("first", "simulations", "options", "seed"), CASES)
def test_the_same_seed_grows_the_same_tree(
    first: State, simulations: int, options: dict[str, Any], seed: int
) -> None:
    state = played(first, 7 * (seed - 1), np.random.default_rng(seed))
    both(state, seed, num_simulations=simulations, **options)


def test_roxannes_rollouts_are_compiled_too():
    evaluator = search.rollout_evaluator(search.roxanne())
    both(games.Reversi(), 3, evaluator=evaluator, num_simulations=60, batch_size=4)


@pytest.mark.parametrize(
    "state", [games.TicTacToe(), games.Reversi(size=4), games.Gomoku(size=5, in_a_row=4)]
)
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_whole_games_with_one_tree_are_those_of_the_readable_search(state, options):
    """Passes of Reversi included: then the mover of a root is not the player to move."""
    roots: tuple[Any, Any] = (None, None)
    ply = 0
    while not state.is_terminal:
        results = both(state, ply, num_simulations=40, roots=roots, **options)
        roots = (results[0].root, results[1].root)
        state = state.child(results[0].best_action)
        ply += 1
    assert ply > 4


def test_what_was_found_out_about_a_reply_counts_on():
    options = {"evaluator": search.uniform_evaluator(), "num_simulations": 400}
    first = fast.puct_search(games.TicTacToe(), rng=np.random.default_rng(1), **options)
    ours, reply = first.principal_variation[:2]
    child = next(node for node in first.root.children if node.action == ours)
    below = next(node for node in child.children if node.action == reply)
    state = games.TicTacToe().child(ours).child(reply)

    second = fast.puct_search(state, rng=np.random.default_rng(2), root=first.root, **options)

    assert second.root.visit_count == below.visit_count + 400
    assert first.root.visit_count == 400  # stays whole behind


def test_noise_is_gone_from_the_priors_when_the_search_is_over():
    noise = search.DirichletNoise(1.0, 0.9)
    options = {"evaluator": search.uniform_evaluator(), "num_simulations": 40, "noise": noise}
    first = fast.puct_search(games.TicTacToe(), rng=np.random.default_rng(1), **options)
    assert [child.prior for child in first.children] == [1 / 9] * 9
    again = fast.puct_search(
        games.TicTacToe(), rng=np.random.default_rng(2), root=first.root, **options
    )
    assert [child.prior for child in again.children] == [1 / 9] * 9
    assert len({child.visit_count for child in first.children}) > 2  # it was there


class OutOfOrderError(Exception):
    pass


def failing_after(number: int, answer: Any) -> Any:
    """An evaluator that fails at its call number `number` + 1, by raising or by its answer."""
    calls = []

    def evaluate(states: Any, rng: np.random.Generator) -> search.Evaluation:
        calls.append(states)
        if len(calls) <= number:
            return search.Evaluation([(0.25, -0.25)] * len(states))
        if isinstance(answer, BaseException):
            raise answer
        return search.Evaluation(*answer)

    return evaluate


@pytest.mark.parametrize(
    "answer",
    [
        OutOfOrderError("out of order"),
        ([(np.nan, 0.0)],),
        ([(0.0, 0.0)] * 9,),
        ([(0.0, 0.0)], [[0.5] * 9]),
    ],
    ids=["raises", "no number", "nine for one", "too much"],
)
def test_a_failing_evaluator_is_named_and_leaves_the_tree_as_it_was(answer):
    state = games.TicTacToe()
    good = {"evaluator": failing_after(99, None), "rng": np.random.default_rng(1)}
    before = fast.puct_search(state, num_simulations=20, **good)
    kept = copy.deepcopy(before.root)
    with pytest.raises(search.EvaluationError, match=r"to move"):
        fast.puct_search(
            state,
            num_simulations=50,
            evaluator=failing_after(0, answer),
            rng=np.random.default_rng(1),
            root=before.root,
            noise=search.DirichletNoise(),
        )
    after = ArrayNode(before.root.tree)
    assert difference(after, kept) == ""
    fast.puct_search(state, num_simulations=50, root=before.root, **good)  # nobody holds it


def test_an_interruption_leaves_the_tree_whole():
    evaluator = failing_after(5, KeyboardInterrupt())
    rng = np.random.default_rng(1)
    first = fast.puct_search(
        games.TicTacToe(), num_simulations=3, evaluator=search.uniform_evaluator(), rng=rng
    )
    with pytest.raises(KeyboardInterrupt):
        fast.puct_search(
            games.TicTacToe(), num_simulations=90, evaluator=evaluator, rng=rng, root=first.root
        )
    root = ArrayNode(first.root.tree)
    assert root.visit_count == 3 + 5 == 1 + sum(child.visit_count for child in root.children)


def test_a_tree_that_is_being_searched_is_refused():
    state, seen = games.TicTacToe(), []
    options = {"num_simulations": 5, "rng": np.random.default_rng(1)}
    first = fast.puct_search(state, evaluator=search.uniform_evaluator(), **options)

    def searching(states: Any, rng: np.random.Generator) -> search.Evaluation:
        for root in (first.root, first.root.children[0]):
            with pytest.raises(search.SearchRunningError, match="Another search is using"):
                fast.puct_search(state, evaluator=search.uniform_evaluator(), root=root, **options)
        seen.append(len(states))
        return search.Evaluation([(0.0, 0.0)] * len(states))

    fast.puct_search(state, evaluator=searching, root=first.root, **options)
    assert seen
    fast.puct_search(state, evaluator=search.uniform_evaluator(), root=first.root, **options)


def test_it_stops_between_two_batches():
    asked = []

    def evaluate(states: Any, rng: np.random.Generator) -> search.Evaluation:
        asked.append(len(states))
        return search.Evaluation([(0.0, 0.0)] * len(states))

    result = fast.puct_search(
        games.Gomoku(),
        evaluator=evaluate,
        seconds=600,
        batch_size=4,
        rng=np.random.default_rng(1),
        stop=lambda: len(asked) == 20,
    )
    assert len(asked) == 20
    assert result.root.visit_count == result.num_simulations == sum(asked)


def test_another_thread_stops_the_compiled_search():
    stopped = threading.Event()
    threading.Timer(0.2, stopped.set).start()
    result = fast.puct_search(
        games.Gomoku(),
        evaluator=search.rollout_evaluator(),
        seconds=600,
        rng=np.random.default_rng(1),
        stop=stopped.is_set,
        max_nodes=100_000,
    )
    assert stopped.is_set()
    assert result.best_action in games.Gomoku().legal_actions()


def test_batches_do_not_depend_on_the_slices_in_which_the_search_runs(monkeypatch):
    options = {"evaluator": search.rollout_evaluator(), "batch_size": 7, "num_simulations": 500}
    whole = fast.puct_search(games.ConnectFour(), rng=np.random.default_rng(1), **options)
    module = sys.modules["mctslab.fast.running"]
    monkeypatch.setattr(module, "_FIRST_SLICE", 3)
    monkeypatch.setattr(module, "_SLICE_SECONDS", 1e-6)
    sliced = fast.puct_search(games.ConnectFour(), rng=np.random.default_rng(1), **options)
    assert difference(whole.root, sliced.root) == ""


def test_the_evaluator_gets_no_larger_batches_than_it_wants():
    lengths = []

    def evaluate(states: Any, rng: np.random.Generator) -> search.Evaluation:
        lengths.append(len(states))
        return search.Evaluation([(0.0, 0.0)] * len(states))

    fast.puct_search(
        games.Gomoku(size=9),
        evaluator=evaluate,
        num_simulations=200,
        batch_size=8,
        rng=np.random.default_rng(1),
    )
    assert lengths[0] == 1
    assert max(lengths) == 8
    assert [batch_length(8, visits) for visits in (0, 7, 8, 55, 56, 999)] == [1, 1, 2, 7, 8, 8]


@pytest.mark.parametrize("max_nodes", [82, 500, 5_000])
def test_a_tree_that_is_full_is_searched_on(max_nodes):
    result = fast.puct_search(
        games.Gomoku(size=9),
        evaluator=search.rollout_evaluator(),
        num_simulations=900,
        batch_size=8,
        rng=np.random.default_rng(1),
        max_nodes=max_nodes,
    )
    root = result.root
    assert isinstance(root, ArrayNode)
    assert root.tree.num_nodes <= max_nodes
    assert "full" in result.note
    assert root.visit_count == 900
    assert sum(child.visit_count for child in result.children) == 899


def test_where_memory_ends_the_search_goes_on(monkeypatch):
    def refuse(self, capacity):
        raise MemoryError

    monkeypatch.setattr("mctslab.fast.tree.Tree.reserve", refuse)
    result = fast.puct_search(
        games.Gomoku(),
        evaluator=search.rollout_evaluator(),
        num_simulations=300,
        rng=np.random.default_rng(1),
    )
    assert "full" in result.note
    assert result.root.visit_count == 300


def test_progress_is_told():
    told = []
    fast.puct_search(
        games.Gomoku(),
        evaluator=search.rollout_evaluator(),
        seconds=0.5,
        rng=np.random.default_rng(1),
        progress=lambda *numbers: told.append(numbers),
    )
    assert told
    assert told == sorted(told)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"num_simulations": 0}, "num_simulations must be an integer from 1"),
        ({"seconds": -1.0}, "seconds must be above 0.*got -1.0"),
        ({"batch_size": 0}, "batch_size must be .* got 0"),
        ({"rng": 7}, "rng must be .* got 7"),
        ({"max_nodes": 9}, "max_nodes=9"),
        ({"root": "tree"}, "got 'tree': pass"),
    ],
)
def test_bad_arguments_are_refused(wrong, words):
    right = {"num_simulations": 5, "rng": np.random.default_rng(1)}
    with pytest.raises(ValueError, match=words):
        fast.puct_search(games.TicTacToe(), evaluator=search.uniform_evaluator(), **(right | wrong))


def test_a_tree_of_the_other_search_is_refused():
    """One knows priors and has all children at once, the other neither."""
    rng = np.random.default_rng(1)
    state = games.TicTacToe()
    grown = fast.mcts(state, num_simulations=20, rng=rng)
    with pytest.raises(ValueError, match="from a search by mcts"):
        fast.puct_search(
            state,
            evaluator=search.uniform_evaluator(),
            num_simulations=5,
            rng=rng,
            root=grown.root,
        )
    guided = fast.puct_search(
        state, evaluator=search.uniform_evaluator(), num_simulations=20, rng=rng
    )
    with pytest.raises(ValueError, match="from a search by puct_search"):
        fast.mcts(state, num_simulations=5, rng=rng, root=guided.root)


class AnotherGame(games.TicTacToe):
    """Without rules to compile."""

    def compilable(self) -> None:
        return None


def test_a_game_in_plain_python_is_searched_by_the_readable_one():
    options = {"evaluator": search.rollout_evaluator(), "num_simulations": 50, "batch_size": 3}
    with pytest.warns(fast.SlowSearchWarning, match="no rules to compile"):
        ours = fast.puct_search(AnotherGame(), rng=np.random.default_rng(1), **options)
    theirs = search.puct_search(AnotherGame(), rng=np.random.default_rng(1), **options)
    assert difference(ours.root, theirs.root) == ""
    assert "plain Python" in ours.note
    assert ours.is_guided


@pytest.mark.parametrize("again", [copy.deepcopy, lambda root: pickle.loads(pickle.dumps(root))])
def test_a_tree_can_be_copied_and_pickled_and_gone_on_with(again):
    options = {"evaluator": search.uniform_evaluator(), "num_simulations": 100}
    first = fast.puct_search(games.ConnectFour(), rng=np.random.default_rng(1), **options)
    root = again(first.root)
    assert difference(root, first.root) == ""
    one = fast.puct_search(games.ConnectFour(), rng=np.random.default_rng(2), root=root, **options)
    two = fast.puct_search(
        games.ConnectFour(), rng=np.random.default_rng(2), root=first.root, **options
    )
    assert difference(one.root, two.root) == ""


def test_a_search_graph_is_left_to_the_readable_search():
    options = {"evaluator": search.uniform_evaluator(), "num_simulations": 60}
    with pytest.warns(fast.SlowSearchWarning, match="a search graph"):
        ours = fast.puct_search(
            games.TicTacToe(), rng=np.random.default_rng(1), transpositions=True, **options
        )
    theirs = search.puct_search(
        games.TicTacToe(), rng=np.random.default_rng(1), transpositions=True, **options
    )
    assert ours.children == theirs.children
