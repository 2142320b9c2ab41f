"""Any engine that speaks the Gomocup protocol, as a player: here we are the manager."""

import contextlib
import itertools
import time
from collections.abc import Iterator
from typing import Final

from mctslab.games.state import State
from mctslab.players.engine_process import EngineProcess, split_command
from mctslab.players.gomocup_text import UNLIMITED, board_and_rule, read_square, square_text
from mctslab.players.player import Player, Proposal
from mctslab.search.budget import checked_seconds

SECONDS: Final = 5.0
"""The time for a move unless you say otherwise."""
GRACE_SECONDS: Final = 2.0
"""So much later may an answer come: the engine may have been held up, and so may the pipe."""
START_SECONDS: Final = 120.0
"""So long may an engine take to get ready; some load large files, or compile."""


class GomocupPlayer(Player):
    """Plays what an engine answers, a program that speaks the protocol of Gomocup.

    The program is started by `prepare`, or by the first move, and ended when this object goes. An
    engine that breaks the protocol is ended at once; the next move would start it anew.

    Args:
        command: the program and its arguments, as on a command line; what has blanks in it stands
            in quotes.
        seconds: the engine's time for a move. It is told so, and given up two seconds later: it may
            have been held up. A stricter judge is the arena's `seconds_per_move`.
        name: what to call this player; made up from the rest when not given.

    Raises:
        ValueError: there is no such program, or `seconds` is no time.
    """

    def __init__(self, command: str, seconds: float = SECONDS, *, name: str = "") -> None:
        self.name = name or f"gomocup:{seconds:g}s:{command}"
        self._command = split_command(command)
        self._seconds = checked_seconds(seconds)
        self._engine: EngineProcess | None = None
        self._board_and_rule = (0, 0)
        self._known: State | None = None  # the position on the engine's board

    def prepare(self, state: State) -> None:
        """Start the engine and tell it the board, the rule and the time, if it isn't ready.

        Raises:
            ValueError: this is no game for an engine: Gomoku is, with five in a row.
            EngineError: the engine refuses, says what it should not, or doesn't answer.
        """
        wanted = board_and_rule(state)
        if self._engine is None or wanted != self._board_and_rule:
            self._end()
            self._board_and_rule = wanted
            self._engine = EngineProcess(self._command, farewell="END")
            with self._ended_by_an_error():
                self._start(self._engine)

    def think(self, state: State) -> Iterator[Proposal]:
        """One thought, the engine's answer.

        Raises:
            ValueError: the game is over, or this is no game for an engine.
            EngineError: the answer is no legal move, or there is none in time.
        """
        if state.is_terminal:
            raise ValueError(f"There is nothing to choose, the game is over:\n{state}")
        self.prepare(state)
        with self._ended_by_an_error():
            engine = self._engine_that_knows_all_but_the_last_move(state)
            started = time.monotonic()
            engine.send(f"INFO time_left {UNLIMITED}", *self._question(state))
            action = self._answer(engine, state, started + self._seconds + GRACE_SECONDS)
        self._known = state.child(action)
        yield Proposal(action, progress=1.0, seconds=time.monotonic() - started)

    @contextlib.contextmanager
    def _ended_by_an_error(self) -> Iterator[None]:
        """End the engine when something goes wrong: nobody knows what it would say next."""
        try:
            yield
        except BaseException:
            self._end()
            raise

    def _end(self) -> None:
        if self._engine is not None:
            self._engine.end()
        self._engine = self._known = None

    def _start(self, engine: EngineProcess) -> None:
        size, rule = self._board_and_rule
        engine.send(f"START {size}")
        line = self._next_line(engine, time.monotonic() + START_SECONDS, "START")
        if not _is_ok(line):
            raise engine.error(f"answered START {size} with {line!r}")
        engine.send(
            f"INFO timeout_turn {round(1_000 * self._seconds)}",
            "INFO timeout_match 0",
            "INFO max_memory 0",
            "INFO game_type 1",
            f"INFO rule {rule}",
        )

    def _engine_that_knows_all_but_the_last_move(self, state: State) -> EngineProcess:
        """The engine: with an empty board, or with the one from which the last move led here."""
        assert self._engine is not None
        if self._known is not None and not self._follows(state):
            self._known = None
            self._engine.send("RESTART")
            deadline = time.monotonic() + START_SECONDS
            if not _is_ok(self._next_line(self._engine, deadline, "RESTART")):
                self._end()  # it need not know that; then it has to be started anew
                self.prepare(state)
        return self._engine

    def _follows(self, state: State) -> bool:
        """Whether `state` is the known position and one move more."""
        known, action = self._known, state.last_action
        return (
            known is not None
            and action is not None
            and action in known.legal_actions()
            and known.child(action) == state
        )

    def _question(self, state: State) -> tuple[str, ...]:
        """What asks the engine for its move."""
        stones = _stones_in_turn(state)
        size = self._board_and_rule[0]
        if not stones:
            return ("BEGIN",)
        if self._known is not None or len(stones) == 1:
            return (f"TURN {square_text(stones[-1], size)}",)
        # The last stone is the opponent's, and so is every other one before.
        whose = [2 if (len(stones) - place) % 2 else 1 for place in range(len(stones))]
        squares = [square_text(stone, size) for stone in stones]
        return ("BOARD", *map("{},{}".format, squares, whose), "DONE")

    def _answer(self, engine: EngineProcess, state: State, deadline: float) -> int:
        """The action that the engine answers."""
        while True:
            line = self._next_line(engine, deadline, "its turn")
            text = line.removeprefix("SUGGEST ")
            try:
                action = read_square(text, self._board_and_rule[0])
            except ValueError:
                raise engine.error(f"should have named a square, and said {line!r}") from None
            if text != line:
                engine.send(f"PLAY {text}")
                continue
            if action not in state.legal_actions():
                raise engine.error(f"played {line}, where a stone lies already")
            return action

    def _next_line(self, engine: EngineProcess, deadline: float, what: str) -> str:
        """What the engine says, but for what is meant for people."""
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


def _stones_in_turn(state: State) -> list[int]:
    """The occupied squares, one of each player in turn, and the last move last.

    Of a position it is not known in which order it came about, but this is one that could be.
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
