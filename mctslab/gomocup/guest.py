"""Another program as a player: here we are the manager, write a line, and wait for the answer."""

import os
import shlex
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from mctslab.child_processes import end_with_children
from mctslab.games.gomoku import Gomoku
from mctslab.games.state import State
from mctslab.gomocup.protocol import UNLIMITED, read_square, square_text
from mctslab.players import Player, Proposal
from mctslab.search.budget import checked_seconds

SECONDS: Final = 5.0
"""The default time for a move."""
GRACE_SECONDS: Final = 2.0
"""How much later an answer can arrive, because the engine or the pipe may have been delayed."""
START_SECONDS: Final = 120.0
"""The time to get ready, which is long because some engines load large files, or compile."""
END_SECONDS: Final = 1.0
"""The time that an engine has to end by itself, the same as with Gomocup's managers."""
_LONGEST_MESSAGE: Final = 300


class EngineError(RuntimeError):
    """An engine breaks the protocol; the message names the engine and what it did."""


class GomocupPlayer(Player):
    """Plays the answers of an engine, a program that uses the protocol of Gomocup.

    `prepare`, or the first move, starts the program; it ends when this object is deleted. An engine
    that breaks the protocol is ended at once. For another game, it is started again.

    Args:
        command: the program and its arguments, as on a command line, with quotes around blanks.
        seconds: the engine's time for a move. An answer that comes more than two seconds later is
            an error. The arena's `seconds_per_move` is stricter.
        name: the name of this player; derived from the other arguments if not given.

    Raises:
        ValueError: there is no such program, or `seconds` is not a time.
    """

    def __init__(self, command: str, seconds: float = SECONDS, *, name: str = "") -> None:
        self._engine: subprocess.Popen[bytes] | None = None  # None if none is running
        self._size_and_rule = (0, False)  # of the game that it plays: must it be exactly five?
        self._board: State | None = None  # the position on its board; None if it is empty
        self.name = name or f"gomocup:{seconds:g}s:{command}"
        self._command = split_command(command)
        self._seconds = checked_seconds(seconds)

    def __del__(self) -> None:
        self.end()

    def prepare(self, state: State) -> None:
        """Start the engine and send it the board, the rule and the time, if it isn't ready.

        Raises:
            ValueError: an engine cannot play this game; it can play Gomoku with five in a row.
            EngineError: the engine refuses, breaks the protocol, or doesn't answer.
        """
        if not (isinstance(state, Gomoku) and state.in_a_row == 5):
            raise ValueError(
                "Engines of Gomocup play only Gomoku with five in a row. This is another game:\n"
                f"{state}"
            )
        wanted = state.size, state.exactly_five
        if self._engine and wanted == self._size_and_rule:
            return
        self.end()
        self._size_and_rule = wanted
        # In a session of its own, it does not receive the Ctrl-C that is meant for us.
        self._engine = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # on Windows
        )
        answer = self._ask(START_SECONDS, f"START {state.size}")
        if answer.split()[0].upper() != "OK":
            raise self._error(f"answered START {state.size} with {answer!r}")
        _send(
            self._engine,
            f"INFO timeout_turn {round(1_000 * self._seconds)}",
            "INFO timeout_match 0",
            "INFO max_memory 0",
            "INFO game_type 1",
            f"INFO rule {int(state.exactly_five)}",
        )

    def think(self, state: State) -> Iterator[Proposal]:
        """Yield one proposal, the engine's answer.

        Raises:
            ValueError: the game is over, or an engine cannot play it.
            EngineError: the answer is not a legal move, or does not arrive in time.
        """
        if state.is_terminal:
            raise ValueError(f"There is nothing to choose, because the game is over:\n{state}")
        board = self._board
        if board is not None and state not in map(board.child, board.legal_actions()):
            self.end()
        self.prepare(state)
        started = time.monotonic()
        size, _ = self._size_and_rule
        question = (f"INFO time_left {UNLIMITED}", *self._question(state, size))
        answer = self._ask(self._seconds + GRACE_SECONDS, *question)
        try:
            action = read_square(answer, size)
        except ValueError:
            wrong = f"should have answered with a square, but said {answer!r}"
            raise self._error(wrong) from None
        if action not in state.legal_actions():
            raise self._error(f"played {answer}, which is occupied")
        self._board = state.child(action)
        yield Proposal(action, progress=1.0, seconds=time.monotonic() - started)

    def end(self) -> None:
        """End the engine, if there is one."""
        if self._engine is not None:
            _end(self._engine)
        self._engine = self._board = None

    def _question(self, state: State, size: int) -> tuple[str, ...]:
        """The lines that request the engine's move: it is player 1 on a board."""
        stones, last = state.board().stones, state.last_action
        squares = [square for square, stone in enumerate(stones) if stone in (0, 1)]
        if last is None:
            return ("BEGIN",)
        if self._board is not None or len(squares) == 1:
            return (f"TURN {square_text(last, size)}",)
        squares.sort(key=lambda square: square == last)
        owners = [1 if stones[square] == state.current_player else 2 for square in squares]
        texts = [square_text(square, size) for square in squares]
        return ("BOARD", *map("{},{}".format, texts, owners), "DONE")

    def _ask(self, seconds: float, *lines: str) -> str:
        """Write lines, and return the engine's next line that is not meant for people.

        Raises:
            EngineError: the engine has ended, or has not answered in time.
        """
        engine = self._engine
        assert engine is not None
        assert engine.stdout is not None
        started = time.monotonic()
        timer = threading.Timer(seconds, _end, [engine])
        timer.start()
        try:
            _send(engine, *lines)
            for line in engine.stdout:  # until a line comes, or the engine has ended
                text = line.decode("utf-8", "replace").strip()
                if text and text.split()[0].upper() not in ("MESSAGE", "DEBUG"):
                    return text
        except KeyboardInterrupt:
            self.end()  # its answer to this question would follow the next one
            raise
        finally:
            timer.cancel()
        if time.monotonic() - started >= seconds:
            raise self._error(f"gave no answer within {seconds:g} s")
        self.end()
        raise self._error(f"has ended with status {engine.returncode}")

    def _error(self, what: str) -> EngineError:
        """An error with the engine's command and `what` it did; ends the engine."""
        self.end()
        words = " ".join([os.path.basename(self._command[0]), *self._command[1:]])
        return EngineError(f"The engine {words!r} {what[:_LONGEST_MESSAGE]}.")


def _send(engine: "subprocess.Popen[bytes]", *lines: str) -> None:
    """Write lines; if the engine has ended, the next answer is missing."""
    assert engine.stdin is not None
    with suppress(OSError, ValueError):
        engine.stdin.write("".join(f"{line}\r\n" for line in lines).encode())
        engine.stdin.flush()


def _end(engine: "subprocess.Popen[bytes]") -> None:
    """End a program: by END, and if that does not help, with all that it has started."""
    _send(engine, "END")
    assert engine.stdin is not None
    with suppress(OSError):
        engine.stdin.close()
    try:
        engine.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        end_with_children(engine)
        engine.wait()


def split_command(command: str) -> tuple[str, ...]:
    r"""A command line as a program, with its full path, and its arguments.

    Words with blanks need quotes. On Windows a backslash is an ordinary character.

    Raises:
        ValueError: there is no such program.
    """
    try:
        words = [word.strip('"') for word in shlex.split(command, posix=os.name == "posix")]
    except ValueError:  # a quote is not closed
        words = []
    program = shutil.which(words[0]) if words else None
    if program is None:
        raise ValueError(
            f"There is no program {command!r} to be an engine: give its path, or a name that the "
            "command line knows; put quotes around blanks."
        )
    return (os.path.abspath(program), *words[1:])
