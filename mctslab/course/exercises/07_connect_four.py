"""Notebook 07, Connect Four: a search that can be stopped, threats, and the tree that is kept."""

import math
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from mctslab import games, search
from mctslab.boards.elements import signed
from mctslab.course.checking.cases import Case, Words, kind, plain
from mctslab.course.exercise import exercise
from mctslab.course.positions import (
    after,
    after_random_moves,
    drawing,
    lines_on,
    moves_at_random,
    squares_of,
)
from mctslab.course.tree_game import (
    SPARSE,
    Grown,
    TreeGame,
    drawn,
    grown_at_random,
    named,
    observed,
    place_at_random,
    plant,
    rooted,
    turn_of,
    written,
)
from mctslab.games.state import State
from mctslab.search.node import Node
from mctslab.search.result import SearchResult

# anytime

Think = Callable[[int], SearchResult]
Stop = Callable[[], bool]
Clock = Callable[[], float]

SLICE: Final = 100
_LEAST_PRICED: Final = 20
"""A slice of fewer simulations takes as much time as this number."""


class _Thinking:
    """A search that was written down beforehand, with a clock that its simulations move on."""

    def __init__(self, standings: Sequence[Sequence[Grown]], price: float, stop_at: float) -> None:
        self.slices: list[int] = []
        self._standings = standings
        self._price = price
        self._stop_at = stop_at

    def __call__(self, num_simulations: int) -> SearchResult:
        """Go on searching: the result is the next of the standings, and after the last one that."""
        if num_simulations < 1:
            raise ValueError(f"num_simulations={num_simulations} is too small, 1 is the least.")
        self.slices.append(num_simulations)
        moves = self._standings[min(len(self.slices), len(self._standings)) - 1]
        tried = {move: grown for move, grown in enumerate(moves) if grown.visit_count}
        visits = sum(grown.visit_count for grown in moves)
        place = turn_of(0, *[drawn()] * len(moves))
        root = plant(TreeGame(place), Grown(visits, 0, tried))
        return SearchResult(root, num_simulations, self._price * num_simulations)

    def clock(self) -> float:
        """The time in seconds. As on any computer it does not begin at 0."""
        # A call costs something, too: a loop that goes on for the whole time ends soon.
        return 5_000 + self._price * sum(max(each, _LEAST_PRICED) for each in self.slices)

    def stop(self) -> bool:
        """Whether the simulations after which the user says stop are done."""
        return sum(self.slices) >= self._stop_at


def _anytime_case(
    num_simulations: int,
    seconds: float,
    standings: Sequence[Sequence[Grown]],
    price: float = 0.001,
    stop_at: float = math.inf,
) -> Case:
    def arguments() -> tuple[_Thinking, int, float, Stop, Clock]:
        think = _Thinking(standings, price, stop_at)
        return think, num_simulations, seconds, think.stop, think.clock

    def use(function: Callable[..., Any], think: _Thinking, *others: Any) -> object:
        move = function(think, *others)
        return {"move": move, "slices": tuple(think.slices)}

    shown = f"anytime(think, num_simulations={num_simulations}, seconds={seconds:g}, stop, clock)\n"
    shown += f"{SLICE} simulations take {price * SLICE:g} seconds; stop() returns "
    shown += "False" if stop_at == math.inf else f"True from simulation {stop_at} on"
    for number, moves in enumerate(standings, start=1):
        counted = ", ".join(map(_counted, moves))
        shown += f"\nvisits of the moves 0, 1, 2 after slice {number}: {counted}"
    return Case(arguments, shown=shown, use=use, changes_arguments=True)


def _counted(move: Grown) -> str:
    visits, total_value, _ = move
    return f"{visits} (Q={signed(total_value / visits)})" if visits else "0"


def _anytime_cases() -> list[Case]:
    begun = (Grown(50, 5), Grown(30, 0), Grown(20, 8))
    return [_anytime_case(SLICE, 10, [begun]), _anytime_case(1_000, 10, [begun], stop_at=0)]


def _anytime_variation(rng: np.random.Generator) -> Case:
    standings = [
        [Grown(1 + int(more), 0) for more in rng.multinomial(97 + n, rng.dirichlet([1, 1, 1]))]
        for n in range(0, 7 * SLICE, SLICE)
    ]
    num_simulations, price = int(rng.integers(1, 900)), float(rng.uniform(0.001, 0.01))
    stop_at = float(rng.choice((math.inf, float(rng.integers(1, 900)))))
    return _anytime_case(num_simulations, float(rng.uniform(0.05, 8)), standings, price, stop_at)


@exercise(cases=_anytime_cases, variation=_anytime_variation, points=2)
def anytime(think: Think, num_simulations: int, seconds: float, stop: Stop, clock: Clock) -> int:
    """Search until a budget is spent or `stop()` is true; return the most visited move so far.

    `think(n)` goes on for n simulations and returns the SearchResult so far; `clock()` returns the
    time in seconds. Search in slices of 100, the last one shorter if fewer are left, and always at
    least one slice.
    """
    deadline = clock() + seconds
    spent = 0
    while True:
        size = min(100, num_simulations - spent)
        result = think(size)
        spent += size
        if spent >= num_simulations or clock() >= deadline or stop():
            return result.best_so_far


# in_background

_SECONDS_TO_BEGIN: Final = 0.3
_SECONDS_TO_STOP: Final = 0.05
_SECONDS_TO_END: Final = 0.1
"""What a slow search still needs after `stop()` has become true."""
_MOST_SECONDS: Final = 0.5


class _Search:
    """A search that goes on until it is told to stop, and notes what happens to it."""

    def __init__(self, move: int, *, is_endless: bool, is_slow: bool) -> None:
        self.caller = threading.get_ident()
        self.pressed = math.inf
        self.has_begun, self.has_returned = threading.Event(), threading.Event()
        self.is_aside = self.was_stopped = self.has_ended = False
        self.said: object = None
        self._move, self._is_endless, self._is_slow = move, is_endless, is_slow

    def __call__(self, stop: Stop) -> int:
        """Search until `stop()` is true, or end at once, and return the move."""
        self.is_aside = threading.get_ident() != self.caller
        said = plain(stop()) if callable(stop) else Words(f"stop is {kind(stop)}, no function")
        is_clear = isinstance(said, bool | Words)
        self.said = said if is_clear else Words(f"{kind(said)}, which is neither True nor False")
        if self.is_aside and self._is_endless and self.said is not True:
            self.has_begun.set()
            end = time.monotonic() + _MOST_SECONDS
            while time.monotonic() < min(end, self.pressed + _SECONDS_TO_STOP):
                if callable(stop) and stop():
                    break
                time.sleep(0.001)
            self.was_stopped = callable(stop) and bool(stop())
            # Until its last slice is over; it need not go on when press() has not waited for it.
            self.has_returned.wait(_SECONDS_TO_END if self._is_slow else 0.005)
        self.has_ended = True
        self.has_begun.set()
        return self._move


def _started(function: Callable[..., Any], search: _Search) -> object:
    """Start the search, press Stop, and say what happened to it."""
    errors: list[BaseException | None] = []
    usual, threading.excepthook = threading.excepthook, lambda seen: errors.append(seen.exc_value)
    try:
        press = function(search)
        search.has_begun.wait(_SECONDS_TO_BEGIN)
        if not callable(press):
            return Words(f"{kind(press)} instead of a function")
        has_begun = search.has_begun.is_set()
        still_runs = has_begun and not search.has_ended
        search.pressed = time.monotonic()
        with _without_patience():
            move = press()
        returned = move if isinstance(move, int) else Words(kind(move))
        facts = (search.is_aside, search.said, has_begun, still_runs, returned, search.has_ended)
        search.has_returned.set()
        return dict(zip(_FACTS, (*facts, search.was_stopped), strict=True))
    except Exception:
        if errors and errors[0] is not None:  # in the thread, where it began
            raise errors[0] from None
        raise
    finally:
        threading.excepthook = usual


@contextmanager
def _without_patience() -> Iterator[None]:
    """While this lasts, a wait for a thread that has a limit is over soon, whatever the limit.

    Otherwise a check would have to last as long as the longest limit that anybody chooses.
    """
    usual, caller = threading.Thread.join, threading.get_ident()

    def join(thread: threading.Thread, timeout: float | None = None) -> None:
        is_limited = timeout is not None and threading.get_ident() == caller
        usual(thread, _SECONDS_OF_PATIENCE if is_limited else timeout)

    threading.Thread.join = join  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        threading.Thread.join = usual  # type: ignore[method-assign]


_SECONDS_OF_PATIENCE: Final = 0.005

_FACTS: Final = (
    "search runs in a thread of its own",
    "stop() at first",
    "search begins before press()",
    "search still runs before press()",
    "press() returns",
    "search has ended after press()",
    "search has ended because stop() was true",
)


def _background_case(move: int, *, is_endless: bool, is_slow: bool = False) -> Case:
    shown = "press = in_background(search); press(), and search(stop) "
    shown += "goes on until stop() is true" if is_endless else "ends by itself"
    facts = dict(zip(_FACTS, (True, False, True, is_endless, move, True, is_endless), strict=True))
    return Case(
        lambda: (_Search(move, is_endless=is_endless, is_slow=is_slow),),
        *(facts, shown, _started),
        changes_arguments=True,
    )


def _background_cases() -> list[Case]:
    return [
        _background_case(3, is_endless=True),
        _background_case(5, is_endless=False),
        _background_case(0, is_endless=True, is_slow=True),
    ]


@exercise(cases=_background_cases, points=2)
def in_background(search: Callable[[Stop], int]) -> Callable[[], int]:
    """Start `search(stop)` in a thread of its own, and return at once a function `press`.

    `stop()` is False until `press()` is called. `press()` waits until the search has ended, and
    returns the move that it has found.
    """
    flag = threading.Event()
    moves = []

    def run() -> None:
        moves.append(search(flag.is_set))

    def press() -> int:
        flag.set()
        thread.join()
        return moves[0]

    thread = threading.Thread(target=run)
    thread.start()
    return press


# threats


_FOURS: Final = lines_on(6, 7, 4)


def _threats_of(function: Callable[..., Any], *arguments: Any) -> object:
    """The squares in order; in a list a square can still be there twice."""
    found = function(*arguments)
    if isinstance(found, Collection) and all(isinstance(each, int | np.integer) for each in found):
        return sorted(found)
    return found


def _threats_case(stones: Sequence[int], player: int) -> Case:
    shown = f"threats(stones, fours, player={player}); R is player 0, Y is player 1\n"
    shown += drawing(stones, 7, "RY")
    return Case(lambda: (tuple(stones), tuple(_FOURS), player), shown=shown, use=_threats_of)


def _threats_cases() -> list[Case]:
    empty = "....... ....... ....... ....... "
    boards = (
        # Column 5 is open below the end of Red's row, and Yellow has closed the other end.
        f"{empty}YRRR... RYYY.RR",
        f"{empty}.....Y. .RRR.YY",  # in the lowest row every square can be played
        "RRR.... YRY.... RYY.... YYR.... RRY...Y RYR...Y",
    )
    return [_threats_case(squares_of(board, "RY"), 0) for board in boards]


def _threats_variation(rng: np.random.Generator) -> Case:
    state = after_random_moves(rng, games.ConnectFour(), int(rng.integers(8, 36)))
    return _threats_case(state.board().stones, int(rng.integers(2)))


@exercise(cases=_threats_cases, variation=_threats_variation, points=2)
def threats(stones: Sequence[int], fours: Sequence[tuple[int, ...]], player: int) -> set[int]:
    """The set of squares that would complete a four for `player` but cannot be played yet.

    Square s has `stones[s]`: 0 or 1, the player whose stone it is, or -1 if it is empty. Squares
    are numbered row by row from the top, so square s + 7 is below s. `fours` holds all lines, each
    a tuple of four squares.
    """
    found = set()
    for four in fours:
        owners = [stones[square] for square in four]
        if owners.count(player) == 3 and -1 in owners:
            square = four[owners.index(-1)]
            below = square + 7
            if below < 42 and stones[below] == -1:
                found.add(square)
    return found


# reuse_tree


def _reuse_variation(rng: np.random.Generator) -> Case:
    """The case of a tree, and of the position that the actions of `path` lead to."""
    place = turn_of(int(rng.integers(2)), place_at_random(rng, 5), place_at_random(rng, 5))
    below = grown_at_random(rng, place, int(rng.integers(1, 60)), SPARSE).children
    visits = sum(child.visit_count for child in below.values())
    grown = Grown(visits, sum(child.total_value for child in below.values()), below)
    first = TreeGame(place, (), SPARSE)
    path = moves_at_random(rng, first, int(rng.integers(6)))
    path = path[: len(path) - after(first, path).is_terminal]

    def arguments() -> tuple[Node, State]:
        root = rooted(place, grown)
        return root, after(root.state, path)

    def use(function: Callable[..., Any], root: Node, state: State) -> object:
        found = function(root, state)
        if not isinstance(found, Node):
            return found
        return {"the position is the right one": found.state == state, **observed(found)}

    shown = f"reuse_tree(root, state), and the state is that of {named(tuple(path))}\n"
    shown += written(rooted(place, grown))
    return Case(arguments, shown=shown, use=use, changes_arguments=True)


@exercise(variation=_reuse_variation, points=3)
def reuse_tree(root: Node, state: State) -> Node:
    """The node of `state` in the tree below `root`, made a root; a new node if it isn't there.

    A root has no parent. Its mover is the player to move, and its N and W are the sums over its
    children.
    """
    nodes = [root]
    for node in nodes:
        if node.state == state:
            node.parent = node.action = None
            node.mover = state.current_player
            node.visit_count = sum(child.visit_count for child in node.children)
            node.total_value = sum(child.total_value for child in node.children)
            return node
        nodes += node.children
    return search.Node(state)
