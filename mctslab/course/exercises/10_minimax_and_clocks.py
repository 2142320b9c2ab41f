"""Notebook 10: alpha-beta, killer moves, quiescence, and a search that deepens on a clock."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import numpy as np

from mctslab import games
from mctslab.course.checking.comparing import AtMost, OneOf
from mctslab.course.exercise import exercise
from mctslab.course.positions import after
from mctslab.course.question import FROM_MODEL, Case
from mctslab.course.tree_game import IN_ORDER, SPARSE, Place, TreeGame, outlined
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
    state: State, depth: int, judge: Evaluate, expected: tuple[float, int], shown: str
) -> Case:
    value, count = expected
    return Case(
        lambda: (state, depth, Evaluation(judge)),
        {"value": value, "positions evaluated": AtMost(count)},
        f"alphabeta(state, {depth}, evaluate), and the game is\n{shown}",
        _watched,
        changes_arguments=True,
    )


def _written_case(
    place: Place,
    expected: tuple[float, int],
    depth: int = 9,
    inner: Mapping[tuple[int, ...], float] = MappingProxyType({}),
    numbers: tuple[int, ...] = IN_ORDER,
) -> Case:
    """A game written out; `inner` has the values of positions that are not ends, by their path."""

    def judge(state: State) -> float:
        assert isinstance(state, TreeGame)
        return state.returns()[0] if state.is_terminal else inner.get(state.path, 0)

    state = TreeGame(place, (), numbers)
    return _alphabeta_case(state, depth, judge, expected, outlined(place, inner))


def _alphabeta_cases() -> list[Case]:
    # Worked out by hand, but for the last: by minimax and by Baudet's theorem, see the tests.
    reversi = after(games.Reversi(size=4), "b1 a1 a2 c1 d2")
    return [
        _written_case(first(3, 7, 5), (7, 3)),
        _written_case(first(second(3, 5), second(2, 9, 8)), (3, 3)),
        _written_case(first(second(6, 2), 1), (1, 2), 1, {(0,): -3}),
        _written_case(first(second(6, 2), 1), (3, 2), 1, {(0,): 3}),  # nothing may be left of it
        # A player moves twice in a row.
        _written_case(first(first(2, 7), second(5, 9), second(8, 1)), (7, 5)),
        _alphabeta_case(
            *(reversi, 12, disc_difference, (-12, 30)),
            f"Reversi on 4 x 4, evaluated by Black's discs less White's\n{reversi}",
        ).with_about(
            "At the end of the game, too, a position is worth what `evaluate` returns, "
            "and that is not 1, 0 or -1 here."
        ),
    ]


def _alphabeta_variation(rng: np.random.Generator) -> Case:
    place, depth = turns_at_random(rng, int(rng.integers(0, 4))), int(rng.integers(1, 6))
    case = _written_case(place, (0, 0), depth, numbers=SPARSE)
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


# with_killers

Killers: TypeAlias = dict[int, int]


def _remembered(
    function: Callable[..., Any], state: State, depth: int, evaluate: Evaluation, killers: Killers
) -> object:
    value = function(state, depth, evaluate, killers)
    seen = {"value": value, "positions evaluated": evaluate.count}
    return {**seen, "killers afterwards": dict(killers)}


def _killers_case(
    place: Place,
    depth: int,
    before: Killers,
    expected: tuple[float, int, Killers],
    numbers: tuple[int, ...] = IN_ORDER,
) -> Case:
    value, count, after = expected
    moves = f"; the moves are {', '.join(map(str, numbers[:4]))}, ..."
    return Case(
        lambda: (TreeGame(place, (), numbers), depth, Evaluation(_end_or_0), dict(before)),
        {"value": value, "positions evaluated": AtMost(count), "killers afterwards": after},
        f"with_killers(state, {depth}, evaluate, killers={before}), and the game is\n"
        f"{outlined(place)}{moves if numbers is not IN_ORDER else ''}",
        _remembered,
        changes_arguments=True,
    )


def _end_or_0(state: State) -> float:
    return state.returns()[0] if state.is_terminal else 0


def _killers_cases() -> list[Case]:
    # Worked out by hand.
    refuted = first(second(3, 5), second(9, 2, 8))
    return [
        _killers_case(refuted, 2, {}, (3, 4, {1: 1})),
        _killers_case(refuted, 2, {1: 1}, (3, 3, {1: 1})),
        # The killer is not legal after the first move.
        _killers_case(first(second(3, 5), second(9, 8, 2)), 2, {1: 2}, (3, 3, {1: 2})).with_about(
            "The killer is not legal after the first move."
        ),
        _killers_case(refuted, 2, {1: 0}, (3, 3, {1: 0}), (5, 0, 9)).with_about(
            "The killer is the action 0, which is a killer like any other."
        ),
        _killers_case(second(first(4, 6), first(1, 7, 9)), 2, {1: 1}, (6, 3, {1: 1})),
        # Another move takes the killer's place.
        _killers_case(
            first(second(3, 5), second(9, 2, 8), second(4, 1)), 2, {1: 0}, (3, 5, {1: 1})
        ),
        _killers_case(
            first(second(first(2, 8), first(5)), second(first(1), first(6, 9))),
            *(3, {}, (5, 4, {2: 0})),
        ),
        # A player moves twice in a row.
        _killers_case(first(first(2, 7), second(5, 9)), 2, {1: 1}, (7, 4, {1: 0})),
    ]


def _killers_variation(rng: np.random.Generator) -> Case:
    place, depth = turns_at_random(rng, int(rng.integers(0, 4))), int(rng.integers(1, 6))
    numbers = ((2, 0, 4), (0, 1, 2))[rng.integers(2)]
    before = {plies: int(rng.integers(0, 3)) for plies in range(1, depth) if rng.random() < 0.5}
    case = _killers_case(place, depth, before, (0, 0, {}), numbers)
    facts = case.run(with_killers, *case.arguments())
    return replace(
        case, expected=facts | {"positions evaluated": AtMost(facts["positions evaluated"])}
    )


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


# The function calls itself by its name, so the exercise goes by another one.
with_killers_exercise: Final = exercise(cases=_killers_cases, variation=_killers_variation)(
    with_killers
)


# quiet


def _quiet_case(
    place: Place,
    inner: Mapping[tuple[int, ...], float],
    loud: Collection[int],
    expected: object,
    numbers: tuple[int, ...] = IN_ORDER,
) -> Case:
    """`inner` has the values of the positions that are not ends, by their path."""

    def judge(state: State) -> float:
        assert isinstance(state, TreeGame)
        return state.returns()[0] if state.is_terminal else inner.get(state.path, 0)

    return Case(
        lambda: (TreeGame(place, (), numbers), judge, frozenset(loud)),
        expected,
        f"quiet(state, evaluate, loud={set(loud) or '{}'}), and the game is\n"
        f"{outlined(place, inner)}",
    )


def _quiet_cases() -> list[Case]:
    # Worked out by hand.
    return [
        _quiet_case(first(7, -2), {(): 1}, (2, 5), 1),  # nothing is loud
        _quiet_case(first(5, -2, 9), {(): 1}, (0, 1, 4), 5),
        _quiet_case(first(-2, -6), {(): 1}, (0, 1), 1),  # neither move is made
        _quiet_case(second(5, -2, -9), {(): 1}, (0, 1), -2),
        _quiet_case(first(second(8, 2), 3), {(): 1, (0,): 6}, (0, 1), 3),
        _quiet_case(first(second(8, second(4, -5)), 0), {(): -1, (0,): 6, (0, 1): 3}, (0, 1), 0),
        _quiet_case(first(first(8, 2), 3), {(): 1, (0,): 6}, (0,), 8),  # twice in a row
    ]


def _quiet_variation(rng: np.random.Generator) -> Case:
    place = turns_at_random(rng, int(rng.integers(0, 4)))
    inner, numbers = dict[tuple[int, ...], float](), (IN_ORDER, SPARSE)[rng.integers(2)]
    waiting: list[tuple[Place, tuple[int, ...]]] = [(place, ())]
    for here, path in waiting:
        if here.options:
            inner[path] = int(rng.integers(-9, 10))
        waiting += [
            (option, (*path, move)) for move, option in zip(numbers, here.options, strict=False)
        ]
    loud = [move for move in numbers[:4] if rng.random() < 0.7]
    return _quiet_case(place, inner, loud, FROM_MODEL, numbers)


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


quiet_exercise: Final = exercise(cases=_quiet_cases, variation=_quiet_variation)(quiet)


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


def _deepen_case(
    seconds: float,
    best: Sequence[int],
    prices: Sequence[float],
    hasty: int | None,
    expected: tuple[int | None, tuple[int, ...], float],
    *,
    sees_the_end: bool = False,
) -> Case:
    """A search that was written down; the move None stands for any legal one."""
    moves = {*best, 19, 37} | ({hasty} if hasty is not None else set())
    legal_actions = tuple(sorted(moves, reverse=True))

    def arguments() -> tuple[Plies, Sequence[int], float, Clock]:
        think = Plies(best, prices, hasty, sees_the_end=sees_the_end)
        return think, legal_actions, seconds, think.clock

    shown = f"deepen(think, {legal_actions}, seconds={seconds:g}, clock)"
    for depth, (move, price) in enumerate(zip(best, prices, strict=True), start=1):
        end = ", and sees the end" if sees_the_end and depth == len(best) else ""
        shown += f"\ndepth {depth} takes {price:g} s and finds {move}{end}"
    shown += f"\nwhere a search has to give up, its best move so far is {hasty}"
    (played, depths, used), any_move = expected, OneOf(legal_actions)
    return Case(
        arguments,
        {"move": any_move if played is None else played, "depths": depths, "seconds": used},
        shown,
        _timed,
        changes_arguments=True,
    )


def _deepen_cases() -> list[Case]:
    return [
        _deepen_case(1, (26, 37), (0.25, 0.25), None, (37, (1, 2), 0.5), sees_the_end=True),
        _deepen_case(1, (26, 37, 44), (0.125, 0.375, 2), 19, (37, (1, 2, 3), 1)),
        _deepen_case(0.5, (26, 44), (0.75, 3), None, (None, (1,), 0.5)).with_about(
            "Not even the search of one ply ends in time here, and there must still be a "
            "move: any legal one."
        ),
        _deepen_case(1, (37, 0), (0.125, 0.25), None, (0, (1, 2), 0.375), sees_the_end=True),
    ]


def _deepen_variation(rng: np.random.Generator) -> Case:
    number = int(rng.integers(1, 14))
    best = [int(move) for move in rng.choice((0, 19, 26, 37, 44), number)]
    prices = [float(rng.integers(1, 3)) / 8 * 1.5**depth for depth in range(number)]
    seconds, sees_the_end = float(rng.uniform(0.1, 30)), bool(rng.integers(2))
    hasty = (None, 0, 44)[rng.integers(3)]
    case = _deepen_case(seconds, best, prices, hasty, (None, (), 0.0), sees_the_end=sees_the_end)
    facts = case.run(deepen.model_answer, *case.arguments())
    move = facts["move"] if prices[0] <= seconds else case.expected["move"]
    return replace(case, expected=facts | {"move": move})


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
