"""Notebook 05, simulation: the value of a leaf, and two policies for its rollouts."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from mctslab.course.checking.cases import FROM_MODEL, Case, Near, Shares, Words, tally
from mctslab.course.exercise import exercise
from mctslab.course.tree_game import (
    SPARSE,
    Place,
    TreeGame,
    drawn,
    forced,
    game_of,
    outlined,
    place_at_random,
    turn_of,
    won_by,
)
from mctslab.course.valued_games import leftmost, rightmost
from mctslab.games.state import State
from mctslab.search.evaluators import RolloutPolicy, uniform

# leaf_value


def _watched(
    function: Callable[..., Any], state: State, policy: RolloutPolicy, *others: Any
) -> object:
    """The value; or that the policy was not asked where there is a choice."""
    asked: list[State] = []

    def watching(state: State, rng: np.random.Generator) -> int:
        asked.append(state)
        return policy(state, rng)

    found = function(state, watching, *others)
    while len(state.legal_actions()) == 1:
        state = state.child(*state.legal_actions())
    return found if asked or state.is_terminal else Words("the policy was never called")


def _value_case(
    place: Place, policy: RolloutPolicy, num_rollouts: int, expected: object = FROM_MODEL
) -> Case:
    return Case(
        lambda: (game_of(place), policy, num_rollouts, np.random.default_rng(1)),
        expected,
        f"the policy {policy.__name__}, num_rollouts={num_rollouts}\n{outlined(place)}",
        _watched,
    )


def _value_cases() -> list[Case]:
    uneven = turn_of(1, turn_of(0, won_by(0), won_by(1), drawn()), drawn(), won_by(0))
    seldom = turn_of(0, won_by(1), won_by(1), won_by(0))
    # Player 0 wins 4/9 and loses 1/9: a mean of 1/3, and 2,000 rollouts are off by .015.
    return [
        _value_case(won_by(1), leftmost, 3),
        _value_case(uneven, uniform, 2_000, Near((1 / 3, -1 / 3), 0.08)),
        _value_case(seldom, uniform, 2_000, Near((-1 / 3, 1 / 3), 0.08)),
    ]


def _value_variation(rng: np.random.Generator) -> Case:
    place = forced(int(rng.integers(40)), place_at_random(rng, 5))
    policy = (leftmost, rightmost)[rng.integers(2)]
    return _value_case(place, policy, int(rng.integers(1, 4)))


@exercise(cases=_value_cases, variation=_value_variation)
def leaf_value(
    state: State, policy: RolloutPolicy, num_rollouts: int, rng: np.random.Generator
) -> tuple[float, float]:
    """The mean results for players 0 and 1 of rollouts from `state`, all of them by `policy`."""
    total = 0.0
    for _ in range(num_rollouts):
        here = state
        while not here.is_terminal:
            here = here.child(policy(here, rng))
        total += here.returns()[0]
    mean = total / num_rollouts
    return mean, -mean


# finishing and careful

_ACTIONS: Final = (0, *SPARSE[1:])
"""In Python 0 counts as false, and here it is an action."""


def _kinds(place: Place) -> tuple[list[int], list[int]]:
    """The moves that win at once, and those after which the opponent does not win at once."""
    wins, safe = list[int](), list[int]()
    for action, after in enumerate(place.options):
        if after.returns is not None and after.returns[place.player] == 1:
            wins.append(action)
        ends = [each.returns for each in (after, *after.options) if each.returns is not None]
        if all(end[place.player] != -1 for end in ends):
            safe.append(action)
    return wins, safe


_WINS: Final = Words("always a move that wins at once")
_TIMES: Final = 100


def _played(function: Callable[..., Any], state: TreeGame, rng: np.random.Generator) -> object:
    """How often each move is played in some calls; a choice among wins is free."""
    found = tally(function(state, rng) for _ in range(_TIMES))
    wins, _ = _kinds(state.place)
    return _WINS if wins and found.counts.keys() <= {_ACTIONS[win] for win in wins} else found


def _policy_case(place: Place, *moves: int) -> Case:
    """A position in which these moves, and no others, are played equally often; or one to win."""
    return Case(
        lambda: (TreeGame(place, (), _ACTIONS), np.random.default_rng(1)),
        Shares({_ACTIONS[move]: 1 / len(moves) for move in moves}) if moves else _WINS,
        f"{_TIMES} calls with this position\n{outlined(place, numbers=_ACTIONS)}",
        _played,
    )


def _finishing_variation(rng: np.random.Generator) -> Case:
    player, count = int(rng.integers(2)), int(rng.integers(1, 6))
    place = turn_of(player, *(place_at_random(rng, 2) for _ in range(count)))
    wins, _ = _kinds(place)
    return _policy_case(place, *(() if wins else range(count)))


@exercise(variation=_finishing_variation)
def finishing(state: State, rng: np.random.Generator) -> int:
    """Play a move that wins at once, if there is one, and otherwise a random legal move."""
    mover = state.current_player
    for action in state.legal_actions():
        after = state.child(action)
        if after.is_terminal and after.returns()[mover] == 1:
            return action
    return int(rng.choice(state.legal_actions()))


def _careful_cases() -> list[Case]:
    loses, end = won_by(1), drawn()
    calm, trap = turn_of(1, end, turn_of(0, won_by(0))), turn_of(1, end, loses)
    return [
        _policy_case(turn_of(0, trap, calm), 1),
        _policy_case(turn_of(0, end, trap, calm), 0, 2),
        _policy_case(turn_of(0, turn_of(1, loses, loses), trap), 0, 1),
    ]


def _turns_at_random(rng: np.random.Generator, player: int, width: int, depth: int) -> Place:
    """A game as in the notebook: the players take turns, and nobody loses by their own move."""
    options = []
    for _ in range(rng.integers(1, width)):
        is_over = depth == 0 or rng.random() < 0.4
        end = won_by(player) if rng.random() < 0.5 else drawn()
        options.append(end if is_over else _turns_at_random(rng, 1 - player, 4, depth - 1))
    return turn_of(player, *options)


def _careful_variation(rng: np.random.Generator) -> Case:
    place = _turns_at_random(rng, int(rng.integers(2)), 6, 3)
    wins, safe = _kinds(place)
    return _policy_case(place, *(() if wins else safe or range(len(place.options))))


@exercise(cases=_careful_cases, variation=_careful_variation, points=2)
def careful(state: State, rng: np.random.Generator) -> int:
    """Play a move that wins at once, or a random one of those that do not let the opponent win.

    The opponent must not win by this move or by the next one. If every move allows that, play any
    legal move at random.
    """
    mover, safe = state.current_player, []
    for action in state.legal_actions():
        after = state.child(action)
        if after.is_terminal and after.returns()[mover] == 1:
            return action
        ends = [after]
        for reply in after.legal_actions():
            ends.append(after.child(reply))
        if all(not end.is_terminal or end.returns()[mover] != -1 for end in ends):
            safe.append(action)
    return int(rng.choice(safe or state.legal_actions()))
