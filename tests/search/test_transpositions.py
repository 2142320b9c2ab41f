"""A search graph: one position that is reached in several ways is searched as one."""

from collections import Counter
from functools import partial

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab import draw, games
from mctslab.search import EvaluationError, puct_search, uniform_evaluator
from tests.search.judging import ZeroSum
from tests.search.test_puct_invariants import first_states, options, seeds
from tests.search.toys import all_nodes, play

graph_search = partial(puct_search, transpositions=True)
EVEN = uniform_evaluator()


zero_sums = st.builds(ZeroSum, seeds, is_uniform=st.booleans())


def check_graph(root, judge):
    """One position, one evaluation, one family; and what comes in at a position goes out."""
    edges = all_nodes(root)
    families = {}
    for edge in edges:
        assert edge.visit_count or not edge.children
        for child in edge.children:
            assert child.parent.state == edge.state
            assert child.mover == edge.state.current_player
        if edge.children:
            assert families.setdefault(edge.state, edge.children) is edge.children
            assert [child.prior for child in edge.children] == judge.priors(edge.state)
            assert edge.untried_actions == []
    asked = Counter(state for batch in judge.batches for state in batch)
    assert asked == Counter(dict.fromkeys(families, 1))
    all_ways = {}
    for edge in edges:
        if edge.visit_count:
            all_ways.setdefault(edge.state, []).append(edge)
    for state, ways in all_ways.items():
        arrived = sum(edge.visit_count for edge in ways)
        # What player 0 got of all simulations that arrived.
        worth = sum(sign(edge.mover) * edge.total_value for edge in ways)
        below = families.get(state, [])
        own = arrived - sum(child.visit_count for child in below)
        value = state.returns() if state.is_terminal else judge.value(state)
        assert own >= 1
        if state.is_terminal:
            assert own == arrived
        mover = sign(state.current_player)
        assert worth == own * value[0] + sum(mover * child.total_value for child in below)


def sign(player):
    return 1 if player == 0 else -1


@given(first_states, zero_sums, options, seeds)
def test_every_graph_is_what_its_evaluations_imply(state, judge, options, seed):
    result = graph_search(state, evaluator=judge, rng=np.random.default_rng(seed), **options)
    check_graph(result.root, judge)
    assert result.root.visit_count == result.num_simulations == options["num_simulations"]


@given(first_states, zero_sums, options, options, seeds, st.data())
@settings(max_examples=60)
def test_a_graph_that_is_reused_stays_sound(state, judge, options, more, seed, data):
    rng = np.random.default_rng(seed)
    earlier = graph_search(state, evaluator=judge, rng=rng, **options).root
    reached = data.draw(st.sampled_from([edge for edge in all_nodes(earlier) if edge.children]))
    family = reached.children
    known = {edge.state for edge in all_nodes(reached) if edge.children}
    result = graph_search(reached.state, evaluator=judge, root=earlier, rng=rng, **more)
    assert list(result.root.children) == family
    edges = all_nodes(result.root)
    # Nothing is asked again that this part of the graph knew.
    asked = Counter(state for batch in judge.batches for state in batch)
    assert {asked[state] for state in known} == {1}
    families = {}
    for edge in edges:
        if edge.children:
            assert families.setdefault(edge.state, edge.children) is edge.children
    # No way out of this part is left, as claims and drawings go by the parents.
    reachable = {id(edge) for edge in edges}
    for edge in edges:
        if edge is not result.root:
            assert id(edge.parent) in reachable


@given(first_states, zero_sums, options, seeds, st.integers(1, 10), st.booleans())
@settings(max_examples=60)
def test_after_an_evaluator_failed_the_graph_is_still_of_use(
    state, judge, options, seed, failing_call, is_interrupted
):
    rng = np.random.default_rng(seed)
    root = graph_search(state, evaluator=judge, num_simulations=20, rng=rng).root
    answered = len(judge.batches)

    def fail():
        if len(judge.batches) == answered + failing_call:
            judge.batches.pop()
            judge.before_answer = lambda: None
            raise KeyboardInterrupt if is_interrupted else OSError("no power")

    judge.before_answer = fail
    for _ in range(2):
        try:
            graph_search(state, evaluator=judge, root=root, rng=rng, **options)
        except (EvaluationError, KeyboardInterrupt):
            pass
        else:
            check_graph(root, judge)


# What is built on it


def test_a_graph_can_be_drawn_and_has_a_principal_variation(rng):
    # More ways than could be walked one by one.
    state = games.TicTacToe()
    result = graph_search(state, evaluator=EVEN, num_simulations=3_000, rng=rng)
    assert 0 < len(result.principal_variation) <= 9
    play(state, result.principal_variation)  # they are all legal
    picture = draw.tree(result, depth=9, top=9, max_nodes=60)
    assert "<svg" in picture._repr_mimebundle_()["image/svg+xml"]
    assert f"of the tree's {len(all_nodes(result.root)):,} nodes" in picture.caption
    # A position that is not there has to be looked for everywhere.
    other = games.ConnectFour()
    result = graph_search(other, evaluator=EVEN, num_simulations=5, root=result.root, rng=rng)
    assert result.root.visit_count == 5
