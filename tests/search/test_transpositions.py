"""A search graph: one position that is reached in several ways is searched as one."""

import math
from collections import Counter
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab import draw, games
from mctslab.search import DirichletNoise, EvaluationError, puct_search, uniform_evaluator
from tests.games.own_games import DotsAndBoxes
from tests.search.judging import ZeroSum
from tests.search.test_invariants import positions
from tests.search.test_puct_invariants import judges, options, rules, seeds
from tests.search.toys import Pile, all_nodes, path_to, play

graph_search = partial(puct_search, transpositions=True)
EVEN = uniform_evaluator()


first_states = st.sampled_from(
    (
        Pile(9),
        Pile(14, current_player=1),
        games.TicTacToe(),
        play(games.TicTacToe(), "b2 a1"),
        games.ConnectFour(rows=4, cols=4),
        games.Reversi(size=4),
        DotsAndBoxes(),
    )
)
zero_sums = st.builds(ZeroSum, seeds, is_uniform=st.booleans())


def edges_of(root):
    """The nodes of the graph, each once, though several share it as a child."""
    found, waiting = {id(root): root}, [root]
    while waiting:
        for child in waiting.pop().children:
            if id(child) not in found:
                found[id(child)] = child
                waiting.append(child)
    return list(found.values())


def check_graph(root, judge):
    """One position, one evaluation, one family; and what comes in at a position goes out."""
    edges = edges_of(root)
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


def plain_puct(state, judge, num_simulations, rule, key):
    """N and W of every edge (position, action), without nodes or batches.

    A position is what `key` makes of a state and of the actions that led there.
    """
    visits, totals, asked, root_total = Counter(), Counter(), set(), 0.0
    for root_visits in range(num_simulations):
        here, walked, edges = state, (), {}
        arrived = root_visits, root_total, state.current_player
        while (place := key(here, walked)) in asked:
            actions = here.legal_actions()
            number = 1 + sum(visits[place, action] for action in actions)
            c = rule.c
            if rule.c_base is not None:
                c += math.log((1 + number + rule.c_base) / rule.c_base)
            scores = []
            for action, prior in zip(actions, judge.priors(here), strict=True):
                n = visits[place, action]
                if n > 0:
                    q = totals[place, action] / n
                elif rule.fpu == "parent":
                    n_above, w_above, mover = arrived
                    scaled = w_above * (number / n_above) if n_above else 0.0
                    q = scaled / number * (1 if mover == here.current_player else -1)
                else:
                    q = rule.fpu
                scores.append(q + c * math.sqrt(number) * prior * (1 / (1 + n)))
            action = actions[scores.index(max(scores))]
            edge, mover = (place, action), here.current_player
            edges[edge] = mover
            arrived = visits[edge], totals[edge], mover
            here, walked = here.child(action), (*walked, action)
        if here.is_terminal:
            values = here.returns()
        else:
            values = judge.value(here)
            asked.add(place)
        root_total += values[state.current_player]
        for edge, mover in edges.items():
            visits[edge] += 1
            totals[edge] += values[mover]
    return {edge: (n, totals[edge]) for edge, n in visits.items()}


KEYS = {"tree": lambda state, path: path, "graph": lambda state, path: state}


@pytest.mark.parametrize("kind", KEYS)
@given(positions() | first_states, judges, st.integers(1, 120), rules)
def test_leaf_by_leaf_it_is_the_plain_algorithm(kind, state, judge, num_simulations, rule):
    search = graph_search if kind == "graph" else puct_search
    options = {"num_simulations": num_simulations, "selection": rule}
    result = search(state, evaluator=judge, rng=np.random.default_rng(1), **options)
    ours = {
        (KEYS[kind](node.state, path_to(node)), child.action): (
            child.visit_count,
            child.total_value,
        )
        for node in edges_of(result.root)
        for child in node.children
        if child.visit_count
    }
    assert ours == plain_puct(state, judge, num_simulations, rule, KEYS[kind])


@given(first_states, zero_sums, options, options, seeds, st.data())
@settings(max_examples=60)
def test_a_graph_that_is_reused_stays_sound(state, judge, options, more, seed, data):
    rng = np.random.default_rng(seed)
    earlier = graph_search(state, evaluator=judge, rng=rng, **options).root
    reached = data.draw(st.sampled_from([edge for edge in edges_of(earlier) if edge.children]))
    family = reached.children
    known = {edge.state for edge in edges_of(reached) if edge.children}
    result = graph_search(reached.state, evaluator=judge, root=earlier, rng=rng, **more)
    assert list(result.root.children) == family
    edges = edges_of(result.root)
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


def test_a_walk_that_was_never_counted_leaves_no_link_behind():
    """Noise leads into a move that nobody tried; its position is known, but what is below fails."""
    for seed in range(20):
        judge = ZeroSum(seed)
        search = partial(graph_search, Pile(14), evaluator=judge, rng=np.random.default_rng(seed))
        root = search(num_simulations=20).root

        def fail(judge=judge):
            judge.batches.pop()
            raise OSError("no power")

        judge.before_answer = fail
        with pytest.raises(EvaluationError):
            search(num_simulations=200, root=root, noise=DirichletNoise(1, 1))
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
    assert f"of the tree's {len(edges_of(result.root)):,} nodes" in picture.caption
    # A position that is not there has to be looked for everywhere.
    other = games.ConnectFour()
    result = graph_search(other, evaluator=EVEN, num_simulations=5, root=result.root, rng=rng)
    assert result.root.visit_count == 5


def test_a_tree_can_go_on_as_a_graph_and_a_graph_as_a_tree(rng):
    options = {"evaluator": ZeroSum(5), "rng": rng}
    state = games.TicTacToe()
    tree = puct_search(state, num_simulations=500, **options).root
    nodes = {id(node) for node in all_nodes(tree)}
    assert graph_search(state, num_simulations=200, root=tree, **options).root is tree
    assert tree.visit_count == 700
    assert nodes <= {id(edge) for edge in edges_of(tree)}
    again = puct_search(state, num_simulations=100, root=tree, **options)
    assert again.root.visit_count == 800
    assert sum(child.visit_count for child in again.children) == 799
