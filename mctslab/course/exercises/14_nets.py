"""Notebook 14: finding out where a net is wrong; and a piece of the museum, noise in a match."""

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np

from mctslab import games, search
from mctslab.boards.elements import signed
from mctslab.course.checking.cases import FROM_MODEL, Case, Shares, Words, same, tally
from mctslab.course.exercise import exercise
from mctslab.course.positions import after, after_random_moves, moves_at_random
from mctslab.course.tree_game import TreeGame, game_of, outlined, place_at_random, turn_of
from mctslab.games.state import State
from mctslab.search import Evaluation

# misjudges

Verdict: TypeAlias = tuple[bool, bool]


_BOARD: Final[State] = games.make("gomoku", size=6, in_a_row=4)


def _misjudges_variation(rng: np.random.Generator) -> Case:
    """An answer of a net about a position of four in a row on 6 x 6; its value is for Black."""
    state = after(_BOARD, moves_at_random(rng, _BOARD, int(rng.integers(2, 36)))[:-1])
    legal, value = state.legal_actions(), float(rng.uniform(-1, 1))
    priors = rng.dirichlet([0.3] * len(legal)).tolist()
    solutions = rng.choice(legal, len(legal) // 2, replace=False).tolist()
    proven = int(rng.choice((-1, 1)))
    favourite = state.action_to_string(state.legal_actions()[int(np.argmax(priors))])
    right = ", ".join(map(state.action_to_string, solutions)) or "none"
    shown = f"returns {signed(value)} for Black; the highest prior is that of {favourite}; "
    shown += f"proven for the player to move: {proven:+d}; right moves: {right}\n{state}"
    return Case(
        lambda: ((value, -value), [*priors], state, proven, frozenset(solutions)), shown=shown
    )


@exercise(variation=_misjudges_variation)
def misjudges(
    returns: Sequence[float],
    priors: Sequence[float],
    state: State,
    proven: int,
    solutions: frozenset[int],
) -> Verdict:
    """Whether a net has the wrong winner, and whether its favourite is a wrong move.

    `returns` and `priors` are its answer about `state`. `proven` is 1 if the player to move wins
    for certain, -1 if the other one does; `solutions` are the right moves. No value is exactly 0.
    """
    value = returns[state.current_player]
    place = max(range(len(priors)), key=lambda place: priors[place])
    favourite = state.legal_actions()[place]
    return value * proven < 0, favourite not in solutions


# misjudged_position

Prove: TypeAlias = Callable[[State], int | None]


@cache
def _worth(state: State) -> int:
    """The exact value of a position of Tic-Tac-Toe for player 0; nine plies deep at the most."""
    if state.is_terminal:
        return int(state.returns()[0])
    values = [_worth(state.child(action)) for action in state.legal_actions()]
    return max(values) if state.current_player == 0 else min(values)


def _prove(state: State) -> int | None:
    """1 or -1 if the player to move wins or loses for certain; None if neither, and at the end."""
    if state.is_terminal:
        return None
    value = _worth(state) if state.current_player == 0 else -_worth(state)
    return value or None


def _net(value_of_x: Callable[[State], float]) -> search.Evaluator:
    def evaluator(states: Sequence[State], rng: np.random.Generator) -> Evaluation:
        if not isinstance(rng, np.random.Generator):
            raise TypeError(f"the evaluator needs a numpy.random.Generator; it got {rng!r}")
        values = [value_of_x(state) for state in states]
        shares = [[1 / max(1, len(s.legal_actions()))] * len(s.legal_actions()) for s in states]
        return Evaluation([(value, -value) for value in values], shares)

    return evaluator


def _hunted(
    function: Callable[..., Any],
    evaluator: search.Evaluator,
    state: State,
    prove: Prove,
    rng: np.random.Generator,
) -> object:
    """The position to which the function's moves lead, in words."""
    first, moves = state, function(evaluator, state, prove, rng)
    if isinstance(moves, State):
        return Words("a position instead of the moves to it")
    if not isinstance(moves, list | tuple | np.ndarray):
        return moves
    for move in moves:
        if move not in state.legal_actions():
            return Words("moves that cannot be played one after the other")
        state = state.child(int(move))
    rngs = map(np.random.default_rng, (7, 7, 8, 8, 9, 9))
    again = [function(evaluator, first, prove, each) for each in rngs]
    if not same(again[::2], again[1::2]):
        return Words("other moves when it was called again with the same seed")
    proven = prove(state)
    if proven is None:
        where = "the game is over" if state.is_terminal else "nothing is proven"
        return Words(f"a position in which {where}")
    value = evaluator([state], rng).values[0][state.current_player]
    if value * proven < 0:
        return Words("a position that the net misjudges")
    return Words(f"a position that the net {'judges right' if value else 'names no winner for'}")


def _hunt_case(
    value_of_x: Callable[[State], float], kind: str, seed: int, first: State | None = None
) -> Case:
    state = first or games.make("tictactoe")
    shown = f"misjudged_position(evaluator, state, prove, rng) in Tic-Tac-Toe; the net {kind}"
    return Case(
        lambda: (_net(value_of_x), state, _prove, np.random.default_rng(seed)),
        shown=f"{shown}, and `state` is\n{state}",
        use=_hunted,
    )


def _first_case() -> Case:
    """The net misjudges the first position and no other; it ends a hunt that has missed it."""
    first = after(games.make("tictactoe"), "a1 a2 b1 b2")

    def arguments() -> tuple[Any, ...]:
        num_calls = 0

        def value_of_x(state: State) -> float:
            nonlocal num_calls
            num_calls += 1
            if num_calls > 100:
                raise RuntimeError("the net was called 100 times without a position being found")
            return (-0.7 if state == first else 0.7) * _worth(state)

        return _net(value_of_x), first, _prove, np.random.default_rng(3)

    made = _hunt_case(lambda _: 0.0, "is wrong about this position and no other", 3, first)
    return replace(made, arguments=arguments)


def _hunt_cases() -> list[Case]:
    _worth(games.make("tictactoe"))  # solved now, not within the time limit of an answer

    def modest(state: State) -> float:
        num_stones = sum(stone >= 0 for stone in state.board().stones)
        return -0.5 * _worth(state) if num_stones == 4 else 0.0

    return [
        _hunt_case(lambda _: 0.8, "always expects X to win", 1),
        _hunt_case(
            lambda state: 0.6 if state.current_player == 0 else -0.6,
            *("always expects the player to move to win", 2),
        ).with_about(
            "The value is above 0 for every player to move, so it is wrong where that player loses."
        ),
        _hunt_case(
            modest, "is wrong about positions with four stones and has 0 for all others", 10
        ),
        _first_case(),
    ]


def _hunt_variation(rng: np.random.Generator) -> Case:
    """A net that is wrong about positions chosen at random, and a game that has already begun.

    A hunt that begins with the empty board leads to moves that are not legal.
    """
    first = after_random_moves(rng, games.make("tictactoe"), int(rng.integers(1, 4)))
    percent, salt = int(rng.integers(30, 100)), rng.bytes(4)
    size = float(rng.uniform(0.05, 1))

    def value_of_x(state: State) -> float:
        key = bytes(stone + 1 for stone in state.board().stones)
        is_wrong = zlib.crc32(salt + key) % 100 < percent
        return size * _worth(state) * (-1 if is_wrong else 1)

    kind = f"is wrong about {percent}% of the proven positions"
    return _hunt_case(value_of_x, kind, int(rng.integers(1, 1_000)), first)


@exercise(cases=_hunt_cases, variation=_hunt_variation, points=2)
def misjudged_position(
    evaluator: search.Evaluator, state: State, prove: Prove, rng: np.random.Generator
) -> list[int]:
    """The moves of a random game from `state` to a position about whose winner the net is wrong.

    `prove(state)` is 1 or -1 if the player to move wins or loses for certain, else None.
    A value of 0 names no winner, and so no wrong one.
    """
    first, moves = state, list[int]()
    while True:
        if state.is_terminal:
            state, moves = first, []
        proven = prove(state)
        if proven is not None:
            value = evaluator([state], rng).values[0][state.current_player]
            if value * proven < 0:
                return moves
        moves.append(int(rng.choice(state.legal_actions())))
        state = state.child(moves[-1])


# value_of_each_move


def _each_move_case(state: State, values: Mapping[int | None, float]) -> Case:
    """A net that has a value for player 0 after each move, and is not made for finished games."""
    net = _net(lambda state: values.get(state.last_action, 0.0))

    def evaluator(states: Sequence[State], rng: np.random.Generator) -> Evaluation:
        if any(state.is_terminal for state in states):
            raise ValueError("the net was called for a finished game, which has no legal moves")
        answer: Evaluation = net(states, rng)
        return answer

    game = outlined(state.place) if isinstance(state, TreeGame) else str(state)
    told = ", ".join(f"{move}: {value:g}" for move, value in values.items())
    shown = "value_of_each_move(evaluator, state, rng), where the net has these values for player "
    shown += f"0 after each move: {told}, and the state is\n{game}"
    return Case(lambda: (evaluator, state, np.random.default_rng(1)), shown=shown)


def _each_move_variation(rng: np.random.Generator) -> Case:
    state: State = after_random_moves(rng, games.make("tictactoe"), int(rng.integers(1, 8)))
    if rng.random() < 0.3:
        options = [place_at_random(rng, 1) for _ in range(rng.integers(1, 5))]
        state = game_of(turn_of(int(rng.integers(2)), *options))
    moves = state.legal_actions()
    return _each_move_case(state, {move: round(float(rng.uniform(-1, 1)), 2) for move in moves})


@exercise(variation=_each_move_variation, points=2)
def value_of_each_move(
    evaluator: search.Evaluator, state: State, rng: np.random.Generator
) -> dict[int, float]:
    """What the net thinks of the position after each legal move: a value by the move.

    The values are for the player who makes the move. If the move ends the game, its value is the
    result, and the net is not called.
    """
    mover = state.current_player
    values: dict[int, float] = {}
    for action in state.legal_actions():
        child = state.child(action)
        if child.is_terminal:
            values[action] = child.returns()[mover]
        else:
            values[action] = evaluator([child], rng).values[0][mover]
    return values


# museum_match_move

Visits: TypeAlias = dict[int, int]
Think: TypeAlias = Callable[[bool], Visits]

_OFTEN: Final = "300 times "


def _played(
    function: Callable[..., Any], think: Think, ply: int, is_match: bool, rng: np.random.Generator
) -> object:
    """The requests and the moves of many calls."""
    noises = set[str]()

    def noted(noise: bool) -> dict[int, int]:
        noises.add("with noise" if noise else "without noise")
        return think(noise)

    moves = tally(function(noted, ply, is_match, rng) for _ in range(300))
    return {"searched": Words(" and ".join(sorted(noises))), "moves played": moves}


def _match_move_case(
    ply: int, is_match: bool, clear: Visits, noisy: Visits, shares: Mapping[object, float]
) -> Case:
    """The visits are `noisy` with noise at the root, and `clear` without."""
    searched = Words("without noise" if is_match else "with noise")
    return Case(
        lambda: (
            lambda noise: dict(noisy if noise else clear),
            *(ply, is_match, np.random.default_rng(ply + 1)),
        ),
        {"searched": searched, "moves played": Shares(shares)},
        f"{_OFTEN}museum_match_move(think, {ply}, {is_match}, rng): in "
        f"{'a match' if is_match else 'self-play'}. The visits are {noisy} with noise and {clear} "
        "without",
        _played,
    )


def _match_move_cases() -> list[Case]:
    both = ({3: 70, 5: 20, 7: 10}, {3: 30, 5: 60, 7: 10})
    return [
        _match_move_case(2, True, *both, {3: 1.0}),
        _match_move_case(7, False, *both, {3: 0.3, 5: 0.6, 7: 0.1}),
        _match_move_case(3, False, *both, {3: 0.3, 5: 0.6, 7: 0.1}),
        _match_move_case(8, False, *both, {5: 1.0}),
    ]


def _match_move_variation(rng: np.random.Generator) -> Case:
    """Nothing is left to chance: the best move is played, or there is only one."""
    ply, is_match = int(rng.integers(0, 60)), bool(rng.random() < 0.5)
    number = 1 if ply < 8 and not is_match else int(rng.integers(1, 6))

    def visits() -> Visits:
        actions = rng.choice(64, number, replace=False).tolist()
        return dict(zip(actions, (rng.permutation(number) + 1).tolist(), strict=True))

    case = _match_move_case(ply, is_match, visits(), visits(), {})
    return replace(case, expected=FROM_MODEL, use=None, shown=case.shown.removeprefix(_OFTEN))


@exercise(
    start="""
        think(not is_match) => think(True)  # whether there is noise at the root
    """,
    faulty="visits = think(True)  # whether there is noise at the root",
    cases=_match_move_cases,
    variation=_match_move_variation,
)
def museum_match_move(think: Think, ply: int, is_match: bool, rng: np.random.Generator) -> int:
    """The move to play: with noise and, early on, at random in self-play; in a match the best."""
    visits = think(not is_match)
    if is_match or ply >= 8:
        return max(visits, key=lambda action: visits[action])
    actions, counts = list(visits), np.array(list(visits.values()))
    return int(rng.choice(actions, p=counts / counts.sum()))
