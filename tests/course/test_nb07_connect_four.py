"""The exercises of notebook 07 held against the package: real searches, and whole games."""

import functools
import heapq
import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mctslab import games, search
from mctslab.course.exercises.nb07_connect_four import anytime, reuse_tree
from mctslab.course.exercises.nb07_museum import museum_best_move, museum_labels, museum_result
from mctslab.course.tree_game import Grown, TreeGame, drawn, plant, statistics, turn_of
from mctslab.search.reuse import find_root

seeds = st.integers(0, 10_000)


def game_of(state, seed):
    """All positions of a random game from `state` on."""
    rng = np.random.default_rng(seed)
    states = [state]
    while not states[-1].is_terminal:
        states.append(states[-1].child(search.uniform(states[-1], rng)))
    return states


# anytime


def thinking(state, seed):
    """A search to be used in slices, and the list of its results."""
    rng, results = np.random.default_rng(seed), []

    def think(num_simulations):
        root = results[-1].root if results else None
        results.append(search.mcts(state, num_simulations=num_simulations, rng=rng, root=root))
        return results[-1]

    return think, results


@given(seeds, st.integers(1, 320))
def test_slices_grow_the_same_tree_as_one_search(seed, num_simulations):
    state = games.ConnectFour(rows=4, cols=4)
    think, results = thinking(state, seed)
    rng = np.random.default_rng(seed)
    whole = search.mcts(state, num_simulations=num_simulations, rng=rng)

    move = anytime.model_answer(think, num_simulations, 60, lambda: False, lambda: 7.0)

    assert move == whole.best_so_far
    assert statistics(results[-1].root) == statistics(whole.root)
    assert sum(result.num_simulations for result in results) == num_simulations


@pytest.mark.parametrize("slices", [1, 2, 5])
def test_a_search_that_is_stopped_has_thought_the_slices_before(slices):
    think, results = thinking(games.ConnectFour(), 3)

    anytime.model_answer(think, 10_000, 60, lambda: len(results) == slices, lambda: 7.0)

    assert [result.num_simulations for result in results] == [100] * slices


@pytest.mark.parametrize(("seconds", "slices"), [(0.5, 1), (1.5, 2), (4.5, 5)])
def test_the_time_ends_it_after_the_slice_in_which_it_is_up(seconds, slices):
    think, results = thinking(games.ConnectFour(), 3)

    anytime.model_answer(think, 10_000, seconds, lambda: False, lambda: 100.0 + len(results))

    assert len(results) == slices


# reuse_tree


def searched(seed, plies):
    """A root, and a position that random moves lead to from there."""
    rng = np.random.default_rng(seed)
    states = game_of(games.Reversi(size=4), seed)
    root = search.mcts(states[0], num_simulations=150, rng=rng).root
    return root, states[min(plies, len(states) - 2)]


@settings(max_examples=40)
@given(seeds, st.integers(0, 6))
def test_it_is_the_root_from_which_the_packages_search_goes_on(seed, plies):
    kept = reuse_tree.model_answer(*searched(seed, plies))
    root, state = searched(seed, plies)
    expected = find_root(root, state) or search.Node(state)

    assert kept.state == state
    assert kept.parent is None
    assert kept.mover == expected.mover
    assert kept.visit_count == sum(child.visit_count for child in kept.children)
    assert statistics(kept) == statistics(expected)
    assert sorted(kept.untried_actions) == sorted(expected.untried_actions)

    mine = search.mcts(state, num_simulations=40, rng=np.random.default_rng(seed), root=kept)
    theirs = search.mcts(state, num_simulations=40, rng=np.random.default_rng(seed), root=expected)

    assert statistics(mine.root) == statistics(theirs.root)


# museum_result


@functools.cache
def lines_of(rows, cols):
    """The sets of four squares that stand side by side in one direction, found among all."""
    lines = []
    for four in itertools.combinations(itertools.product(range(rows), range(cols)), 4):
        steps = {(r - q, d - c) for (q, c), (r, d) in itertools.pairwise(four)}
        if len(steps) == 1 and steps <= {(0, 1), (1, 0), (1, 1), (1, -1)}:
            lines.append(tuple(row * cols + col for row, col in four))
    return tuple(lines)


def played(squares, rows, cols):
    """The state of the package that has these squares, reached by some legal game."""
    waiting, seen = [games.ConnectFour(rows, cols)], set()
    while waiting:
        state = waiting.pop()
        if state.board().stones == squares:
            return state
        for child in map(state.child, state.legal_actions()):
            stones = child.board().stones
            fits = all(stone in (-1, wanted) for stone, wanted in zip(stones, squares, strict=True))
            if fits and stones not in seen:
                seen.add(stones)
                waiting.append(child)
    raise AssertionError("no legal game leads to this board")


SIZES = {16: (4, 4), 20: (4, 5), 25: (5, 5), 42: (6, 7)}


@pytest.mark.parametrize("case", museum_result.cases(), ids=lambda case: case.shown.split(";")[0])
def test_the_cases_are_positions_of_real_games_with_their_results(case):
    squares, lines = case.arguments()
    size = SIZES[len(squares)]
    state = played(squares, *size)

    assert case.expected == (state.returns() if state.is_terminal else None)
    assert set(map(frozenset, lines)) == set(map(frozenset, lines_of(*size)))


@given(seeds, st.sampled_from([(4, 4), (4, 5), (5, 5)]))
def test_every_position_of_a_game_has_the_result_that_the_game_says(seed, size):
    for state in game_of(games.ConnectFour(*size), seed):
        expected = state.returns() if state.is_terminal else None

        assert museum_result.model_answer(state.board().stones, lines_of(*size)) == expected


# museum_best_move


def apart(moves, sign, c):
    """Whether the two best scores are so far apart that rounding does not choose."""
    visits = sum(visit_count for visit_count, _ in moves)
    scores = [sign * q + c * math.sqrt(math.log(visits) / n) for n, q in moves]
    best, second = heapq.nlargest(2, scores)
    return best - second > 1e-9


@given(
    st.sampled_from([0, 1]),
    st.lists(st.tuples(st.integers(1, 99), st.floats(-1, 1)), min_size=2, max_size=7),
    st.floats(0, 3),
)
def test_both_players_follow_the_move_that_the_packages_rule_follows(player, moves, c):
    """The package keeps W for the mover, and counts with win rates, where c is half as large."""
    sign = 1 if player == 0 else -1
    assume(apart(moves, sign, c))
    grown = {action: Grown(n, sign * n * q) for action, (n, q) in enumerate(moves)}
    place = turn_of(player, *[drawn()] * len(moves))
    root = plant(TreeGame(place), Grown(sum(n for n, _ in moves), 0, grown))

    listed = tuple((action, n, n * q) for action, (n, q) in enumerate(moves))
    found = museum_best_move.model_answer(player, listed, c)

    assert found == search.ucb1(c / 2).best_child(root).action


# museum_labels


@given(seeds)
def test_a_label_is_what_the_player_to_move_got(seed):
    *states, end = game_of(games.Reversi(size=4), seed)
    returns = end.returns()
    winner = None if returns == (0, 0) else returns.index(1)
    players = tuple(state.current_player for state in states)

    assert museum_labels.model_answer(players, winner) == [returns[p] for p in players]
