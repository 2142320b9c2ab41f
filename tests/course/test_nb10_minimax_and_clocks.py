"""The exercises of notebook 10 held against minimax, Baudet's theorem, and real searches."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mctslab import games, search
from mctslab.course.exercises import alphabeta, deepen, museum_negamax, museum_table
from mctslab.course.exercises.nb10_minimax_and_clocks import (
    Evaluation,
    disc_difference,
    first,
    second,
)
from mctslab.course.tree_game import TreeGame

alpha_beta = alphabeta.model_answer
seeds = st.integers(0, 10_000)


def minimax(state, depth, evaluate):
    """What minimax says, without any cut."""
    if depth == 0 or state.is_terminal:
        return evaluate(state)
    values = [minimax(state.child(action), depth - 1, evaluate) for action in state.legal_actions()]
    return max(values) if state.current_player == 0 else min(values)


def needed(state, depth, evaluate, alpha=-math.inf, beta=math.inf):
    """How many positions alpha-beta evaluates: Baudet (1978), by the values of minimax alone.

    A position is looked at if and only if the best that player 0 has among the elder siblings of
    it and of the positions above it is less than the best that player 1 has there.
    """
    if alpha >= beta:
        return 0
    if depth == 0 or state.is_terminal:
        return 1
    total = 0
    for action in state.legal_actions():
        child = state.child(action)
        total += needed(child, depth - 1, evaluate, alpha, beta)
        value = minimax(child, depth - 1, evaluate)
        if state.current_player == 0:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
    return total


turns = st.deferred(
    lambda: st.builds(
        lambda player, options: (first, second)[player](*options),
        st.integers(0, 1),
        st.lists(st.integers(-5, 5) | turns, min_size=1, max_size=3),
    )
)
trees = turns.map(TreeGame)


def ends(state):
    return state.returns()[0] if state.is_terminal else len(state.path) % 3 - 1


def random_position(seed, size=4, plies=6):
    rng = np.random.default_rng(seed)
    state = games.Reversi(size=size)
    for _ in range(int(rng.integers(plies))):
        if not state.is_terminal:
            state = state.child(search.uniform(state, rng))
    return state


# alphabeta


@given(trees, st.integers(0, 6))
def test_alphabeta_gives_minimax_and_looks_where_the_theorem_says(state, depth):
    evaluate = Evaluation(ends)

    assert alpha_beta(state, depth, evaluate) == minimax(state, depth, ends)
    assert evaluate.count == needed(state, depth, ends)


@given(seeds, st.integers(0, 3))
def test_alphabeta_gives_the_value_of_the_packages(seed, depth):
    state = random_position(seed, size=6)  # from where no game ends within three plies
    package = search.alpha_beta(state, depth, disc_difference)

    assert alpha_beta(state, depth, disc_difference) == package.value


@pytest.mark.parametrize("case", alphabeta.cases(), ids=lambda case: case.shown[:40])
def test_what_the_cases_expect_follows_from_minimax_alone(case):
    state, depth, evaluate = case.arguments()
    expected = case.expected

    assert expected["value"] == minimax(state, depth, evaluate)
    assert expected["positions evaluated"].number == needed(state, depth, evaluate)


# deepen


class Thinking:
    """A real search under a clock that every position moves on by a millisecond."""

    def __init__(self, state):
        self.state, self.now = state, 700.0
        self.finished = [state.legal_actions()[0]]
        """A legal move, and the best one by each search that was finished."""

    def clock(self):
        return self.now

    def __call__(self, depth, deadline):
        def evaluate(position):
            self.now += 0.001
            if self.now >= deadline:
                raise TimeoutError
            return disc_difference(position)

        try:
            found = search.alpha_beta(self.state, depth, evaluate)
        except TimeoutError:
            return self.state.legal_actions()[-1], False, False
        self.finished.append(found.best_action)
        return found.best_action, True, False


@pytest.mark.parametrize("seconds", [0.0, 0.002, 0.02, 0.2, 2.0])
@pytest.mark.parametrize("seed", range(4))
def test_the_move_is_in_time_and_that_of_the_last_search_that_was_finished(seed, seconds):
    think = Thinking(random_position(seed))
    legal_actions = think.state.legal_actions()

    move = deepen.model_answer(think, legal_actions, seconds, think.clock)

    assert move == think.finished[-1]
    assert move in legal_actions
    assert think.now <= 700 + seconds + 0.0011


def test_more_time_goes_deeper():
    reached = []
    for seconds in (0.01, 0.1, 1.0):
        think = Thinking(random_position(3))
        deepen.model_answer(think, think.state.legal_actions(), seconds, think.clock)
        reached.append(len(think.finished))

    assert all(less < more for less, more in pairwise(reached))


# The museum


@given(trees, st.integers(0, 6))
def test_negamax_is_minimax_for_the_player_to_move(state, depth):
    sign = (1, -1)[state.current_player]

    def for_the_mover(position):
        return ends(position) * (1, -1)[position.current_player]

    found = museum_negamax.model_answer(state, depth, for_the_mover)
    assert found == sign * minimax(state, depth, ends)


@given(seeds, st.integers(1, 5), st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 9))))
def test_a_table_of_exact_values_changes_nothing(seed, depth, windows):
    state, table = random_position(seed), {}
    for low, width in windows:
        museum_table.model_answer(state, depth, disc_difference, low, low + width, table)
    value = museum_table.model_answer(state, depth, disc_difference, -math.inf, math.inf, table)

    assert value == minimax(state, depth, disc_difference)
    for (position, plies), known in table.items():
        assert known == minimax(position, plies, disc_difference)


@pytest.mark.parametrize("case", museum_table.cases(), ids=lambda case: case.shown[-60:])
def test_what_the_table_is_expected_to_give_is_minimax(case):
    state, depth, evaluate, *_ = case.arguments()

    assert case.expected["value"] == minimax(state, depth, evaluate)
    allowed = case.expected["positions evaluated in the last search"].number
    assert allowed in (0, needed(state, depth, evaluate))
