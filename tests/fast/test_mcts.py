"""The compiled search as a whole: budgets, limits, interruptions, and what is left to Python.

That its trees are those of the readable search is shown in test_same_tree.py and test_tree.py.
"""

import inspect
import itertools
import math
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mctslab import fast, games, search
from mctslab.fast import SlowSearchWarning, why_not
from mctslab.fast import mcts as mcts_function
from mctslab.fast.tree import ArrayNode, tree_for
from mctslab.search import Node
from mctslab.search.evaluators import RolloutEvaluator
from tests.fast.same_trees import difference
from tests.fast.stopping import stopped_from_here
from tests.games.own_games import Hex
from tests.search.test_invariants import check_node, check_tree, own_share
from tests.search.toys import FunctionEvaluator, all_nodes, play

PROJECT = Path(__file__).resolve().parents[2]
WON = "a1 a2 b1 b2 c1"


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def search_quietly(state: games.State, **options: Any) -> search.SearchResult:
    """A compiled search, which must not fall back to Python."""
    result = mcts_function(state, **options)
    assert not result.note.startswith("In plain Python")
    return result


# Budgets


@pytest.mark.parametrize("expansion", ["one", "all"])
def test_exactly_so_many_simulations(expansion, rng):
    for number in (1, 2, 3, 6, 7, 8, 63, 64, 65, 500, 20_000):
        result = search_quietly(
            games.ConnectFour(), num_simulations=number, expansion=expansion, rng=rng
        )
        assert result.num_simulations == result.root.visit_count == number
    assert (
        search_quietly(games.TicTacToe(), num_simulations=np.int64(7), rng=rng).num_simulations == 7
    )


@pytest.mark.parametrize("expansion", ["one", "all"])
def test_a_time_ends_the_search(expansion, rng):
    result = search_quietly(games.Reversi(), seconds=0.05, expansion=expansion, rng=rng)
    assert result.seconds >= 0.05
    assert result.root.visit_count == result.num_simulations > 0


def test_of_two_budgets_the_first_to_end_counts(rng):
    state = games.TicTacToe()
    assert search_quietly(state, num_simulations=30, seconds=1e6, rng=rng).num_simulations == 30
    result = search_quietly(state, num_simulations=10**12, seconds=0.05, rng=rng)
    assert 0 < result.num_simulations < 10**12


def test_with_very_many_rollouts_a_leaf_the_clock_is_looked_at_after_the_first(rng):
    evaluator = search.rollout_evaluator(num_rollouts=1_000)
    answers = iter([False])
    result = search_quietly(
        games.TicTacToe(),
        seconds=1e6,
        evaluator=evaluator,
        stop=lambda: next(answers, True),
        rng=rng,
    )
    assert result.num_simulations == 1


def test_a_number_beyond_what_the_compiled_code_counts_is_no_error(rng):
    asked = iter([False, False, True])
    result = search_quietly(
        games.TicTacToe(), num_simulations=10**15, stop=lambda: next(asked), rng=rng
    )
    assert result.num_simulations > 0


# Stop, progress, threads, interruptions


def test_stop_ends_a_search_that_would_take_for_ever(rng):
    answers = iter([False] * 2)
    result = search_quietly(
        games.Reversi(), num_simulations=10**12, stop=lambda: next(answers, True), rng=rng
    )
    assert result.num_simulations == result.root.visit_count > 0
    check_tree(result.root)


def test_stopped_before_the_first_simulation_there_is_still_a_move(rng):
    result = search_quietly(games.TicTacToe(), num_simulations=100, stop=lambda: True, rng=rng)
    assert result.num_simulations == 0
    assert result.children == ()
    assert result.best_so_far == 0


def test_another_thread_stops_the_search_and_runs_meanwhile(rng):
    """The compiled code lets others run: this thread counts on while the search is under way."""
    result = stopped_from_here(
        lambda stop: search_quietly(games.Reversi(), num_simulations=10**12, stop=stop, rng=rng)
    )
    assert result.num_simulations > 0


def test_the_lock_of_the_interpreter_is_free_while_the_compiled_code_runs():
    """One long call of the compiled code; were the lock held, nothing could be counted in it."""
    state = games.Reversi()
    search_quietly(state, num_simulations=1, rng=np.random.default_rng(1))
    module = sys.modules["mctslab.fast.mcts"]
    counted = {"before": 0, "during": 0}
    where = ["before"]
    done = threading.Event()

    def count() -> None:
        while not done.is_set():
            counted[where[0]] += 1
            time.sleep(0)

    rng, evaluator, selection = np.random.default_rng(1), search.rollout_evaluator(), search.ucb1()
    compiled = module.compiled_search(state, evaluator, selection, None, None, rng)
    tree = tree_for(state, None, *compiled, 10**6)
    run = module._Run(tree, evaluator, selection, search.Expansion.ONE, rng, 10**6, solver=False)
    run.go_on(1, 1)
    tree.reserve(300_000)
    thread = threading.Thread(target=count)
    thread.start()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(10)  # nobody is asked to hand over the lock
    try:
        where[0] = "during"
        assert run.go_on(200_000, 200_000) == 200_000
    finally:
        where[0] = "before"
        sys.setswitchinterval(interval)
        done.set()
        thread.join()
    assert counted["during"] > 100


def test_progress_is_told_in_growing_numbers(rng):
    told: list[tuple[int, float]] = []
    result = search_quietly(
        games.TicTacToe(), seconds=0.7, progress=lambda *each: told.append(each), rng=rng
    )
    assert len(told) > 1
    for one, following in itertools.pairwise(told):
        assert one[0] < following[0]
        assert one[1] + 0.1 <= following[1]
    assert 0 < told[0][0] < told[-1][0] <= result.num_simulations
    assert told[0][1] >= 0.1


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no such timer")
@pytest.mark.parametrize("expansion", ["one", "all"])
def test_an_interruption_leaves_the_tree_whole(expansion, rng):
    state = games.ConnectFour()
    root = search_quietly(state, num_simulations=10, expansion=expansion, rng=rng).root
    tree = root.tree
    visits = 10

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for number in range(6):
            with pytest.raises(KeyboardInterrupt):  # noqa: PT012  # the timer may end at once
                signal.setitimer(signal.ITIMER_REAL, 0.003 + 0.004 * number)
                search_quietly(
                    state, num_simulations=10**12, root=root, expansion=expansion, rng=rng
                )
            root = ArrayNode(tree)
            assert root.visit_count >= visits
            assert tree.num_nodes == num_reachable(tree)
            visits = root.visit_count
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    result = search_quietly(state, num_simulations=500, root=root, expansion=expansion, rng=rng)
    assert result.root.visit_count == visits + 500
    assert num_reachable(tree) == tree.num_nodes


def num_reachable(tree: Any) -> int:
    """The nodes to which a way leads from the root; also, each parent counts all its children."""
    waiting, number, visits = [0], 0, tree.nodes["visit_count"].tolist()
    while waiting:
        index = waiting.pop()
        number += 1
        if children := tree.children_of(index):
            assert visits[index] - sum(visits[child] for child in children) in (0, 1)
        waiting += children
    return number


def test_what_progress_raises_is_heard_and_the_tree_is_whole(rng):
    state = games.Reversi()
    root = search_quietly(state, num_simulations=10, rng=rng).root

    def fail(*_: Any) -> None:
        raise RuntimeError("progress failed")

    with pytest.raises(RuntimeError, match="progress failed"):
        search_quietly(state, seconds=5, root=root, progress=fail, rng=rng)
    check_tree(ArrayNode(root.tree))


# A bound on memory


@pytest.mark.parametrize("expansion", ["one", "all"])
@pytest.mark.parametrize("max_nodes", [50, 333, 20_000])
def test_a_tree_that_is_full_grows_no_more_and_is_searched_on(max_nodes, expansion, rng):
    state = games.Reversi(6)
    result = search_quietly(
        state, num_simulations=30_000, max_nodes=max_nodes, expansion=expansion, rng=rng
    )
    tree = result.root.tree
    assert len(tree.nodes) <= max_nodes
    assert result.note == f"The tree is full: it has {tree.num_nodes:,} nodes."
    assert result.num_simulations == result.root.visit_count == 30_000
    assert max_nodes * 0.8 - 20 < tree.num_nodes <= max_nodes
    nodes = all_nodes(result.root)
    assert len(nodes) == tree.num_nodes
    for node in nodes:
        check_node(node)
        visits, value = own_share(node)
        assert visits >= 0
        assert abs(value) <= visits + 1e-6
    assert own_share(result.root) == (0, pytest.approx(0, abs=1e-6))
    assert result.best_action in state.legal_actions()


def test_until_it_is_full_it_is_the_same_tree(rng):
    other = np.random.default_rng(1)
    bounded = search_quietly(games.TicTacToe(), num_simulations=400, max_nodes=2_000, rng=rng)
    free = search_quietly(games.TicTacToe(), num_simulations=400, rng=other)
    assert bounded.note == free.note == ""
    assert difference(bounded.root, free.root) == ""


def test_a_tree_that_is_larger_already_is_kept_as_it_is(rng):
    root = search_quietly(games.TicTacToe(), num_simulations=1_000, rng=rng).root
    before = root.tree.num_nodes
    result = search_quietly(
        games.TicTacToe(), num_simulations=1_000, max_nodes=100, root=root, rng=rng
    )
    assert result.root.visit_count == 2_000
    assert before <= result.root.tree.num_nodes < before + 30
    assert "is full" in result.note
    more = search_quietly(games.TicTacToe(), num_simulations=1_000, root=result.root, rng=rng)
    assert more.note == ""
    assert more.root.tree.num_nodes > before + 100


@pytest.mark.parametrize("state", [games.TicTacToe(), games.Reversi(), games.Gomoku()])
def test_with_as_few_nodes_as_are_allowed_every_move_is_tried(state, rng):
    with pytest.raises(ValueError, match="is too small: this position needs") as error:
        search_quietly(state, num_simulations=10, max_nodes=1, rng=rng)
    least = int(str(error.value).split("needs ")[1].split()[0])
    with pytest.raises(ValueError, match=f"max_nodes={least - 1} is too small"):
        search_quietly(state, num_simulations=10, max_nodes=least - 1, rng=rng)
    for expansion in ("one", "all"):
        result = search_quietly(
            state, num_simulations=2_000, max_nodes=least, expansion=expansion, rng=rng
        )
        assert result.best_action in state.legal_actions()
        assert len(result.root.tree.nodes) <= least


def test_where_memory_ends_the_search_goes_on(rng, monkeypatch):
    from mctslab.fast.tree import Tree

    def fail(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(Tree, "reserve", fail)
    result = search_quietly(games.Reversi(), num_simulations=50_000, rng=rng)
    assert result.num_simulations == result.root.visit_count == 50_000
    assert result.note.startswith("The tree is full: it has 16,")


LARGE = """
import resource
import numpy as np
from mctslab import fast, games

state = games.ConnectFour()
fast.mcts(state, num_simulations=1, rng=np.random.default_rng(1))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
result = fast.mcts(
    state, num_simulations=2_400_000, max_nodes=2_000_000, rng=np.random.default_rng(1)
)
tree = result.root.tree
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(tree.num_nodes, tree.nodes.nbytes / tree.num_nodes, 1024 * (after - before) / tree.num_nodes)
print(sum(child.visit_count for child in result.children), result.note)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is counted as Linux does")
def test_a_node_takes_fifty_bytes_and_a_tree_has_ten_million_at_most():
    """Half a gigabyte, and twice that for a moment."""
    assert inspect.signature(fast.mcts).parameters["max_nodes"].default == 10_000_000
    done = subprocess.run(
        [sys.executable, "-c", LARGE],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    num_nodes, held, at_most = map(float, first.split())
    assert 1_900_000 < num_nodes <= 2_000_000
    assert held <= 50.5  # bytes a node
    assert at_most < 110  # while the array is made longer, there are two
    assert second == f"2400000 The tree is full: it has {num_nodes:,.0f} nodes."


# What is refused, as by the readable search


def both(state: games.State, **options: Any) -> list[str]:
    """What the two searches say against the same arguments."""
    said = []
    for one in (fast.mcts, search.mcts):
        with pytest.raises(ValueError) as error:  # noqa: PT011 (the messages are compared)
            one(state, **options)
        said.append(str(error.value))
    return said


BAD_ARGUMENTS = (
    {}, {"num_simulations": 0}, {"num_simulations": -5}, {"num_simulations": 0.5},
    {"num_simulations": math.nan}, {"num_simulations": "1000"}, {"seconds": 0},
    {"seconds": -1}, {"seconds": math.inf}, {"seconds": "2s"},
    {"num_simulations": 10, "seconds": 0}, {"num_simulations": 10, "expansion": "both"},
    {"num_simulations": 10, "expansion": None}, {"num_simulations": 10, "root": "tree"},
    {"num_simulations": 10, "rng": None}, {"num_simulations": 10, "rng": 1},
    {"num_simulations": 10, "rng": np.random.RandomState(1)},
    {"num_simulations": 10, "rng": np.random.default_rng},
)  # fmt: skip


@pytest.mark.filterwarnings("error")
def test_bad_arguments_are_refused_as_by_the_readable_search(rng):
    for options in BAD_ARGUMENTS:
        ours, theirs = both(games.TicTacToe(), **({"rng": rng} | options))
        assert ours == theirs, options


def test_a_finished_game_is_refused(rng):
    ours, theirs = both(play(games.TicTacToe(), WON), num_simulations=10, rng=rng)
    assert ours == theirs
    assert "the game is over" in ours


# What is left to the readable search


class Greedy:
    """A selection rule of one's own."""

    def score(self, node: Node, child: Node) -> search.SelectionScore:
        return search.SelectionScore(child.mean_value, 0.0)

    def best_child(self, node: Node) -> Node:
        return max(node.children, key=lambda child: child.mean_value)


def first_move(state: games.State, rng: np.random.Generator) -> int:
    return state.legal_actions()[int(rng.random() * 0)]


class Misere(games.TicTacToe):
    """Whoever has three in a row loses; the rules that are inherited say otherwise."""

    __slots__ = ()
    title = "Misère Tic-Tac-Toe"

    def returns(self) -> tuple[float, float]:
        first, second = super().returns()
        return second, first


class Often(RolloutEvaluator):
    """Looks like rollouts, and isn't."""

    def __call__(self, states: Any, rng: np.random.Generator) -> search.Evaluation:
        return search.Evaluation([(0.5, -0.5)] * len(states))


class Halved(np.random.Generator):
    """Another source of chance over the same bits."""

    def random(self) -> float:  # type: ignore[override]
        return super().random() / 2


def default() -> np.random.Generator:
    return np.random.default_rng(3)


SLOW: dict[str, tuple[games.State, dict[str, Any], Any, str]] = {
    "an evaluator": (
        games.TicTacToe(), {"evaluator": FunctionEvaluator(lambda state: 0.1)}, default,
        "the evaluator FunctionEvaluator.* is written in Python",
    ),
    "an evaluator that inherits": (
        games.TicTacToe(), {"evaluator": Often(search.uniform, 1)}, default,
        "the evaluator Often.* is written in Python",
    ),
    "a policy": (
        games.TicTacToe(), {"evaluator": search.rollout_evaluator(first_move)}, default,
        "the rollout policy <function first_move.* is written in Python",
    ),
    "a selection rule": (
        games.TicTacToe(), {"selection": Greedy()}, default, "the selection rule .* is written",
    ),
    "a game without rules": (Hex(), {}, default, "Hex has no rules to compile"),
    "a game that differs from its rules": (
        Misere(), {}, default, r"returns\(\) overrides the rules of Mis",
    ),
    "a large board": (games.Reversi(10), {}, default, "does not fit into 64 bits"),
    "another large board": (games.ConnectFour(9, 9), {}, default, "does not fit into 64 bits"),
    "other bits": (
        games.TicTacToe(), {}, lambda: np.random.Generator(np.random.MT19937(3)),
        "the numbers come from Generator.MT19937. .* only NumPy's PCG64 is compiled",
    ),
    "another source of chance": (
        games.TicTacToe(), {}, lambda: Halved(np.random.PCG64(3)), "the numbers come from Halved",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SLOW)
def test_what_cannot_be_compiled_is_left_to_the_readable_search(case):
    state, options, chance, reason = SLOW[case]
    with pytest.warns(SlowSearchWarning, match=reason) as caught:
        ours = fast.mcts(state, num_simulations=60, rng=chance(), **options)
    assert caught[0].filename == __file__
    theirs = search.mcts(state, num_simulations=60, rng=chance(), **options)
    assert difference(ours.root, theirs.root) == ""
    assert ours.num_simulations == 60
    assert f"The readable search is used: {ours.note[17:]}" == str(caught[0].message)
    assert ours.note.startswith("In plain Python: ")


def test_a_trace_is_recorded_by_the_readable_search(rng):
    ours, theirs = search.Trace(), search.Trace()
    with pytest.warns(SlowSearchWarning, match="a trace is recorded"):
        result = fast.mcts(games.TicTacToe(), num_simulations=30, trace=ours, rng=rng)
    search.mcts(games.TicTacToe(), num_simulations=30, trace=theirs, rng=np.random.default_rng(1))
    assert result.note == "In plain Python: a trace is recorded, event by event."
    assert len(ours.simulations) == 30
    assert ours.simulations == theirs.simulations


def test_roxanne_on_another_board_fails_as_in_the_readable_search(rng):
    evaluator = search.rollout_evaluator(search.roxanne())
    with pytest.warns(SlowSearchWarning, match="the rollout policy Roxanne"):
        ours, theirs = both(games.Reversi(6), num_simulations=5, evaluator=evaluator, rng=rng)
    assert ours == theirs
    assert "is for Reversi on 8 x 8" in ours


def test_why_not_says_so_before_a_search():
    assert why_not(games.Reversi()) == ""
    assert why_not(Hex()) == "Hex has no rules to compile"
    assert why_not(games.TicTacToe(), selection=Greedy()).startswith("the selection rule")  # type: ignore[arg-type]
    assert why_not(games.TicTacToe(), root=Node(games.TicTacToe())).endswith("readable search")


# Numbers


@pytest.mark.parametrize(("is_ucb1", "rule"), [(True, search.ucb1()), (False, search.puct())])
def test_the_tables_hold_pythons_own_numbers(is_ucb1, rule, rng):
    """`np.log` and other logarithms differ from `math.log` in the last digit now and then."""
    number = 1 << 20
    asked = iter([False, False, True])
    search_quietly(
        games.TicTacToe(), num_simulations=number, selection=rule, stop=lambda: next(asked), rng=rng
    )
    module = sys.modules["mctslab.fast.mcts"]
    tables = module._tables(is_ucb1)
    filled = tables.filled[0]
    assert filled >= 65
    columns = tables.bonuses[1:filled].tolist(), tables.factors[1:filled].tolist()
    for visits, (bonus, factor) in enumerate(zip(*columns, strict=True), start=1):
        assert bonus == (math.sqrt(math.log(visits)) if is_ucb1 else math.sqrt(visits))
        assert factor == 1 / (math.sqrt(visits) if is_ucb1 else 1 + visits)


def test_an_exploration_constant_of_another_type_compiles_nothing_anew(rng):
    search_quietly(games.TicTacToe(), num_simulations=5, rng=rng)
    engine = sys.modules["mctslab.fast.mcts"].engine(games.TicTacToe().compilable())
    before = len(engine.search.signatures)
    for constant in (0, 1, 2.0, np.float64(0.5), np.int64(3)):
        search_quietly(
            games.TicTacToe(), num_simulations=5, selection=search.ucb1(constant), rng=rng
        )
    evaluator = search.rollout_evaluator(num_rollouts=np.int32(2))
    search_quietly(games.TicTacToe(), num_simulations=5, evaluator=evaluator, rng=rng)
    assert len(engine.search.signatures) == before
