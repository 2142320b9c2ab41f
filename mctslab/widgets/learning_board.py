"""A board on which a net is seen learning: its policy and its value in one position, iteration by
iteration.

Python adds a frame after each iteration, also while a cell runs; the page shows the newest one and
steps through all of them. No message goes to the kernel.
"""

from collections.abc import Sequence
from typing import Any, Final

import anywidget
import traitlets

from mctslab.boards.layers import HeatScale
from mctslab.boards.svg import board_svg
from mctslab.games.state import State
from mctslab.widgets.board_view import board_look, legal_squares, position_of
from mctslab.widgets.front_end import StillPicture, bundled, checked_position, joined

_DIGITS: Final = 3
"""Of a share or a value in a frame: the page shows two."""
_STILL_SQUARE: Final = 40.0


class LearningBoard(StillPicture, anywidget.AnyWidget):
    """Watch a net learn, in one position.

    The board shows the bare net's policy on the legal squares, and beside it its value. There is a
    frame for each iteration; the slider, the buttons and the arrow keys go through them, and the
    space bar plays them. If only one move keeps the opponent from winning at once, its
    square is outlined, and a sentence names the iteration since which that move has been the net's
    favourite.

    Args:
        state: the position, in which some move places a stone on a square.
        title: the name of the board for a screen reader.

    Raises:
        ValueError: no move places a stone, because the game is over for instance.

    >>> from mctslab import games
    >>> corner_and_edge = games.TicTacToe().child(0).child(4).child(1)
    >>> seen = LearningBoard(corner_and_edge)
    >>> seen.add([0.1, 0.3, 0.2, 0.2, 0.1, 0.1], value=0.0)
    >>> seen.sentence
    "After iteration 0 the net's favourite move is a2, but only c1 blocks."
    """

    _esm = bundled("learning_board.js")
    _css = joined("common.css", "learning_board.css")

    title = traitlets.Unicode().tag(sync=True)
    look = traitlets.Dict(help="the pieces, sizes, names and colours of the board").tag(sync=True)
    position = traitlets.Dict(help="the stones and the last move").tag(sync=True)
    mover = traitlets.Int(help="0 or 1").tag(sync=True)
    block = traitlets.Int(None, allow_none=True, help="the square that blocks").tag(sync=True)
    frames = traitlets.List(
        traitlets.Dict(), help="{iteration, policy: [[square, share], ...], value}, oldest first"
    ).tag(sync=True)
    learned = traitlets.Int(
        None, allow_none=True, help="the iteration since which the favourite has blocked"
    ).tag(sync=True)
    sentence = traitlets.Unicode(help="whether the net has learned to block").tag(sync=True)

    def __init__(self, state: State, *, title: str = "A net that learns") -> None:
        if not legal_squares(checked_position(state)):
            raise ValueError(f"There is no square to choose in this position:\n{state}")
        block = blocking_action(state)
        self.state = state
        board = state.board()
        super().__init__(
            title=title,
            look=board_look(board, state.player_names),
            position=position_of(board),
            mover=state.current_player,
            block=None if block is None else state.action_square(block),
        )

    def add(self, priors: Sequence[float], value: float, iteration: int | None = None) -> None:
        """Add the answer of the newest net, and show it.

        Args:
            priors: for each of the legal actions its share, in the order of `legal_actions()`.
            value: for the player to move, in [-1, 1].
            iteration: its number; by default one more than that of the last frame, or 0.

        Raises:
            ValueError: there is not one prior for each legal action, or a number is out of range.
        """
        frame = frame_of(self.state, priors, value)
        if iteration is None:
            iteration = self.frames[-1]["iteration"] + 1 if self.frames else 0
        self.show([*self.frames, {"iteration": iteration, **frame}])

    def show(self, frames: Sequence[dict[str, Any]]) -> None:
        """Show these frames instead of those before."""
        with self.hold_sync():
            self.frames = list(frames)
            self.learned = learned_at(self.frames, self.block)
            self.sentence = self._in_words()
        self.renew_still()

    def _in_words(self) -> str:
        if self.block is None or not self.frames:
            return ""
        name = self.look["names"][self.block]
        if self.learned is None:
            newest = self.frames[-1]
            favourite = self.look["names"][_favourite(newest)]
            return (
                f"After iteration {newest['iteration']} the net's favourite move is {favourite}, "
                f"but only {name} blocks."
            )
        since = f"Since iteration {self.learned}"
        if self.learned == 0:
            since = "Even before it had learned anything, by luck,"
        return f"{since} the net's favourite move has been {name}, the only one that blocks."

    def still_svg(self) -> str:
        """The board with the newest frame."""
        heat = dict(self.frames[-1]["policy"]) if self.frames else {}
        return board_svg(
            self.state.board(),
            heat=heat,
            heat_scale=HeatScale.SHARE,
            legend=False,
            square_size=_STILL_SQUARE,
        )

    def still_note(self) -> str:
        """The sentence, and how to see more."""
        return f"{self.sentence} Run this cell again to see the net learn.".strip()


def frame_of(state: State, priors: Sequence[float], value: float) -> dict[str, Any]:
    """What a frame has of a net's answer: rounded shares of the squares, and the value.

    Raises:
        ValueError: there is not one prior for each legal action, or a number is out of range.
    """
    actions = state.legal_actions()
    if len(priors) != len(actions):
        raise ValueError(f"{len(priors)} priors, but {len(actions)} legal actions: give one each.")
    shares = [round(float(share), _DIGITS) for share in priors]
    value = round(float(value), _DIGITS)
    if not all(0 <= share <= 1 for share in shares) or not -1 <= value <= 1:
        raise ValueError(f"Priors are from 0 to 1, a value from -1 to 1, not {shares} and {value}.")
    squares = [state.action_square(action) for action in actions]
    policy = [[s, share] for s, share in zip(squares, shares, strict=True) if s is not None]
    return {"policy": policy, "value": value}


def blocking_action(state: State) -> int | None:
    """The only action after which the opponent can't win at once; None if there is no such one, or
    if the player to move can win instead.

    >>> from mctslab import games
    >>> blocking_action(games.TicTacToe().child(0).child(4).child(1))
    2
    """
    mover, safe = state.current_player, []
    for action in state.legal_actions():
        child = state.child(action)
        if child.is_terminal and child.returns()[mover] > 0:
            return None
        replies = () if child.is_terminal else map(child.child, child.legal_actions())
        if not any(reply.is_terminal and reply.returns()[mover] < 0 for reply in replies):
            safe.append(action)
        if len(safe) > 1:
            return None
    return safe[0] if safe and len(state.legal_actions()) > 1 else None


def learned_at(frames: Sequence[dict[str, Any]], square: int | None) -> int | None:
    """The iteration since which `square` has been the favourite in all frames; None if it is not
    the favourite in the newest one."""
    found = None
    for frame in reversed(frames):
        if _favourite(frame) != square:
            break
        found = frame["iteration"]
    return found


def _favourite(frame: dict[str, Any]) -> int:
    square, _ = max(frame["policy"], key=lambda entry: entry[1])
    return int(square)
