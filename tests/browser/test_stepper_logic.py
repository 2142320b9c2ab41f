"""The phase stepper's logic, held against a replay of the trace in Python. No page, no kernel."""

import json
import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser

from mctslab import games, search
from mctslab.games.state import State
from mctslab.search import trace_file
from tests.browser.modules import Module
from tests.search.toys import FunctionEvaluator

PHASES = ["selection", "expansion", "simulation", "backpropagation"]


@pytest.fixture(scope="module")
def model(chromium: Browser) -> Iterator[Module]:
    module = Module(chromium, "words.js", "tree_view.js", "stepper_model.js")
    yield module
    module.close()


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
    assert trace.game is not None
    document = trace_file.document(trace.game, trace.nodes, trace.simulations)
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
    first = {
        "tictactoe": games.TicTacToe(),
        "connect_four": games.ConnectFour(4, 5),
        "reversi": games.Reversi(4),
        "gomoku": games.Gomoku(4, 3),
    }
    assert trace.game is not None
    root = first[trace.game.name]
    if trace.nodes[0].last_square is not None:
        root = root.child(trace.nodes[0].last_square)
    positions = [root]
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


def test_captions_say_which_phase_s_numbers_they_are(model: Module, trace: search.Trace) -> None:
    shown = frames(model, trace, "[event.kind, frame.caption]")
    for kind, caption in shown:
        assert caption.endswith(".")
        assert "undefined" not in caption
        assert "NaN" not in caption
        if kind == "update":
            assert "N " in caption
            assert "→" in caption


# Captions, word by word


def captions(model: Module, trace: search.Trace, kind: str) -> list[str]:
    shown = frames(model, trace, "[event.kind, frame.caption]")
    return [caption for one, caption in shown if one == kind]


def by_hand(terms: dict[int, Any], chosen: int | None = None) -> search.Trace:
    """Tic-Tac-Toe's root with a visited child for each of `terms`, which are its score."""
    trace = search.Trace()
    root = search.Node(games.TicTacToe())
    trace.start(root)
    for action in terms:
        trace.selected(root)
        child = search.Node(parent=root, action=action)
        root.children.append(child)
        trace.expanded(child)
        trace.simulated((1.0, -1.0))
        search.backpropagate(child, (1.0, -1.0))
        trace.backpropagated()
    taken = next(child for child in root.children if child.action == (chosen or next(iter(terms))))
    score = None if None in terms.values() else lambda _, child: terms[child.action]
    trace.selected(taken, score)
    (leaf,) = search.expand(taken, np.random.default_rng(1))
    trace.expanded(leaf)
    trace.simulated((0.0, 0.0))
    search.backpropagate(leaf, (0.0, 0.0))
    trace.backpropagated()
    return trace


@pytest.mark.parametrize(
    ("terms", "chosen", "caption"),
    [
        (
            {4: (0.83, 0.91), 0: (0.5, 0.9), 1: (0.2, 0.9)},
            None,
            "of 3 children, b2 has the highest score: 0.83 + 0.91 = 1.74.",
        ),
        (
            {4: (0.833, 0.914), 0: (0.5, 0.9)},
            None,
            "of 2 children, b2 has the highest score: 0.83 + 0.91 ≈ 1.75.",
        ),
        (
            {4: (0.8331, 0.91), 0: (0.8321, 0.91)},
            None,
            "of 2 children, b2 has the highest score: 0.833 + 0.910 = 1.743.",
        ),
        (
            {4: (0.5, 0.5), 0: (0.4, 0.6), 1: (0.1, 0.1)},
            None,
            "of 3 children, b2 and 1 other share the highest score, 0.50 + 0.50 = 1.00; "
            "b2 is taken.",
        ),
        (
            {4: (0.5, 0.5), 0: (0.4, 0.9)},
            None,
            "of 2 children, b2 is taken with a score of 0.50 + 0.50 = 1.00, although a1 has a "
            "higher one: 1.30.",
        ),
        ({4: -0.25, 0: -0.5}, None, "of 2 children, b2 has the highest score: −0.25."),
        ({4: None, 0: None}, None, "of 2 children, b2 is taken."),
        ({4: (0.5, 0.5)}, None, "b2 is the only child, so the walk goes there."),
        (
            {4: (1.0, math.inf), 0: (1.0, 2.0)},
            None,
            "of 2 children, b2 has the highest score: ∞.",
        ),
    ],
)
def test_what_is_said_of_a_comparison(
    model: Module, terms: dict[int, Any], chosen: int | None, caption: str
) -> None:
    assert captions(model, by_hand(terms, chosen), "compare") == [caption]


def test_a_child_without_a_visit_comes_first(model: Module) -> None:
    trace = search.Trace()
    root = search.Node(games.TicTacToe())
    first, second, *_ = search.expand_all(root, np.random.default_rng(1))
    trace.start(root)
    for child, before in ((first, root), (second, second)):
        trace.selected(before, search.ucb1().score)
        trace.expanded(child)
        trace.simulated((1.0, -1.0))
        search.backpropagate(child, (1.0, -1.0))
        trace.backpropagated()
    name = games.TicTacToe().action_to_string(second.action or 0)
    assert captions(model, trace, "compare") == [
        f"of 9 children, {name} has not been visited yet, so it comes before the visited ones."
    ]


def test_what_is_said_of_the_end_of_a_walk(model: Module) -> None:
    said = captions(model, record(games.TicTacToe(), 60), "stop")
    assert said[0] == "the walk ends at the root: none of its 9 moves has been tried yet."
    assert said[1] == "the walk ends at the root: 8 of its 9 moves have not been tried yet."
    assert said[8] == "the walk ends at the root: 1 of its 9 moves has not been tried yet."
    near_the_end = games.TicTacToe()
    for action in (0, 1, 2, 4, 3, 5, 7):
        near_the_end = near_the_end.child(action)
    said = captions(model, record(near_the_end, 6), "stop")
    assert "the walk ends at a3: its only move has not been tried yet." in said
    assert any(text.endswith("where the game is over.") for text in said)


def test_what_is_said_of_an_expansion(model: Module) -> None:
    near_the_end = games.TicTacToe()
    for action in (0, 1, 2, 4, 3, 5, 7):
        near_the_end = near_the_end.child(action)
    said = captions(model, record(near_the_end, 8), "expand")
    assert said[0].startswith("O's move ")
    assert said[0].endswith(", one of 2 untried moves, becomes a new node.")
    assert said[1].endswith(", the last untried move, becomes a new node.")
    assert any(
        text.endswith("the game is over here, so nothing is added; c3 itself is the leaf.")
        for text in said
    )


def test_what_is_said_of_a_rollout(model: Module) -> None:
    trace = record(games.Reversi(4), 60)
    said = captions(model, trace, "ply")
    assert any(
        text.endswith(": White passes.") or text.endswith(": Black passes.") for text in said
    )
    plies = trace.simulations[0].rollouts[0].plies
    mover = "Black" if plies[0][0] == 0 else "White"
    name = games.Reversi(4).action_to_string(plies[0][1])
    assert said[0] == f"move 1 of {len(plies)}: {mover} plays {name}."
    results = set(captions(model, trace, "result"))
    assert results <= {
        "the rollout is over: Black wins, +1 for Black and −1 for White.",
        "the rollout is over: White wins, −1 for Black and +1 for White.",
        "the rollout is over: a draw, 0 for both.",
    }
    assert len(results) >= 2
    several = record(games.TicTacToe(), 5, evaluator=search.rollout_evaluator(num_rollouts=2))
    assert captions(model, several, "ply")[0].startswith("rollout 1 of 2, move 1 of ")
    assert captions(model, several, "value")[0].startswith("the mean of 2 rollouts is ")


def test_what_is_said_where_nothing_is_played(model: Module) -> None:
    judged = record(games.TicTacToe(), 2, evaluator=FunctionEvaluator(lambda state: 0.25))
    assert captions(model, judged, "value")[0] == (
        "no moves are played; the evaluator's value for the leaf is −0.25 for X and +0.25 for O."
    )
    state = games.TicTacToe()
    for action in (0, 3, 1, 4):
        state = state.child(action)
    said = captions(model, record(state, 30), "value")
    assert (
        "the game is over, so there is nothing left to play: X wins, +1 for X and −1 for O." in said
    )


def test_what_is_said_of_an_update(model: Module) -> None:
    said = captions(model, by_hand({4: (0.5, 0.5)}), "update")
    assert said == [
        "b2 was X's move. N 0 → 1, W 0 → +1, so Q none → +1.00.",
        "the root's numbers are for X, who is to move. N 0 → 1, W 0 → +1, so Q none → +1.00.",
        said[2],
        "b2 was X's move. N 1 → 2, W stays +1, so Q +1.00 → +0.50.",
        "the root's numbers are for X, who is to move. N 1 → 2, W stays +1, so Q +1.00 → +0.50.",
    ]
    assert said[2].endswith("was O's move. N 0 → 1, W stays 0, so Q none → 0.00.")


# Numbers


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("signed(0.314)", "+0.31"),
        ("signed(-1)", "−1.00"),
        ("signed(-0.001)", "0.00"),
        ("total(12)", "+12"),
        ("total(-0.5)", "−0.50"),
        ("total(0)", "0"),
        ("plain(Infinity)", "∞"),
        ("plain(-2.5, 1)", "−2.5"),
        ("count(12345)", "12,345"),
        ("plural(1, 'move')", "1 move"),
        ("plural(3, 'child', 'children')", "3 children"),
        ("countBits('1ff')", 9),
    ],
)
def test_numbers_as_text(model: Module, call: str, text: object) -> None:
    assert model.run(f"() => {call}") == text


# Geometry

SIZE = {"width": 600, "height": 400}


def test_the_whole_tree_lies_in_the_pane(model: Module) -> None:
    places = [{"x": x / 10, "depth": depth} for depth in range(4) for x in range(11)]
    at = model.run(
        "([places, size]) => places.map(place => locate(fitTree(places, size), WHOLE_TREE, place))",
        [places, SIZE],
    )
    assert all(0 <= one["x"] <= 600 and 0 <= one["y"] <= 400 for one in at)
    rows = sorted({one["y"] for one in at})
    assert len(rows) == 4
    assert rows[1] - rows[0] == pytest.approx(rows[3] - rows[2])


def test_zooming_keeps_what_is_under_the_mouse(model: Module) -> None:
    places = [{"x": 0.5, "depth": 0}, {"x": 0.2, "depth": 1}, {"x": 1, "depth": 3}]
    for factor, view in ((1.6, {"zoom": 1, "x": 0, "y": 0}), (0.5, {"zoom": 6, "x": -90, "y": 12})):
        before, after, zoom = model.run(
            """([places, size, view, factor]) => {
                const fit = fitTree(places, size);
                const at = locate(fit, view, places[1]);
                const zoomed = zoomAt(fit, view, factor, at.x, at.y);
                return [at, locate(fit, zoomed, places[1]), zoomed.zoom];
            }""",
            [places, SIZE, view, factor],
        )
        assert after == pytest.approx(before)
        assert zoom == pytest.approx(max(view["zoom"] * factor, 1))


def test_following_brings_a_node_into_the_pane(model: Module) -> None:
    places = [{"x": 0.5, "depth": 0}, {"x": 0.0, "depth": 9}, {"x": 1.0, "depth": 9}]
    for target in places:
        at = model.run(
            """([places, size, target]) => {
                const fit = fitTree(places, size);
                const view = follow(fit, {zoom: 5, x: -300, y: 40}, [target], size);
                return locate(fit, view, target);
            }""",
            [places, SIZE, target],
        )
        assert 0 < at["x"] < 600
        assert 0 < at["y"] < 400


def test_cards_overlap_nothing_and_come_by_whole_families(model: Module) -> None:
    rng = np.random.default_rng(11)
    for _ in range(20):
        row = [
            {
                "node": node,
                "group": int(rng.integers(5)),
                "depth": 1,
                "x": float(rng.uniform(0, 600)),
                "width": 52,
                "weight": int(rng.integers(20)),
                "isNeeded": node == 0,
                "isCompared": False,
            }
            for node in range(int(rng.integers(1, 25)))
        ]
        for one in row:
            one["cardX"] = one["x"]
        cards, hidden = model.run(
            "row => Object.values(chooseCards(row)).map(chosen => [...chosen])",
            row,
        )
        assert 0 in cards
        placed = sorted(row[node]["cardX"] for node in cards)
        assert all(right - left >= 52 for left, right in pairwise(placed))
        for group in range(5):
            family = {one["node"] for one in row if one["group"] == group and one["node"]}
            assert family <= set(cards) or not family & set(cards)
        for node in hidden:
            assert abs(row[node]["x"] - row[0]["x"]) < 32


def test_siblings_are_moved_apart_no_farther_than_needed(model: Module) -> None:
    rng = np.random.default_rng(12)
    for _ in range(30):
        xs = sorted(float(x) for x in rng.uniform(0, 600, int(rng.integers(1, 13))))
        fixed = int(rng.integers(len(xs)))
        places = model.run("([xs, fixed, size]) => spread(xs, fixed, 50, size)", [xs, fixed, SIZE])
        if places is None:
            assert (len(xs) - 1) * 54 > 600 - 56
            continue
        assert all(right - left >= 54 - 1e-6 for left, right in pairwise(places))
        assert all(28 - 1e-6 <= place <= 572 + 1e-6 for place in places)
    moved = model.run("([xs, size]) => spread(xs, 1, 50, size)", [[100, 300, 310], SIZE])
    assert moved == [100, 300, 354]


def test_a_card_stays_in_the_pane_with_its_node(model: Module) -> None:
    xs = model.run(
        "([size]) => [-30, 0, 10, 300, 595, 600, 640].map(x => cardPlace(x, 52, size))", [SIZE]
    )
    assert xs == [-1, 29, 29, 300, 571, 571, 611]


def test_the_nearest_node_is_found_within_reach(model: Module) -> None:
    points = [{"node": 3, "x": 10, "y": 10}, {"node": 5, "x": 30, "y": 10}]
    script = "([points, x, y]) => nearest(points, x, y, 12)"
    assert model.run(script, [points, 12, 10]) == 3
    assert model.run(script, [points, 25, 14]) == 5
    assert model.run(script, [points, 60, 10]) is None
