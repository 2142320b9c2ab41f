"""Notebook 12, the net: planes, the way through the net, the loss, a training step, the net as an
evaluator, and the symmetries of a sample.

Planes and symmetries are exercises on arrays of NumPy, the others on tensors of PyTorch, which is
loaded only when one of them is checked.
"""

import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
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
    from torch.optim import Optimizer

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
        _encode_case(TicTacToe(), (4, 0), "O.. .X. ...", 0, 0).with_about(
            "The last move was on square 0, which is a square like any other."
        ),
        _encode_case(
            ConnectFour(), (3, 3, 0), "....... ....... ....... ....... ...O... X..X...", 1, 35
        ),
        # The last of these moves is a pass.
        _encode_case(Reversi(4), (1, 2, 11, 0, 16), "OOO. .XX. .XXX ....", 1, -1).with_about(
            "The last move was a pass, which has no square."
        ),
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


# forward

_STEM: Final = ("stem", "stem_norm")
_BLOCK: Final = ("first", "first_norm", "second", "second_norm")
_HEADS: Final = (
    *("policy_convolution", "policy_norm", "policy_linear"),
    *("value_convolution", "value_norm", "value_hidden", "value_linear"),
)

Numbers: TypeAlias = Mapping[str, tuple[float, float]]
"""By the name of a layer what it multiplies by, and what it adds; others change nothing."""


def _forward_case(
    planes: Sequence[float],
    layers: Numbers,
    *,
    num_blocks: int = 1,
    expected: tuple[Sequence[float], Sequence[float]] | None = None,
) -> Case:
    """A net whose layers each multiply and add, and positions of one square and one plane.

    Args:
        planes: the number of each position.
        layers: all blocks have the same ones.
        num_blocks: the height of the tower.
        expected: the logit and the value of each position; by default worked out without tensors.
    """

    def arguments() -> tuple[Any, ...]:
        import torch

        from mctslab.course.layers import Layer

        made = {name: Layer(*layers.get(name, (1, 0))) for name in (*_STEM, *_BLOCK, *_HEADS)}
        block = SimpleNamespace(**{name: made.pop(name) for name in _BLOCK})
        inputs = torch.tensor([[[[number]]] for number in planes], dtype=torch.float64)
        return SimpleNamespace(**made, tower=[block] * num_blocks), inputs.requires_grad_()

    logits, values = expected or _through(planes, layers, num_blocks)
    wanted = {
        "policy_logits": Near([[number] for number in logits], 1e-5),
        "values": Near(list(values), 1e-5),
    }
    does = "; ".join(f"{name} {_does(*layers[name])}" for name in layers)
    blocks = f"{num_blocks} block{'s' * (num_blocks != 1)}"
    text = f"forward(net, planes), where planes are [{shown(list(planes))}] as [N, 1, 1, 1] and\n"
    text += textwrap.fill(f"the tower has {blocks}: {does}; other layers change nothing", 76)
    about = _TOWER if num_blocks > 1 else ""
    return Case(arguments, wanted, text, _answers_seen, changes_arguments=True, about=about)


_TOWER: Final = "There are several blocks here, and the output of one is the input of the next one."


def _through(
    planes: Sequence[float], layers: Numbers, num_blocks: int
) -> tuple[list[float], list[float]]:
    """The logits and the values of such a net."""
    logits, values = [], []
    for number in planes:

        def at(name: str, x: float) -> float:
            scale, shift = layers.get(name, (1, 0))
            return scale * x + shift

        x = max(0, at("stem_norm", at("stem", number)))
        for _ in range(num_blocks):
            hidden = max(0, at("first_norm", at("first", x)))
            x = max(0, x + at("second_norm", at("second", hidden)))
        head = max(0, at("policy_norm", at("policy_convolution", x)))
        logits.append(at("policy_linear", head))
        head = max(0, at("value_norm", at("value_convolution", x)))
        values.append(math.tanh(at("value_linear", max(0, at("value_hidden", head)))))
    return logits, values


def _does(scale: float, shift: float) -> str:
    """What a layer does, in words."""
    words = [f"multiplies by {scale:g}"] if scale != 1 else []
    if shift:
        words.append(f"{'adds' if shift > 0 else 'subtracts'} {abs(shift):g}")
    return " and ".join(words) or "changes nothing"


def _answers_seen(function: Callable[..., Any], net: Any, planes: Any) -> object:
    """Both answers, each with a name."""
    answer = function(net, planes)
    try:
        logits, values = answer
    except (TypeError, ValueError):
        return answer
    return {"policy_logits": logits, "values": values}


def _slope_seen(function: Callable[..., Any], net: Any, planes: Any) -> object:
    """How the sum of all answers changes with the planes."""
    logits, values = function(net, planes)
    return _gradient(logits.sum() + values.sum(), planes)


def _gradient(number: Any, source: Any) -> object:
    """How a number that was computed from a tensor changes with it; in words where it does not."""
    import torch

    if not is_tensor(number) or not number.requires_grad:
        return _CUT_OFF
    found = torch.autograd.grad(number, source, retain_graph=True, allow_unused=True)[0]
    return _CUT_OFF if found is None else found


_CUT_OFF: Final = Words("none, the result is cut off from the net")


def _forward_cases() -> list[Case]:
    block: Numbers = {
        "first": (2, 0),
        "first_norm": (1, 1),
        "second": (3, 0),
        "second_norm": (1, -4),
    }
    flat = _forward_case([1.0], {**block, "value_linear": (0, 0)})
    return [
        # By hand: 1 goes through the block as 2, 3, 9, 5 and leaves it as 1 + 5 = 6; the logit is
        # 6 + 1, and the value's number 0.5 * (6 - 4) - 1 = 0.
        _forward_case(
            [1.0],
            {
                **block,
                **{"policy_norm": (1, 1), "value_norm": (1, -4)},
                **{"value_hidden": (0.5, 0), "value_linear": (1, -1)},
            },
            expected=([7.0], [0.0]),
        ),
        # By hand: 2 and -1 leave the stem as 3 and 0, and the block as 3 + (3 * 7 - 4) = 20 and
        # 0 + max(...): 0 -> 1 -> 3 -> -1, so 0.
        _forward_case([2.0, -1.0], {"stem_norm": (1, 1), **block}, expected=([20.0, 0.0], [1, 0])),
        _forward_case(
            [3.0, 1.0],
            {
                "stem": (-1, 2),
                "first_norm": (1, -0.5),
                "second": (-0.5, 0),
                "value_linear": (-1, 0),
            },
            num_blocks=2,
        ),
        # By hand: the block's output is 1 + 6 * x, where x > 0, and the logit is that number; the
        # value's part is 0, because tanh is flat there.
        Case(
            flat.arguments,
            [[[[7.0]]]],
            f"the gradient of the sum of all answers of {flat.shown}",
            _slope_seen,
            changes_arguments=True,
        ).with_about("Gradients must flow through the function, or the net cannot learn."),
    ]


def _forward_variation(rng: np.random.Generator) -> Case:
    def number() -> float:
        return float(rng.integers(0, 9) - 4) / 2

    names = rng.permutation([*_STEM, *_BLOCK, *_HEADS])[: int(rng.integers(1, 8))]
    layers = {str(name): (number() or 1.0, number() + 0.123) for name in sorted(names)}
    planes = [number() + 0.27 for _ in range(rng.integers(1, 5))]
    return _forward_case(planes, layers, num_blocks=int(rng.integers(0, 4)))


@exercise(cases=_forward_cases, variation=_forward_variation)
def forward(net: Any, planes: "Tensor") -> "tuple[Tensor, Tensor]":
    """Policy logits [N, A] and values [N] of planes [N, C, rows, cols].

    The layers of `net` are called like functions. After each norm comes a ReLU, but after
    `second_norm` the block's input is added first. A head goes through its convolution, its norm,
    `flatten(1)` and its linear layers; `value_hidden` has a ReLU, and the value ends with `tanh`.
    """
    features = net.stem_norm(net.stem(planes)).relu()
    for block in net.tower:
        hidden = block.first_norm(block.first(features)).relu()
        change = block.second_norm(block.second(hidden))
        features = (features + change).relu()
    policy = net.policy_norm(net.policy_convolution(features)).relu()
    policy_logits = net.policy_linear(policy.flatten(1))
    value = net.value_norm(net.value_convolution(features)).relu()
    hidden = net.value_hidden(value.flatten(1)).relu()
    values = net.value_linear(hidden).tanh().squeeze(1)
    return policy_logits, values


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
        "a wrong sample": min({*found} - eight, default=Words("none")),
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
        ).with_about(
            "The exponentials of these logits are too large or too small for a float, so "
            "the softmax and its logarithm must be one step."
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


# train_step

Loss: TypeAlias = "Callable[[Tensor, Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]"


_MODE: Final = "mode in which the net answers"
_KIND: Final = "what the parts are"


def _squares(policy_logits: Any, values: Any, policies: Any, returns: Any) -> tuple[Any, Any]:
    """A loss for small numbers: both parts are mean squares."""
    return ((values - returns) ** 2).mean(), ((policy_logits - policies) ** 2).mean()


def _step_case(
    weights: tuple[float, float], targets: tuple[float, float], rate: float, number: int
) -> Case:
    """Steps of a net with one weight for the value and one for the policy, which returns them.

    The loss of each is its distance from the target, squared, so its slope is twice the distance.
    """

    def arguments() -> tuple[Any, ...]:
        import torch

        from mctslab.course.layers import TwoWeights

        net = TwoWeights(*weights).eval()  # it has just been used for playing
        policies, returns = torch.tensor([[targets[1]]]), torch.tensor([targets[0]])
        optimizer = torch.optim.SGD(net.parameters(), lr=rate)
        return net, optimizer, _squares, torch.ones(1, 1), policies, returns

    parts, after = [], [*weights]
    for _ in range(number):
        away = [weight - target for weight, target in zip(after, targets, strict=True)]
        parts.append([distance**2 for distance in away])
        after = [weight - rate * 2 * distance for weight, distance in zip(after, away, strict=True)]
    names = [f"parts of the loss that step {step} returns" for step in range(1, number + 1)]
    wanted: dict[str, Any] = {
        "steps of the optimiser": number,
        "weight of the value afterwards": Near(after[0], 1e-5),
        "weight of the policy afterwards": Near(after[1], 1e-5),
        **{name: Near(part, 1e-5) for name, part in zip(names, parts, strict=True)},
        _KIND: Words("plain numbers"),
        _MODE: Words("train()"),
    }
    times = "" if number == 1 else f", {number} times"
    text = f"train_step(net, ...){times}: the net returns its weights {weights[0]:g} (value) and "
    text += f"{weights[1]:g} (policy), the targets are {targets[0]:g} and {targets[1]:g}, each part"
    text += f" of the loss is a squared difference, and the learning rate is {rate:g}"
    text = textwrap.fill(text, 76)

    def seen(function: Callable[..., Any], net: Any, optimizer: Any, *others: Any) -> object:
        steps: list[object] = []
        optimizer.register_step_post_hook(lambda *_: steps.append(None))
        returned = [function(net, optimizer, *others) for _ in range(number)]
        return {
            "steps of the optimiser": len(steps),
            "weight of the value afterwards": net.value.item(),
            "weight of the policy afterwards": net.policy.item(),
            **{name: _as_list(each) for name, each in zip(names, returned, strict=True)},
            _KIND: Words("tensors" if any(map(_has_gradients, returned)) else "plain numbers"),
            _MODE: Words(" and ".join(sorted(net.modes))),
        }

    return Case(arguments, wanted, text, seen, changes_arguments=True)


def _as_list(pair: object) -> object:
    return [*pair] if isinstance(pair, tuple | list) else pair


def _has_gradients(returned: Any) -> bool:
    """Whether it is a tensor, or has one in it, that keeps the calculation that led to it."""
    if isinstance(returned, tuple | list):
        return any(map(_has_gradients, returned))
    return is_tensor(returned) and bool(returned.requires_grad)


def _step_cases() -> list[Case]:
    # By hand: from 5 the slope is 2 * (5 - 3) = 4, so 5 - 0.1 * 4 = 4.6; from 2 it is 2, so 1.8.
    return [_step_case((5.0, 2.0), (3.0, 1.0), 0.1, 1), _step_case((5.0, 2.0), (3.0, 1.0), 0.1, 2)]


def _step_variation(rng: np.random.Generator) -> Case:
    weights, targets = rng.integers(0, 9, (2, 2)) - 4
    rate = (1 + int(rng.integers(0, 4))) / 10
    return _step_case(
        (float(weights[0]), float(weights[1])),
        (targets[0] + 0.5, targets[1] + 0.5),
        rate,
        int(rng.integers(1, 4)),
    )


@exercise(cases=_step_cases, variation=_step_variation)
def train_step(
    net: Any,
    optimizer: "Optimizer",
    loss: Loss,
    planes: "Tensor",
    policies: "Tensor",
    returns: "Tensor",
) -> tuple[float, float]:
    """Change all weights once, so that the loss of this batch falls; the net answers in `train()`.

    Returns the value's and the policy's part of the loss before the change, as plain numbers.
    `loss` is called like yours: `loss(policy_logits, values, policies, returns)`.
    """
    net.train()
    policy_logits, values = net(planes)
    value_part, policy_part = loss(policy_logits, values, policies, returns)
    optimizer.zero_grad()
    (value_part + policy_part).backward()
    optimizer.step()
    return value_part.item(), policy_part.item()


# evaluate


def _evaluate_case(states: Sequence[State]) -> Case:
    """A net whose logits are numbers of the actions and whose value is a number of the planes."""

    def arguments() -> tuple[Any, ...]:
        from mctslab.course.layers import Reckoned

        return Reckoned(states[0].num_actions).train(), encode.model_answer, list(states)

    values, priors = [], []
    for state in states:
        value = _reckoned_value(encode.model_answer(state))
        values.append((value, -value) if state.current_player == 0 else (-value, value))
        weights = [math.exp(_reckoned_logit(action)) for action in state.legal_actions()]
        priors.append([weight / sum(weights) for weight in weights])
    wanted = {
        "values": [Near(pair, 1e-5) for pair in values],
        "priors": [Near(shares, 1e-5) for shares in priors],
        _MODE: Words("eval()"),
        "gradients": Words("switched off"),
    }
    boards = "\n".join(str(state) for state in states)
    return Case(
        arguments,
        wanted,
        f"evaluate(net, encode, states) of\n{boards}",
        _evaluation_seen,
        changes_arguments=True,
    )


def _reckoned_logit(action: int) -> float:
    return 0.5 * (action % 4)


def _reckoned_value(planes: Floats) -> float:
    """From the stones of both players; positive where the opponent has more of them."""
    return float((planes[1].sum() - planes[0].sum() + 0.5) / 8)


def _evaluation_seen(function: Callable[..., Any], net: Any, *others: Any) -> object:
    answer = function(net, *others)
    try:
        values, priors = answer
    except (TypeError, ValueError):
        return answer
    return {
        "values": values,
        "priors": priors,
        _MODE: Words(" and ".join(sorted(net.modes))),
        "gradients": Words("computed" if net.had_gradients else "switched off"),
    }


def _evaluate_cases() -> list[Case]:
    empty = TicTacToe()
    return [
        _evaluate_case([empty.child(4)]),
        _evaluate_case([empty, empty.child(4), empty.child(4).child(0)]),
        # In a full column no move is legal.
        _evaluate_case([after(ConnectFour(), (0, 0, 0, 0, 0, 0, 3))]).with_about(
            "A column is full here, so its action is not legal and has no prior."
        ),
    ]


def _evaluate_variation(rng: np.random.Generator) -> Case:
    games = (TicTacToe(), Gomoku(size=4, in_a_row=4), ConnectFour())
    game = games[rng.integers(len(games))]
    states: list[State] = []
    while not states:
        numbers = rng.integers(0, 7, int(rng.integers(1, 4)))
        found = [after_random_moves(rng, game, int(number)) for number in numbers]
        states = [state for state in found if not state.is_terminal]
    return _evaluate_case(states)


@exercise(cases=_evaluate_cases, variation=_evaluate_variation)
def evaluate(
    net: Any, encode: Callable[[State], Floats], states: Sequence[State]
) -> tuple[list[tuple[float, float]], list[list[float]]]:
    """Values and priors of some positions, as the evaluator of a search returns them.

    Each value is a pair, for player 0 and for player 1; the net's own is for the player to move.
    The priors of a position are a softmax over its legal actions, in their order. The net answers
    in `eval()`, and no gradients are computed.
    """
    import torch

    planes = np.array([encode(state) for state in states])
    net.eval()
    with torch.no_grad():
        policy_logits, values = net(torch.tensor(planes, dtype=torch.float32))
    pairs = []
    priors = []
    for state, logits, value in zip(states, policy_logits, values.tolist(), strict=True):
        legal = list(state.legal_actions())
        pairs.append((value, -value) if state.current_player == 0 else (-value, value))
        priors.append(logits[legal].softmax(dim=0).tolist())
    return pairs, priors


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


_ABOUT: Final[Mapping[str, str]] = {
    "the model answer": (
        "Your test rejects a function that is right. The docstring of `encode` says "
        "what is in its four planes, in this order."
    ),
    "one that looks at each square": (
        "Your test rejects a function that is right. The docstring of `encode` says "
        "what is in its four planes, in this order."
    ),
    "planes of 32 bits": (
        "These planes are right, but their numbers are of another type: compare the "
        "numbers, not the types."
    ),
    "player 0's stones always first": (
        "A test that notices this one has a position with stones in which player 1 is to move."
    ),
    "the opponent's stones first": (
        "A test that notices this one compares the first plane with the stones of the "
        "player to move."
    ),
    "empty squares among the opponent's stones": (
        "A test that notices this one looks at free squares in the second plane."
    ),
    "the number of the player to move in the last plane": (
        "A test that notices this one looks at the last plane, which is all ones "
        "where player 0 is to move."
    ),
    "square 0 mistaken for no square": (
        "A test that notices this one has a position after a move on square 0."
    ),
    "the board upside down": (
        "A test that notices this one has a position that is not the same upside down."
    ),
    "the planes along the last axis": "A test that notices this one looks at the shape as well.",
    "the action instead of its square": (
        "A test that notices this one has a game whose actions are not squares, such "
        "as Connect Four."
    ),
}


@catch(
    of=encode,
    right={"one that looks at each square": _square_by_square, "planes of 32 bits": _stacked},
    about=_ABOUT,
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
