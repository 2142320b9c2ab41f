"""The phase stepper's logic, held against a replay of the trace in Python. No page, no kernel."""

import json
import math
from typing import Any

import numpy as np
import pytest

from mctslab import games, search
from mctslab.games.state import State
from tests.browser.modules import Module, exports_of
from tests.search.toys import FunctionEvaluator
from tests.widgets.test_tree_explorer import after

model = exports_of("stepper_model.js", "words.js")


def record(state: State, num_simulations: int, **options: Any) -> search.Trace:
    trace = search.Trace()
    rng = np.random.default_rng(5)
    search.mcts(state, num_simulations=num_simulations, rng=rng, trace=trace, **options)
    return trace


def grown_again() -> search.Trace:
    """A search that goes on with the tree of an earlier one."""
    first = search.mcts(games.TicTacToe(), num_simulations=200, rng=np.random.default_rng(2))
    return record(first.state.child(first.best_action), 25, root=first.root)


TRACES = {
    "tictactoe": lambda: record(games.TicTacToe(), 60),
    "tictactoe, all children": lambda: record(games.TicTacToe(), 40, expansion="all"),
    "an earlier tree": grown_again,
    "connect four, three rollouts": lambda: record(
        games.ConnectFour(4, 5), 40, evaluator=search.rollout_evaluator(num_rollouts=3)
    ),
    "reversi with passes": lambda: record(games.Reversi(4), 60),
    "gomoku, no rollout": lambda: record(
        games.Gomoku(4, 3), 40, evaluator=FunctionEvaluator(lambda state: 0.25)
    ),
}


@pytest.fixture(scope="module", params=TRACES, ids=str)
def trace(request: pytest.FixtureRequest) -> search.Trace:
    return TRACES[request.param]()


def load(model: Module, trace: search.Trace) -> None:
    document = trace.document()
    model.run("document => { globalThis.trace = readTrace(document); }", document)


def frames(model: Module, trace: search.Trace, fields: str) -> list[Any]:
    """Some fields of the frame at every event."""
    load(model, trace)
    # As JSON, because Playwright's own way back takes ten times as long.
    text: str = model.run(
        f"() => JSON.stringify(globalThis.trace.events.map((event, at) => "
        f"(({{frame, event}}) => ({fields}))({{frame: frameAt(globalThis.trace, at), event}})),"
        f"(_, value) => value === Infinity ? 'Infinity' : value)"
    )
    shown: list[Any] = json.loads(text)
    return shown


def events_of(trace: search.Trace) -> list[tuple[int, str, str]]:
    """Every event, worked out from the plain data of the trace."""
    events = []
    for number, one in enumerate(trace.simulations):
        if one.selection is not None:
            events += [(number, "selection", "compare") for _ in one.selection]
            events.append((number, "selection", "stop"))
        events.append((number, "expansion", "expand"))
        for rollout in one.rollouts:
            events += [(number, "simulation", "ply") for _ in rollout.plies]
            events.append((number, "simulation", "result"))
        if len(one.rollouts) != 1:
            events.append((number, "simulation", "value"))
        events += [(number, "backpropagation", "update") for _ in one.updates.node]
    return events


def test_every_event_of_the_trace_comes_once_and_in_order(
    model: Module, trace: search.Trace
) -> None:
    shown = frames(model, trace, "[event.simulation, event.phase, event.kind]")
    assert [tuple(event) for event in shown] == events_of(trace)


def test_the_numbers_at_every_event_are_those_of_a_replay(
    model: Module, trace: search.Trace
) -> None:
    shown = frames(model, trace, "{n: frame.visits, w: frame.totals, u: frame.updates}")
    statistics = [(node.first_visit_count, node.first_total_value) for node in trace.nodes]
    events = events_of(trace)
    at = 0
    for number, one in enumerate(trace.simulations):
        before = sum(1 for event in events if event[0] == number and event[2] != "update")
        for frame in shown[at : at + before]:
            assert_statistics(frame, statistics)
        at += before
        new = zip(one.updates.visit_count, one.updates.total_value, strict=True)
        for node, frame in zip(one.updates.node, shown[at:], strict=False):
            old_visits, old_total = statistics[node]
            statistics[node] = next(new)
            assert_statistics(frame, statistics)
            last = frame["u"][-1]
            assert (last["node"], last["oldVisits"]) == (node, old_visits)
            assert last["oldTotal"] == pytest.approx(old_total, rel=1e-5)
        at += len(one.updates.node)
    assert at == len(shown)
    assert statistics == trace.statistics()


def assert_statistics(frame: Any, statistics: list[tuple[int, float]]) -> None:
    assert frame["n"] == [visits for visits, _ in statistics]
    np.testing.assert_allclose(frame["w"], [total for _, total in statistics], rtol=1e-5)


def test_a_node_is_seen_from_its_expansion_on(model: Module, trace: search.Trace) -> None:
    shown = frames(model, trace, "frame.visits.map((_, node) => frame.isVisible(node))")
    seen = [number == 0 or node.first_visit_count > 0 for number, node in enumerate(trace.nodes)]
    for (number, _, kind), visible in zip(events_of(trace), shown, strict=True):
        if kind == "expand":
            seen[trace.simulations[number].leaf] = True
        assert visible == seen
    assert all(seen)


def test_the_board_plays_what_was_played(model: Module, trace: search.Trace) -> None:
    """Every position on show, against the rules themselves."""
    shown = frames(
        model,
        trace,
        "[frame.board.stones.join(''), frame.board.last, frame.board.winning.join(), event.rollout,"
        " event.index, frame.comparison?.node ?? null, frame.current]",
    )
    positions = positions_of(trace)
    for (number, _, kind), (stones, last, winning, rollout, index, compared, current) in zip(
        events_of(trace), shown, strict=True
    ):
        one = trace.simulations[number]
        state = positions[current if compared is None else compared]
        if kind in ("ply", "result"):
            state = positions[one.leaf]
            plies = one.rollouts[rollout].plies
            for _, action, *_ in plies[: index + 1] if kind == "ply" else plies:
                state = state.child(action)
        board = state.board()
        assert stones == "".join(".01"[stone + 1] for stone in board.stones)
        assert last == board.last_square or (kind, board.last_square) == ("value", None)
        assert winning == ",".join(map(str, board.winning_squares))


def positions_of(trace: search.Trace) -> list[State]:
    root = trace.nodes[0].state
    positions: list[State] = [root]
    for node in trace.nodes[1:]:
        assert node.parent is not None
        assert node.action is not None
        positions.append(positions[node.parent].child(node.action))
    return positions


def test_the_compared_children_stand_in_the_order_of_their_scores(
    model: Module, trace: search.Trace
) -> None:
    shown = frames(model, trace, "frame.comparison")
    steps = [step for one in trace.simulations for step in one.selection or ()]
    comparisons = [comparison for comparison in shown if comparison]
    assert len(comparisons) == len(steps) > 0
    for comparison, step in zip(comparisons, steps, strict=True):
        rows = comparison["rows"]
        assert sorted(row["action"] for row in rows) == sorted(step.actions)
        scores = [float(row["score"]) for row in rows]
        assert scores == sorted(scores, reverse=True)
        (chosen,) = [row for row in rows if row["isChosen"]]
        assert chosen["action"] == trace.nodes[step.chosen].action
        assert chosen["isBest"]
        known = dict(zip(step.actions, map(sum, step.terms), strict=True))
        for row in rows:
            assert float(row["score"]) == pytest.approx(known[row["action"]], rel=1e-5)


@pytest.mark.parametrize("unit", ["event", "phase", "simulation"])
def test_steps_lead_through_every_unit_and_back(
    model: Module, trace: search.Trace, unit: str
) -> None:
    load(model, trace)
    walk = """([unit, direction]) => {
        const {events} = globalThis.trace;
        const seen = [];
        for (let at = direction > 0 ? 0 : events.length - 1, next; ; at = next) {
            next = step(events, at, unit, direction);
            if (next === at) return seen;
            seen.push(next);
        }
    }"""
    events = events_of(trace)
    ends = [
        at
        for at, event in enumerate(events)
        if unit == "event"
        or at == len(events) - 1
        or event[: 2 if unit == "phase" else 1] != events[at + 1][: 2 if unit == "phase" else 1]
    ]
    assert model.run(walk, [unit, 1]) == [end for end in ends if end > 0]
    assert model.run(walk, [unit, -1]) == sorted({0, *ends[:-1]}, reverse=True)


def captions(model: Module, trace: search.Trace, kind: str) -> list[str]:
    shown = frames(model, trace, "[event.kind, frame.caption]")
    assert not any("undefined" in caption or "NaN" in caption for _, caption in shown)
    return [caption for one, caption in shown if one == kind]


def by_hand(terms: dict[int, Any]) -> search.Trace:
    """Tic-Tac-Toe's root with a visited child for each of `terms`, which are its score."""
    trace = search.Trace()
    root = search.Node(games.TicTacToe())
    trace.start(root)

    def simulate(leaf: search.Node, returns: tuple[float, float]) -> None:
        trace.expanded(leaf)
        trace.simulated(returns)
        search.backpropagate(leaf, returns)
        trace.backpropagated()

    for action in terms:
        trace.selected(root)
        root.children.append(search.Node(parent=root, action=action))
        simulate(root.children[-1], (1.0, -1.0))
    taken = root.children[0]
    score = None if None in terms.values() else lambda _, child: terms[child.action]
    trace.selected(taken, score)
    (leaf,) = search.expand(taken, np.random.default_rng(1))
    simulate(leaf, (0.0, 0.0))
    return trace


@pytest.mark.parametrize(("terms", "caption"), [
    ({4: (0.83, 0.91), 0: (0.5, 0.9), 1: (0.2, 0.9)},
     "of 3 children, b2 has the highest score: 0.83 + 0.91 = 1.74."),
    ({4: (0.833, 0.914), 0: (0.5, 0.9)},
     "of 2 children, b2 has the highest score: 0.83 + 0.91 ≈ 1.75."),
    ({4: (0.8331, 0.91), 0: (0.8321, 0.91)},
     "of 2 children, b2 has the highest score: 0.833 + 0.910 = 1.743."),
    ({4: (0.5, 0.5), 0: (0.4, 0.6), 1: (0.1, 0.1)},
     "of 3 children, b2 and 1 other share the highest score, 0.50 + 0.50 = 1.00; b2 is taken."),
    ({4: (0.5, 0.5), 0: (0.4, 0.9)},
     "of 2 children, b2 is taken with a score of 0.50 + 0.50 = 1.00, although a1 has a higher "
     "one: 1.30."),
    ({4: -0.25, 0: -0.5}, "of 2 children, b2 has the highest score: −0.25."),
    ({4: None, 0: None}, "of 2 children, b2 is taken."),
    ({4: (0.5, 0.5)}, "b2 is the only child, so the walk goes there."),
    ({4: (1.0, math.inf), 0: (1.0, 2.0)}, "of 2 children, b2 has the highest score: ∞."),
])  # fmt: skip
def test_what_is_said_of_a_comparison(model: Module, terms: dict[int, Any], caption: str) -> None:
    assert captions(model, by_hand(terms), "compare") == [caption]


SPOKEN = {
    "of TicTacToe": lambda: record(games.TicTacToe(), 60),
    "of Reversi": lambda: record(games.Reversi(4), 60),
    "of two moves": lambda: record(after(0, 1, 2, 4, 3, 5, 7), 8),
    "of a winner": lambda: record(after(0, 3, 1, 4), 30),
    "by two rollouts": lambda: record(
        games.TicTacToe(), 5, evaluator=search.rollout_evaluator(num_rollouts=2)
    ),
    "without rollouts": lambda: record(
        games.TicTacToe(), 2, evaluator=FunctionEvaluator(lambda state: 0.25)
    ),
    "by hand": lambda: by_hand({4: (0.5, 0.5)}),
}


@pytest.mark.parametrize(("trace", "kind", "part"), [
    ("of TicTacToe", "stop", "the walk ends at the root: none of its 9 moves has been tried yet."),
    ("of TicTacToe", "stop", "ends at the root: 8 of its 9 moves have not been tried yet."),
    ("of TicTacToe", "stop", "ends at the root: 1 of its 9 moves has not been tried yet."),
    ("of two moves", "stop", "the walk ends at a3: its only move has not been tried yet."),
    ("of two moves", "expand", ", one of 2 untried moves, becomes a new node."),
    ("of two moves", "expand", ", the last untried move, becomes a new node."),
    ("of two moves", "expand", "game is over here, so nothing is added; c3 itself is the leaf."),
    ("of Reversi", "ply", ": White passes."),
    ("of Reversi", "result", "the rollout is over: Black wins, +1 for Black and −1 for White."),
    ("of Reversi", "result", "the rollout is over: White wins, −1 for Black and +1 for White."),
    ("by two rollouts", "ply", "rollout 1 of 2, move 1 of "),
    ("by two rollouts", "value", "the mean of 2 rollouts is "),
    ("without rollouts", "value", "no moves are played; the evaluator's value for the leaf is"),
    ("without rollouts", "value", "is −0.25 for X and +0.25 for O."),
    ("of a winner", "value", "there is nothing left to play: X wins, +1 for X and −1 for O."),
    ("by hand", "update", "b2 was X's move. N 0 → 1, W 0 → +1, so Q none → +1.00."),
    ("by hand", "update", "the root's numbers are for X, who is to move. N 1 → 2, W stays +1"),
    ("by hand", "update", "was O's move. N 0 → 1, W stays 0, so Q none → 0.00."),
])  # fmt: skip
def test_what_is_said_of_other_events(model: Module, trace: str, kind: str, part: str) -> None:
    assert any(part in caption for caption in captions(model, SPOKEN[trace](), kind))


@pytest.mark.parametrize(("call", "text"), [
    ("signed(0.314)", "+0.31"), ("signed(-1)", "−1.00"), ("signed(-0.001)", "0.00"),
    ("total(12)", "+12"), ("total(-0.5)", "−0.50"), ("total(0)", "0"),
    ("plain(Infinity)", "∞"), ("plain(-2.5, 1)", "−2.5"), ("count(12345)", "12,345"),
    ("plural(1, 'move')", "1 move"), ("plural(3, 'child', 'children')", "3 children"),
])  # fmt: skip
def test_numbers_as_text(model: Module, call: str, text: object) -> None:
    assert model.run(f"() => {call}") == text
