"""A line of moves that is walked back and forth, as when somebody looks at a position.

Nothing here knows of players or clocks; `match.py` has those.
"""

from mctslab.games.state import State
from mctslab.widgets.match import Match


class LineOfPlay:
    """The moves from `first_state` to the position on the board, and those that were taken back.

    Args:
        first_state: where the line begins.
    """

    def __init__(self, first_state: State) -> None:
        self._states: list[State] = [first_state]
        self._actions: list[int] = []
        self._place = 0

    @property
    def first_state(self) -> State:
        """Where the line begins."""
        return self._states[0]

    @property
    def state(self) -> State:
        """The position on the board."""
        return self._states[self._place]

    @property
    def actions(self) -> tuple[int, ...]:
        """The moves that lead to it."""
        return tuple(self._actions[: self._place])

    @property
    def record(self) -> str:
        """The same as text, from which `set_up` makes the position again."""
        moves = zip(self._states, self.actions, strict=False)
        return " ".join(state.action_to_string(action) for state, action in moves)

    @property
    def can_undo(self) -> bool:
        """Whether there is a move to take back."""
        return self._place > 0

    @property
    def can_redo(self) -> bool:
        """Whether a move was taken back that can be played again."""
        return self._place < len(self._actions)

    def play(self, action: int) -> None:
        """Play a move; those that were taken back are forgotten, unless it is the next of them.

        Raises:
            IllegalActionError: the rules don't allow it here.
        """
        state = self.state.child(action)
        if not (self.can_redo and self._actions[self._place] == action):
            del self._actions[self._place :], self._states[self._place + 1 :]
            self._actions.append(action)
            self._states.append(state)
        self._place += 1

    def undo(self) -> None:
        """Take the last move back, if there is one."""
        self._place = max(0, self._place - 1)

    def redo(self) -> None:
        """Play the move again that was taken back last, if there is one."""
        self._place = min(len(self._actions), self._place + 1)

    def set_up(self, record: str) -> None:
        """Begin again and play the moves of `record`, such as `H8 I9 H9`.

        Nothing changes if the record can't be followed.

        Raises:
            RecordError: naming the move that is not one, or not legal where it stands.
        """
        match = Match(self.first_state)
        match.set_up(record)
        line = LineOfPlay(self.first_state)
        for move in match.moves:
            line.play(move.action)
        self._states, self._actions, self._place = line._states, line._actions, line._place
