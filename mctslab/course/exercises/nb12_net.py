"""Notebook 12, the net: planes, a residual block, the loss, and the symmetries of a sample.

Planes and symmetries are exercises on arrays of NumPy, the block and the loss on tensors of
PyTorch, which is loaded only when one of these two is checked.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from mctslab.course.checking.comparing import Near, Words, is_tensor, shown
from mctslab.course.exercise import exercise
from mctslab.course.question import FROM_MODEL, Case, mistakes_in
from mctslab.games.connect_four import ConnectFour
from mctslab.games.gomoku import Gomoku
from mctslab.games.reversi import Reversi
from mctslab.games.state import State
from mctslab.games.tictactoe import TicTacToe

if TYPE_CHECKING:
    from torch import Tensor

Floats: TypeAlias = npt.NDArray[np.float64]

# encode

_PLANES: Final = ("own stones", "opponent's stones", "last move", "turn")


def _grid(plane: Floats) -> Words:
    """A plane as text: a 1 for each one, a dot for each zero."""
    rows = [[f"{number:g}" if number else "." for number in row] for row in plane.tolist()]
    return Words("\n" + "\n".join(" ".join(row) for row in rows))


def _array(answer: object) -> Floats | None:
    """An answer as numbers; None if it is something else."""
    if answer is None:  # of which NumPy makes nan
        return None
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
        drawn: the position, drawn by hand: rows of X, O and dots, separated by blanks. X is player
            0.
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


def _encode_variation(rng: np.random.Generator) -> Case:
    state = _GAMES[int(rng.integers(len(_GAMES)))]
    for _ in range(rng.integers(0, 30)):
        if not state.is_terminal:
            state = state.child(int(rng.choice(state.legal_actions())))
    return Case(lambda: (state,), FROM_MODEL, f"encode(state)\n{state}", _planes_seen)


_GAMES: Final[Sequence[State]] = (
    TicTacToe(),
    Gomoku(size=5, in_a_row=4),
    ConnectFour(),
    Reversi(4),
)


@exercise(
    title="The planes of a position",
    cases=_encode_cases,
    variation=_encode_variation,
    hints=(
        "`state.board()` has `rows`, `cols`, `stones` (of each square -1, 0 or 1: empty, or whose "
        "stone) and `last_square` (or None). `state.current_player` is 0 or 1.",
        "`np.array(board.stones).reshape(board.rows, board.cols)` is the board as an array, and "
        "`stones == player` marks a player's stones.",
        "Begin with `np.zeros((4, rows, cols))`. Plane 0 is `stones == mover`, plane 1 is "
        "`stones == 1 - mover`, plane 3 is `mover == 0` everywhere.",
    ),
    when_right="The package does this for any game, with more planes if you like: `net.encode`.",
    mistakes=mistakes_in("""
        player 0's stones always first
            The first plane contains the stones of the player to move, whoever that is. Otherwise
            the net has to learn everything twice, once for each colour.
            stones == mover, stones == 1 - mover => stones == 0, stones == 1
        the opponent's stones first
            The stones of the player to move come first, not those of the player who has just moved.
            planes[0], planes[1] => planes[1], planes[0]
        empty squares among the opponent's stones
            An empty square is -1 in `board.stones`, so a square that is not the mover's need not
            have a stone. The opponent's stones are `stones == 1 - mover`.
            stones == 1 - mover => stones != mover
        the number of the player to move in the last plane
            That is 0 for player 0 and 1 for player 1. The plane is all ones if it is player 0's
            turn.
            mover == 0 => mover
        a single one instead of a whole plane for the turn
            A convolution looks at only a few squares at a time. The whole plane is filled so that
            it sees whose turn it is wherever it looks.
            planes[3] = => planes[3, 0, 0] =
        the last move forgotten
            Plane 2 has a one on `board.last_square`, if there is such a square.
            - if board.last_square is not None:
            -     planes[2].reshape(-1)[board.last_square] = 1
        the action used as a square
            In Connect Four an action is a column, and a pass has no square at all. The last stone
            is on `board.last_square`.
            if board.last_square => if state.last_action
            [board.last_square] => [state.last_action]
        square 0 mistaken for no square
            In Python 0 counts as false, so `if board.last_square` misses a move in the top left
            corner. Write `if board.last_square is not None`.
             is not None =>
        no case for a missing last move
            At the start, and after a pass, there is none: `board.last_square` is None, and the
            plane stays empty. In NumPy an index of None stands for everything.
            - if board.last_square is not None:
            -     planes[2].reshape(-1)[board.last_square] = 1
            + planes[2].reshape(-1)[board.last_square] = 1
        rows and columns swapped
            Square number s is in row s // cols and column s % cols.
            return planes => return planes.transpose(0, 2, 1)
        the board upside down
            Row 0 is the top row, as in `board.stones`. A policy that is counted from the top does
            not fit planes that are counted from the bottom.
            return planes => return planes[:, ::-1]
        the planes along the last axis
            [rows, cols, C] is the format of some other libraries. PyTorch's convolutions use [C,
            rows, cols].
            return planes => return planes.transpose(1, 2, 0)
        rows of squares that were never reshaped into a board
            Each plane is a board, [rows, cols]: `reshape` makes one of a row of squares.
            return planes => return planes.reshape(4, -1)
        both players' stones in one plane
            Ones and minus ones in a single plane would work too, but here each player has a plane.
            return planes => return np.stack([planes[0] - planes[1], planes[2], planes[3]])
        the action instead of its square
            In Connect Four an action is a column, and a pass has no square: `board.last_square` is
            the square of the last move.
            - if board.last_square is not None:
            -     planes[2].reshape(-1)[board.last_square] = 1
            + if state.last_action is not None and state.last_action < stones.size:
            +     planes[2].reshape(-1)[state.last_action] = 1
    """),
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


# residual_block

Layer: TypeAlias = Callable[["Tensor"], "Tensor"]


def _block_case(
    features: Sequence[float], *layers: tuple[float, float], expected: Sequence[float] | None = None
) -> Case:
    """A block whose four layers each multiply and add, on a board of one row.

    Args:
        features: the numbers of the only plane of the only position.
        layers: the factor and the summand of first, first_norm, second and second_norm.
        expected: the numbers after the block; by default those of the model answer.
    """

    def arguments() -> tuple[Any, ...]:
        import torch

        from mctslab.course.layers import Layer as Affine

        return (torch.tensor([[[[*features]]]]), *(Affine(*each) for each in layers))

    names = ("first", "first_norm", "second", "second_norm")
    does = ", ".join(f"{name} {_does(*each)}" for name, each in zip(names, layers, strict=True))
    text = f"residual_block(features=[[[{shown(list(features))}]]], ...), where {does}"
    wanted: Any = FROM_MODEL if expected is None else [[[[*expected]]]]
    return Case(arguments, wanted, text)


def _does(scale: float, shift: float) -> str:
    """What a layer does, in words."""
    words = [f"multiplies by {scale:g}"] if scale != 1 else []
    if shift:
        words.append(f"{'adds' if shift > 0 else 'subtracts'} {abs(shift):g}")
    return " and ".join(words) or "changes nothing"


def _gradient_case() -> Case:
    """The slope of the sum of the result at each of two numbers."""

    def arguments() -> tuple[Any, ...]:
        made = _block_case((1.0, -5.0), *_LAYERS).arguments()
        made[0].requires_grad_()
        return made

    # By hand: the first number comes out as 1 + 6 * 1 + a constant, and the second one as 0.
    text = (
        "the gradient of the sum of residual_block(features=[[[[1, -5]]]], ...), where first "
        "multiplies by 2, first_norm adds 1, second multiplies by 3, second_norm subtracts 4"
    )
    return Case(arguments, [[[[7.0, 0.0]]]], text, _gradient_of_the_sum)


_LAYERS: Final = ((2.0, 0.0), (1.0, 1.0), (3.0, 0.0), (1.0, -4.0))


def _gradient_of_the_sum(function: Callable[..., Any], features: Any, *layers: Layer) -> object:
    answer = function(features, *layers)
    if not is_tensor(answer):
        return answer
    return _gradient(answer.sum(), features)


def _gradient(number: Any, source: Any) -> object:
    """How a number that was computed from a tensor changes with it; in words where it does not."""
    import torch

    if not is_tensor(number) or not number.requires_grad:
        return _CUT_OFF
    found = torch.autograd.grad(number, source, retain_graph=True, allow_unused=True)[0]
    return _CUT_OFF if found is None else found


_CUT_OFF: Final = Words("none, because the result is cut off from the net")


def _block_cases() -> list[Case]:
    return [
        # 1 -> 2 -> 3 -> 9 -> 5, and 1 + 5 = 6; -2 -> -4 -> -3, so 0 -> 0 -> -4, and -2 - 4 < 0.
        _block_case((1.0, -2.0), *_LAYERS, expected=(6.0, 0.0)),
        # -1 -> 2 -> 5 -> 10 -> 5, and -1 + 5 = 4; 2 -> -4 -> -1, so 0 -> 0 -> -5, and 2 - 5 < 0.
        _block_case(
            (-1.0, 2.0, 0.0),
            *((-2.0, 0.0), (1.0, 3.0), (2.0, 0.0), (1.0, -5.0)),
            expected=(4.0, 0.0, 1.0),
        ),
        # Convolutions of zeros: the block passes positive numbers on unchanged.
        _block_case(
            (3.0, -3.0), (0.0, 0.0), (1.0, 0.0), (0.0, 0.0), (1.0, 0.0), expected=(3.0, 0.0)
        ),
        # 2 -> 6 -> 4 -> -4 -> 2, and 2 + 2 = 4; -4 -> -12 -> -5, so 0 -> 0 -> 4, and -4 + 4 = 0.
        _block_case(
            (2.0, -4.0), *((3.0, 0.0), (0.5, 1.0), (-1.0, 0.0), (0.5, 4.0)), expected=(4.0, 0.0)
        ),
        _gradient_case(),
    ]


def _block_variation(rng: np.random.Generator) -> Case:
    features = (rng.integers(0, 19, int(rng.integers(1, 7))) - 9).astype(float).tolist()
    numbers = (rng.integers(0, 9, (4, 2)) - 4).astype(float).tolist()
    return _block_case(features, *((scale, shift) for scale, shift in numbers))


@exercise(
    title="A residual block",
    cases=_block_cases,
    variation=_block_variation,
    hints=(
        "The layers are functions: `first(features)` is the result of the first convolution. "
        "Follow the picture of the block from top to bottom.",
        "`hidden = first_norm(first(features)).relu()` is the first half. The second half goes on "
        "with `hidden`, and ends before the second ReLU.",
        "Call the result of the second half `change`. Then return `(features + change).relu()`.",
    ),
    when_right="The package's is `ResidualBlock` in `mctslab/net/model.py`: the same three lines.",
    mistakes=mistakes_in("""
        the skip connection forgotten
            A residual block adds its input to the result of the second half. Without this sum, a
            deep net is hard to train.
            features + change => change
        the sum after the last ReLU instead of before it
            First add, then apply the ReLU: with y = x + ReLU(F(x)) a block could only make
            numbers larger, never smaller.
            (features + change).relu() => features + change.relu()
        one ReLU too many, before the sum
            The second half ends with its norm. With a ReLU there as well, a block could only make
            numbers larger, never smaller.
            (features + change) => (features + change.relu())
        no ReLU after the sum
            After the sum, negative numbers are replaced by 0.
            (features + change).relu() => features + change
        no ReLU between the two halves
            Without it, both convolutions together could do no more than a single one.
            (first(features)).relu() => (first(features))
        no ReLU at all
            There are two: one between the two halves, one after the sum.
            (first(features)).relu() => (first(features))
            (features + change).relu() => features + change
        the first norm left out
            Each convolution is followed by its batch norm.
            first_norm(first(features)) => first(features)
        the second norm left out
            Each convolution is followed by its batch norm, the second one as well.
            second_norm(second(hidden)) => second(hidden)
        both norms left out
            Each convolution is followed by its batch norm.
            first_norm(first(features)) => first(features)
            second_norm(second(hidden)) => second(hidden)
        the same norm twice
            The second convolution has a norm of its own, `second_norm`.
            second_norm(second => first_norm(second
        the two norms swapped
            `first_norm` belongs to the first convolution, `second_norm` to the second one.
            first_norm(first => second_norm(first
            second_norm(second => first_norm(second
        the same convolution twice
            The second half has weights of its own, those of `second`.
            second_norm(second( => second_norm(first(
        the second convolution applied to the input
            It continues with the result of the first half. Applied to `features`, it would make the
            first half useless.
            second(hidden) => second(features)
        the result of the first half added instead of the input
            The skip connection carries the input of the block past both halves.
            features + change => hidden + change
        the result of the second half added to itself
            Is `features` used as a name for later results as well? Then the input is no longer
            there when it has to be added.
            features + change => change + change
        a skip connection for each half
            There is one for the whole block: the input is added once, at the end.
            first_norm(first(features)).relu() => (features + first_norm(first(features))).relu()
            (features + change) => (hidden + change)
        the second norm after the sum instead of before it
            The norm belongs to the second convolution. The input is added after it, unchanged.
            second_norm(second(hidden)) => second(hidden)
            (features + change).relu() => second_norm(features + change).relu()
        the norm before the convolution
            First the convolution, then its norm.
            first_norm(first(features)) => first(first_norm(features))
            second_norm(second(hidden)) => second(second_norm(hidden))
        the ReLU before the norm
            The order is: convolution, norm, ReLU.
            first_norm(first(features)).relu() => first_norm(first(features).relu())
        norm and ReLU before each convolution
            That is a later form of the block (He and others 2016, "Identity mappings in deep
            residual networks"). Here each convolution comes first.
            first_norm(first(features)).relu() => first(first_norm(features).relu())
            second_norm(second(hidden)) => second(second_norm(hidden).relu())
            (features + change).relu() => features + change
        input and change multiplied
            The block adds: features + change.
            features + change => features * change
        the change subtracted
            The block adds: features + change.
            features + change => features - change
        the mean instead of the sum
            The input is passed on whole, not halved.
            (features + change) => ((features + change) / 2)
        the input changed in place
            `+=` and `add_` overwrite the tensor that was passed in, which still belongs to the
            caller. `features + change` makes a new one.
            (features + change) => features.add_(change)
        a result that is cut off from the net
            `detach()`, `.data` and NumPy return numbers without their origin. No gradient reaches
            the layers before, so they never learn.
            features + change => features.detach() + change.detach()
    """),
)
def residual_block(
    features: "Tensor", first: Layer, first_norm: Layer, second: Layer, second_norm: Layer
) -> "Tensor":
    """The features after a residual block, a tensor of the same shape [N, F, rows, cols].

    `first` and `second` are convolutions, `first_norm` and `second_norm` their batch norms, and you
    call all four as functions. A ReLU comes after the first norm, and another one after the sum.
    """
    hidden = first_norm(first(features)).relu()
    change = second_norm(second(hidden))
    return (features + change).relu()


# symmetries

Samples: TypeAlias = list[tuple[Floats, Floats]]


def _moved(row: int, col: int, last: int) -> tuple[tuple[int, int], ...]:
    """The image of a square in each of the eight symmetries; `last` is the number of the last
    row."""
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


def _shown(planes: Floats, policy: Floats) -> Words:
    """A sample as text: the board, and next to each row the policy of its squares."""
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
    """The number of the eight that are there, and a wrong sample, whatever the order of all."""
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
        "samples that are right": len({place for place in places if place is not None}),
        "a wrong one": _described(min(wrong, key=_numbers), planes, policy) if wrong else _NONE,
    }


_NONE: Final = Words("none")


def _numbers(sample: tuple[Floats | None, Floats | None]) -> tuple[list[int], list[float]]:
    """The shapes and the numbers of a sample, for an order of samples that is always the same."""
    parts = [part for part in sample if part is not None]
    return [n for part in parts for n in part.shape], [n for part in parts for n in part.flat]


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
        return Words("something that is not a pair of arrays")
    if turned.shape != planes.shape or shares.shape != policy.shape:
        return Words(f"planes {list(turned.shape)} with a policy {list(shares.shape)}")
    return _shown(turned, shares)


def _symmetries_case(board: str, policy: Sequence[float], passing: Sequence[float] = ()) -> Case:
    """A sample of a board drawn with X (own), O (opponent's) and dots."""
    squares = np.array([list(row) for row in board.split()])

    def arguments() -> tuple[Floats, Floats]:
        marked = np.arange(squares.size).reshape(squares.shape) == _MARKED
        planes = np.stack([squares == "X", squares == "O", marked]).astype(float)
        return planes, np.array([*policy, *passing], dtype=float)

    shown = (
        "symmetries(planes, policy) of three planes (X, O and, in brackets, the last move), with "
    )
    shown += f"the policy next to the board:{_shown(*arguments())}"
    expected = {"samples": 8, "samples that are right": 8, "a wrong one": _NONE}
    return Case(arguments, expected, shown, _samples_seen)


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


def _symmetries_variation(rng: np.random.Generator) -> Case:
    size, passing = int(rng.integers(2, 6)), int(rng.integers(2))
    rows = ("".join(row) for row in rng.choice(list("XO."), (size, size)))
    shares = [float(share) for share in rng.permutation(size * size + passing) / 64]
    return _symmetries_case(" ".join(rows), shares[: size * size], shares[size * size :])


@exercise(
    title="Eight samples of one",
    cases=_symmetries_cases,
    variation=_symmetries_variation,
    hints=(
        "The policy of the squares is a board, too: `policy[: size * size].reshape(size, size)`. "
        "The rest is the pass.",
        "`np.rot90(planes, turns, axes=(1, 2))` and `np.rot90(board, turns)` rotate both the same"
        " way; `[:, :, ::-1]` and `[:, ::-1]` mirror them.",
        "For each of four turns take the rotated pair and its mirror image. Turn each policy back"
        " into a row: `np.append(board.reshape(-1), rest)`.",
    ),
    when_right="The package's games name their symmetries, and `net.turn` applies one to a sample.",
    mistakes=mistakes_in("""
        the policy left as it was
            The policy gives the moves' squares, which are elsewhere on a rotated board: rotate it
            together with the planes.
            np.rot90(board, turns) => board
            shares[:, ::-1] => shares
        planes and policy rotated opposite ways
            Rotate both the same way. `np.rot90` rotates counterclockwise, and with `axes=(2, 1)`
            clockwise.
            axes=(1, 2) => axes=(2, 1)
        the planes rotated along the wrong axes
            Without `axes` NumPy rotates the first two axes, which here are the planes and the rows.
            The board is the last two: `axes=(1, 2)`.
            , axes=(1, 2) =>
            turned[:, :, ::-1] => turned
            shares[:, ::-1] => shares
            or
            , axes=(1, 2) =>
        the four turns without the mirror images
            Each of them can be mirrored as well, which makes eight.
            return samples => return samples[::2]
        the policy rotated but not mirrored
            Whatever you do to the planes you have to do to the policy, including mirroring.
            shares[:, ::-1] => shares
        some of the eight twice and others never
            Mirroring left to right and rotating by half a turn is the same as mirroring top to
            bottom. The four rotations and the four rotations of one mirror image are all different.
            - samples.append((turned[
            + turned, shares = np.rot90(turned, turns, axes=(1, 2)), np.rot90(shares, turns)
            + samples.append((turned[
            or
            turned[:, :, ::-1] => turned[:, ::-1, ::-1]
            shares[:, ::-1] => shares[::-1, ::-1]
        the sample itself left out
            The sample itself, not rotated, is one of the eight.
            return samples => return samples[1:]
        only the stones rotated
            Every plane belongs to the board, including that of the last move. This really happened
            in a program that rotated everything else.
            - return samples
            + return [(np.concatenate([one[:2], planes[2:]]), other) for one, other in samples]
        the colours swapped in the mirror images
            `[::-1]` on all of the planes reverses the first axis, so that own stones become the
            opponent's. The columns are the last axis: `planes[:, :, ::-1]`.
            turned[:, :, ::-1] => turned[::-1]
        no place for the pass
            A policy can have one more number than the board has squares. Rotate the squares, and
            append the pass unchanged.
            policy[: size * size] => policy
        the pass lost
            The policy of a sample has as many numbers as before: after the squares comes the pass,
            if there is one.
            policy[size * size :] => []
        the policy left as a board
            A policy is a row of numbers, one for each action: use `reshape(-1)` after rotating it.
            np.append(shares.reshape(-1), rest) => shares
            np.append(shares[:, ::-1].reshape(-1), rest) => shares[:, ::-1]
    """),
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
    expected: tuple[float, float] | None = None,
) -> Case:
    """A batch; the parts of its loss come from a calculation by hand or from NumPy.

    Of the gradient, each part has a formula: that of the value's part is 2 (v - z) / N, and that of
    the policy's part (p - pi) / N.
    """

    def arguments() -> tuple[Any, ...]:
        import torch

        logits, answers = torch.tensor(policy_logits), torch.tensor(values)
        return (
            logits.float().requires_grad_(),
            answers.float().requires_grad_(),
            torch.tensor(policies).float(),
            torch.tensor(returns).float(),
        )

    parts = _parts_of(*map(np.asarray, (policy_logits, values, policies, returns)))
    wanted: dict[str, Any] = dict(zip(_LOSS_FACTS, parts, strict=True))
    if expected is not None:
        wanted["value part"], wanted["policy part"] = expected
    near = {fact: Near(numbers, _SINGLE_PRECISION) for fact, numbers in wanted.items()}
    return Case(arguments, near, use=_parts_seen)


_LOSS_FACTS: Final = (
    "value part",
    "policy part",
    "gradient of the value part with respect to values",
    "gradient of the policy part with respect to policy_logits",
)
_SINGLE_PRECISION: Final = 5e-4


def _parts_of(
    policy_logits: Floats, values: Floats, policies: Floats, returns: Floats
) -> tuple[object, ...]:
    """Both parts of the loss, and the gradient of each, in double precision."""
    sums = np.logaddexp.reduce(policy_logits, axis=1, keepdims=True)
    surprise = sums - policy_logits
    number = len(values)
    return (
        float(np.square(returns - values).mean()),
        float((policies * surprise).sum(axis=1).mean()),
        (2 * (values - returns) / number).tolist(),
        ((np.exp(-surprise) - policies) / number).tolist(),
    )


def _parts_seen(
    function: Callable[..., Any], policy_logits: Any, values: Any, *rest: Any
) -> object:
    """The two parts of an answer, and how each changes with the net's answers."""
    answer = function(policy_logits, values, *rest)
    try:
        value_part, policy_part = answer
    except (TypeError, ValueError):
        return answer
    gradients = (_gradient(value_part, values), _gradient(policy_part, policy_logits))
    return dict(zip(_LOSS_FACTS, (value_part, policy_part, *gradients), strict=True))


def _loss_cases() -> list[Case]:
    return [
        # Two moves without an opinion: the logarithm of 2.
        _loss_case([[0, 0]], [0.2], [[1, 0]], [1], expected=(0.64, 0.6931471805599453)),
        _loss_case(
            [[1, 0, 0]], [-0.5], [[0.5, 0.25, 0.25]], [-1], expected=(0.25, 1.0514447139320510)
        ),
        # A policy that equals its target: only the target's entropy is left.
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
        # Logits whose exponentials are too large for a float.
        _loss_case(
            [[1000, 0, -1000], [0, -800, 0]],
            [0, 0],
            [[0.5, 0.5, 0], [0.5, 0, 0.5]],
            [1, 0],
            expected=(0.5, 250.3465735902799727),
        ),
    ]


def _loss_variation(rng: np.random.Generator) -> Case:
    number, actions = map(int, rng.integers(1, 6, 2))
    return _loss_case(
        rng.normal(0, 3, (number, actions)).tolist(),
        rng.uniform(-1, 1, number).tolist(),
        rng.dirichlet([1.0] * actions, number).tolist(),
        rng.choice((-1, 0, 1), number).tolist(),
    )


@exercise(
    title="The two parts of the loss",
    cases=_loss_cases,
    variation=_loss_variation,
    hints=(
        "The value's part is a mean of squares. The policy's part needs ln p of every action, the "
        "logarithm of the softmax of the logits.",
        "`policy_logits.log_softmax(dim=1)` is ln p. It is safer than the logarithm of a softmax, "
        "which fails where a probability has become 0.",
        "Multiply by `-policies`, sum over the actions with `.sum(dim=1)`, and take the mean. "
        "Return both parts as tensors, without `float(...)` or `.item()`.",
    ),
    when_right="The package's is `mctslab.net.losses`, which computes both parts for a net.",
    mistakes=mistakes_in("""
        a result that is cut off from the net
            A training step computes how the loss changes with each weight. `.item()`, `float(...)`
            and `.detach()` return a number without its origin, and then no gradient reaches the
            net. Return the tensors themselves.
            return value_part, policy_part => return value_part.item(), policy_part.item()
        a softmax and then its logarithm
            With very different logits a probability becomes 0, its logarithm minus infinity, and 0
            times minus infinity is undefined. `log_softmax` computes the logarithm itself.
            .log_softmax(dim=1) => .softmax(dim=1).log()
            or
            - log_p = policy_logits.log_softmax(dim=1)
            + weights = policy_logits.exp()
            + log_p = (weights / weights.sum(dim=1, keepdim=True)).log()
        a small number added before the logarithm
            It keeps the logarithm finite where a probability has become 0, but there the result is
            wrong. `log_softmax` computes the logarithm itself.
            .log_softmax(dim=1) => .softmax(dim=1).add(1e-12).log()
        the minus sign forgotten
            Logarithms of probabilities are negative, and training makes the loss smaller.
            -(policies => (policies
        the logits used as logarithms of probabilities
            Logits can be any numbers. A softmax turns them into probabilities, and the loss uses
            the logarithms of these.
            policy_logits.log_softmax(dim=1) => policy_logits
        the logarithm of the logits themselves
            Logits can be negative, and the logarithm is for probabilities. First the softmax, and
            then the logarithm: `log_softmax` does both.
            .log_softmax(dim=1) => .log()
        a softmax of a softmax
            One is enough. `functional.cross_entropy` needs logits as well and does the softmax
            itself.
            .log_softmax => .softmax(dim=1).log_softmax
        a softmax over the whole batch
            Each position has probabilities of its own, which sum to 1: a softmax along dimension 1.
            .log_softmax(dim=1) => .flatten().log_softmax(dim=0).reshape(policies.shape)
        a softmax along the wrong dimension
            Dimension 0 runs over the positions of the batch. The moves of a position are along
            dimension 1.
            log_softmax(dim=1) => log_softmax(dim=0)
        a mean over the moves
            Sum over the moves of a position, and take the mean over the positions only.
            .sum(dim=1).mean() => .mean()
        a sum over the batch
            The parts are means over the positions, so that the size of the batch does not matter.
            ** 2).mean() => ** 2).sum()
            .sum(dim=1).mean() => .sum()
        the entropy of the target subtracted
            That is the distance of the policy from its target (the Kullback-Leibler divergence).
            The cross-entropy is larger by the entropy of the target, which no net can change.
            -(policies * log_p) => -(policies * log_p - policies.xlogy(policies))
        target and answer swapped
            The weights come from the target, and the logarithms from the net's probabilities.
            policies * log_p => log_p.exp() * (policies + 1e-12).log()
        only the target's best move
            The target is how the search divided all its visits, and the net has to learn all of it.
            - policy_part = -(policies * log_p).sum(dim=1).mean()
            + policy_part = -log_p.gather(1, policies.argmax(dim=1, keepdim=True)).mean()
        logarithms to the base 2
            Take natural logarithms.
            policies * log_p => policies * log_p / np.log(2)
        a squared error for the policy, too
            Probabilities are compared by their cross-entropy. A squared error hardly notices that a
            good move was given almost nothing.
            -(policies * log_p) => ((log_p.exp() - policies) ** 2)
        every value compared with every return
            A tensor [N, 1] minus a tensor [N] is a table [N, N], in PyTorch as in NumPy, without a
            warning. Values and returns need the same shape.
            (returns - values) => (returns[:, None] - values)
        half of the squared error
            Some textbooks halve it because the derivative then looks nicer. Here it is (z - v)^2.
            ** 2).mean() => ** 2).mean() / 2
        the root of the mean squared error
            The value's part is the mean of the squares itself, without a root.
            ** 2).mean() => ** 2).mean() ** 0.5
            or
            ((returns - values) ** 2).mean() => (returns - values).norm() / len(values) ** 0.5
        the distance without its square
            The value's part is (z - v)^2. Its minimum is at the mean of z; that of a plain distance
            is at the median, which is 1 for every position that is won more often than not.
            ((returns - values) ** 2) => (returns - values).abs()
        the value used as the other player's
            Value and return are both for the player to move: subtract them.
            returns - values => returns + values
        the two parts added
            Return them separately, because one wants to see both while a net learns.
            value_part, policy_part => value_part + policy_part
        the parts in the wrong order
            The value's part comes first.
            value_part, policy_part => policy_part, value_part
    """),
)
def loss(
    policy_logits: "Tensor", values: "Tensor", policies: "Tensor", returns: "Tensor"
) -> "tuple[Tensor, Tensor]":
    """The value's and the policy's part of the loss, each a mean over N positions.

    `policy_logits` [N, A] and `values` [N] are a net's answers, `policies` [N, A] and `returns`
    [N] are their targets: squared error for the value, cross-entropy for the policy. All of them
    are tensors, and so are the two parts, because the net learns from their gradients.
    """
    log_p = policy_logits.log_softmax(dim=1)
    value_part = ((returns - values) ** 2).mean()
    policy_part = -(policies * log_p).sum(dim=1).mean()
    return value_part, policy_part
