"""Every tree of UCT, whatever was searched and however, is that of a plain program."""

import copy
import math
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mctslab import games
from mctslab.search import mcts, rollout_evaluator, ucb1
from mctslab.search.reuse import MOST_PLIES
from tests.games.own_games import DotsAndBoxes
from tests.games.playing import late
from tests.search.judging import Judge
from tests.search.toys import all_nodes, path_to, play, statistics

FIRST_STATES = (
    games.TicTacToe(),
    games.ConnectFour(rows=4, cols=5),
    games.Reversi(size=4),
    games.Reversi(size=6),
    games.Gomoku(size=5, in_a_row=4),
    DotsAndBoxes(),  # who closes a box moves again
)


SOON_OVER = {
    games.TicTacToe(): 9,
    games.ConnectFour(rows=4, cols=4): 10,
    games.Reversi(size=4): 10,  # with passes
    games.Gomoku(size=4, in_a_row=3): 10,
    DotsAndBoxes(): 20,  # who closes a box moves again; dots are empty squares
}
"""First positions, and the number of empty squares where a search begins at the earliest."""
late_positions = st.builds(
    lambda first, later, seed: late(first, SOON_OVER[first] - later, np.random.default_rng(seed)),
    st.sampled_from([*SOON_OVER]), st.integers(0, 6), st.integers(0, 2**32),
)  # fmt: skip


@st.composite
def positions(draw):
    """A position that is not terminal, some random plies into a game."""
    state = draw(st.sampled_from(FIRST_STATES))
    for number in draw(st.lists(st.integers(0, 1_000), max_size=30)):
        child = state.child(state.legal_actions()[number % len(state.legal_actions())])
        if child.is_terminal:
            break
        state = child
    return state


options = st.fixed_dictionaries(
    {
        "num_simulations": st.integers(1, 80),
        "expansion": st.sampled_from(("one", "all")),
        "selection": st.builds(ucb1, st.floats(0, 4)),
        "evaluator": st.sampled_from(
            (rollout_evaluator(), rollout_evaluator(num_rollouts=3), Judge())
        ),
    }
)
seeds = st.integers(0, 2**32)


# The algorithm a second time, without nodes


def plain_uct(tree, state, num_simulations, evaluator, selection, expansion, rng, solver=False):
    """Go on with a tree: the N and W of every position, by the actions that lead there."""

    @cache
    def proven(here, path):
        """What is proven of a position for player 0, by the ends of games that were reached."""
        if not solver or tree.get(path, (0, 0.0))[0] == 0:
            return None
        if here.is_terminal:
            return here.returns()[0]
        sign, actions = 1 - 2 * here.current_player, here.legal_actions()
        below = [proven(here.child(action), (*path, action)) for action in actions]
        values = [sign * value for value in below if value is not None]
        return sign * max(values) if 1.0 in values or len(values) == len(actions) else None

    waiting = []
    for _ in range(num_simulations):
        if proven(state, ()) is not None:
            break
        waiting = waiting or plain_leaves(tree, state, proven, selection.c, expansion, rng)
        path, here = waiting.pop(0), state
        movers = [state.current_player]
        for action in path:
            movers.append(here.current_player)
            here = here.child(action)
        if (certain := proven(here, path)) is not None:
            returns = certain, 0.0 - certain
        else:
            returns = here.returns() if here.is_terminal else evaluator([here], rng).values[0]
        for length, mover in enumerate(movers):
            visits, total = tree[path[:length]]
            tree[path[:length]] = visits + 1, total + returns[mover]
        if here.is_terminal:
            proven.cache_clear()
    return tree


def plain_leaves(tree, state, proven, c, expansion, rng):
    """The leaves that are evaluated next, which are in the tree from now on."""
    path, here = (), state
    while proven(here, path) is None and (legal := here.legal_actions()):
        if untried := [action for action in legal if (*path, action) not in tree]:
            if expansion == "all" and path and tree[path][0] == 0:
                return [path]
            number = len(untried) if expansion == "all" else 1
            drawn = [untried.pop(int(rng.random() * len(untried))) for _ in range(number)]
            tree |= {(*path, action): (0, 0.0) for action in drawn}
            return [(*path, action) for action in drawn]
        tried = [each for each in tree if len(each) == len(path) + 1 and each[:-1] == path]
        sign, n = 1 - 2 * here.current_player, tree[path][0]
        worth = {each: proven(here.child(each[-1]), each) for each in tried}
        path = max(tried, key=lambda child: plain_score(*tree[child], n, c, worth[child], sign))
        here = here.child(path[-1])
    return [path]


def plain_score(visits, total, parent_visits, c, worth, sign):
    if worth is not None and sign * worth >= 0:
        return -math.inf
    if visits == 0:
        return math.inf
    win_rate = (1 + total / visits) / 2 if worth is None else 0
    return win_rate + c * math.sqrt(math.log(parent_visits)) * (1 / math.sqrt(visits))


def differing(root, expected):
    """Where a tree is another one; Pytest would compare large trees for a minute."""
    found = statistics(root)
    return [path for path in found | expected if found.get(path) != expected.get(path)]


@pytest.mark.parametrize("solver", [False, True])
@settings(max_examples=40)
@given(positions() | late_positions, options, seeds)
def test_every_tree_is_that_of_the_plain_algorithm(solver, state, options, seed):
    options = options | {"solver": solver}
    result = mcts(state, rng=np.random.default_rng(seed), **options)
    expected = plain_uct({(): (0, 0.0)}, state, rng=np.random.default_rng(seed), **options)
    assert differing(result.root, expected) == []
    assert result.root.visit_count == result.num_simulations
    assert result.num_simulations == options["num_simulations"] or result.proven is not None
    assert solver or result.value == pytest.approx(result.root.mean_value, abs=1e-9)
    play(state, result.principal_variation)  # they are all legal
    for node in all_nodes(result.root)[1:]:
        assert node.prior == 1 / len(node.parent.state.legal_actions())


@settings(max_examples=40)
@given(positions(), options, seeds, st.data())
def test_a_tree_that_is_reused_goes_on_as_the_plain_algorithm(state, options, seed, data):
    """From a position below its root; and after undo from its root again, which counts less."""
    rng = np.random.default_rng(seed)
    earlier = mcts(state, rng=rng, **options).root
    nodes = [node for node in all_nodes(earlier) if node.visit_count]
    near = [each for each in nodes if len(path_to(each)) <= MOST_PLIES]
    reached = data.draw(st.sampled_from([each for each in near if not each.state.is_terminal]))
    assume([node.state for node in nodes].count(reached.state) == 1)
    tree = statistics(reached)
    if reached is not earlier:  # a root counts what its children do, for the player to move
        below = [(child.visit_count, child.total_value) for child in reached.children]
        tree[()] = tuple(map(sum, zip((0, 0.0), *below, strict=True)))
    chance = copy.deepcopy(rng)
    result = mcts(reached.state, rng=rng, root=earlier, **options)
    expected = plain_uct(tree, reached.state, rng=chance, **options)
    assert differing(result.root, expected) == []
    tree = statistics(earlier)
    assert mcts(state, rng=rng, root=earlier, **options).root is earlier
    assert differing(earlier, plain_uct(tree, state, rng=chance, **options)) == []
