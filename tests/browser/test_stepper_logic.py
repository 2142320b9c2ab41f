"""The phase stepper's logic, held against the search itself and the rules. No page, no kernel."""

import json
from collections import Counter
from functools import cache, partial

import numpy as np
import pytest

from mctslab import games, search
from mctslab.widgets.board_view import winning_lines
from mctslab.widgets.trace_document import trace_document
from tests.browser.modules import exports_of
from tests.search.toys import FunctionEvaluator, all_nodes, path_to
from tests.widgets.test_tree_explorer import after, by_path

model = exports_of("stepper_model.js", "words.js")


def searched(state, num_simulations, trace=None, **options):
    """The root of the tree after a search, which is the same with and without a trace."""
    options |= {"rng": np.random.default_rng(5), "trace": trace}
    if num_simulations == 0:
        return options.get("root") or search.Node(state)
    return search.mcts(state, num_simulations=num_simulations, **options).root


def searched_again(num_simulations, trace=None):
    """A search that goes on with the tree of an earlier one."""
    first = search.mcts(games.TicTacToe(), num_simulations=200, rng=np.random.default_rng(2))
    following = first.state.child(first.best_action)
    (root,) = (child for child in first.root.children if child.action == first.best_action)
    root.parent = None
    return searched(following, num_simulations, trace, root=root)


by_three_rollouts = {"evaluator": search.rollout_evaluator(num_rollouts=3)}
without_rollouts = {"evaluator": FunctionEvaluator(lambda state: 0.25)}
SEARCHES = {
    "tictactoe": (partial(searched, games.TicTacToe()), 60),
    "an earlier tree": (searched_again, 25),
    "three rollouts": (partial(searched, games.ConnectFour(4, 5), **by_three_rollouts), 30),
    "reversi with passes": (partial(searched, games.Reversi(4)), 60),
    "no rollout": (partial(searched, games.Gomoku(4, 3), **without_rollouts), 40),
    "a winner": (partial(searched, after(0, 3, 1, 4)), 30),
}


@cache
def traced(name):
    make, num_simulations = SEARCHES[name]
    trace = search.Trace()
    make(num_simulations, trace)
    return trace


def num_events(trace):
    """How many events of each kind there are, from the plain data of the trace."""
    found = Counter()
    for one in trace.simulations:
        selection = {} if one.selection is None else {"compare": len(one.selection), "stop": 1}
        plies = {"ply": sum(len(each.plies) for each in one.rollouts), "result": len(one.rollouts)}
        value = int(len(one.rollouts) != 1)
        found.update(selection | plies, expand=1, value=value, update=len(one.updates.node))
    return found


FRAMES = """document => {
    globalThis.trace = readTrace(document);
    return JSON.stringify(trace.events.map((event, at) => {
        const frame = frameAt(trace, at);
        const isSeen = frame.visits.map((_, node) => frame.isVisible(node));
        return { ...frame, isSeen };
    }), (_, value) => value === Infinity ? 'Infinity' : value);
}"""


@cache
def frames(model, name):
    """What is on show at every event."""
    shown = json.loads(model.evaluate(FRAMES, trace_document(traced(name))))
    assert not any("undefined" in each["caption"] or "NaN" in each["caption"] for each in shown)
    return shown


def statistics(root):
    return {path_to(node): (node.visit_count, node.total_value) for node in all_nodes(root)}


@pytest.mark.parametrize("name", SEARCHES)
def test_every_frame_has_the_numbers_that_the_search_had_then(model, name):
    """Searches that end after 0, 1, 2, ... simulations are the oracle. In between, the nodes that
    were updated have the new numbers, and the others the old ones."""
    trace, (make, num_simulations) = traced(name), SEARCHES[name]
    trees = [statistics(make(number)) for number in range(num_simulations + 1)]
    paths, kinds = [*by_path(trace_document(trace))], Counter[str]()
    is_seen = [number == 0 or node.first_visit_count > 0 for number, node in enumerate(trace.nodes)]
    for frame in frames(model, name):
        event, was_updated = frame["event"], set()
        kinds[event["kind"]] += 1
        one = trace.simulations[event["simulation"]]
        if event["kind"] == "update":
            was_updated = {paths[node] for node in one.updates.node[: event["index"] + 1]}
        before, then = trees[event["simulation"] : event["simulation"] + 2]
        expected = [
            then[path] if path in was_updated else before.get(path, (0, 0.0)) for path in paths
        ]
        assert frame["visits"] == [visits for visits, _ in expected]
        np.testing.assert_allclose(frame["totals"], [total for _, total in expected], rtol=1e-5)
        if event["kind"] == "expand":
            is_seen[one.leaf] = True
        assert frame["isSeen"] == is_seen
    assert all(is_seen)
    assert kinds == num_events(trace)


ORDER = ("selection", "expansion", "simulation", "backpropagation")


@pytest.mark.parametrize("name", SEARCHES)
def test_the_board_plays_what_was_played_and_scores_are_compared_in_their_order(model, name):
    """Every position on show, against the rules themselves."""
    trace, last = traced(name), (0, 0, 0, -1)
    for frame in frames(model, name):
        event, compared = frame["event"], frame["comparison"]
        one, index = trace.simulations[event["simulation"]], event["index"]
        now = (event["simulation"], ORDER.index(event["phase"]), event["rollout"] or 0, index)
        assert now > last or event["kind"] in ("stop", "result", "value"), "one after the other"
        last = now
        state = trace.nodes[compared["node"] if compared else frame["current"]].state
        if event["kind"] in ("ply", "result"):
            state = trace.nodes[one.leaf].state
            plies = one.rollouts[event["rollout"]].plies
            for _, action, *_ in plies[: index + 1] if event["kind"] == "ply" else plies:
                state = state.child(action)
        board, shown = state.board(), frame["board"]
        assert "".join(shown["stones"]) == "".join(".01"[stone + 1] for stone in board.stones)
        assert shown["last"] == board.last_square or event["kind"] == "value"
        assert shown["winning"] == [list(line) for line in winning_lines(board)]
        if compared:
            step = (one.selection or ())[index]
            known = dict(zip(step.actions, map(sum, step.terms), strict=True))
            scores = {row["action"]: float(row["score"]) for row in compared["rows"]}
            assert scores == pytest.approx(known, rel=1e-5)
            assert [*scores.values()] == sorted(scores.values(), reverse=True)
            (chosen,) = (row for row in compared["rows"] if row["isChosen"])
            assert chosen["action"] == trace.nodes[step.chosen].action
            assert chosen["isBest"]
