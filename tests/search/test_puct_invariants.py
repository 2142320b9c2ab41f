"""What holds in every tree that PUCT has grown, whatever was searched and however it ended."""

import math
from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mctslab.search import DirichletNoise, puct, puct_search
from tests.search.judging import Judge
from tests.search.test_invariants import positions
from tests.search.toys import all_nodes, path_to

seeds = st.integers(0, 2**32)
rules = st.builds(puct, st.floats(0, 10), fpu=st.just("parent") | st.floats(-1, 1))
noises = st.none() | st.builds(DirichletNoise, st.floats(0.01, 20), st.floats(0, 1))
options = st.fixed_dictionaries(
    {
        "num_simulations": st.integers(1, 80),
        "selection": rules,
        "batch_size": st.integers(1, 12),
        "noise": noises,
    }
)
judges = st.builds(Judge, seeds, is_uniform=st.booleans())


def own_visits(node):
    """How often a node itself was the leaf of a simulation."""
    return node.visit_count - sum(child.visit_count for child in node.children)


def check_tree(root, judge):
    """Recompute N and W from nothing but which leaves were evaluated, and how often."""
    assert root.parent is None
    worth = {}
    nodes = all_nodes(root)
    for node in reversed(nodes):
        own = own_visits(node)
        if node.visit_count == 0:
            assert node.children == []
            assert own == 0
        elif node.state.is_terminal:
            assert node.children == []
            values = node.state.returns()
        else:
            assert own >= 1
            values = judge.value(node.state)
            assert [child.action for child in node.children] == list(node.state.legal_actions())
            assert [child.prior for child in node.children] == judge.priors(node.state)
            assert node.untried_actions == []
        worth[node] = [own * values[player] if own else 0.0 for player in (0, 1)]
        for child in node.children:
            assert child.parent is node
            assert child.mover == node.state.current_player
            for player in (0, 1):
                worth[node][player] += worth[child][player]
        # The values are multiples of 1/64, so these sums are exact in any order.
        assert node.total_value == worth[node][node.mover]


@settings(max_examples=40)
@given(positions(), judges, options, seeds)
def test_every_tree_is_what_its_evaluations_imply(state, judge, options, seed):
    result = puct_search(state, evaluator=judge, rng=np.random.default_rng(seed), **options)
    check_tree(result.root, judge)
    assert result.root.visit_count == result.num_simulations == options["num_simulations"]
    asked = [state for batch in judge.batches for state in batch]
    evaluated = [node for node in all_nodes(result.root) if node.children]
    # No leaf was asked about twice, and none at which the game is over.
    assert Counter(asked) == Counter(node.state for node in evaluated)
    assert not any(state.is_terminal for state in asked)
    if options["batch_size"] == 1:
        assert all(own_visits(node) == 1 for node in evaluated)
    again = puct_search(state, evaluator=judge, rng=np.random.default_rng(seed), **options)
    assert statistics(again.root) == statistics(result.root)


@settings(max_examples=40)
@given(positions(), judges, options, options, seeds, st.data())
def test_a_tree_that_is_reused_stays_sound(state, judge, options, more, seed, data):
    rng = np.random.default_rng(seed)
    earlier = puct_search(state, evaluator=judge, rng=rng, **options).root
    nodes = [node for node in all_nodes(earlier) if not node.state.is_terminal]
    reached = data.draw(st.sampled_from(nodes))
    kept = reached.visit_count
    result = puct_search(reached.state, evaluator=judge, root=earlier, rng=rng, **more)
    # Another node with the same position may have been found, with other visits.
    if [node.state for node in nodes].count(reached.state) == 1:
        assert result.root.visit_count == kept + result.num_simulations
    assert sum(node.prior for node in result.root.children) == sum(judge.priors(result.state))
    for child in result.root.children:
        assert child.parent is result.root
    # Above the leaf's own value the players' values need not be opposite here, so the root's own
    # total is known only where it was the root before; everything below is as ever.
    if result.root is earlier:
        check_tree(result.root, judge)
    else:
        for child in result.root.children:
            child.parent = None
            check_tree(child, judge)


def statistics(root):
    return {
        path_to(node): (node.visit_count, node.total_value, node.prior) for node in all_nodes(root)
    }


# The algorithm a second time, without nodes or batches


def plain_puct(state, judge, num_simulations, rule, solver):
    """N and W of every node that was visited, by the actions that lead there."""
    visits, totals, evaluated, root_total = Counter(), Counter(), set(), 0.0
    priors = cache(judge.priors)

    @cache
    def proven(here, path):
        """What is proven of a position for player 0, from the rules and the leaves so far."""
        if not solver or here.is_terminal:
            return here.returns()[0] if solver else None
        if path not in evaluated:
            return None
        sign = 1 - 2 * here.current_player
        below = [proven(here.child(action), (*path, action)) for action in here.legal_actions()]
        values = [sign * value for value in below if value is not None]
        return sign * max(values) if 1.0 in values or len(values) == len(below) else None

    for number in range(num_simulations):
        if proven(state, ()) is not None:
            break
        here, path, walked = state, (), []
        q_here, chooser = (root_total / number if number else 0.0), state.current_player
        while path in evaluated and proven(here, path) is None:
            actions, mover = here.legal_actions(), here.current_player
            n_here = 1 + sum(visits[*path, action] for action in actions)
            scores = []
            for action, prior in zip(actions, priors(here), strict=True):
                n = visits[*path, action]
                certain = proven(here.child(action), (*path, action))
                if certain is not None:
                    q = -1.0 if certain * (1 - 2 * mover) < 0 else -math.inf
                elif n > 0:
                    q = totals[*path, action] / n
                elif rule.fpu == "parent":
                    q = q_here * (1 if chooser == mover else -1)
                else:
                    q = rule.fpu
                scores.append(q + rule.c * math.sqrt(n_here) * prior * (1 / (1 + n)))
            action = actions[scores.index(max(scores))]
            here, path = here.child(action), (*path, action)
            walked.append((path, mover))
            q_here, chooser = (totals[path] / visits[path] if visits[path] else 0.0), mover
        if here.is_terminal:
            values = here.returns()
        else:
            evaluated.add(path)
            proven.cache_clear()
            certain = proven(here, path)
            values = judge.value(here) if certain is None else (certain, -certain)
        root_total += values[state.current_player]
        for place, mover in walked:
            visits[place] += 1
            totals[place] += values[mover]
    return {place: (n, totals[place]) for place, n in visits.items()}


@pytest.mark.parametrize("solver", [False, True])
@given(positions(), judges, st.integers(1, 80), rules)
@settings(max_examples=40)
def test_leaf_by_leaf_it_is_the_plain_algorithm(solver, state, judge, num_simulations, rule):
    options = {"num_simulations": num_simulations, "selection": rule, "solver": solver}
    result = puct_search(state, evaluator=judge, rng=np.random.default_rng(1), **options)
    ours = {
        path_to(node): (node.visit_count, node.total_value)
        for node in all_nodes(result.root)[1:]
        if node.visit_count
    }
    assert ours == plain_puct(state, judge, num_simulations, rule, solver)
