"""A position as a trace remembers it: all that can be seen of it, and nothing of the rules."""

from typing import Self

from mctslab.boards.board import Board
from mctslab.games.state import GameNotOverError, State
from mctslab.search.trace_data import TracedGame, TracedNode, TraceError


def recorded_position(game: TracedGame, node: TracedNode) -> State:
    """The position of `node`, to be looked at but not played on from."""
    # What a game is called belongs to its class.
    names = {"game": game.name, "title": game.title, "player_names": game.player_names}
    position: State = type("RecordedPosition", (_RecordedPosition,), names)(game, node)
    return position


class _RecordedPosition(State):
    __slots__ = ("_moves", "_node")

    def __init__(self, game: TracedGame, node: TracedNode) -> None:
        self._moves = game.move_names
        self._node = node

    @property
    def current_player(self) -> int:
        return self._node.player_to_move

    @property
    def num_actions(self) -> int:
        return len(self._moves)

    @property
    def last_action(self) -> int | None:
        return self._node.action

    def legal_actions(self) -> tuple[int, ...]:
        return self._node.legal_actions

    def child(self, action: int) -> Self:
        raise TraceError(
            f"This position was read from a trace, which does not know the rules of {self.title}: "
            "play on from a position of the game itself."
        )

    @property
    def is_terminal(self) -> bool:
        return self._node.returns is not None

    def returns(self) -> tuple[float, float]:
        if self._node.returns is None:
            raise GameNotOverError(self)
        return self._node.returns

    def action_to_string(self, action: int) -> str:
        return self._moves[action]

    def board(self) -> Board:
        return self._node.board

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _RecordedPosition) and self._seen() == other._seen()

    def __hash__(self) -> int:
        return hash(self._seen())

    def _seen(self) -> tuple[str, tuple[int, ...], int]:
        return self.game, self._node.board.stones, self._node.player_to_move
