"""Gomoku by its threats: the order of the moves, and values, of which some are certain."""

import numpy as np
import pytest
from hypothesis import given, settings

from mctslab.boards.board import square_bits
from mctslab.games import Gomoku
from mctslab.search import find_threats, gomoku_prior, heuristic, threat_evaluator
from mctslab.search.checks import checked
from tests.search.test_threats import positions, scattered
from tests.search.toys import play


def weights(state: Gomoku) -> dict[str, float]:
    names = [state.action_to_string(action) for action in state.legal_actions()]
    return dict(zip(names, gomoku_prior(state), strict=True))


def best(state: Gomoku) -> set[str]:
    """The moves with the highest weight."""
    found = weights(state)
    return {name for name, weight in found.items() if weight == max(found.values())}


def value(state: Gomoku) -> float:
    """The evaluator's value for the player to move."""
    ((values,), _) = threat_evaluator()([state], np.random.default_rng(1))
    return values[state.current_player]


@pytest.mark.parametrize(
    ("moves", "expected", "low", "high"),
    [
        # Black: C8 to F8 with White on B8. Black completes, and White, a stone less, blocks.
        ("C8 B8 D8 A1 E8 O1 F8 O15", {"G8"}, 1, 1),
        ("C8 B8 D8 A1 E8 O1 F8", {"G8"}, 0, 0),
        # An open four, which cannot be blocked.
        ("C8 O2 D8 A1 E8 O1 F8", {"B8", "G8"}, -1, -1),
        # Three in a row, both ends free: an open four on either side, and White may stop either.
        ("G8 A1 H8 O1 I8 O15", {"F8", "J8"}, 1, 1),
        ("G8 A1 H8 O1 I8", {"F8", "J8"}, -0.9, 0),
        # A four and a three meet; two threes meet.
        ("C9 B9 D9 A1 E9 O1 F7 A15 F8 O15", {"F9"}, 0.5, 0.9),
        ("G8 A1 F8 O1 H9 A15 H10 O15", {"H8"}, 0, 0.9),
        # A four to block at F8, which makes an open four along its column.
        ("A8 B8 F7 C8 F6 D8 F5 E8", {"F8"}, 1, 1),
    ],
)
def test_what_comes_first_and_what_it_is_worth(moves, expected, low, high):
    state = play(Gomoku(15), moves)
    assert best(state) == expected
    assert low <= value(state) <= high


@settings(max_examples=40, deadline=None)
@given(positions())
def test_fives_come_before_all_and_the_evaluators_priors_are_these_weights(state):
    found = gomoku_prior(state)
    assert min(found) > 0
    chance = np.random.default_rng(1)
    chosen = heuristic(state, chance)
    wins = set(square_bits(find_threats(state).five))
    blocks = set(square_bits(find_threats(state, 1 - state.current_player).five))
    assert chosen in (wins or blocks or set(state.legal_actions()))
    values, priors = checked(threat_evaluator()([state, state], chance), [state, state])
    assert values[0] == values[1] == (values[0][0], -values[0][0])
    assert priors[0] == pytest.approx([weight / sum(found) for weight in found])


def forces(state: Gomoku, attacker: int, plies: int) -> bool:
    """Whether `attacker` can win within so many plies, by the rules of the game alone."""
    if state.is_terminal or plies == 0:
        return state.is_terminal and state.returns()[attacker] == 1
    results = (forces(state.child(each), attacker, plies - 1) for each in state.legal_actions())
    return any(results) if state.current_player == attacker else all(results)


def test_what_is_certain_is_so_by_the_rules(rng):
    """On small boards that are nearly full, with rows that are not far from five."""
    seen = {1: 0, -1: 0}
    for _ in range(120):
        state = scattered(Gomoku(7), int(rng.integers(30, 40)), 9, rng)
        certain, mover = value(state), state.current_player
        assert (certain == 1) == forces(state, mover, 3), str(state)
        if certain == -1:
            assert forces(state, 1 - mover, 2)
        if certain in seen:
            seen[certain] += 1
    assert min(seen.values()) >= 3
