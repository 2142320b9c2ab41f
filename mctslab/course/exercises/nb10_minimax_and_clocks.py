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
from mctslab.course.question import Case, mistakes_in
from mctslab.course.tree_game import Place, TreeGame, outlined, turn_of
from mctslab.games.state import State

# alphabeta

Evaluate: TypeAlias = Callable[[State], float]


class Evaluation:
    """Judges positions, by numbers that were written down, and counts how often it was called."""

    def __init__(self, judge: Evaluate) -> None:
        self.count = 0
        self._judge = judge

    def __call__(self, state: State) -> float:
        """What the position is worth to player 0."""
        self.count += 1
        return self._judge(state)


def first(*options: int | Place) -> Place:
    """It is the turn of player 0; a number is an end, worth that much to player 0."""
    return _turn(0, options)


def second(*options: int | Place) -> Place:
    """It is the turn of player 1."""
    return _turn(1, options)


def _turn(player: int, options: Sequence[int | Place]) -> Place:
    places = [
        option if isinstance(option, Place) else Place(1 - player, returns=(option, -option))
        for option in options
    ]
    return turn_of(player, *places)


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


def disc_difference(state: State) -> float:
    """Black's discs less White's."""
    assert isinstance(state, games.Reversi)
    black, white = state.disc_counts()
    return black - white


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
        _alphabeta_case(deep, (7, 4)),
        _alphabeta_case(first(second(first(2, 6), first(1, 4)), second(3, 8)), (4, 5)),
        # A player moves twice in a row.
        _alphabeta_case(first(first(2, 7), second(5, 9), second(8, 1)), (7, 5)),
        _alphabeta_case(second(second(first(1, 6), 3), first(4, second(2, 7))), (3, 4)),
        _reversi_case("b1 a1", 4, (-2, 35)),
        _reversi_case("b1 a1 a2 c1 d2", 12, (-12, 30)),
    ]


def turns_at_random(rng: np.random.Generator, depth: int) -> Place:
    """A game of `depth` moves whose ends are worth whole numbers from -9 to 9."""
    if depth == 0:
        return _turn(0, [int(number) for number in rng.integers(-9, 10, rng.integers(1, 4))])
    options = [turns_at_random(rng, depth - 1) for _ in range(rng.integers(1, 4))]
    return _turn(int(rng.integers(2)), options)


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
alphabeta_exercise: Final = exercise(
    title="Alpha-beta",
    cases=_alphabeta_cases,
    variation=_alphabeta_variation,
    hints=(
        "Start from `look_ahead`. Player 0 keeps the largest value so far in `alpha`, player 1 "
        "the smallest in `beta`, and both are passed to the children.",
        "In the loop over the actions, after each child: raise `alpha` if it is player 0's turn, "
        "or lower `beta` if it is player 1's. If then `alpha >= beta`, leave the loop.",
        "`value = alphabeta(state.child(action), depth - 1, evaluate, alpha, beta)`; then `alpha = "
        "max(alpha, value)` or `beta = min(beta, value)`, and `if alpha >= beta: break`. At the "
        "end return `alpha` for player 0 and `beta` for player 1.",
    ),
    when_right="The same value as minimax, without an unnecessary evaluation.",
    mistakes=mistakes_in("""
        no cut at all
            The value is right, but every position is evaluated, as in plain minimax. Is the loop
            left as soon as `alpha >= beta`? And does each call get alpha and beta as they are now?
            Without them it begins with an open window, and nothing is cut.
            - if alpha >= beta:
            -     break
        a cut only where alpha is greater than beta
            If alpha and beta are equal, the remaining moves cannot change anything either, because
            the other player has a choice that is just as good. Cut when `alpha >= beta`.
            >= => >
        alpha and beta swapped on the way down
            Each of them belongs to a player and not to a level: alpha is player 0's everywhere.
            They are swapped only where signs are flipped as well, as in negamax.
            evaluate, alpha, beta) => evaluate, beta, alpha)
        only one of the two bounds handed on
            This cuts by what was found one ply above, and forgets all plies above that. Pass both
            alpha and beta to every child.
            - value = alphabeta(state.child(action), depth - 1, evaluate, alpha, beta)
            + window = (alpha, math.inf) if state.current_player == 0 else (-math.inf, beta)
            + value = alphabeta(state.child(action), depth - 1, evaluate, *window)
        turns counted by depth
            Counting goes wrong when a player moves twice in a row. `state.current_player` always
            shows who is to move.
            state.current_player == 0: => (9 - depth) % 2 == 0:
            state.current_player == 0 else => (9 - depth) % 2 == 0 else
        both players playing for player 0
            All values are for player 0, so player 1 wants the smallest: use `beta = min(beta,
            value)` at player 1's turn, and return beta there.
            - if state.current_player == 0:
            - ...
            - if alpha >= beta:
            + alpha = max(alpha, value)
            + if alpha >= beta:
            return alpha if state.current_player == 0 else beta => return alpha
        the two players swapped
            Values are for player 0. So player 0 raises alpha, and player 1 lowers beta.
            state.current_player == 0: => state.current_player == 1:
            state.current_player == 0 else => state.current_player == 1 else
        the evaluation turned to the player to move
            `evaluate(state)` returns the value for player 0, whoever is to move. Use it as it
            is.
            - return evaluate(state)
            + return evaluate(state) if state.current_player == 0 else -evaluate(state)
        the end of the game forgotten
            A game can be over before the depth is used up, and then there are no moves. Evaluate
            the position if `depth == 0 or state.is_terminal`.
             or state.is_terminal =>
        the depth not counted down
            Pass `depth - 1` to the children, because this ends the search in a large game.
            depth - 1 => depth
        one ply too few
            The search must look `depth` plies ahead, so positions are evaluated at depth 0.
            depth == 0 => depth <= 1
        an alpha that begins at 0
            Values can be below 0. Before the first move nothing is sure, so alpha begins at minus
            infinity, and beta at infinity.
            - if depth == 0
            + alpha = max(alpha, 0.0)
            + if depth == 0
        a loop that ends after the first move
            The remaining moves can still be better. Leave the loop only if `alpha >= beta`.
            - if alpha >= beta:
            -     break
            + break
        the sign flipped at every ply
            This is negamax, in which values are for the player to move. Here they are for player 0
            everywhere, so no sign is flipped. (Where a player moves twice in a row, flipping would
            be wrong even in negamax.)
            - value = alphabeta(state.child(action), depth - 1, evaluate, alpha, beta)
            - ...
            - if alpha >= beta:
            + value = -alphabeta(state.child(action), depth - 1, evaluate, -beta, -alpha)
            + alpha = max(alpha, value)
            + if alpha >= beta:
            return alpha if state.current_player == 0 else beta => return alpha
        every position evaluated on the way down
            Evaluate only positions at depth 0 and at the end of the game. The values of all others
            come from their children.
            - if depth == 0
            + worth = evaluate(state)
            + if depth == 0
            return evaluate(state) => return worth
        the best move instead of its value
            Return a number, the value of the position for player 0.
            - ...
            + right = alphabeta_exercise.model_answer
            + sign = 1 if state.current_player == 0 else -1
            + actions = state.legal_actions()
            + return max(actions, key=lambda a: sign * right(state.child(a), depth - 1, evaluate))
        the moves of one player never cut off
            As soon as alpha >= beta, the other moves can be skipped, whichever player is to move.
            if alpha >= beta: => if alpha >= beta and state.current_player == 0:
            or
            if alpha >= beta: => if alpha >= beta and state.current_player == 1:
    """),
)(alphabeta)


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


@exercise(
    title="Deeper until the time is up",
    cases=_deepen_cases,
    variation=_deepen_variation,
    hints=(
        "Keep a move that you could play at once, and replace it whenever a search was finished. "
        "Which move can you play before the first search has finished?",
        "Before the loop: `deadline = clock() + seconds` and `action = legal_actions[0]`. In the "
        "loop over the depths 1, 2, 3, ...: `best, is_finished, sees_the_end = think(depth, "
        "deadline)`.",
        "If it is finished, `action = best`. If it is not finished, or has seen the end, return "
        "`action`. `itertools.count(1)` counts 1, 2, 3, ... without an end.",
    ),
    when_right="This is how alpha-beta becomes an anytime search that never loses on time.",
    mistakes=mistakes_in("""
        the move of a search that was not finished
            A search that gave up has seen only some of the moves, and the refutation of its
            favourite could have come next. Keep the move of the last search that was finished.
            if is_finished and best => if best
        no move where not even one ply was finished
            A player without an answer loses. Before the first search has finished, play any legal
            move, such as `legal_actions[0]`.
            action = legal_actions[0] => action = None
        the move of the last search in any case
            The last search is the one that ran out of time. Its best move so far can be bad or
            missing.
            return action => return best
        a new deadline for every depth
            The seconds are for all depths together. Compute the deadline once, before the loop.
            think(depth, deadline) => think(depth, clock() + seconds)
        a clock that is assumed to begin at 0
            `clock()` is not 0 when the search begins, so the deadline is not `seconds` but
            `clock() + seconds`.
            clock() + seconds => seconds
        the clock looked at only between two depths
            One more ply can take ten times as long as all plies before it. So the search itself
            must watch the clock. Pass it the deadline.
            think(depth, deadline) => think(depth, math.inf)
            not is_finished: => clock() >= deadline:
        deeper and deeper, although the end was seen
            If a search has seen the end of the game in every line, a deeper one finds the same
            move. Play it, and leave the rest of the time on the clock.
            sees_the_end or not is_finished => not is_finished
        on and on after the time is up
            If a search has not finished, the deadline has passed. A deeper one would not finish
            either.
            sees_the_end or not is_finished => sees_the_end
        one depth only
            Nobody knows beforehand which depth the time allows. Begin at 1, and go on to 2, 3, ...
            until the time is up.
            depth += 1 => return action
        a search that begins at depth 0
            A search of depth 0 cannot choose a move. Begin at 1.
            depth = 1 => depth = 0
        depths that double
            From depth 4 to depth 8 the work grows by the fourth power of the branching factor. Add
            one ply at a time, because all shallow searches together cost less than the last one.
            depth += 1 => depth *= 2
        the first move that was found
            A deeper search sees more, so its move must replace the one before.
            action = legal_actions[0] => action = None
            if is_finished and best is not None => if is_finished and action is None
            return action => return legal_actions[0] if action is None else action
        everything that the search returns instead of the move
            `think` returns three things: the move, whether it has finished, and whether it saw the
            end. Return the move only.
            legal_actions[0] => (legal_actions[0], False, False)
            action = best => action = best, is_finished, sees_the_end
    """),
)
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
