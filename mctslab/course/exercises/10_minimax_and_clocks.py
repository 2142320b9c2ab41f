"""Notebook 10, minimax and clocks: alpha-beta, and a search that deepens until its time is up."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import numpy as np

from mctslab import games
from mctslab.course.checking.comparing import AtMost, OneOf
from mctslab.course.exercise import exercise
from mctslab.course.question import Case
from mctslab.course.tree_game import Place, TreeGame, outlined
from mctslab.course.valued_games import (
    Evaluate,
    Evaluation,
    disc_difference,
    first,
    second,
    turns_at_random,
)
from mctslab.games.state import State

# alphabeta


def _watched(
    function: Callable[..., Any], state: State, depth: int, evaluate: Evaluation
) -> object:
    value = function(state, depth, evaluate)
    return {"value": value, "positions evaluated": evaluate.count}


def _alphabeta_case(
    place: Place,
    expected: tuple[float, int],
    depth: int = 9,
    inner: Mapping[tuple[int, ...], float] = MappingProxyType({}),
) -> Case:
    """A game written out; `inner` has the values of positions that are not ends, by their path."""

    def judge(state: State) -> float:
        assert isinstance(state, TreeGame)
        return state.returns()[0] if state.is_terminal else inner.get(state.path, 0)

    value, count = expected
    shown = f"alphabeta(state, {depth}, evaluate), and the game is\n{outlined(place, inner)}"
    return Case(
        lambda: (TreeGame(place), depth, Evaluation(judge)),
        {"value": value, "positions evaluated": AtMost(count)},
        shown,
        _watched,
        changes_arguments=True,
    )


def _reversi_case(moves: str, depth: int, expected: tuple[float, int]) -> Case:
    state = games.Reversi(size=4)
    for move in moves.split():
        state = state.child(state.string_to_action(move))
    value, count = expected
    shown = f"alphabeta(state, {depth}, evaluate): Reversi on 4 x 4 after {moves},\n"
    shown += f"evaluated by Black's discs less White's\n{state}"
    return Case(
        lambda: (state, depth, Evaluation(disc_difference)),
        {"value": value, "positions evaluated": AtMost(count)},
        shown,
        _watched,
        changes_arguments=True,
    )


def _alphabeta_cases() -> list[Case]:
    # Worked out by hand, but for the last two: those by minimax and by Baudet's theorem, see tests.
    deep = first(5, second(first(second(4, 9), 8), 7))
    return [
        _alphabeta_case(first(3, 7, 5), (7, 3)),
        _alphabeta_case(second(-2, -6, 4), (-6, 3)),
        _alphabeta_case(first(second(3, 5), second(2, 9, 8)), (3, 3)),
        _alphabeta_case(second(first(3, 5), first(6, 1, 2), first(4, 2)), (4, 5)),
        _alphabeta_case(first(second(-4, -1), second(-4, -2), second(-3, -5)), (-4, 5)),
        _alphabeta_case(first(second(6, 2), 1), (1, 2), 1, {(0,): -3}),
        _alphabeta_case(first(second(6, 2), 1), (3, 2), 1, {(0,): 3}),  # nothing may be left of it
        _alphabeta_case(deep, (7, 4)),
        _alphabeta_case(first(second(first(2, 6), first(1, 4)), second(3, 8)), (4, 5)),
        # A player moves twice in a row.
        _alphabeta_case(first(first(2, 7), second(5, 9), second(8, 1)), (7, 5)),
        _alphabeta_case(second(second(first(1, 6), 3), first(4, second(2, 7))), (3, 4)),
        _reversi_case("b1 a1", 4, (-2, 35)),
        _reversi_case("b1 a1 a2 c1 d2", 12, (-12, 30)),
    ]


def _alphabeta_variation(rng: np.random.Generator) -> Case:
    place, depth = turns_at_random(rng, int(rng.integers(0, 4))), int(rng.integers(1, 6))
    case = _alphabeta_case(place, (0, 0), depth)
    facts = case.run(alphabeta, *case.arguments())
    most = AtMost(facts["positions evaluated"])
    return replace(case, expected=facts | {"positions evaluated": most})


def alphabeta(
    state: State, depth: int, evaluate: Evaluate, alpha: float = -math.inf, beta: float = math.inf
) -> float:
    """The value of minimax, `depth` plies deep, for player 0, with as few evaluations as possible.

    `evaluate(state)`, also for player 0, is called at depth 0 and where the game is over. Player 0
    is already sure of `alpha`, and player 1 of `beta`. Where alpha >= beta, skip the other moves.
    """
    if depth == 0 or state.is_terminal:
        return evaluate(state)
    for action in state.legal_actions():
        value = alphabeta(state.child(action), depth - 1, evaluate, alpha, beta)
        if state.current_player == 0:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return alpha if state.current_player == 0 else beta


# The function calls itself by its name, so the exercise goes by another one.
alphabeta_exercise: Final = exercise(cases=_alphabeta_cases, variation=_alphabeta_variation)(
    alphabeta
)


# deepen

Looked: TypeAlias = tuple[int | None, bool, bool]
Think: TypeAlias = Callable[[int, float], Looked]
Clock: TypeAlias = Callable[[], float]

CLOCK_BEGINS: Final = 5_000.0
"""As on any computer, the clock does not begin at 0."""


class Plies:
    """A search that was written down beforehand: what it says at each depth, and its price.

    Args:
        best: for each depth, from 1 on, the best move.
        prices: for each depth the seconds that it takes.
        hasty: the best move so far, where it has to give up.
        sees_the_end: whether the last depth has seen the end of the game everywhere.
    """

    def __init__(
        self, best: Sequence[int], prices: Sequence[float], hasty: int | None, *, sees_the_end: bool
    ) -> None:
        self.depths: list[int] = []
        self.now = CLOCK_BEGINS
        self._best, self._prices, self._hasty = best, prices, hasty
        self._sees_the_end = sees_the_end

    def __call__(self, depth: int, deadline: float) -> Looked:
        """Look `depth` plies ahead; give up when the clock reaches the deadline."""
        if depth < 1:
            raise ValueError(f"depth={depth} is no depth: at least 1.")
        self.depths.append(depth)
        place = min(depth, len(self._best)) - 1
        if self.now + self._prices[place] > deadline:
            self.now = max(self.now, deadline)
            return self._hasty, False, False
        self.now += self._prices[place]
        return self._best[place], True, self._sees_the_end and depth >= len(self._best)

    def clock(self) -> float:
        """The time in seconds."""
        return self.now


def _timed(
    function: Callable[..., Any],
    think: Plies,
    legal_actions: Sequence[int],
    seconds: float,
    clock: Clock,
) -> object:
    move = function(think, legal_actions, seconds, clock)
    return {"move": move, "depths": tuple(think.depths), "seconds": think.now - CLOCK_BEGINS}


_LEGAL: Final = (19, 26, 37, 44)
_LEGAL_WITH_ZERO: Final = (26, 37, 0, 44)
_ANY: Final = OneOf(_LEGAL)
"""Where no depth was finished in time, any legal move will do."""


def _deepen_case(
    seconds: float,
    best: Sequence[int],
    prices: Sequence[float],
    hasty: int | None,
    expected: tuple[object, tuple[int, ...], float],
    *,
    sees_the_end: bool = False,
    legal_actions: tuple[int, ...] = _LEGAL,
) -> Case:
    def arguments() -> tuple[Plies, Sequence[int], float, Clock]:
        think = Plies(best, prices, hasty, sees_the_end=sees_the_end)
        return think, legal_actions, seconds, think.clock

    shown = f"deepen(think, {legal_actions}, seconds={seconds:g}, clock)"
    for depth, (move, price) in enumerate(zip(best, prices, strict=True), start=1):
        end = ", and sees the end" if sees_the_end and depth == len(best) else ""
        shown += f"\ndepth {depth} takes {price:g} s and finds {move}{end}"
    shown += f"\nwhere a search has to give up, its best move so far is {hasty}"
    played, depths, used = expected
    return Case(
        arguments,
        {"move": played, "depths": depths, "seconds": used},
        shown,
        _timed,
        changes_arguments=True,
    )


def _deepen_cases() -> list[Case]:
    return [
        _deepen_case(1, (26, 37), (0.25, 0.25), None, (37, (1, 2), 0.5), sees_the_end=True),
        _deepen_case(1, (26, 37, 44), (0.125, 0.375, 2), None, (37, (1, 2, 3), 1)),
        _deepen_case(1, (26, 37, 44), (0.125, 0.375, 2), 19, (37, (1, 2, 3), 1)),
        _deepen_case(0.5, (26, 44), (0.75, 3), None, (_ANY, (1,), 0.5)),
        _deepen_case(0.5, (26, 44), (0.75, 3), 37, (_ANY, (1,), 0.5)),
        _deepen_case(
            *(2, (44, 26, 44, 37), (0.125, 0.25, 0.5, 1), 26, (37, (1, 2, 3, 4), 1.875)),
            sees_the_end=True,
        ),
        _deepen_case(
            *(2, (44, 26, 44, 37, 19), (0.125, 0.25, 0.5, 1, 4), 19, (37, (1, 2, 3, 4, 5), 2))
        ),
        _deepen_case(1, (37,), (0.125,), None, (37, (1,), 0.125), sees_the_end=True),
        _deepen_case(
            *(1, (37, 0), (0.125, 0.25), None, (0, (1, 2), 0.375)),
            sees_the_end=True,
            legal_actions=_LEGAL_WITH_ZERO,
        ),
    ]


def _deepen_variation(rng: np.random.Generator) -> Case:
    number = int(rng.integers(1, 14))
    legal_actions = (_LEGAL, _LEGAL_WITH_ZERO)[rng.integers(2)]
    best = [int(move) for move in rng.choice(legal_actions, number)]
    prices = [float(rng.integers(1, 3)) / 8 * 1.5**depth for depth in range(number)]
    seconds, sees_the_end = float(rng.uniform(0.1, 30)), bool(rng.integers(2))
    hasty = (None, 0, 44)[rng.integers(3)]
    case = _deepen_case(
        *(seconds, best, prices, hasty, (0, (), 0.0)),
        sees_the_end=sees_the_end,
        legal_actions=legal_actions,
    )
    facts = case.run(deepen.model_answer, *case.arguments())
    has_finished = prices[0] <= seconds
    return replace(case, expected=facts if has_finished else facts | {"move": OneOf(legal_actions)})


@exercise(cases=_deepen_cases, variation=_deepen_variation)
def deepen(think: Think, legal_actions: Sequence[int], seconds: float, clock: Clock) -> int:
    """The move of the deepest search that was finished in time; a legal one in any case.

    `think(depth, deadline)` looks `depth` plies ahead, and gives up when `clock()` reaches the
    deadline. It returns the best move so far (or None), whether it has finished, and whether it saw
    the end of the game in every line, so that looking deeper would change nothing.
    """
    deadline = clock() + seconds
    action = legal_actions[0]
    depth = 1
    while True:
        best, is_finished, sees_the_end = think(depth, deadline)
        if is_finished and best is not None:
            action = best
        if sees_the_end or not is_finished:
            return action
        depth += 1
