"""Any engine that uses the Gomocup protocol, as a player: here we are the manager."""

import contextlib
import itertools
import time
from collections.abc import Iterator
from typing import Final

from mctslab.games.state import State
from mctslab.gomocup.engine_process import EngineProcess, split_command
from mctslab.gomocup.protocol import UNLIMITED, board_and_rule, read_square, square_text
from mctslab.players import Player, Proposal
from mctslab.search.budget import checked_seconds

SECONDS: Final = 5.0
"""The default time for a move."""
GRACE_SECONDS: Final = 2.0
"""How much later an answer can arrive, because the engine or the pipe may have been delayed."""
START_SECONDS: Final = 120.0
"""The time to get ready, which is long because some engines load large files, or compile."""


class GomocupPlayer(Player):
    """Plays the answers of an engine, a program that uses the protocol of Gomocup.

    `prepare`, or the first move, starts the program; it ends when this object is deleted. An engine
    that breaks the protocol is ended at once, and the next move starts it again.

    Args:
        command: the program and its arguments, as on a command line, with quotes around blanks.
        seconds: the engine's time for a move. An answer that comes more than two seconds later is
            an error. The arena's `seconds_per_move` is stricter.
        name: the name of this player; derived from the other arguments if not given.

    Raises:
        ValueError: there is no such program, or `seconds` is not a time.
    """

    def __init__(self, command: str, seconds: float = SECONDS, *, name: str = "") -> None:
        self.name = name or f"gomocup:{seconds:g}s:{command}"
        self._command = split_command(command)
        self._seconds = checked_seconds(seconds)
        self._engine: EngineProcess | None = None
        self._board_and_rule = (0, 0)
        self._board: State | None = None  # the position on the engine's board; None if it is empty

    def prepare(self, state: State) -> None:
        """Start the engine and send it the board, the rule and the time, if it isn't ready.

        Raises:
            ValueError: an engine cannot play this game; it can play Gomoku with five in a row.
            EngineError: the engine refuses, breaks the protocol, or doesn't answer.
        """
        self._ready_engine(state)

    def think(self, state: State) -> Iterator[Proposal]:
        """Yield one proposal, the engine's answer.

        Raises:
            ValueError: the game is over, or an engine cannot play it.
            EngineError: the answer is not a legal move, or does not arrive in time.
        """
        if state.is_terminal:
            raise ValueError(f"There is nothing to choose, because the game is over:\n{state}")
        engine = self._ready_engine(state)
        with self._ended_by_an_error():
            if self._board is not None and not _follows(state, self._board):
                engine = self._with_empty_board(engine, state)
            started = time.monotonic()
            engine.send(f"INFO time_left {UNLIMITED}", *self._question(state))
            action = self._answer(engine, state, started + self._seconds + GRACE_SECONDS)
        self._board = state.child(action)
        yield Proposal(action, progress=1.0, seconds=time.monotonic() - started)

    def _ready_engine(self, state: State) -> EngineProcess:
        """The engine, started for the board and the rule of `state`."""
        wanted = board_and_rule(state)
        if self._engine is None or wanted != self._board_and_rule:
            self._end()
            self._board_and_rule = wanted
            self._engine = EngineProcess(self._command, farewell="END")
            with self._ended_by_an_error():
                self._start(self._engine)
        return self._engine

    @contextlib.contextmanager
    def _ended_by_an_error(self) -> Iterator[None]:
        """End the engine when something goes wrong: its next answer could belong to anything."""
        try:
            yield
        except BaseException:
            self._end()
            raise

    def _end(self) -> None:
        if self._engine is not None:
            self._engine.end()
        self._engine = self._board = None

    def _start(self, engine: EngineProcess) -> None:
        size, rule = self._board_and_rule
        engine.send(f"START {size}")
        line = _next_line(engine, time.monotonic() + START_SECONDS, "START")
        if not _is_ok(line):
            raise engine.error(f"answered START {size} with {line!r}")
        engine.send(
            f"INFO timeout_turn {round(1_000 * self._seconds)}",
            "INFO timeout_match 0",
            "INFO max_memory 0",
            "INFO game_type 1",
            f"INFO rule {rule}",
        )

    def _with_empty_board(self, engine: EngineProcess, state: State) -> EngineProcess:
        """The engine with an empty board, restarted if it does not know RESTART."""
        self._board = None
        engine.send("RESTART")
        if _is_ok(_next_line(engine, time.monotonic() + START_SECONDS, "RESTART")):
            return engine
        self._end()
        return self._ready_engine(state)

    def _question(self, state: State) -> tuple[str, ...]:
        """The lines that request the engine's move."""
        stones = _stones_in_turn(state)
        size = self._board_and_rule[0]
        if not stones:
            return ("BEGIN",)
        if self._board is not None or len(stones) == 1:
            return (f"TURN {square_text(stones[-1], size)}",)
        # The last stone is the opponent's, and so is every other one before.
        whose = [2 if (len(stones) - place) % 2 else 1 for place in range(len(stones))]
        squares = [square_text(stone, size) for stone in stones]
        return ("BOARD", *map("{},{}".format, squares, whose), "DONE")

    def _answer(self, engine: EngineProcess, state: State, deadline: float) -> int:
        """The action in the engine's answer."""
        while True:
            line = _next_line(engine, deadline, "its turn")
            text = line.removeprefix("SUGGEST ")
            try:
                action = read_square(text, self._board_and_rule[0])
            except ValueError:
                raise engine.error(
                    f"should have answered with a square, but said {line!r}"
                ) from None
            if text != line:
                engine.send(f"PLAY {text}")
                continue
            if action not in state.legal_actions():
                raise engine.error(f"played {line}, which is occupied")
            return action


def _next_line(engine: EngineProcess, deadline: float, what: str) -> str:
    """The engine's next line that is not meant for people."""
    began = time.monotonic()
    while True:
        try:
            line = engine.read(deadline)
        except TimeoutError:
            waited = time.monotonic() - began
            raise engine.error(f"gave no answer to {what} within {waited:.1f} s") from None
        if line.split()[0].upper() not in ("MESSAGE", "DEBUG"):
            return line


def _is_ok(line: str) -> bool:
    return line.split()[0].upper() == "OK"


def _follows(state: State, board: State) -> bool:
    """Whether `state` is the position `board` and one move more."""
    action = state.last_action
    if action is None or action not in board.legal_actions():
        return False
    return board.child(action) == state


def _stones_in_turn(state: State) -> list[int]:
    """The occupied squares, alternating between the players, the last move last.

    The position does not contain the order of the moves; this is one of the possible orders.
    """
    stones = state.board().stones
    last = state.last_action
    of_black, of_white = (
        sorted(
            (square for square, stone in enumerate(stones) if stone == player),
            key=lambda square: (square == last, square),
        )
        for player in (0, 1)
    )
    in_turn = itertools.chain.from_iterable(itertools.zip_longest(of_black, of_white))
    return [square for square in in_turn if square is not None]
