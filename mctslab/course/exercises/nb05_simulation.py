"""Notebook 05, simulation: play on by a policy, and say what each player got."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from mctslab.course.comparing import same
from mctslab.course.exercise import exercise
from mctslab.course.expectations import Shares, Words, tally
from mctslab.course.question import Case, misconception
from mctslab.course.tree_game import Place, TreeGame, drawn, turn_of, won_by
from mctslab.games.state import State
from mctslab.search.rollouts import RolloutPolicy, uniform


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
        return TreeGame(place), policy, np.random.default_rng(1)

    return Case(arguments, expected, shown, use)


def _many(
    function: Callable[..., Any], state: State, policy: RolloutPolicy, rng: np.random.Generator
) -> object:
    return tally(function(state, policy, rng) for _ in range(900))


def _again(
    function: Callable[..., Any], state: State, policy: RolloutPolicy, rng: np.random.Generator
) -> object:
    def results() -> list[object]:
        same_rng = np.random.default_rng(7)
        return [function(state, policy, same_rng) for _ in range(40)]

    return Words("the same results" if same(results(), results()) else "other results")


def _rollout_cases() -> list[Case]:
    wins, loses, end = won_by(0), won_by(1), drawn()
    single = turn_of(0, end)
    fork = turn_of(0, turn_of(1, wins, loses), turn_of(1, loses, end))
    return [
        _rollout_case(loses, first_action, (-1.0, 1.0), "a game that player 1 has won already"),
        _rollout_case(end, first_action, (0.0, 0.0), "a game that was drawn already"),
        _rollout_case(
            turn_of(0, wins), first_action, (1.0, -1.0), "player 0 has one move, and wins by it"
        ),
        _rollout_case(
            turn_of(1, loses), first_action, (-1.0, 1.0), "player 1 has one move, and wins by it"
        ),
        _rollout_case(
            turn_of(1, turn_of(0, loses)),
            first_action,
            (-1.0, 1.0),
            "player 1 is to move; after one forced move each, player 1 has won",
        ),
        _rollout_case(
            turn_of(0, turn_of(0, turn_of(1, wins))),
            first_action,
            (1.0, -1.0),
            "player 0 moves twice, player 1 once, and player 0 has won",
        ),
        _rollout_case(
            turn_of(0, wins, loses, end),
            last_action,
            (0.0, 0.0),
            "three moves: a win, a loss, a draw; the policy plays the last one",
        ),
        _rollout_case(
            turn_of(0, loses, turn_of(1, single, single, turn_of(0, loses, wins))),
            last_action,
            (1.0, -1.0),
            "2 moves, then 3, then 1 or 2; the policy always plays the last one",
        ),
        # 1/4 a win for player 0, 1/2 for player 1, 1/4 a draw.
        _rollout_case(
            fork,
            uniform,
            Shares({(-1.0, 1.0): 1 / 2, (1.0, -1.0): 1 / 4, (0.0, 0.0): 1 / 4}),
            "900 rollouts by the uniform policy; two moves each lead to two ends",
            _many,
        ),
        _rollout_case(
            fork,
            uniform,
            Words("the same results"),
            "40 rollouts by the uniform policy, and 40 again with the same seed",
            _again,
        ),
    ]


@misconception(
    "moves drawn at random, whatever the policy says",
    "Ask the policy: `policy(state, rng)` is the action to play. The uniform policy is only one of "
    "many.",
)
def _ignores_the_policy(state: State, policy: RolloutPolicy, rng: np.random.Generator) -> object:
    while not state.is_terminal:
        state = state.child(uniform(state, rng))
    return state.returns()


@misconception(
    "the policy asked only once",
    "What is good here may be bad, or not even legal, one move later. Ask at every position.",
)
def _asks_once(state: State, policy: RolloutPolicy, rng: np.random.Generator) -> object:
    action = policy(state, rng) if state.legal_actions() else 0
    while not state.is_terminal:
        state = state.child(action)
    return state.returns()


@misconception(
    "the policy asked about the first position all the time",
    "Hand it the position that is on the board now, not the one at which the rollout began.",
)
def _asks_about_the_start(state: State, policy: RolloutPolicy, rng: np.random.Generator) -> object:
    here = state
    while not here.is_terminal:
        action = policy(state, rng)
        here = here.child(action if action in here.legal_actions() else here.legal_actions()[0])
    return here.returns()


@misconception(
    "one move in place of a whole game",
    "The policy's move rarely ends the game. Go on as long as it is not over: `while`, not `if`.",
)
def _one_move(state: State, policy: RolloutPolicy, rng: np.random.Generator) -> object:
    if not state.is_terminal:
        state = state.child(policy(state, rng))
    return state.returns()


@misconception(
    "a move asked for before looking whether the game is over",
    "The leaf of a search can be the end of a game. Then there is no move to ask for.",
)
def _moves_first(state: State, policy: RolloutPolicy, rng: np.random.Generator) -> object:
    while True:
        state = state.child(policy(state, rng))
        if state.is_terminal:
            return state.returns()


@misconception(
    "a position that is never replaced",
    "`state.child(action)` makes a new position and leaves `state` as it was: write `state = ...`.",
)
def _never_moves(state: State, policy: RolloutPolicy, rng: np.random.Generator) -> object:
    while not state.is_terminal:
        state.child(policy(state, rng))
    return state.returns()


_TURNED: Final = misconception(
    "the pair with the player to move in front",
    "The order of the pair never changes: what player 0 got, then what player 1 got. Who began the "
    "rollout, or who moved last, plays no part.",
)


def _start_first(state: State, policy: RolloutPolicy, rng: np.random.Generator) -> object:
    player = state.current_player
    returns = _played(state, policy, rng)
    return returns[player], returns[1 - player]


def _last_mover_first(state: State, policy: RolloutPolicy, rng: np.random.Generator) -> object:
    last = 0
    while not state.is_terminal:
        last = state.current_player
        state = state.child(policy(state, rng))
    return state.returns()[last], state.returns()[1 - last]


@misconception(
    "the result turned around at every move",
    "`returns()` says what each player got, however many moves it took. Nothing changes sign.",
)
def _turned_at_every_move(state: State, policy: RolloutPolicy, rng: np.random.Generator) -> object:
    sign = 1
    while not state.is_terminal:
        state = state.child(policy(state, rng))
        sign = -sign
    return tuple(sign * result for result in state.returns())


_ONE_NUMBER: Final = misconception(
    "one number in place of a pair",
    "A single number is the reward of one player, and sooner or later it is added up for the "
    "other. Give the pair, one number for each player.",
)


def _for_player_0(state: State, policy: RolloutPolicy, rng: np.random.Generator) -> object:
    return _played(state, policy, rng)[0]


def _for_the_player_to_move(
    state: State, policy: RolloutPolicy, rng: np.random.Generator
) -> object:
    return _played(state, policy, rng)[state.current_player]


@misconception(
    "rewards between 0 and 1",
    "Here a win is 1, a draw 0 and a loss -1, as `returns()` has it. On a screen it is shown as a "
    "win rate, (1 + value) / 2; the search itself calculates with returns.",
)
def _from_zero_to_one(state: State, policy: RolloutPolicy, rng: np.random.Generator) -> object:
    return tuple((1 + result) / 2 for result in _played(state, policy, rng))


@misconception(
    "a draw counted as a loss of both",
    "A draw is worth 0 to both, half-way between a win and a loss. As a loss of both, the search "
    "would throw drawn games away.",
)
def _draw_lost(state: State, policy: RolloutPolicy, rng: np.random.Generator) -> object:
    return tuple(1.0 if result > 0 else -1.0 for result in _played(state, policy, rng))


def _played(state: State, policy: RolloutPolicy, rng: np.random.Generator) -> tuple[float, float]:
    while not state.is_terminal:
        state = state.child(policy(state, rng))
    return state.returns()


@exercise(
    title="A rollout by any policy",
    cases=_rollout_cases,
    misconceptions=(
        _ignores_the_policy,
        _asks_once,
        _asks_about_the_start,
        _one_move,
        _moves_first,
        _never_moves,
        _TURNED(_start_first),
        _TURNED(_last_mover_first),
        _turned_at_every_move,
        _ONE_NUMBER(_for_player_0),
        _ONE_NUMBER(_for_the_player_to_move),
        _from_zero_to_one,
        _draw_lost,
    ),
    hints=(
        "It is the playout of notebook 02, only that somebody else chooses the moves.",
        "`policy(state, rng)` gives the action to play in `state`. Ask it anew at every position, "
        "as long as the game is not over.",
        "In the loop: `state = state.child(policy(state, rng))`. After it: `state.returns()`, a "
        "pair with one number for each player.",
    ),
    when_right="The package's `search.rollout` does the same.",
)
def rollout(state: State, policy: RolloutPolicy, rng: np.random.Generator) -> tuple[float, float]:
    """Play by `policy` to the end of the game; the returns, for player 0 and player 1."""
    while not state.is_terminal:
        state = state.child(policy(state, rng))
    return state.returns()
