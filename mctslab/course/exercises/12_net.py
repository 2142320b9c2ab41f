"""Notebook 12, the net: planes, a residual block, the loss, and the symmetries of a sample.

Planes and symmetries are exercises on arrays of NumPy, the block and the loss on tensors of
PyTorch, which is loaded only when one of these two is checked.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from mctslab import games
from mctslab.course.catch import catch
from mctslab.course.checking.comparing import Near, Words, is_tensor, shown
from mctslab.course.exercise import exercise
from mctslab.course.positions import after, after_random_moves, squares_of
from mctslab.course.question import FROM_MODEL, Case
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


def _array(answer: object) -> Floats | None:
    """An answer as numbers; None if it is something else."""
    try:
        return None if answer is None else np.asarray(answer, dtype=float)  # None would be nan
    except (TypeError, ValueError):
        return None


def _drawn(planes: Floats, rows: int, cols: int) -> dict[str, object]:
    """The planes as text, a dot for each zero; or only their shape, if it is another one."""
    seen: dict[str, object] = {"shape": tuple(planes.shape), **dict.fromkeys(_PLANES, Words("?"))}
    if planes.shape == (4, rows, cols):
        for name, plane in zip(_PLANES, planes.tolist(), strict=True):
            lines = (" ".join(f"{number:g}" if number else "." for number in row) for row in plane)
            seen[name] = Words("\n" + "\n".join(lines))
    return seen


def _planes_seen(function: Callable[..., Any], state: State) -> object:
    answer, board = function(state), state.board()
    planes = _array(answer)
    return answer if planes is None else _drawn(planes, board.rows, board.cols)


def _encode_case(state: State, moves: Sequence[int], drawn: str, mover: int, last: int) -> Case:
    """A position after `moves`, and what it looks like, drawn by hand: X is player 0, O player 1.

    The square of the last move is -1 after a pass.
    """
    state, shape = after(state, moves), (state.board().rows, state.board().cols)
    squares = np.array(squares_of(drawn, "XO"))
    last_move = np.arange(squares.size) == last
    turn = np.full(squares.size, mover == 0)
    planes = np.stack([squares == mover, squares == 1 - mover, last_move, turn]).astype(float)
    expected = _drawn(planes.reshape(4, *shape), *shape)
    return Case(lambda: (state,), expected, f"encode(state)\n{state}", _planes_seen)


def _encode_cases() -> list[Case]:
    return [
        _encode_case(TicTacToe(), (5,), "... ..X ...", 1, 5),
        _encode_case(TicTacToe(), (4, 0), "O.. .X. ...", 0, 0),
        _encode_case(
            ConnectFour(), (3, 3, 0), "....... ....... ....... ....... ...O... X..X...", 1, 35
        ),
        # The last of these moves is a pass.
        _encode_case(Reversi(4), (1, 2, 11, 0, 16), "OOO. .XX. .XXX ....", 1, -1),
    ]


def _encode_variation(rng: np.random.Generator) -> Case:
    games = (TicTacToe(), Gomoku(size=5, in_a_row=4), ConnectFour(), Reversi(4))
    state = after_random_moves(rng, games[rng.integers(len(games))], int(rng.integers(0, 30)))
    return Case(lambda: (state,), FROM_MODEL, f"encode(state)\n{state}", _planes_seen)


@exercise(cases=_encode_cases, variation=_encode_variation)
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


def _gradient_of_the_sum(function: Callable[..., Any], features: Any, *layers: Layer) -> object:
    answer = function(features.requires_grad_(), *layers)
    return _gradient(answer.sum(), features) if is_tensor(answer) else answer


def _gradient(number: Any, source: Any) -> object:
    """How a number that was computed from a tensor changes with it; in words where it does not."""
    import torch

    if not is_tensor(number) or not number.requires_grad:
        return _CUT_OFF
    found = torch.autograd.grad(number, source, retain_graph=True, allow_unused=True)[0]
    return _CUT_OFF if found is None else found


_CUT_OFF: Final = Words("none, because the result is cut off from the net")


def _block_cases() -> list[Case]:
    layers = ((2.0, 0.0), (1.0, 1.0), (3.0, 0.0), (1.0, -4.0))
    plain = _block_case((1.0, -5.0), *layers)
    return [
        # 1 -> 2 -> 3 -> 9 -> 5, and 1 + 5 = 6; -2 -> -4 -> -3, so 0 -> 0 -> -4, and -2 - 4 < 0.
        _block_case((1.0, -2.0), *layers, expected=(6.0, 0.0)),
        # 2 -> 6 -> 4 -> -4 -> 2, and 2 + 2 = 4; -4 -> -12 -> -5, so 0 -> 0 -> 4, and -4 + 4 = 0.
        _block_case(
            (2.0, -4.0), *((3.0, 0.0), (0.5, 1.0), (-1.0, 0.0), (0.5, 4.0)), expected=(4.0, 0.0)
        ),
        # By hand: the first number comes out as 1 + 6 * 1 + a constant, and the second one as 0.
        Case(
            plain.arguments,
            [[[[7.0, 0.0]]]],
            f"the gradient of the sum of {plain.shown}",
            _gradient_of_the_sum,
            changes_arguments=True,
        ),
    ]


def _block_variation(rng: np.random.Generator) -> Case:
    features = (rng.integers(0, 19, int(rng.integers(1, 7))) - 9).astype(float).tolist()
    numbers = (rng.integers(0, 9, (4, 2)) - 4).astype(float).tolist()
    return _block_case(features, *((scale, shift) for scale, shift in numbers))


@exercise(cases=_block_cases, variation=_block_variation)
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


def _eight(planes: Floats, policy: Floats) -> Samples:
    """The eight samples, square by square."""
    size = planes.shape[1]
    samples = [(np.zeros_like(planes), policy.copy()) for _ in range(8)]
    for row, col in np.ndindex(size, size):
        down, right = size - 1 - row, size - 1 - col
        places = [(row, col), (col, down), (down, right), (right, row)]
        places += [(row, right), (col, row), (down, col), (right, down)]
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
    """The samples that are missing or wrong, whatever the order of all."""
    answer = function(planes, policy)
    try:
        found = [_text(_array(one), _array(other), planes.shape) for one, other in answer]
    except (TypeError, ValueError):
        return answer
    return _compared(found, planes, policy)


def _compared(found: Sequence[Words], planes: Floats, policy: Floats) -> dict[str, object]:
    """How many of the eight there are, and the first wrong sample in alphabetical order."""
    eight = {_shown(*sample) for sample in _eight(planes, policy)}
    return {
        "samples": len(found),
        "samples that are right": len(eight & {*found}),
        "a wrong one": min({*found} - eight, default=Words("none")),
    }


def _text(planes: Floats | None, policy: Floats | None, shape: tuple[int, ...]) -> Words:
    """A sample as text; or its shapes, where these are wrong already."""
    if planes is None or policy is None:
        return Words("something that is not a pair of arrays")
    if planes.shape != shape or policy.ndim != 1 or policy.size < shape[1] ** 2:
        return Words(f"planes {list(planes.shape)} with a policy {list(policy.shape)}")
    return _shown(planes, policy)


def _symmetries_case(board: str, policy: Sequence[float], passing: Sequence[float] = ()) -> Case:
    """A sample of a board drawn with X (own), O (opponent's) and dots."""
    squares = np.array([list(row) for row in board.split()])

    def arguments() -> tuple[Floats, Floats]:
        marked = np.arange(squares.size).reshape(squares.shape) == 1
        planes = np.stack([squares == "X", squares == "O", marked]).astype(float)
        return planes, np.array([*policy, *passing], dtype=float)

    shown = "symmetries(planes, policy) of three planes (X, O and, in brackets, the last move), "
    shown += f"with the policy next to the board:{_shown(*arguments())}"
    eight = [_shown(*sample) for sample in _eight(*arguments())]
    return Case(arguments, _compared(eight, *arguments()), shown, _samples_seen)


def _symmetries_cases() -> list[Case]:
    return [
        _symmetries_case("XO ..", (0.0, 0.0, 0.75, 0.25)),
        _symmetries_case("OX. .X. ...", (0.0, 0.0, 0.5, 0.125, 0.0, 0.0625, 0.25, 0.0, 0.0625)),
    ]


def _symmetries_variation(rng: np.random.Generator) -> Case:
    size, passing = int(rng.integers(2, 6)), int(rng.integers(2))
    rows = ("".join(row) for row in rng.choice(list("XO."), (size, size)))
    shares = [float(share) for share in rng.permutation(size * size + passing) / 64]
    return _symmetries_case(" ".join(rows), shares[: size * size], shares[size * size :])


@exercise(cases=_symmetries_cases, variation=_symmetries_variation)
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


@exercise(cases=_loss_cases, variation=_loss_variation)
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


# catches_encode


def _square_by_square(state: State) -> Floats:
    board, player = state.board(), state.current_player
    planes = np.zeros((4, board.rows, board.cols))
    for square, stone in enumerate(board.stones):
        row, col = divmod(square, board.cols)
        if stone in (0, 1):
            planes[0 if stone == player else 1, row, col] = 1.0
        planes[2, row, col] = square == board.last_square
        planes[3, row, col] = player == 0
    return planes


def _stacked(state: State) -> npt.NDArray[np.float32]:
    board, player = state.board(), state.current_player
    squares = np.arange(len(board.stones))
    stones = np.asarray(board.stones)
    last = squares == (-1 if board.last_square is None else board.last_square)
    turn = np.full(len(stones), 1 - player)
    planes = np.stack([stones == player, stones == 1 - player, last, turn])
    return planes.reshape(4, board.rows, board.cols).astype(np.float32)


@catch(
    of=encode,
    right={"one that looks at each square": _square_by_square, "planes of 32 bits": _stacked},
)
def catches_encode(encode: Callable[[State], Floats]) -> bool:
    """Test a function that is meant to be `encode`: True if it is right, else False.

    Call it on a few positions, such as `games.TicTacToe().child(0)`, and compare its planes with
    planes that you have made by hand.
    """
    for state, last in ((games.ConnectFour().child(3), 38), (games.TicTacToe().child(0), 0)):
        board = state.board()
        planes = np.zeros((4, board.rows * board.cols))
        planes[1, last] = planes[2, last] = 1
        if not np.array_equal(encode(state), planes.reshape(4, board.rows, board.cols)):
            return False
    return True
