"""The trace: what it records, that it disturbs nothing, and how it bears files and mistakes."""

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import draw, games, search
from mctslab.boards.board import EMPTY
from mctslab.games.state import State
from mctslab.search import trace_file
from mctslab.search.trace_data import Simulation

FOUR_GAMES = [games.TicTacToe(), games.ConnectFour(), games.Reversi(), games.Gomoku()]
SMALL_GAMES = [games.TicTacToe(), games.ConnectFour(4, 4), games.Reversi(4), games.Gomoku(4, 3)]
TWO_MEGABYTES = 2_000_000


def title(state: State) -> str:
    return state.title


def record(state: State, num_simulations: int = 60, **options: Any) -> search.Trace:
    trace = search.Trace()
    rng = np.random.default_rng(1)
    search.mcts(state, num_simulations=num_simulations, rng=rng, trace=trace, **options)
    return trace


def nodes_of(root: search.Node) -> list[search.Node]:
    found = [root]
    for node in found:
        found.extend(node.children)
    return found


def path_of(node: search.Node) -> tuple[int, ...]:
    actions: list[int] = []
    while node.parent is not None:
        assert node.action is not None
        actions.append(node.action)
        node = node.parent
    return tuple(reversed(actions))


def traced_paths(trace: search.Trace) -> list[tuple[int, ...]]:
    paths: list[tuple[int, ...]] = []
    for node in trace.nodes:
        above = () if node.parent is None else paths[node.parent]
        paths.append(above if node.action is None else (*above, node.action))
    return paths


# Recording changes nothing


def test_a_search_without_a_trace_runs_none_of_its_code() -> None:
    # In a process of its own: a profiler set in the middle of a whole run, after tests with
    # browsers and threads, made Python 3.11 hang.
    code = """
import sys
import numpy as np
from mctslab import games, search
files = set()
sys.setprofile(lambda frame, *_: files.add(frame.f_code.co_filename))
search.mcts(games.TicTacToe(), num_simulations=20, rng=np.random.default_rng(1))
sys.setprofile(None)
print(*files, sep="\\n")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    files = {Path(line).name for line in done.stdout.splitlines()}
    assert "mcts.py" in files
    assert not files & {"trace.py", "recorder.py", "trace_data.py", "trace_file.py"}


@pytest.mark.parametrize("expansion", ["one", "all"])
@pytest.mark.parametrize("state", SMALL_GAMES, ids=title)
def test_a_traced_search_grows_the_same_tree_with_the_same_chances(
    state: State, expansion: str
) -> None:
    plain, traced = np.random.default_rng(7), np.random.default_rng(7)
    evaluator = search.rollout_evaluator(num_rollouts=2)
    options: dict[str, Any] = {
        "num_simulations": 150,
        "expansion": expansion,
        "evaluator": evaluator,
    }
    without = search.mcts(state, rng=plain, **options)
    with_trace = search.mcts(state, rng=traced, trace=search.Trace(), **options)
    assert plain.bit_generator.state == traced.bit_generator.state
    for one, other in zip(nodes_of(without.root), nodes_of(with_trace.root), strict=True):
        assert path_of(one) == path_of(other)
        assert (one.visit_count, one.total_value) == (other.visit_count, other.total_value)


# What is recorded


@pytest.mark.parametrize("expansion", ["one", "all"])
@pytest.mark.parametrize("state", SMALL_GAMES, ids=title)
def test_replaying_the_updates_gives_the_statistics_of_the_tree(
    state: State, expansion: str
) -> None:
    trace = search.Trace()
    result = search.mcts(
        state,
        num_simulations=150,
        expansion=expansion,
        rng=np.random.default_rng(3),
        trace=trace,
    )
    expected = {
        path_of(node): (node.visit_count, node.total_value)
        for node in nodes_of(result.root)
        if node.visit_count
    }
    assert dict(zip(traced_paths(trace), trace.statistics(), strict=True)) == expected
    assert len(trace) == 150


@pytest.mark.parametrize("state", SMALL_GAMES, ids=title)
def test_selection_shows_every_child_with_the_two_terms_of_its_score(state: State) -> None:
    trace = record(state, 150)
    paths = traced_paths(trace)
    known = {(0,) * 0: (0, 0.0)}
    num_steps = 0
    for simulation in trace.simulations:
        for step in simulation.selection or ():
            num_steps += 1
            node = trace.nodes[step.node]
            parent_visits, _ = known[paths[step.node]]
            assert {one.action for one in step.considered} == set(node.legal_actions)
            for one in step.considered:
                visits, total = known[(*paths[step.node], one.action)]
                win_rate = (1 + total / visits) / 2
                bonus = math.sqrt(2) * math.sqrt(math.log(parent_visits) / visits)
                assert one.terms == pytest.approx((win_rate, bonus))
            best = max(step.considered, key=lambda one: one.score or 0.0)
            assert trace.nodes[step.chosen].action == best.action
        for update in simulation.updates:
            known[paths[update.node]] = (update.new_visit_count, update.new_total_value)
    assert num_steps > 100


@pytest.mark.parametrize("state", SMALL_GAMES, ids=title)
def test_a_rollout_shows_every_move_and_what_it_changes(state: State) -> None:
    trace = record(state, 80, evaluator=search.rollout_evaluator(num_rollouts=3))
    positions = {(): state}
    num_rollouts = 0
    for simulation in trace.simulations:
        path = traced_paths(trace)[simulation.leaf]
        leaf = positions[path[:-1]].child(path[-1])
        positions[path] = leaf
        assert trace.nodes[simulation.leaf].board == leaf.board()
        assert len(simulation.rollouts) == (0 if leaf.is_terminal else 3)
        for rollout in simulation.rollouts:
            num_rollouts += 1
            here, stones = leaf, list(leaf.board().stones)
            for ply in rollout.plies:
                assert ply.player == here.current_player
                here = here.child(ply.action)
                for square, content in ply.changes:
                    assert stones[square] != content
                    stones[square] = content
                assert tuple(stones) == here.board().stones
            assert rollout.returns == here.returns()
            assert rollout.winning_squares == here.board().winning_squares
        if simulation.rollouts:
            results = [rollout.returns[0] for rollout in simulation.rollouts if rollout.returns]
            assert simulation.returns[0] == pytest.approx(sum(results) / 3)
        else:
            assert simulation.returns == leaf.returns()
    assert num_rollouts > 50


def test_updates_by_hand() -> None:
    """X has a2, b2 and plays c2 to win; the first simulation tries one move and counts it."""
    state = games.TicTacToe()
    for action in (3, 0, 4, 1):
        state = state.child(action)
    trace = record(state, 30)
    first = trace.simulations[0]
    assert [update.node for update in first.updates] == [1, 0]
    value = first.returns[0]  # X moved into the new node, and the root counts for X, who moves
    assert [
        (one.old_visit_count, one.old_total_value, one.new_visit_count, one.new_total_value)
        for one in first.updates
    ] == [(0, 0.0, 1, value), (0, 0.0, 1, value)]
    winning = next(one for one in trace.simulations if trace.nodes[one.leaf].action == 5)
    assert winning.rollouts == ()
    assert winning.returns == (1.0, -1.0)
    again = [one for one in trace.simulations if one.leaf == winning.leaf]
    assert [one.is_new for one in again] == [True] + [False] * (len(again) - 1)
    assert len(again) > 1


@pytest.mark.parametrize("state", SMALL_GAMES, ids=title)
def test_every_update_begins_where_the_one_before_ended(state: State) -> None:
    trace = record(state, 80)
    known = dict.fromkeys(range(len(trace.nodes)), (0, 0.0))
    for simulation in trace.simulations:
        mover_returns = [
            simulation.returns[trace.nodes[one.node].mover] for one in simulation.updates
        ]
        for update, gained in zip(simulation.updates, mover_returns, strict=True):
            old = (update.old_visit_count, update.old_total_value)
            new = (update.new_visit_count, update.new_total_value)
            assert old == known[update.node]
            assert new == (old[0] + 1, pytest.approx(old[1] + gained))
            known[update.node] = new
    assert known[0][0] == 80


def test_leaves_added_after_one_walk_share_its_selection() -> None:
    trace = record(games.TicTacToe(), 20, expansion="all")
    selections = [simulation.selection for simulation in trace.simulations]
    assert selections[0] == ()
    assert selections[1:9] == [None] * 8
    assert selections[9] is not None
    assert len(selections[9]) == 1
    assert selections[10:17] == [None] * 7


def test_a_tree_from_an_earlier_search_begins_with_its_statistics() -> None:
    rng = np.random.default_rng(1)
    first = search.mcts(games.TicTacToe(), num_simulations=300, rng=rng)
    best = first.best_action
    trace = search.Trace()
    second = search.mcts(
        first.state.child(best), num_simulations=50, rng=rng, root=first.root, trace=trace
    )
    paths = traced_paths(trace)
    expected = {path_of(node): node.visit_count for node in nodes_of(second.root)}
    assert trace.nodes[0].first_visit_count > 20
    for path, (visits, _) in zip(paths, trace.statistics(), strict=True):
        assert expected[path] == visits
    beginning = trace.first(1)
    step = (trace.simulations[0].selection or ())[0]
    assert {node.action for node in beginning.nodes if node.parent == 0} >= {
        one.action for one in step.considered
    }


def test_the_first_simulations_are_a_trace_of_their_own() -> None:
    trace = record(games.TicTacToe(), 60)
    beginning = trace.first(10)
    assert beginning.simulations == trace.simulations[:10]
    assert beginning.nodes == trace.nodes[:11]
    assert beginning.statistics() == trace.statistics(10)[:11]


def test_a_search_that_was_stopped_half_way_leaves_whole_simulations() -> None:
    calls = 0

    def value(state: State) -> float:
        nonlocal calls
        calls += 1
        if calls == 6:
            raise KeyboardInterrupt
        return 0.0

    trace = search.Trace()
    evaluator = search.function_evaluator(value)
    with pytest.raises(KeyboardInterrupt):
        search.mcts(
            games.TicTacToe(),
            num_simulations=20,
            evaluator=evaluator,
            rng=np.random.default_rng(1),
            trace=trace,
        )
    assert len(trace) == 5
    assert all(len(simulation.updates) == 2 for simulation in trace.simulations)


# A student's own search


class OwnNode:
    """A node as a student writes it: neither mover nor prior, and not hashable."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, state: State, parent: "OwnNode | None" = None, action: int | None = None):
        self.state = state
        self.parent = parent
        self.action = action
        self.children: list[OwnNode] = []
        self.untried = list(state.legal_actions())
        self.visit_count = 0
        self.total_value = 0.0


def own_score(node: Any, child: Any) -> tuple[float, float]:
    win_rate = (1 + child.total_value / child.visit_count) / 2
    return win_rate, math.sqrt(2 * math.log(node.visit_count) / child.visit_count)


def own_search(state: State, num_simulations: int, trace: search.Trace) -> OwnNode:
    rng = np.random.default_rng(1)
    root: Any = OwnNode(state)
    trace.start(root)
    for _ in range(num_simulations):
        node = root
        while not node.untried and node.children:
            node = max(node.children, key=lambda child, node=node: sum(own_score(node, child)))
        trace.selected(node, own_score)
        leaf = node
        if node.untried:
            action = node.untried.pop(int(rng.random() * len(node.untried)))
            leaf = OwnNode(node.state.child(action), node, action)
            node.children.append(leaf)
        trace.expanded(leaf)
        moves, here = [], leaf.state
        while not here.is_terminal:
            moves.append(search.uniform(here, rng))
            here = here.child(moves[-1])
        trace.simulated(here.returns(), *([moves] if moves else []))
        above = leaf
        while above is not None:
            mover = above.state.current_player
            if above.parent is not None:
                mover = above.parent.state.current_player
            above.visit_count += 1
            above.total_value += here.returns()[mover]
            above = above.parent
        trace.backpropagated()
    return root


@pytest.mark.parametrize("state", SMALL_GAMES, ids=title)
def test_a_search_of_ones_own_gives_the_same_trace_as_the_package(state: State) -> None:
    own = search.Trace()
    own_search(state, 100, own)
    theirs = record(state, 100)
    assert [node.board for node in own.nodes] == [node.board for node in theirs.nodes]
    assert [node.mover for node in own.nodes] == [node.mover for node in theirs.nodes]
    for one, other in zip(own.simulations, theirs.simulations, strict=True):
        assert one.rollouts == other.rollouts
        assert one.updates == other.updates
        assert [step.chosen for step in one.selection or ()] == [
            step.chosen for step in other.selection or ()
        ]


def grown(trace: search.Trace) -> tuple[search.Node, search.Node]:
    """A root with one new child, recorded up to the expansion."""
    root = search.Node(games.TicTacToe())
    trace.start(root)
    trace.selected(root)
    (leaf,) = search.expand(root, np.random.default_rng(1))
    trace.expanded(leaf)
    return root, leaf


def count(leaf: search.Node) -> None:
    search.backpropagate(leaf, (1.0, -1.0))


def test_the_trace_shows_what_was_done_not_what_should_have_been() -> None:
    """A backpropagation that forgets the leaf, and counts two visits at the root."""
    trace = search.Trace()
    root, leaf = grown(trace)
    trace.simulated((1.0, -1.0))
    root.visit_count += 2
    trace.backpropagated()
    (simulation,) = trace.simulations
    assert [one.new_visit_count for one in simulation.updates] == [0, 2]
    assert leaf.visit_count == 0


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ("selected", r"selected\(\) came before start"),
        ("start start", "start|fresh one"),
        ("start expanded", r"expanded\(\) came after start\(\), but now is the time for selected"),
        ("start selected simulated", r"now is the time for expanded\(\)"),
        ("start selected selected", r"selected\(\) came after selected\(\)"),
        ("start selected expanded backpropagated", r"now is the time for simulated\(\)"),
        ("start selected expanded simulated selected", r"now is the time for backpropagated\(\)"),
        (
            "start selected expanded simulated backpropagated simulated",
            r"now is the time for selected\(\) or expanded\(\)",
        ),
    ],
)
def test_events_in_an_impossible_order_are_refused(events: str, message: str) -> None:
    trace = search.Trace()
    root = search.Node(games.TicTacToe())
    (leaf,) = search.expand(root, np.random.default_rng(1))

    def backpropagated() -> None:
        count(leaf)
        trace.backpropagated()

    calls = {
        "start": lambda: trace.start(root),
        "selected": lambda: trace.selected(root),
        "expanded": lambda: trace.expanded(leaf),
        "simulated": lambda: trace.simulated((1.0, -1.0)),
        "backpropagated": backpropagated,
    }
    *before, last = events.split()
    for event in before:
        calls[event]()
    with pytest.raises(search.TraceError, match=message):
        calls[last]()


def test_a_node_of_another_tree_is_refused() -> None:
    trace = search.Trace()
    trace.start(search.Node(games.TicTacToe()))
    with pytest.raises(search.TraceError, match="another tree"):
        trace.selected(search.Node(games.TicTacToe()))


def test_a_leaf_that_hangs_elsewhere_is_refused() -> None:
    trace = search.Trace()
    root, leaf = grown(trace)
    trace.simulated((0.0, 0.0))
    count(leaf)
    trace.backpropagated()
    trace.selected(root)
    (far,) = search.expand(leaf, np.random.default_rng(1))
    with pytest.raises(search.TraceError, match="does not hang on the selected node"):
        trace.expanded(far)


@pytest.mark.parametrize(
    "returns", [(1.0,), (1.0, -1.0, 0.0), (2.0, 0.0), (math.nan, 0.0), ("1", "0"), 1.0, None, "10"]
)
def test_returns_that_are_no_returns_are_refused(returns: Any) -> None:
    trace = search.Trace()
    grown(trace)
    with pytest.raises(search.TraceError, match="two numbers in"):
        trace.simulated(returns)


def test_a_rollout_that_cannot_have_been_played_is_refused() -> None:
    trace = search.Trace()
    _, leaf = grown(trace)
    assert leaf.action is not None
    with pytest.raises(search.TraceError, match="Move 1 of this rollout"):
        trace.simulated((1.0, -1.0), [leaf.action])


@pytest.mark.parametrize(
    "score", [math.nan, "high", None, (1.0, 2.0, 3.0), (), (math.inf, -math.inf)]
)
def test_scores_that_are_no_numbers_are_refused(score: Any) -> None:
    trace = search.Trace()
    root, leaf = grown(trace)
    trace.simulated((1.0, -1.0))
    count(leaf)
    trace.backpropagated()
    with pytest.raises(search.TraceError, match="The score of"):
        trace.selected(leaf, lambda node, child: score)
    trace.selected(leaf, lambda node, child: np.float64(0.5))
    assert root.visit_count == 1


def test_a_backpropagation_that_has_not_happened_is_refused() -> None:
    trace = search.Trace()
    grown(trace)
    trace.simulated((1.0, -1.0))
    with pytest.raises(search.TraceError, match="No number has changed"):
        trace.backpropagated()


@pytest.mark.parametrize(("visits", "total"), [(0.5, 0.0), (-1, 0.0), ("1", 0.0), (1, math.nan)])
def test_statistics_that_are_no_statistics_are_refused(visits: Any, total: Any) -> None:
    trace = search.Trace()
    _, leaf = grown(trace)
    trace.simulated((1.0, -1.0))
    leaf.visit_count, leaf.total_value = visits, total
    with pytest.raises(search.TraceError, match=f"{leaf.action and ''}it has to be"):
        trace.backpropagated()


# Files


@pytest.mark.parametrize("expansion", ["one", "all"])
@pytest.mark.parametrize("state", FOUR_GAMES, ids=title)
def test_two_hundred_simulations_take_less_than_two_megabytes(
    state: State, expansion: str, tmp_path: Path
) -> None:
    trace = record(state, 200, expansion=expansion)
    path = trace.save(tmp_path / "trace.json")
    assert path.stat().st_size < TWO_MEGABYTES
    assert list(tmp_path.iterdir()) == [path]
    loaded = search.Trace.load(path)
    assert repr(loaded) == repr(trace)
    assert [one.rollouts for one in loaded.simulations] == [
        one.rollouts for one in trace.simulations
    ]
    assert [node.board for node in loaded.nodes] == [node.board for node in trace.nodes]
    assert loaded.statistics() == trace.statistics()
    again = trace_file.dump(*_parts(loaded))
    assert again == path.read_text()


def _parts(trace: search.Trace) -> tuple[Any, Any, Any]:
    return trace.game, trace.nodes, trace.simulations


@pytest.mark.parametrize("state", SMALL_GAMES, ids=title)
def test_the_tree_of_a_loaded_trace_can_be_drawn_but_not_played_on(
    state: State, tmp_path: Path
) -> None:
    trace = search.Trace()
    rng = np.random.default_rng(1)
    result = search.mcts(state, num_simulations=60, rng=rng, trace=trace)
    copy = search.Trace.load(trace.save(tmp_path / "trace.json")).result()
    assert [child[:3] for child in copy.children] == [child[:3] for child in result.children]
    assert copy.principal_variation == result.principal_variation
    assert draw.tree(copy).source == draw.tree(result).source
    for one, other in zip(nodes_of(copy.root), nodes_of(result.root), strict=True):
        assert str(other.state).startswith(str(one.state))  # Reversi counts its discs, too
        assert sorted(one.untried_actions) == sorted(other.untried_actions)
        assert one.mover == other.mover
    with pytest.raises(search.TraceError, match=f"rules of {state.title}"):
        copy.state.child(0)


def test_scores_keep_six_digits_and_infinite_ones_stay_infinite(tmp_path: Path) -> None:
    trace = search.Trace()
    root = search.Node(games.TicTacToe())
    leaves = search.expand_all(root, np.random.default_rng(1))
    trace.start(root)
    trace.selected(root)
    trace.expanded(leaves[0])
    trace.simulated((1 / 3, -1 / 3))
    search.backpropagate(leaves[0], (1 / 3, -1 / 3))
    trace.backpropagated()
    trace.selected(leaves[0], search.ucb1(c=1.2).score)
    loaded = search.Trace.load(trace.save(tmp_path / "trace.json"))
    assert loaded.statistics()[1] == (1, 0.333333)
    trace.expanded(leaves[0])
    trace.simulated((1.0, -1.0))
    search.backpropagate(leaves[0], (1.0, -1.0))
    trace.backpropagated()
    loaded = search.Trace.load(trace.save(tmp_path / "trace.json"))
    (step,) = loaded.simulations[1].selection or ()
    terms = {one.action: one.terms for one in step.considered}
    assert terms.pop(leaves[0].action or 0) == pytest.approx((2 / 3, 0.0), abs=1e-6)
    assert set(terms.values()) == {(0.0, math.inf)}


def test_a_loaded_trace_is_complete(tmp_path: Path) -> None:
    loaded = search.Trace.load(record(games.TicTacToe()).save(tmp_path / "trace.json"))
    with pytest.raises(search.TraceError, match="fresh one"):
        loaded.start(search.Node(games.TicTacToe()))
    with pytest.raises(search.TraceError, match="fresh one"):
        loaded.backpropagated()


def test_saving_that_fails_keeps_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "trace.json"
    record(games.TicTacToe()).save(path)
    before = path.read_bytes()

    def fail(*_: object) -> str:
        raise OSError("disk full")

    monkeypatch.setattr(trace_file, "dump", fail)
    with pytest.raises(OSError, match="disk full"):
        record(games.Reversi(4)).save(path)
    assert path.read_bytes() == before
    with pytest.raises(search.TraceError, match="nothing to save"):
        search.Trace().save(path)


SMALL_FILE = trace_file.dump(*_parts(record(games.TicTacToe(), 12)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "can't be read as JSON"),
        ("hello", "can't be read as JSON"),
        ("\x89PNG", "can't be read as JSON"),
        ("[" * 100_000, "nested too deeply|can't be read"),
        ("[1, 2]", "no trace of a search"),
        ('{"cells": [], "nbformat": 4}', "no trace of a search"),
        ('{"format": "mctslab.trace", "version": 99}', "version 99"),
        ('{"format": "mctslab.trace", "version": 1}', "damaged: game: 'game' is missing"),
        (SMALL_FILE.replace('"leaf":3', '"leaf":300'), r"simulations\[2\]: there is 300 where"),
        (SMALL_FILE.replace('"style":"marks"', '"style":"x"'), "damaged: game"),
        (SMALL_FILE.replace('"........."', '"........"'), "8 squares, not 9"),
    ],
    ids=range(11),
)
def test_a_file_that_is_no_trace_is_named_with_its_mistake(
    text: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(search.TraceFileError, match=message) as caught:
        search.Trace.load(path)
    assert str(path) in str(caught.value)


@given(st.integers(0, len(SMALL_FILE) - 1))
def test_a_truncated_file_is_refused(length: int) -> None:
    with pytest.raises(search.TraceFileError, match="cut off"):
        trace_file.parse(SMALL_FILE[:length], name="short.json")


STRANGE_VALUES = st.sampled_from(
    [None, True, -1, 0, 1, 7, 10**9, 0.5, 1e400, "", "x", "ff", [], [0], [[]], {}, "." * 9]
)


@given(data=st.data())
def test_a_damaged_file_is_read_or_refused_but_never_trips(data: st.DataObject) -> None:
    document = json.loads(SMALL_FILE)
    part: Any = document
    while True:
        keys = list(part) if isinstance(part, dict) else list(range(len(part)))
        key = data.draw(st.sampled_from(keys))
        inner = part[key]
        if not isinstance(inner, dict | list) or not inner or data.draw(st.booleans()):
            break
        part = inner
    if isinstance(part, dict) and data.draw(st.booleans()):
        del part[key]
    else:
        part[key] = data.draw(STRANGE_VALUES)
    try:
        game, nodes, simulations = trace_file.parse(json.dumps(document), name="odd.json")
    except search.TraceFileError:
        return
    check_whole(nodes, simulations)
    assert len(game.player_names) == 2


def check_whole(nodes: list[Any], simulations: list[Simulation]) -> None:
    """Whoever reads a trace may count on this."""
    for number, node in enumerate(nodes):
        assert (node.parent is None) == (number == 0)
        assert node.parent is None or 0 <= node.parent < number
        assert set(node.board.stones) <= {EMPTY, 0, 1}
    for simulation in simulations:
        for step in simulation.selection or ():
            assert nodes[step.chosen].parent == step.node
        assert all(0 <= update.node < len(nodes) for update in simulation.updates)
