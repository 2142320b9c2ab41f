"""Notebook 12, the net: planes, symmetries of a sample, and the two parts of the loss.

In NumPy throughout, so that these exercises can be read, and checked, where PyTorch is missing.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from mctslab.boards.board import Board
from mctslab.course.exercise import exercise
from mctslab.course.expectations import Words
from mctslab.course.question import Case, Misconception, misconception
from mctslab.games.connect_four import ConnectFour
from mctslab.games.gomoku import Gomoku
from mctslab.games.reversi import Reversi
from mctslab.games.state import State
from mctslab.games.tictactoe import TicTacToe

Floats: TypeAlias = npt.NDArray[np.float64]

# encode

_PLANES: Final = ("own stones", "opponent's stones", "last move", "turn")


def _grid(plane: Floats) -> Words:
    """A plane as text: a 1 for each one, a dot for each zero."""
    rows = [[f"{number:g}" if number else "." for number in row] for row in plane.tolist()]
    return Words("\n" + "\n".join(" ".join(row) for row in rows))


def _array(answer: object) -> Floats | None:
    """An answer as numbers; None where it is something else."""
    try:
        return np.asarray(answer, dtype=float)
    except (TypeError, ValueError):
        return None


def _planes_seen(function: Callable[..., Any], state: State) -> object:
    """The planes of an answer, each as text."""
    answer = function(state)
    planes, board = _array(answer), state.board()
    if planes is None:
        return answer
    if planes.shape != (4, board.rows, board.cols):
        unseen = dict.fromkeys(_PLANES, Words("not looked at"))
        return {"shape": tuple(planes.shape), **unseen}
    return {"shape": tuple(planes.shape), **dict(zip(_PLANES, map(_grid, planes), strict=True))}


def _encode_case(state: State, moves: Sequence[int], drawn: str, mover: str, last: int) -> Case:
    """A position after `moves`.

    Args:
        state: where the game begins.
        moves: the actions that lead to the position.
        drawn: what lies there, drawn by hand: rows of X, O and dots, with blanks between them. X
            is player 0.
        mover: who is to move, X or O.
        last: the square of the last move, or -1.
    """
    for move in moves:
        state = state.child(move)
    rows = drawn.split()
    squares = np.array([list(row) for row in rows])
    planes = np.zeros((4, *squares.shape))
    planes[0], planes[1] = squares == mover, squares == ("O" if mover == "X" else "X")
    if last >= 0:
        planes[2, last // len(rows[0]), last % len(rows[0])] = 1
    planes[3] = mover == "X"
    expected = {"shape": planes.shape, **dict(zip(_PLANES, map(_grid, planes), strict=True))}
    return Case(lambda: (state,), expected, f"encode(state)\n{state}", _planes_seen)


def _encode_cases() -> list[Case]:
    return [
        _encode_case(TicTacToe(), (), "... ... ...", "X", -1),
        _encode_case(TicTacToe(), (5,), "... ..X ...", "O", 5),
        _encode_case(TicTacToe(), (4, 0), "O.. .X. ...", "X", 0),
        _encode_case(TicTacToe(), (4, 0, 7), "O.. .X. .X.", "O", 7),
        _encode_case(
            Gomoku(size=5, in_a_row=4), (12, 11, 6, 18), "..... .X... .OX.. ...O. .....", "X", 18
        ),
        _encode_case(
            ConnectFour(), (3, 3, 0), "....... ....... ....... ....... ...O... X..X...", "O", 35
        ),
        # The last of these moves is a pass.
        _encode_case(Reversi(4), (1, 2, 11, 0, 16), "OOO. .XX. .XXX ....", "O", -1),
    ]


def _encode_variant(
    name: str, explanation: str
) -> Callable[[Callable[[Floats, State, Board], Floats]], Misconception]:
    """Turn a change of the right planes into a mistake."""

    def make(change: Callable[[Floats, State, Board], Floats]) -> Misconception:
        def planes(state: State) -> Floats:
            return change(_right_planes(state), state, state.board())

        return Misconception(name, explanation, planes)

    return make


@_encode_variant(
    "player 0's stones always first",
    "The first plane holds the stones of the player to move, whoever that is. Otherwise the net "
    "has to learn everything twice, once for each colour.",
)
def _black_first(planes: Floats, state: State, board: Board) -> Floats:
    return planes if state.current_player == 0 else planes[[1, 0, 2, 3]]


@_encode_variant(
    "the opponent's stones first",
    "It is the player to move whose stones come first, not the one who has just moved.",
)
def _opponent_first(planes: Floats, state: State, board: Board) -> Floats:
    return planes[[1, 0, 2, 3]]


@_encode_variant(
    "the number of the player to move in the last plane",
    "That is 0 for player 0 and 1 for player 1. The plane is all ones where it is player 0's turn.",
)
def _number_of_player(planes: Floats, state: State, board: Board) -> Floats:
    planes[3] = state.current_player
    return planes


@_encode_variant(
    "a single one in place of a whole plane for the turn",
    "A convolution looks at a few squares at a time. So that it sees whose turn it is wherever it "
    "looks, the whole plane says it.",
)
def _one_square_for_the_turn(planes: Floats, state: State, board: Board) -> Floats:
    planes[3].reshape(-1)[1:] = 0
    return planes


@_encode_variant(
    "the last move forgotten",
    "Plane 2 holds a one on `board.last_square`, where there is such a square.",
)
def _no_last_move(planes: Floats, state: State, board: Board) -> Floats:
    planes[2] = 0
    return planes


@_encode_variant(
    "the action taken for its square",
    "In Connect Four an action is a column, and a pass has no square at all. Where the last stone "
    "lies says `board.last_square`.",
)
def _action_as_square(planes: Floats, state: State, board: Board) -> Floats:
    planes[2] = 0
    if state.last_action is not None:
        planes[2].reshape(-1)[state.last_action] = 1
    return planes


@_encode_variant(
    "square 0 taken for no square",
    "In Python 0 counts as false, so `if board.last_square` misses a move in the upper left "
    "corner. Ask `if board.last_square is not None`.",
)
def _zero_is_none(planes: Floats, state: State, board: Board) -> Floats:
    if not board.last_square:
        planes[2] = 0
    return planes


@_encode_variant(
    "no case for a missing last move",
    "At the start, and after a pass, there is none: `board.last_square` is None, and the plane "
    "stays empty. In NumPy an index of None stands for everything.",
)
def _none_is_everything(planes: Floats, state: State, board: Board) -> Floats:
    if board.last_square is None:
        planes[2] = 1
    return planes


@_encode_variant(
    "rows and columns exchanged",
    "Square number s lies in row s // cols and in column s % cols.",
)
def _transposed(planes: Floats, state: State, board: Board) -> Floats:
    return planes.transpose(0, 2, 1)


@_encode_variant(
    "the board upside down",
    "Row 0 is the upper one, as in `board.stones`. A policy that is counted from the top does not "
    "fit planes that are counted from the bottom.",
)
def _upside_down(planes: Floats, state: State, board: Board) -> Floats:
    return planes[:, ::-1]


@_encode_variant(
    "the planes along the last axis",
    "[rows, cols, C] is what some other libraries want. PyTorch's convolutions take [C, rows, "
    "cols].",
)
def _planes_last(planes: Floats, state: State, board: Board) -> Floats:
    return planes.transpose(1, 2, 0)


@_encode_variant(
    "rows of squares that were never folded into a board",
    "Each plane is a board, [rows, cols]: `reshape` makes one of a row of squares.",
)
def _flat(planes: Floats, state: State, board: Board) -> Floats:
    return planes.reshape(4, -1)


@_encode_variant(
    "both players' stones in one plane",
    "Ones and minus ones in a single plane can be told apart, too, but here the two players have a "
    "plane each.",
)
def _signed(planes: Floats, state: State, board: Board) -> Floats:
    return np.stack([planes[0] - planes[1], planes[2], planes[3]])


def _right_planes(state: State) -> Floats:
    planes: Floats = np.array(encode.model_answer(state))
    return planes


@exercise(
    title="The planes of a position",
    cases=_encode_cases,
    misconceptions=(
        _black_first,
        _opponent_first,
        _number_of_player,
        _one_square_for_the_turn,
        _no_last_move,
        _action_as_square,
        _zero_is_none,
        _none_is_everything,
        _transposed,
        _upside_down,
        _planes_last,
        _flat,
        _signed,
    ),
    hints=(
        "`state.board()` has `rows`, `cols`, `stones` (of each square -1, 0 or 1: empty, or whose "
        "stone) and `last_square` (or None). `state.current_player` is 0 or 1.",
        "`np.array(board.stones).reshape(board.rows, board.cols)` is the board as an array, and "
        "`stones == player` is where a player's stones lie.",
        "Begin with `np.zeros((4, rows, cols))`. Plane 0 is `stones == mover`, plane 1 is "
        "`stones == 1 - mover`, plane 3 is `mover == 0` all over.",
    ),
    when_right="The package has it for any game, with more planes if you like: `net.encode`.",
)
def encode(state: State) -> Floats:
    """Four planes of a position, zeros and ones [4, rows, cols].

    In this order: the stones of the player to move, the opponent's stones, the square of the last
    move, and a plane that is all ones where player 0 is to move and all zeros where player 1 is.
    """
    board, mover = state.board(), state.current_player
    stones = np.array(board.stones).reshape(board.rows, board.cols)
    planes = np.zeros((4, board.rows, board.cols))
    planes[0], planes[1] = stones == mover, stones == 1 - mover
    if board.last_square is not None:
        planes[2].reshape(-1)[board.last_square] = 1
    planes[3] = mover == 0
    return planes


# symmetries

Samples: TypeAlias = list[tuple[Floats, Floats]]


def _moved(row: int, col: int, last: int) -> tuple[tuple[int, int], ...]:
    """Where a square goes in each of the eight symmetries; `last` is the number of the last row."""
    return (
        *((row, col), (col, last - row), (last - row, last - col), (last - col, row)),
        *((row, last - col), (col, row), (last - row, col), (last - col, last - row)),
    )


def _eight(planes: Floats, policy: Floats) -> Samples:
    """The eight samples, square by square."""
    size = planes.shape[1]
    samples = [(np.zeros_like(planes), policy.copy()) for _ in range(8)]
    for row in range(size):
        for col in range(size):
            places = _moved(row, col, size - 1)
            for (turned, shares), (to_row, to_col) in zip(samples, places, strict=True):
                turned[:, to_row, to_col] = planes[:, row, col]
                shares[to_row * size + to_col] = policy[row * size + col]
    return samples


def _told(planes: Floats, policy: Floats) -> Words:
    """A sample as text: the board, and beside each row what the policy says of its squares."""
    size = planes.shape[1]
    shares = policy[: size * size].reshape(size, size)
    lines = []
    for row in range(size):
        squares = "".join(_square(planes[:, row, col]) for col in range(size))
        lines.append("   ".join([squares, " ".join(f"{share:g}" for share in shares[row])]))
    lines += [f"pass {share:g}" for share in policy[size * size :]]
    return Words("\n" + "\n".join(lines))


def _square(numbers: Floats) -> str:
    """X, O or a dot; the square that the third plane marks has brackets."""
    own, opponent, marked = numbers
    sign = "X" if own else "O" if opponent else "."
    return f"[{sign}]" if marked else f" {sign} "


def _samples_seen(function: Callable[..., Any], planes: Floats, policy: Floats) -> object:
    """How many of the eight are there, and the first that is none of them."""
    answer = function(planes, policy)
    try:
        samples = [(_array(one), _array(other)) for one, other in answer]
    except (TypeError, ValueError):
        return answer
    eight = _eight(planes, policy)
    places = [_place(sample, eight) for sample in samples]
    wrong = [sample for sample, place in zip(samples, places, strict=True) if place is None]
    return {
        "samples": len(samples),
        "of the eight that are wanted": len({place for place in places if place is not None}),
        "one that is none of them": _described(wrong[0], planes, policy) if wrong else _NONE,
    }


_NONE: Final = Words("none")


def _place(sample: tuple[Floats | None, Floats | None], eight: Samples) -> int | None:
    """Which of the eight a sample is."""
    planes, policy = sample
    if planes is None or policy is None:
        return None
    for place, (wanted, shares) in enumerate(eight):
        if np.array_equal(planes, wanted) and np.array_equal(policy, shares):
            return place
    return None


def _described(
    sample: tuple[Floats | None, Floats | None], planes: Floats, policy: Floats
) -> Words:
    """A wrong sample: its board and its policy, or its shapes where these are wrong already."""
    turned, shares = sample
    if turned is None or shares is None:
        return Words("something that is no pair of arrays")
    if turned.shape != planes.shape or shares.shape != policy.shape:
        return Words(f"planes {list(turned.shape)} with a policy {list(shares.shape)}")
    return _told(turned, shares)


def _symmetries_case(board: str, policy: Sequence[float], passing: Sequence[float] = ()) -> Case:
    """A sample of a board drawn with X (own), O (opponent's) and dots."""
    squares = np.array([list(row) for row in board.split()])

    def arguments() -> tuple[Floats, Floats]:
        marked = np.arange(squares.size).reshape(squares.shape) == _MARKED
        planes = np.stack([squares == "X", squares == "O", marked]).astype(float)
        return planes, np.array([*policy, *passing], dtype=float)

    told = (
        "symmetries(planes, policy) of three planes (X, O and, in brackets, the last move), with "
    )
    told += f"the policy beside the board:{_told(*arguments())}"
    expected = {
        "samples": 8,
        "of the eight that are wanted": 8,
        "one that is none of them": _NONE,
    }
    return Case(arguments, expected, told, _samples_seen)


_MARKED: Final = 1
"""The square that the third plane of every case marks."""


def _symmetries_cases() -> list[Case]:
    return [
        _symmetries_case("XO ..", (0.0, 0.0, 0.75, 0.25)),
        _symmetries_case("OX. .X. ...", (0.0, 0.0, 0.5, 0.125, 0.0, 0.0625, 0.25, 0.0, 0.0625)),
        _symmetries_case(
            ".X.. .OX. .XO. ....",
            tuple(number / 128 for number in (1, 0, 2, 3, 4, 0, 0, 5, 6, 0, 0, 7, 8, 9, 10, 11)),
            (62 / 128,),
        ),
    ]


def _turns(
    planes: Floats, board: Floats, mirrored: Sequence[bool] = (False, True)
) -> list[tuple[Floats, Floats]]:
    """Planes and a policy's board after each number of quarter turns, and mirrored after it."""
    found = []
    for number in range(4):
        one, other = np.rot90(planes, number, axes=(1, 2)), np.rot90(board, number)
        for is_mirrored in mirrored:
            found.append((one[:, :, ::-1], other[:, ::-1]) if is_mirrored else (one, other))
    return found


def _split(planes: Floats, policy: Floats) -> tuple[Floats, Floats]:
    """A policy as the board and what comes after it: the pass, or nothing."""
    size = planes.shape[1]
    return policy[: size * size].reshape(size, size), policy[size * size :]


def _symmetries_variant(
    name: str, explanation: str
) -> Callable[[Callable[[Floats, Floats], list[tuple[Floats, Floats]]]], Misconception]:
    """Turn another list of boards, of planes and the policy's board, into wrong samples."""

    def make(boards: Callable[[Floats, Floats], list[tuple[Floats, Floats]]]) -> Misconception:
        def samples(planes: Floats, policy: Floats) -> Samples:
            board, rest = _split(planes, policy)
            found = boards(planes, board)
            return [(one, np.append(other.reshape(-1), rest)) for one, other in found]

        return Misconception(name, explanation, samples)

    return make


@_symmetries_variant(
    "the policy left as it was",
    "The policy says where to play. On a board that is turned these places are elsewhere: turn it "
    "along with the planes.",
)
def _unturned(planes: Floats, board: Floats) -> list[tuple[Floats, Floats]]:
    return [(one, board) for one, _ in _turns(planes, board)]


@_symmetries_variant(
    "planes and policy turned opposite ways",
    "Both go the same way. `np.rot90` turns against the clock, and with `axes=(2, 1)` with it.",
)
def _opposite(planes: Floats, board: Floats) -> list[tuple[Floats, Floats]]:
    found = []
    for number in range(4):
        one, other = np.rot90(planes, number, axes=(2, 1)), np.rot90(board, number)
        found += [(one, other), (one[:, :, ::-1], other[:, ::-1])]
    return found


@_symmetries_variant(
    "the planes turned along the wrong axes",
    "Without `axes` NumPy turns the first two, which here are the planes and the rows. The board "
    "is in the last two: `axes=(1, 2)`.",
)
def _wrong_axes(planes: Floats, board: Floats) -> list[tuple[Floats, Floats]]:
    return [
        (np.rot90(planes, number), np.rot90(board, number)) for number in range(4) for _ in range(2)
    ]


@_symmetries_variant(
    "the four turns without the mirror images",
    "Each of them can be mirrored as well, which makes eight.",
)
def _four(planes: Floats, board: Floats) -> list[tuple[Floats, Floats]]:
    return _turns(planes, board, (False,))


@_symmetries_variant(
    "the policy turned but not mirrored",
    "Whatever is done to the planes is done to the policy, mirroring included.",
)
def _policy_not_mirrored(planes: Floats, board: Floats) -> list[tuple[Floats, Floats]]:
    return [
        (one, np.rot90(board, place // 2)) for place, (one, _) in enumerate(_turns(planes, board))
    ]


@_symmetries_variant(
    "some of the eight twice, and others never",
    "Mirrored left to right and turned by half is the same as mirrored top to bottom. Four turns, "
    "and the four turns of one mirror image, are all different.",
)
def _twice(planes: Floats, board: Floats) -> list[tuple[Floats, Floats]]:
    found = _turns(planes, board, (False,))
    for number in (0, 2):
        one, other = np.rot90(planes, number, axes=(1, 2)), np.rot90(board, number)
        found += [(one[:, :, ::-1], other[:, ::-1]), (one[:, ::-1], other[::-1])]
    return found


@_symmetries_variant(
    "the sample itself left out",
    "To turn it by nothing is one of the eight.",
)
def _seven(planes: Floats, board: Floats) -> list[tuple[Floats, Floats]]:
    return _turns(planes, board)[1:]


@_symmetries_variant(
    "only the stones turned",
    "Every plane belongs to the board, also that of the last move. This one really happened, in a "
    "program that turned everything else.",
)
def _only_the_stones(planes: Floats, board: Floats) -> list[tuple[Floats, Floats]]:
    return [(np.concatenate([one[:2], planes[2:]]), other) for one, other in _turns(planes, board)]


@_symmetries_variant(
    "the colours exchanged in the mirror images",
    "`[::-1]` on all of the planes reverses the first axis, so that own stones become the "
    "opponent's. The columns are the last axis: `planes[:, :, ::-1]`.",
)
def _colours_exchanged(planes: Floats, board: Floats) -> list[tuple[Floats, Floats]]:
    found = []
    for one, other in _turns(planes, board, (False,)):
        found += [(one, other), (one[::-1], other[:, ::-1])]
    return found


@misconception(
    "no place for the pass",
    "A policy may have a number more than the board has squares. Turn the squares, and let the "
    "pass follow unchanged.",
)
def _no_pass(planes: Floats, policy: Floats) -> Samples:
    size = planes.shape[1]
    return [(one, other.reshape(-1)) for one, other in _turns(planes, policy.reshape(size, size))]


@misconception(
    "the pass lost",
    "The policy of a sample has as many numbers as before: after the squares comes the pass, where "
    "there is one.",
)
def _pass_lost(planes: Floats, policy: Floats) -> Samples:
    board, _ = _split(planes, policy)
    return [(one, other.reshape(-1)) for one, other in _turns(planes, board)]


@misconception(
    "the policy left as a board",
    "A policy is a row of numbers, one for each action: `reshape(-1)` after turning it.",
)
def _left_a_board(planes: Floats, policy: Floats) -> Samples:
    return _turns(planes, _split(planes, policy)[0])


@exercise(
    title="Eight samples of one",
    cases=_symmetries_cases,
    misconceptions=(
        _unturned,
        _opposite,
        _wrong_axes,
        _four,
        _policy_not_mirrored,
        _twice,
        _seven,
        _only_the_stones,
        _colours_exchanged,
        _no_pass,
        _pass_lost,
        _left_a_board,
    ),
    hints=(
        "The policy of the squares is a board, too: `policy[: size * size].reshape(size, size)`. "
        "What is left over is the pass.",
        "`np.rot90(planes, turns, axes=(1, 2))` and `np.rot90(board, turns)` turn both the same "
        "way; `[:, :, ::-1]` and `[:, ::-1]` mirror them.",
        "For each of four turns take the turned pair and its mirror image. Each policy goes back "
        "into a row: `np.append(board.reshape(-1), rest)`.",
    ),
    when_right="The package's games name their symmetries, and `net.turn` applies one to a sample.",
)
def symmetries(planes: Floats, policy: Floats) -> Samples:
    """The eight samples that a board turns and mirrors into, as pairs of planes and policy.

    The planes are [C, n, n]. The policy has a number for each of the n * n squares, row by row,
    and perhaps one more, for the pass. The order of the eight does not matter.
    """
    size = planes.shape[1]
    board, rest = policy[: size * size].reshape(size, size), policy[size * size :]
    samples = []
    for turns in range(4):
        turned, shares = np.rot90(planes, turns, axes=(1, 2)), np.rot90(board, turns)
        samples.append((turned, np.append(shares.reshape(-1), rest)))
        samples.append((turned[:, :, ::-1], np.append(shares[:, ::-1].reshape(-1), rest)))
    return samples


# loss


def _loss_case(
    policy_logits: Sequence[Sequence[float]],
    values: Sequence[float],
    policies: Sequence[Sequence[float]],
    returns: Sequence[float],
    *,
    expected: tuple[float, float],
) -> Case:
    def arguments() -> tuple[Floats, ...]:
        parts = (policy_logits, values, policies, returns)
        return tuple(np.array(part, dtype=float) for part in parts)

    return Case(arguments, expected)


def _loss_cases() -> list[Case]:
    return [
        # Two moves without an opinion: the logarithm of 2.
        _loss_case([[0, 0]], [0.2], [[1, 0]], [1], expected=(0.64, 0.6931471805599453)),
        _loss_case(
            [[1, 0, 0]], [-0.5], [[0.5, 0.25, 0.25]], [-1], expected=(0.25, 1.0514447139320510)
        ),
        # A policy that says just what it should: its own entropy is left.
        _loss_case(
            [[0.6931471805599453, 0, 0]],
            [1],
            [[0.5, 0.25, 0.25]],
            [1],
            expected=(0.0, 1.0397207708399180),
        ),
        _loss_case(
            [[2, 0, -1], [0, 1, 0], [-1, -1, 3]],
            [0.5, -0.5, 0.5],
            [[0.2, 0.8, 0], [0, 0.5, 0.5], [0, 0, 1]],
            [1, 1, -1],
            expected=(4.75 / 3, 0.9524223444121766336),
        ),
        # Logits whose exponentials are beyond all floats.
        _loss_case(
            [[1000, 0, -1000], [0, -800, 0]],
            [0, 0],
            [[0.5, 0.5, 0], [0.5, 0, 0.5]],
            [1, 0],
            expected=(0.5, 250.3465735902799727),
        ),
    ]


def _log_softmax(logits: Floats, axis: int | None = 1) -> Floats:
    logits = logits - logits.max(axis=axis, keepdims=True)
    logs: Floats = logits - np.log(np.exp(logits).sum(axis=axis, keepdims=True))
    return logs


def _cross_entropy(logits: Floats, policies: Floats) -> float:
    return float(-(policies * _log_softmax(logits)).sum(axis=1).mean())


def _mean_square(values: Floats, returns: Floats) -> float:
    return float(((returns - values) ** 2).mean())


PolicyPart: TypeAlias = Callable[[Floats, Floats], float]
ValuePart: TypeAlias = Callable[[Floats, Floats], float]


def _loss_variant(
    name: str,
    explanation: str,
    *,
    policy: PolicyPart = _cross_entropy,
    value: ValuePart = _mean_square,
) -> Misconception:
    """Another policy part, of logits and targets, or value part, of values and targets."""

    def parts(
        policy_logits: Floats, values: Floats, policies: Floats, returns: Floats
    ) -> tuple[float, float]:
        with np.errstate(all="ignore"):
            return float(value(values, returns)), float(policy(policy_logits, policies))

    return Misconception(name, explanation, parts)


def _entropy(policies: Floats) -> float:
    logs = np.log(np.where(policies > 0, policies, 1))
    return float(-(policies * logs).sum(axis=1).mean())


def _plain_softmax(logits: Floats) -> Floats:
    weights = np.exp(logits)
    shares: Floats = weights / weights.sum(axis=1, keepdims=True)
    return shares


def _roles_swapped(logits: Floats, policies: Floats) -> float:
    shares = np.exp(_log_softmax(logits))
    return float(-(shares * np.log(policies + 1e-12)).sum(axis=1).mean())


def _best_move_only(logits: Floats, policies: Floats) -> float:
    best = policies.argmax(axis=1)
    return float(-_log_softmax(logits)[np.arange(len(best)), best].mean())


_LOSS_WRONG: Final = (
    _loss_variant(
        "an overflow where logits are large",
        "exp(1000) is beyond all floats. Take the largest logit of each row away first: that "
        "changes no probability.",
        policy=lambda logits, policies: float(
            -(policies * np.log(_plain_softmax(logits))).sum(axis=1).mean()
        ),
    ),
    _loss_variant(
        "a small number added before the logarithm",
        "It keeps the logarithm finite where a probability has become 0, and is wrong just there. "
        "Work out log p itself: the logit, less the logarithm of the sum of exponentials.",
        policy=lambda logits, policies: float(
            -(policies * np.log(np.exp(_log_softmax(logits)) + 1e-12)).sum(axis=1).mean()
        ),
    ),
    _loss_variant(
        "the minus sign forgotten",
        "Logarithms of probabilities are negative. The loss is what is made smaller.",
        policy=lambda logits, policies: -_cross_entropy(logits, policies),
    ),
    _loss_variant(
        "the logits taken for logarithms of probabilities",
        "They are any numbers. A softmax makes probabilities of them, and the loss takes the "
        "logarithms of those.",
        policy=lambda logits, policies: float(-(policies * logits).sum(axis=1).mean()),
    ),
    _loss_variant(
        "a softmax of a softmax",
        "One is enough. In PyTorch, too: `cross_entropy` wants logits, and does the softmax by "
        "itself.",
        policy=lambda logits, policies: _cross_entropy(np.exp(_log_softmax(logits)), policies),
    ),
    _loss_variant(
        "a softmax over the whole batch",
        "Each position has probabilities of its own, which sum to 1: a softmax along axis 1.",
        policy=lambda logits, policies: float(
            -(policies * _log_softmax(logits, None)).sum(axis=1).mean()
        ),
    ),
    _loss_variant(
        "a softmax along the wrong axis",
        "Axis 0 runs over the positions of the batch. The moves of a position lie along axis 1.",
        policy=lambda logits, policies: float(
            -(policies * _log_softmax(logits, 0)).sum(axis=1).mean()
        ),
    ),
    _loss_variant(
        "a mean over the moves",
        "Sum over the moves of a position, and take the mean over the positions only.",
        policy=lambda logits, policies: float(-(policies * _log_softmax(logits)).mean()),
    ),
    _loss_variant(
        "a sum over the batch",
        "The parts are means over the positions, so that the size of the batch does not matter.",
        policy=lambda logits, policies: _cross_entropy(logits, policies) * len(logits),
        value=lambda values, returns: _mean_square(values, returns) * len(values),
    ),
    _loss_variant(
        "the entropy of the target taken away",
        "That is how far the policy is from its target (the Kullback-Leibler divergence). The "
        "cross-entropy is larger by the entropy of the target, which no net can change.",
        policy=lambda logits, policies: _cross_entropy(logits, policies) - _entropy(policies),
    ),
    _loss_variant(
        "target and answer exchanged",
        "The weights are the target's, and the logarithms those of the net's probabilities.",
        policy=_roles_swapped,
    ),
    _loss_variant(
        "only the target's best move",
        "The target says how the search shared out all its visits, and all of it is to be learnt.",
        policy=_best_move_only,
    ),
    _loss_variant(
        "logarithms to the base 2",
        "Take natural logarithms: `np.log`.",
        policy=lambda logits, policies: _cross_entropy(logits, policies) / float(np.log(2)),
    ),
    _loss_variant(
        "a squared error for the policy, too",
        "Probabilities are compared by their cross-entropy. A squared error hardly notices that a "
        "good move was given almost nothing.",
        policy=lambda logits, policies: float(
            ((np.exp(_log_softmax(logits)) - policies) ** 2).sum(axis=1).mean()
        ),
    ),
    _loss_variant(
        "every value compared with every return",
        "An array [N, 1] less one of [N] is a table [N, N] in NumPy and in PyTorch, without a "
        "warning. Values and returns have to be of one shape.",
        value=lambda values, returns: float(((returns[:, None] - values) ** 2).mean()),
    ),
    _loss_variant(
        "half of the squared error",
        "Some textbooks halve it, as the derivative looks nicer then. Here it is (z - v)^2.",
        value=lambda values, returns: _mean_square(values, returns) / 2,
    ),
    _loss_variant(
        "the distance without its square",
        "The value's part is (z - v)^2. What is least then is the mean of z; for a plain distance "
        "it would be the median, which is 1 wherever a position is won more often than not.",
        value=lambda values, returns: float(abs(returns - values).mean()),
    ),
    _loss_variant(
        "the value taken for the other player's",
        "Value and return are both for the player to move: subtract them.",
        value=lambda values, returns: float(((returns + values) ** 2).mean()),
    ),
    Misconception(
        "both parts added",
        "Give them apart: while a net learns one wants to see both.",
        lambda logits, values, policies, returns: (
            _mean_square(values, returns) + _cross_entropy(logits, policies)
        ),
    ),
    Misconception(
        "the parts in the other order",
        "The value's part comes first.",
        lambda logits, values, policies, returns: (
            _cross_entropy(logits, policies),
            _mean_square(values, returns),
        ),
    ),
)


@exercise(
    title="The two parts of the loss",
    cases=_loss_cases,
    misconceptions=_LOSS_WRONG,
    hints=(
        "The value's part is a mean of squares. For the policy's, find log p first: how is a "
        "softmax worked out, and what becomes of it under a logarithm?",
        "log p(a) is the logit of a, less the logarithm of the sum of all exponentials. Take the "
        "largest logit of each row away before `np.exp`.",
        "`logits = policy_logits - policy_logits.max(axis=1, keepdims=True)`, then "
        "`logs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))`, and the mean of "
        "`-(policies * logs).sum(axis=1)`.",
    ),
    when_right="The package's is `mctslab.net.loss.losses`, on PyTorch's tensors.",
)
def loss(
    policy_logits: Floats, values: Floats, policies: Floats, returns: Floats
) -> tuple[float, float]:
    """The value's and the policy's part of the loss, each a mean over N positions.

    `policy_logits` [N, A] and `values` [N] are a net's answers, `policies` [N, A] and `returns`
    [N] what it should have said: squared error for the value, cross-entropy for the policy.
    """
    logits = policy_logits - policy_logits.max(axis=1, keepdims=True)
    logs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    value_part = ((returns - values) ** 2).mean()
    policy_part = -(policies * logs).sum(axis=1).mean()
    return float(value_part), float(policy_part)
