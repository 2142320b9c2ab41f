"""Random games, and what else many tests want of positions and of chance."""

from collections.abc import Iterator

import numpy as np
from hypothesis import strategies as st

from mctslab import games, players
from mctslab.boards import EMPTY
from mctslab.games import State
from mctslab.games.symmetry import Symmetry

SIZES: dict[str, tuple[State, ...]] = {
    "tictactoe": (games.TicTacToe(),),
    "connect_four": (
        games.ConnectFour(),
        games.ConnectFour(rows=4, cols=4),
        games.ConnectFour(rows=5, cols=12),
        games.ConnectFour(rows=12, cols=4),
    ),
    "reversi": tuple(games.Reversi(size) for size in (8, 4, 6, 10)),
    "gomoku": (
        games.Gomoku(),
        games.Gomoku(size=3, in_a_row=3),
        games.Gomoku(size=6, in_a_row=4),
        games.Gomoku(size=7, exactly_five=True),
        games.Gomoku(size=19),
    ),
}
"""First positions of every game, the usual size first."""

FIRST_STATES = [state for states in SIZES.values() for state in states]


def new_rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def player_of(name: str, seed: int = 1) -> players.Player:
    return players.make(name, rng=new_rng(seed))


def name_of(state: State) -> str:
    """A name for a test: game and size."""
    board = state.board()
    return f"{state.game}-{board.rows}x{board.cols}"


def must_pass(state: State) -> bool:
    return isinstance(state, games.Reversi) and state.legal_actions() == (state.pass_action,)


def for_mover(state: State, value: float) -> float:
    """A value for player 0 as one for the player to move; or the other way round."""
    return value if state.current_player == 0 else -value


def random_game(first_state: State, rng: np.random.Generator) -> Iterator[State]:
    """The positions of one uniformly random game, first and last included."""
    state = first_state
    yield state
    while not state.is_terminal:
        legal = state.legal_actions()
        state = state.child(legal[int(rng.random() * len(legal))])
        yield state


def late(first_state: State, num_empty: int, rng: np.random.Generator) -> State:
    """A position of a random game that goes on, with at most `num_empty` empty squares."""
    while True:
        for state in random_game(first_state, rng):
            if state.board().stones.count(EMPTY) <= num_empty:
                break
        if not state.is_terminal:
            return state


def choices(max_plies: int = 100) -> st.SearchStrategy[list[int]]:
    """Numbers that choose among the legal actions, one a ply; see `played`.

    Every length is as likely as any other (plain lists of Hypothesis have few elements, and games
    would hardly ever end).
    """
    lengths = st.integers(0, max_plies)
    raw = lengths.flatmap(lambda plies: st.binary(min_size=2 * plies, max_size=2 * plies))
    return raw.map(lambda numbers: np.frombuffer(numbers, ">u2").tolist())


def played(first_state: State, numbers: list[int]) -> list[State]:
    """The positions on the way that `numbers` choose, until the game or the numbers end."""
    positions = [first_state]
    for number in numbers:
        legal = positions[-1].legal_actions()
        if not legal:
            break
        positions.append(positions[-1].child(legal[number % len(legal)]))
    return positions


def turned_reversi(state: games.Reversi, symmetry: Symmetry) -> games.Reversi:
    """The same discs after a symmetry, whether or not a game can lead there."""
    own, opponent, player = state._position
    boards = [
        sum(1 << goes for square, goes in enumerate(symmetry.squares) if board >> square & 1)
        for board in (own, opponent)
    ]
    turned = object.__new__(games.Reversi)
    turned._geometry, turned._last_action = state._geometry, None
    turned._arrive((*boards, player))
    return turned
