"""The trace: what it records, and that it disturbs nothing."""

import math
from typing import NamedTuple

import numpy as np
import pytest

from mctslab import games, search
from mctslab.games.state import State
from mctslab.search.trace import TracedRollout
from tests.search.toys import play, statistics, visited

NUM_ROLLOUTS = 2


class Recorded(NamedTuple):
    """A search that was recorded."""

    expansion: str
    trace: search.Trace
    result: search.SearchResult


@pytest.fixture(scope="module", params=["one", "all"])
def expansion(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module", params=[games.ConnectFour(4, 4), games.Reversi(4)], ids=repr)
def recorded(request: pytest.FixtureRequest, expansion: str) -> Recorded:
    """A hundred simulations, which are the same as without a trace."""
    trace, rngs = search.Trace(), [np.random.default_rng(7), np.random.default_rng(7)]
    result, without = (
        search.mcts(
            request.param,
            num_simulations=100,
            expansion=expansion,
            evaluator=search.rollout_evaluator(num_rollouts=NUM_ROLLOUTS),
            rng=rng,
            trace=each,
        )
        for rng, each in zip(rngs, (trace, None), strict=True)
    )
    assert statistics(result.root) == statistics(without.root)
    assert rngs[0].random() == rngs[1].random()
    return Recorded(expansion, trace, result)


def traced_paths(trace: search.Trace) -> list[tuple[int, ...]]:
    paths: list[tuple[int, ...]] = []
    for node in trace.nodes:
        above = () if node.parent is None else paths[node.parent]
        paths.append(above if node.action is None else (*above, node.action))
    return paths


def test_what_is_recorded_is_what_happened(recorded: Recorded) -> None:
    """Every child with the two terms of its score, every move of a rollout, the new statistics."""
    trace, state = recorded.trace, recorded.result.state
    paths, num_steps, above = traced_paths(trace), 0, None
    known: dict[tuple[int, ...], tuple[int, float]] = dict.fromkeys(paths, (0, 0.0))
    for simulation in trace.simulations:
        for step in simulation.selection or ():
            num_steps += 1
            here = paths[step.node]
            assert set(step.actions) == set(play(state, here).legal_actions())
            for action, terms in zip(step.actions, step.terms, strict=True):
                visits, total = known.get((*here, action), (0, 0.0))
                bonus = math.sqrt(2) * math.sqrt(math.log(known[here][0]) / max(1, visits))
                expected = ((1 + total / visits) / 2, bonus) if visits else (0.0, math.inf)
                assert terms == pytest.approx(expected)
            best = max(range(len(step.terms)), key=lambda place: sum(step.terms[place]))
            assert trace.nodes[step.chosen].action == step.actions[best]
        # Of the leaves that are added together, only the first one follows a walk.
        way = paths[simulation.leaf]
        is_further = recorded.expansion == "all" and simulation.is_new and way[:-1] == above
        assert (simulation.selection is None) == is_further
        above = way[:-1] if simulation.is_new else None
        leaf = play(state, way)
        assert trace.nodes[simulation.leaf].state == leaf
        assert len(simulation.rollouts) == (0 if leaf.is_terminal else NUM_ROLLOUTS)
        for rollout in simulation.rollouts:
            check_rollout(rollout, leaf)
        results = [rollout.returns[0] for rollout in simulation.rollouts] or [leaf.returns()[0]]
        assert simulation.returns[0] == pytest.approx(np.mean(results))
        updates = simulation.updates
        assert (updates.node[0], updates.node[-1]) == (simulation.leaf, 0)
        rows = zip(updates.node, updates.visit_count, updates.total_value, strict=True)
        for node, visits, total in rows:
            old_visits, old_total = known[paths[node]]
            assert visits == old_visits + 1
            assert total == pytest.approx(old_total + simulation.returns[trace.nodes[node].mover])
            known[paths[node]] = visits, total
    assert num_steps > 20
    assert list(known.values()) == trace.statistics()
    assert known == visited(recorded.result.root)
    assert len(trace) == 100


def check_rollout(rollout: TracedRollout, leaf: State) -> None:
    here, stones = leaf, list(leaf.board().stones)
    for player, action, *changes in rollout.plies:
        assert player == here.current_player
        here = here.child(action)
        for square, content in (divmod(code, 3) for code in changes):
            assert stones[square] != content - 1
            stones[square] = content - 1
        assert tuple(stones) == here.board().stones
    assert rollout.returns == here.returns()
    assert rollout.winning_squares == here.board().winning_squares


def test_a_tree_from_an_earlier_search_begins_with_its_statistics(rng) -> None:
    first = search.mcts(games.TicTacToe(), num_simulations=300, rng=rng)
    state, trace = first.state.child(first.best_action), search.Trace()
    second = search.mcts(state, num_simulations=50, rng=rng, root=first.root, trace=trace)
    assert trace.nodes[0].first_visit_count > 20
    found = dict(zip(traced_paths(trace), trace.statistics(), strict=True))
    assert found.items() <= statistics(second.root).items()
    in_first = {node.action for node in trace.first(1).nodes if node.parent == 0}
    assert in_first >= set(trace.simulations[0].selection[0].actions)


def test_the_score_of_a_rule_of_ones_own_can_be_one_number(rng) -> None:
    trace, root = search.Trace(), search.mcts(games.TicTacToe(), num_simulations=20, rng=rng).root
    trace.start(root)
    trace.selected(root.children[0], lambda node, child: np.float64(child.visit_count))
    trace.expanded(root.children[0])
    trace.backpropagated(root.children[0], (1.0, -1.0))
    ((step,),) = [simulation.selection for simulation in trace.simulations]
    assert step.terms == tuple((float(child.visit_count),) for child in root.children)


# Reading


def test_the_beginning_of_a_trace_is_complete(recorded: Recorded) -> None:
    beginning = recorded.trace.first(10)
    assert len(beginning) == beginning.result().num_simulations == 10
    reached = {simulation.leaf for simulation in beginning.simulations}
    assert {0, *reached} == set(range(len(beginning.nodes)))
    assert beginning.statistics() == recorded.trace.statistics(10)[: len(beginning.nodes)]
    with pytest.raises(ValueError, match="fresh one"):
        beginning.start(search.Node(games.TicTacToe()))
    with pytest.raises(ValueError, match="no tree yet"):
        search.Trace().result()
