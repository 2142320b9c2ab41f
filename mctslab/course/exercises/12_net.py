"""Notebook 12, the net: planes, the way through the net, the loss, a training step, the net as an
evaluator, and the symmetries of a sample.

Planes and symmetries are exercises on arrays of NumPy, the others on tensors of PyTorch, which is
loaded only when one of them is checked.
"""

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from mctslab import games
from mctslab.course.catch import catch
from mctslab.course.checking.cases import FROM_MODEL, Case, Near, Words, is_tensor, shown
from mctslab.course.exercise import exercise
from mctslab.course.positions import after_random_moves
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


def _planes_seen(function: Callable[..., Any], state: State) -> object:
    """The planes as text, a dot for each zero; or only their shape, if it is another one."""
    answer, board = function(state), state.board()
    planes = _array(answer)
    if planes is None:
        return answer
    seen: dict[str, object] = {"shape": tuple(planes.shape), **dict.fromkeys(_PLANES, Words("?"))}
    if planes.shape == (4, board.rows, board.cols):
        for name, plane in zip(_PLANES, planes.tolist(), strict=True):
            lines = (" ".join(f"{number:g}" if number else "." for number in row) for row in plane)
            seen[name] = Words("\n" + "\n".join(lines))
    return seen


def _encode_variation(rng: np.random.Generator) -> Case:
    games = (TicTacToe(), Gomoku(size=5, in_a_row=4), ConnectFour(), Reversi(4))
    game = games[rng.integers(len(games))]
    state = after_random_moves(rng, game, int(rng.integers(0, 30)))
    return Case(lambda: (state,), shown=f"encode(state)\n{state}", use=_planes_seen)


@exercise(variation=_encode_variation)
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


def _parts_seen(answer: object, *names: str) -> Any:
    """The parts of an answer by their names; an answer with another number of parts, as it is."""
    try:
        return dict(zip(names, answer, strict=True))  # type: ignore[call-overload]
    except (TypeError, ValueError):
        return answer


def _gradient(number: Any, source: Any) -> object:
    """How a number that was computed from a tensor changes with it; in words where it does not."""
    import torch

    if not is_tensor(number) or not number.requires_grad:
        return _CUT_OFF
    found = torch.autograd.grad(number, source, retain_graph=True, allow_unused=True)[0]
    return _ELSEWHERE if found is None else found


_CUT_OFF: Final = Words("none, the result is cut off from the net")
_ELSEWHERE: Final = Words("none, the result does not depend on them")
_SINGLE_PRECISION: Final = Near(FROM_MODEL, 1e-5)


# forward

_STEM: Final = ("stem", "stem_norm")
_BLOCK: Final = ("first", "first_norm", "second", "second_norm")
_HEADS: Final = (
    *("policy_convolution", "policy_norm", "policy_linear"),
    *("value_convolution", "value_norm", "value_hidden", "value_linear"),
)

Numbers: TypeAlias = Mapping[str, tuple[float, float]]
"""By the name of a layer what it multiplies by, and what it adds; others change nothing."""


def _forward_case(planes: Sequence[float], layers: Numbers, num_blocks: int = 1) -> Case:
    """A net whose layers each multiply and add, and positions of one square and one plane.

    Args:
        planes: the number of each position.
        layers: all blocks have the same ones.
        num_blocks: the height of the tower.
    """

    def arguments() -> tuple[Any, ...]:
        import torch

        from mctslab.course.layers import Layer

        made = {name: Layer(*layers.get(name, (1, 0))) for name in (*_STEM, *_BLOCK, *_HEADS)}
        block = SimpleNamespace(**{name: made.pop(name) for name in _BLOCK})
        inputs = torch.tensor([[[[number]]] for number in planes], dtype=torch.float64)
        return SimpleNamespace(**made, tower=[block] * num_blocks), inputs.requires_grad_()

    does = "; ".join(f"{name} {_does(*layers[name])}" for name in layers)
    blocks = f"{num_blocks} block{'s' * (num_blocks != 1)}"
    text = f"forward(net, planes), where planes are [{shown(list(planes))}] as [N, 1, 1, 1] and\n"
    text += textwrap.fill(f"the tower has {blocks}: {does}; other layers change nothing", 76)
    return Case(arguments, _SINGLE_PRECISION, text, _answers_seen, changes_arguments=True)


def _does(scale: float, shift: float) -> str:
    """What a layer does, in words."""
    words = [f"multiplies by {scale:g}"] if scale != 1 else []
    if shift:
        words.append(f"{'adds' if shift > 0 else 'subtracts'} {abs(shift):g}")
    return " and ".join(words) or "changes nothing"


def _answers_seen(function: Callable[..., Any], net: Any, planes: Any) -> object:
    return _parts_seen(function(net, planes), "policy_logits", "values")


def _slope_seen(function: Callable[..., Any], net: Any, planes: Any) -> object:
    """How the sum of all answers changes with the planes."""
    logits, values = function(net, planes)
    return _gradient(logits.sum() + values.sum(), planes)


def _forward_cases() -> list[Case]:
    block: Numbers = {"first": (2, 1), "second": (3, -4)}
    flat = _forward_case([1.0], {**block, "value_linear": (0, 0)})
    gradient = f"the gradient of the sum of all answers of {flat.shown}"
    return [
        _forward_case([1.0], {**block, "value_linear": (1, -6)}),
        replace(flat, shown=gradient, use=_slope_seen),
    ]


def _forward_variation(rng: np.random.Generator) -> Case:
    def number() -> float:
        return float(rng.integers(0, 9) - 4) / 2

    names = rng.permutation([*_STEM, *_BLOCK, *_HEADS])[: int(rng.integers(1, 8))]
    layers = {str(name): (number() or 1.0, number() + 0.123) for name in sorted(names)}
    planes = [number() + 0.27 for _ in range(rng.integers(1, 5))]
    return _forward_case(planes, layers, int(rng.integers(0, 4)))


@exercise(cases=_forward_cases, variation=_forward_variation, points=2)
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
    """How many of the eight samples there are, and the first wrong one in alphabetical order."""
    answer = function(planes, policy)
    try:
        found = [_text(_array(one), _array(other), planes.shape) for one, other in answer]
    except (TypeError, ValueError):
        return answer
    eight = {_shown(*sample) for sample in symmetries.model_answer(planes, policy)}
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


def _symmetries_variation(rng: np.random.Generator) -> Case:
    """A sample of a board drawn with X (own), O (opponent's) and dots."""
    size, passing = int(rng.integers(2, 6)), int(rng.integers(2))
    board = rng.choice(list("XO."), (size, size))
    squares, policy = board, (rng.permutation(size * size + passing) / 64).tolist()

    def arguments() -> tuple[Floats, Floats]:
        marked = np.arange(squares.size).reshape(squares.shape) == 1
        planes = np.stack([squares == "X", squares == "O", marked]).astype(float)
        return planes, np.array(policy, dtype=float)

    shown = "symmetries(planes, policy) of three planes (X, O and, in brackets, the last move), "
    shown += f"with the policy next to the board:{_shown(*arguments())}"
    return Case(arguments, shown=shown, use=_samples_seen)


@exercise(variation=_symmetries_variation, points=2)
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
) -> Case:
    def arguments() -> tuple[Any, ...]:
        import torch

        logits, answers = torch.tensor(policy_logits), torch.tensor(values)
        return (
            logits.float().requires_grad_(),
            answers.float().requires_grad_(),
            torch.tensor(policies).float(),
            torch.tensor(returns).float(),
        )

    return Case(arguments, Near(FROM_MODEL, 5e-4), use=_loss_seen)


def _loss_seen(function: Callable[..., Any], policy_logits: Any, values: Any, *rest: Any) -> object:
    """The two parts of an answer, and how each changes with the net's answers."""
    parts = _parts_seen(function(policy_logits, values, *rest), "value part", "policy part")
    if not isinstance(parts, dict):
        return parts
    return parts | {
        "gradient of the value part with respect to values": _gradient(parts["value part"], values),
        "gradient of the policy part with respect to policy_logits": _gradient(
            parts["policy part"], policy_logits
        ),
    }


def _loss_cases() -> list[Case]:
    return [
        # Two moves without an opinion: a value's part of 0.8 ** 2, and the logarithm of 2.
        _loss_case([[0, 0]], [0.2], [[1, 0]], [1]),
        _loss_case(
            *([[1000, 0, -1000], [0, -800, 0]], [0, 0]), *([[0.5, 0.5, 0], [0.5, 0, 0.5]], [1, 0])
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


def _squares(policy_logits: Any, values: Any, policies: Any, returns: Any) -> tuple[Any, Any]:
    """A loss for small numbers: both parts are mean squares."""
    if policies.requires_grad or returns.requires_grad:
        raise ValueError("loss takes the net's two answers first, and then their targets")
    return ((values - returns) ** 2).mean(), ((policy_logits - policies) ** 2).mean()


def _step_case(
    weights: Sequence[float], targets: Sequence[float], rate: float, number: int
) -> Case:
    """Steps of a net with one weight for the value and one for the policy, which returns them.

    The loss of each is its distance from the target, squared.
    """

    def arguments() -> tuple[Any, ...]:
        import torch

        from mctslab.course.layers import TwoWeights

        net = TwoWeights(*weights).eval()  # it has just been used for playing
        policies, returns = torch.tensor([[targets[1]]]), torch.tensor([targets[0]])
        optimizer = torch.optim.SGD(net.parameters(), lr=rate)
        return net, optimizer, _squares, torch.ones(1, 1), policies, returns

    def seen(function: Callable[..., Any], net: Any, optimizer: Any, *others: Any) -> object:
        steps: list[object] = []
        optimizer.register_step_post_hook(lambda *_: steps.append(None))
        returned = [function(net, optimizer, *others) for _ in range(number)]
        return {
            "steps of the optimiser": len(steps),
            "weight of the value afterwards": net.value.item(),
            "weight of the policy afterwards": net.policy.item(),
            **{
                f"parts of the loss that step {step} returns": each
                for step, each in enumerate(returned, start=1)
            },
            "what the parts are": Words(
                "tensors" if any(map(_has_gradients, returned)) else "plain numbers"
            ),
            _MODE: Words(" and ".join(sorted(net.modes))),
        }

    times = "" if number == 1 else f", {number} times"
    text = f"train_step(net, ...){times}: the net returns its weights {weights[0]:g} (value) and "
    text += f"{weights[1]:g} (policy), the targets are {targets[0]:g} and {targets[1]:g}, each part"
    text += f" of the loss is a squared difference, and the learning rate is {rate:g}"
    text = textwrap.fill(text, 76)
    return Case(arguments, _SINGLE_PRECISION, text, seen, changes_arguments=True)


def _has_gradients(returned: Any) -> bool:
    """Whether it is a tensor, or has one in it, that keeps the calculation that led to it."""
    if isinstance(returned, tuple | list):
        return any(map(_has_gradients, returned))
    return is_tensor(returned) and bool(returned.requires_grad)


def _step_variation(rng: np.random.Generator) -> Case:
    weights, targets = (rng.integers(0, 9, (2, 2)) - 4.0).tolist()
    rate = (1 + int(rng.integers(0, 4))) / 10
    return _step_case(weights, [each + 0.5 for each in targets], rate, int(rng.integers(1, 4)))


@exercise(variation=_step_variation)
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


def _evaluate_variation(rng: np.random.Generator) -> Case:
    """A net whose logits are numbers of the actions and whose value is a number of the planes."""
    games = (TicTacToe(), Gomoku(size=4, in_a_row=4), ConnectFour())
    game = games[rng.integers(len(games))]
    states: list[State] = []
    while not states:
        numbers = rng.integers(0, 7, int(rng.integers(1, 4)))
        found = [after_random_moves(rng, game, int(number)) for number in numbers]
        states = [state for state in found if not state.is_terminal]

    def arguments() -> tuple[Any, ...]:
        from mctslab.course.layers import Reckoned

        return Reckoned(states[0].num_actions).train(), encode.model_answer, list(states)

    def seen(function: Callable[..., Any], net: Any, *others: Any) -> object:
        parts = _parts_seen(function(net, *others), "values", "priors")
        if not isinstance(parts, dict):
            return parts
        gradients = Words("computed" if net.had_gradients else "switched off")
        modes = Words(" and ".join(sorted(net.modes)))
        sizes = sorted(net.sizes)
        return {**parts, "positions in a batch": sizes, _MODE: modes, "gradients": gradients}

    boards = "\n".join(str(state) for state in states)
    shown = f"evaluate(net, encode, states) of\n{boards}"
    return Case(arguments, _SINGLE_PRECISION, shown, seen, changes_arguments=True)


@exercise(variation=_evaluate_variation)
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


@catch(
    of=encode,
    right={"one that looks at each square": _square_by_square, "planes of 32 bits": _stacked},
    points=2,
)
def catches_encode(encode: Callable[[State], Floats]) -> bool:
    """Test a function that is meant to be `encode`: True if it is right, else False.

    Call it on a few positions, such as `games.TicTacToe().child(0)`, and compare its planes with
    planes that you have made by hand.
    """
    empty = np.zeros((4, 3, 3))
    empty[3] = 1
    if not np.array_equal(encode(games.TicTacToe()), empty):
        return False
    for state, last in ((games.ConnectFour().child(3), 38), (games.TicTacToe().child(0), 0)):
        board = state.board()
        planes = np.zeros((4, board.rows * board.cols))
        planes[1, last] = planes[2, last] = 1
        if not np.array_equal(encode(state), planes.reshape(4, board.rows, board.cols)):
            return False
    return True
