"""Notebook 10: alpha-beta, killer moves, quiescence, and a search that deepens on a clock."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from mctslab import games
from mctslab.course.checking.cases import Case, OneOf
from mctslab.course.exercise import exercise
from mctslab.course.positions import after
from mctslab.course.tree_game import IN_ORDER, SPARSE, Place, TreeGame, game_of, outlined
from mctslab.course.valued_games import (
    Counted,
    Evaluate,
    at_most,
    disc_difference,
    first,
    judge_of,
    second,
    turns_at_random,
    values_at_random,
)
from mctslab.games.state import State

# alphabeta


def _alphabeta_case(state: State, depth: int, judge: Evaluate, shown: str) -> Case:
    def use(function: Callable[..., Any], state: State, depth: int, evaluate: Counted) -> object:
        value = function(state, depth, evaluate)
        return {"value": value, "positions evaluated": evaluate.count}

    made = Case(
        lambda: (state, depth, Counted(judge)),
        shown=f"alphabeta(state, {depth}, evaluate), and the game is\n{shown}",
        use=use,
        changes_arguments=True,
    )
    return at_most(made, alphabeta, "positions evaluated")


def _written_case(place: Place, depth: int, values: Mapping[tuple[int, ...], float]) -> Case:
    return _alphabeta_case(game_of(place), depth, judge_of(values), outlined(place, values))


def _alphabeta_cases() -> list[Case]:
    reversi = after(games.Reversi(size=4), "b1 a1 a2 c1 d2")
    return [
        _written_case(first(3, 7, 5), 9, {}),
        _written_case(first(second(6, 2), 1), 1, {(0,): -3}),
        _alphabeta_case(
            *(reversi, 12, disc_difference),
            f"Reversi on 4 x 4, evaluated by Black's discs less White's\n{reversi}",
        ),
    ]


def _alphabeta_variation(rng: np.random.Generator) -> Case:
    place, depth = turns_at_random(rng, int(rng.integers(0, 4))), int(rng.integers(1, 6))
    return _written_case(place, depth, values_at_random(rng, place))


@exercise(cases=_alphabeta_cases, variation=_alphabeta_variation, points=2)
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


# with_killers

Killers: TypeAlias = dict[int, int]


def _killers_variation(rng: np.random.Generator) -> Case:
    place, depth = turns_at_random(rng, int(rng.integers(0, 4))), int(rng.integers(1, 6))
    numbers = ((2, 0, 4), (0, 1, 2))[rng.integers(2)]
    before = {plies: int(rng.integers(0, 3)) for plies in range(1, depth) if rng.random() < 0.5}

    def use(
        function: Callable[..., Any], state: State, depth: int, evaluate: Counted, killers: Any
    ) -> object:
        value = function(state, depth, evaluate, killers)
        seen = {"value": value, "positions evaluated": evaluate.count}
        return {**seen, "killers afterwards": dict(killers)}

    made = Case(
        lambda: (TreeGame(place, (), numbers), depth, Counted(judge_of()), dict(before)),
        shown=f"with_killers(state, {depth}, evaluate, killers={before}), and the game is\n"
        f"{outlined(place, numbers=numbers)}; the moves are {', '.join(map(str, numbers))}",
        use=use,
        changes_arguments=True,
    )
    return at_most(made, with_killers, "positions evaluated")


@exercise(variation=_killers_variation, points=2)
def with_killers(
    state: State,
    depth: int,
    evaluate: Evaluate,
    killers: Killers,
    alpha: float = -math.inf,
    beta: float = math.inf,
) -> float:
    """The value of minimax by alpha-beta, which tries the killer move first where it is legal."""
    if depth == 0 or state.is_terminal:
        return evaluate(state)
    moves = list(state.legal_actions())
    if killers.get(depth) in moves:
        moves.remove(killers[depth])
        moves.insert(0, killers[depth])
    for move in moves:
        value = with_killers(state.child(move), depth - 1, evaluate, killers, alpha, beta)
        if state.current_player == 0:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            killers[depth] = move
            break
    return alpha if state.current_player == 0 else beta


# quiet


def _quiet_variation(rng: np.random.Generator) -> Case:
    place = turns_at_random(rng, int(rng.integers(0, 4)))
    numbers = (IN_ORDER, SPARSE)[rng.integers(2)]
    loud = [move for move in numbers[:4] if rng.random() < 0.7]
    values = values_at_random(rng, place)
    return Case(
        lambda: (TreeGame(place, (), numbers), judge_of(values), frozenset(loud)),
        shown=f"quiet(state, evaluate, loud={set(loud) or '{}'}), and the game is\n"
        f"{outlined(place, values, numbers=numbers)}",
    )


@exercise(variation=_quiet_variation, points=2)
def quiet(state: State, evaluate: Evaluate, loud: Collection[int]) -> float:
    """The value of `state` for player 0 when the players may go on with moves in `loud`.

    `evaluate(state)`, also for player 0, is what the player to move gets without such a move.
    """
    value = evaluate(state)
    for action in state.legal_actions():
        if action in loud:
            after = quiet(state.child(action), evaluate, loud)
            if state.current_player == 0:
                value = max(value, after)
            else:
                value = min(value, after)
    return value


# deepen

Looked: TypeAlias = tuple[int | None, bool, bool]
Think: TypeAlias = Callable[[int, float], Looked]
Clock: TypeAlias = Callable[[], float]

_TOO_DEEP: Final = 100
"""From this depth on a search takes for ever."""
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
        # Even with a new deadline for every depth, a search ends at last.
        price = self._prices[place] if depth < _TOO_DEEP else math.inf
        if self.now + price > deadline:
            self.now = max(self.now, deadline)
            return self._hasty, False, False
        self.now += price
        return self._best[place], True, self._sees_the_end and depth >= len(self._best)

    def clock(self) -> float:
        """The time in seconds."""
        return self.now


def _deepen_case(
    seconds: float,
    best: Sequence[int],
    prices: Sequence[float],
    hasty: int | None,
    *,
    sees_the_end: bool = False,
) -> Case:
    """A search that was written down; where no depth is finished, any legal move will do."""
    moves = {*best, 19, 37} | ({hasty} if hasty is not None else set())
    legal_actions = tuple(sorted(moves, reverse=True))

    def arguments() -> tuple[Plies, Sequence[int], float, Clock]:
        think = Plies(best, prices, hasty, sees_the_end=sees_the_end)
        return think, legal_actions, seconds, think.clock

    def use(function: Callable[..., Any], think: Plies, *others: Any) -> dict[str, object]:
        move = function(think, *others)
        return {"move": move, "depths": tuple(think.depths), "seconds": think.now - CLOCK_BEGINS}

    shown = f"deepen(think, {legal_actions}, seconds={seconds:g}, clock)"
    for depth, (move, price) in enumerate(zip(best, prices, strict=True), start=1):
        end = ", and sees the end" if sees_the_end and depth == len(best) else ""
        shown += f"\ndepth {depth} takes {price:g} s and finds {move}{end}"
    if not sees_the_end:
        shown += (
            f"\na deeper search does the same, until at depth {_TOO_DEEP} the time is never enough"
        )
    shown += f"\nwhere a search has to give up, its best move so far is {hasty}"
    facts = use(deepen.model_answer, *arguments())
    if prices[0] > seconds:
        facts["move"] = OneOf(legal_actions)
    return Case(arguments, facts, shown, use, changes_arguments=True)


def _deepen_cases() -> list[Case]:
    return [
        _deepen_case(1, (26, 37), (0.25, 0.25), None, sees_the_end=True),
        _deepen_case(0.5, (26, 44), (0.75, 3), None),
        _deepen_case(30, (19,), (0.125,), 44),
    ]


def _deepen_variation(rng: np.random.Generator) -> Case:
    number = int(rng.integers(1, 14))
    best = [int(move) for move in rng.choice((0, 19, 26, 37, 44), number)]
    prices = [float(rng.integers(1, 3)) / 8 * 1.5**depth for depth in range(number)]
    seconds, sees_the_end = float(rng.uniform(0.1, 30)), bool(rng.integers(2))
    hasty = (None, 0, 44)[rng.integers(3)]
    return _deepen_case(seconds, best, prices, hasty, sees_the_end=sees_the_end)


@exercise(cases=_deepen_cases, variation=_deepen_variation, points=2)
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
