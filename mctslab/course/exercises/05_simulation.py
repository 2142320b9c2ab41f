"""Notebook 05, simulation: play on by a policy, and return the result for each player."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mctslab.course.checking.comparing import Shares, Words, tally
from mctslab.course.exercise import exercise
from mctslab.course.question import FROM_MODEL, Case
from mctslab.course.tree_game import (
    SPARSE,
    Place,
    TreeGame,
    drawn,
    forced,
    outlined,
    place_at_random,
    turn_of,
    won_by,
)
from mctslab.games.state import State
from mctslab.search.evaluators import RolloutPolicy, uniform


def first_action(state: State, rng: np.random.Generator) -> int:
    """The policy that always plays the first legal action."""
    return state.legal_actions()[0]


def last_action(state: State, rng: np.random.Generator) -> int:
    """The policy that always plays the last legal action."""
    return state.legal_actions()[-1]


def _rollout_case(
    place: Place,
    policy: RolloutPolicy,
    expected: object,
    shown: str,
    use: Callable[..., object] | None = None,
) -> Case:
    def arguments() -> tuple[State, RolloutPolicy, np.random.Generator]:
        return TreeGame(place, (), SPARSE), policy, np.random.default_rng(1)

    return Case(arguments, expected, f"{shown}\n{outlined(place)}", use or _watched)


def _watched(
    function: Callable[..., Any], state: State, policy: RolloutPolicy, rng: np.random.Generator
) -> object:
    """The result of one rollout, or what is wrong with it whatever the result is."""
    asked: list[State] = []

    def watching(state: State, rng: np.random.Generator) -> int:
        asked.append(state)
        return policy(state, rng)

    found = function(state, watching, rng)
    return found if asked or not _has_a_choice(state) else Words("the policy was never called")


def _has_a_choice(state: State) -> bool:
    """Whether there is more to play than forced moves."""
    while len(state.legal_actions()) == 1:
        state = state.child(state.legal_actions()[0])
    return not state.is_terminal


def _many(
    function: Callable[..., Any], state: State, policy: RolloutPolicy, rng: np.random.Generator
) -> object:
    return tally(_watched(function, state, policy, rng) for _ in range(900))


def _rollout_cases() -> list[Case]:
    wins, loses, end = won_by(0), won_by(1), drawn()
    return [
        _rollout_case(loses, first_action, (-1.0, 1.0), "a game that player 1 has already won"),
        _rollout_case(
            turn_of(0, turn_of(0, turn_of(1, wins))),
            first_action,
            (1.0, -1.0),
            "player 0 moves twice, player 1 once, and player 0 has won",
        ),
        _rollout_case(
            forced(400, wins), last_action, (1.0, -1.0), "four hundred forced moves, then a win"
        ),
        _rollout_case(
            turn_of(0, wins, loses, end), last_action, (0.0, 0.0), "the policy plays the last move"
        ),
        # Player 0 wins 1/4, player 1 wins 1/2, and 1/4 are drawn.
        _rollout_case(
            turn_of(0, turn_of(1, wins, loses), turn_of(1, loses, end)),
            uniform,
            Shares({(-1.0, 1.0): 1 / 2, (1.0, -1.0): 1 / 4, (0.0, 0.0): 1 / 4}),
            "900 rollouts by the uniform policy; two moves each lead to two ends",
            _many,
        ),
    ]


def _rollout_variation(rng: np.random.Generator) -> Case:
    place = forced(int(rng.integers(40)), place_at_random(rng, 5))
    policy = (first_action, last_action)[rng.integers(2)]
    return _rollout_case(
        place, policy, FROM_MODEL, f"a random game, and the policy {policy.__name__}"
    )


@exercise(cases=_rollout_cases, variation=_rollout_variation)
def rollout(state: State, policy: RolloutPolicy, rng: np.random.Generator) -> tuple[float, float]:
    """Play by `policy` to the end of the game, and return the result for players 0 and 1."""
    while not state.is_terminal:
        state = state.child(policy(state, rng))
    return state.returns()
