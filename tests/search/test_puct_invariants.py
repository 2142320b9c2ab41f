"""Every tree of PUCT, whatever was searched and however, is that of a plain program."""

import math
from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mctslab.search import DirichletNoise, puct, puct_search
from mctslab.search.reuse import MOST_PLIES
from tests.search.judging import Judge
from tests.search.test_invariants import late_positions, positions, seeds
from tests.search.toys import all_nodes, path_to, visited

noises = st.none() | st.builds(DirichletNoise, st.floats(0.01, 20), st.floats(0, 1))
options = st.fixed_dictionaries(
    {
        "num_simulations": st.integers(1, 80),
        "selection": st.builds(puct, st.floats(0, 10), fpu=st.just("parent") | st.floats(-1, 1)),
        "batch_size": st.integers(1, 12),
        "noise": noises,
    }
)
judges = st.builds(Judge, seeds, is_uniform=st.booleans())


# The algorithm a second time, without nodes


def plain_puct(
    tree, state, judge, num_simulations, selection, batch_size, noise, rng, solver=False
):
    """Go on with a tree: N and W of every position, by the actions that lead there.

    Returns the positions that were evaluated as well, batch by batch.
    """
    visits = Counter({path: n for path, (n, _) in tree.items()})
    totals = Counter({path: w for path, (_, w) in tree.items()})
    evaluated, batches, done = set(tree), [], 0
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

    def walked(here):
        """The ways to all positions of a walk down, each with its mover, and the leaf."""
        way = [((), here.current_player)]
        while not here.is_terminal and way[-1][0] in evaluated and proven(here, way[-1][0]) is None:
            path, mover = way[-1][0], here.current_player
            unvisited = selection.fpu
            if unvisited == "parent":
                q = totals[path] / visits[path] if visits[path] else 0.0
                unvisited = q if way[-1][1] == mover else 0.0 - q
            scores = {}
            own = noisy if path == () else priors(here)
            for action, prior in zip(here.legal_actions(), own, strict=True):
                n = visits[*path, action]
                q = totals[*path, action] / n if n else unvisited
                certain = proven(here.child(action), (*path, action))
                if certain is not None:
                    q = -1.0 if certain * (1 - 2 * mover) < 0 else -math.inf
                scores[action] = q + selection.c * math.sqrt(visits[path]) * prior * (1 / (1 + n))
            action = max(scores, key=scores.get)
            here = here.child(action)
            way.append(((*path, action), mover))
        return way, here

    noisy = priors(state)
    while done < num_simulations and proven(state, ()) is None:
        if noise is not None and () in evaluated and noisy is priors(state):
            drawn = rng.dirichlet([noise.alpha] * len(noisy)).tolist()
            mixed = zip(noisy, drawn, strict=True)
            noisy = [(1 - noise.weight) * p + noise.weight * share for p, share in mixed]
        before, walks = (visits.copy(), totals.copy()), []
        for _ in range(min(batch_size, 1 + visits[()] // 8, num_simulations - done)):
            walks.append(walked(state))
            for path, _ in walks[-1][0]:  # counts as lost until the batch is complete
                visits[path] += 1
                totals[path] -= 1
        visits, totals = before
        ends = {way[-1][0]: leaf for way, leaf in walks}
        asked = {at: each for at, each in ends.items() if proven(each, at) is None}
        asked = {at: each for at, each in asked.items() if not each.is_terminal}
        batches += [list(asked.values())] if asked else []
        evaluated |= set(asked)
        proven.cache_clear()
        for way, leaf in walks:
            certain = proven(leaf, way[-1][0])
            values = leaf.returns() if leaf.is_terminal else judge.value(leaf)
            values = values if certain is None else (certain, -certain)
            for path, mover in way:
                visits[path] += 1
                totals[path] += values[mover]
        done += len(walks)
    return {path: (n, totals[path]) for path, n in visits.items() if n}, batches


@pytest.mark.parametrize("solver", [False, True])
@given(positions() | late_positions, judges, options, seeds)
@settings(max_examples=50)
def test_every_tree_is_that_of_the_plain_algorithm(solver, state, judge, options, seed):
    rng, same_rng = np.random.default_rng(seed), np.random.default_rng(seed)
    result = puct_search(state, evaluator=judge, rng=rng, solver=solver, **options)
    asked, judge.batches = judge.batches, []
    expected, batches = plain_puct({}, state, judge, rng=same_rng, solver=solver, **options)
    assert visited(result.root) == expected
    assert asked == batches  # no leaf twice, and none at which the game is over
    assert result.root.visit_count == result.num_simulations
    assert solver or result.num_simulations == options["num_simulations"]
    for node in all_nodes(result.root):
        if node.children:  # their priors are the evaluator's again
            assert [child.action for child in node.children] == list(node.state.legal_actions())
            assert [child.prior for child in node.children] == judge.priors(node.state)
            assert node.untried_actions == []


@given(positions(), judges, options, options, seeds, st.data())
@settings(max_examples=40)
def test_a_tree_that_is_reused_goes_on_as_the_plain_algorithm(
    state, judge, options, more, seed, data
):
    """From a position a few plies below its root; after undo from its root again, which counts
    less."""
    rng, same_rng = np.random.default_rng(seed), np.random.default_rng(seed)
    earlier = puct_search(state, evaluator=judge, rng=np.random.default_rng(0), **options).root
    nodes = [
        node for node in all_nodes(earlier) if node.children and len(path_to(node)) <= MOST_PLIES
    ]
    reached = data.draw(st.sampled_from(nodes))
    assume([node.state for node in nodes].count(reached.state) == 1)
    tree = visited(reached)
    if reached.mover != reached.state.current_player:  # a root's values are for the player to move
        tree[()] = reached.visit_count, 0.0 - reached.total_value
    result = puct_search(reached.state, evaluator=judge, root=earlier, rng=rng, **more)
    expected, _ = plain_puct(tree, reached.state, judge, rng=same_rng, **more)
    assert visited(result.root) == expected
    tree = visited(earlier)
    assert puct_search(state, evaluator=judge, root=earlier, rng=rng, **more).root is earlier
    assert visited(earlier) == plain_puct(tree, state, judge, rng=same_rng, **more)[0]
