"""How many files and functions of the package a click on a board passes.

python -m tests.measure_trips
"""

import sys
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Any

import mctslab
from mctslab.widgets import GamePanel

PACKAGE = str(Path(mctslab.__file__).parent)


def files_of_a_click(
    game: str = "reversi", white: str = "uct:100", *, with_reply: bool = False
) -> tuple[set[str], set[str]]:
    """The files and functions that run from a click's message until its state is published.

    It is the second click of a game, so that nothing is compiled or loaded for the first time.

    Args:
        game: the name of a game.
        white: who answers.
        with_reply: count the search and the reply of the other side as well, in their thread.
    """
    panel = GamePanel(game, "human", white, seconds_per_move=None)
    for event in ("page_opened", "view_opened"):
        panel._handle_custom_msg({"event": event, "page": "measured"}, [])
    _click(panel, 2)
    files: set[str] = set()
    functions: set[str] = set()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(PACKAGE):
            file = Path(name).relative_to(PACKAGE).as_posix()
            files.add(file)
            functions.add(f"{file}:{frame.f_code.co_qualname}")

    if with_reply:
        threading.setprofile(note)
    sys.setprofile(note)
    try:
        _click(panel, 4 if with_reply else 3)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
        panel._handle_custom_msg({"event": "view_closed", "page": "measured"}, [])
    panel.session.wait(20)
    return files, functions


def _click(panel: GamePanel, num_moves: int) -> None:
    """Click on the first legal square, and wait until there are `num_moves` moves."""
    message: dict[str, Any] = {
        "chosen": panel.board.view.legal_squares[0],
        "move_number": panel.board.squares["move_number"],
    }
    panel.board._handle_custom_msg(message, [])
    deadline = time.monotonic() + 100
    while len(panel.moves) < num_moves:
        assert time.monotonic() < deadline, "there was no reply"
        time.sleep(0.01)


def main() -> None:
    """Print the trips."""
    for game in ("reversi", "connect_four", "tictactoe", "gomoku"):
        for with_reply in (False, True):
            files, functions = files_of_a_click(game, with_reply=with_reply)
            what = "click and reply" if with_reply else "click"
            print(f"{game}, {what}: {len(files)} files, {len(functions)} functions")
            print("   ", *sorted(files))


if __name__ == "__main__":
    main()
