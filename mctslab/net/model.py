"""The net: a tower of residual blocks with two heads, one for the policy and one for the value.

With F filters, on a board of R x S squares and for a game of A actions, a batch of N positions goes
through it like this:

    planes                      [N, C, R, S]    what `encode` makes of positions
    stem                        [N, F, R, S]    a 3 x 3 convolution, batch norm, ReLU
    each residual block         [N, F, R, S]    two more of them, and what came in is added
    policy head                 [N, 2, R, S]    a 1 x 1 convolution, batch norm, ReLU
                                [N, A]          linear: a logit for every action, legal or not
    value head                  [N, 1, R, S]    a 1 x 1 convolution, batch norm, ReLU
                                [N, H]          linear, ReLU
                                [N]             linear, tanh: the value for the player to move

These heads are `dense`: each output has a weight of its own for each square. Heads that are
`pooled` treat all squares alike, so that what is learnt in one corner holds in every other:

    policy head                 [N, F, R, S]    a 1 x 1 convolution, batch norm, ReLU
                                [N, R * S]      a 1 x 1 convolution to one logit for each square
                                [N, 1]          linear from the means, where there is a pass
    value head                  [N, F, R, S]    a 1 x 1 convolution, batch norm, ReLU
                                [N, 2 * F]      mean and maximum of each plane over the board
                                [N, H], [N]     as above

Silver et al. 2017, "Mastering the game of Go without human knowledge", Methods; residual blocks are
those of He et al. 2016, "Deep residual learning for image recognition"; pooled heads are a part of
those of Wu 2019, "Accelerating self-play learning in Go".
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

import numpy as np
import torch
from torch import Tensor, nn

from mctslab.games.state import State
from mctslab.net.encode import InputPlanes
from mctslab.typed import Meta, WrongEntryError, check

POLICY_FILTERS: Final = 2
VALUE_FILTERS: Final = 1

Size = Annotated[int, Meta(ge=1, le=1_000)]
"""Rows or columns of a board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NetSize:
    """What a net sees, and how large it is, for any game."""

    inputs: InputPlanes = field(default_factory=InputPlanes)
    num_filters: Annotated[int, Meta(ge=1, le=4_096)] = 32
    """The width of the tower: feature planes in every block."""
    num_blocks: Annotated[int, Meta(ge=0, le=1_000)] = 3
    """The height of the tower: residual blocks, two convolutions each."""
    value_hidden: Annotated[int, Meta(ge=1, le=65_536)] = 32
    """Units of the value head's hidden layer."""
    heads: Literal["dense", "pooled"] = "dense"
    """`pooled` is for games whose action a is a stone on square a, with perhaps a pass as the last
    action."""


@dataclass(frozen=True, slots=True)
class NetConfig(NetSize):
    """The shape of a net: the board and the game that it is for, and its size.

    Raises:
        WrongEntryError: a size out of range, unknown heads, or pooled heads for a game whose
            actions are not its squares.
    """

    rows: Size
    cols: Size
    num_actions: Annotated[int, Meta(ge=1, le=1_000_000)]

    def __post_init__(self) -> None:
        check(self)
        num_squares = self.rows * self.cols
        if self.heads == "pooled" and self.num_actions not in (num_squares, num_squares + 1):
            raise WrongEntryError(
                f"heads = 'pooled': expected an action for each of the {num_squares} squares, and "
                f"perhaps a pass, but this game has {self.num_actions} actions. Use heads='dense'."
            )

    @classmethod
    def for_game(cls, state: State, **size: Any) -> Self:
        """The shape of a net for the game of `state`; `size` are the fields of `NetSize`.

        >>> from mctslab.games import Reversi
        >>> NetConfig.for_game(Reversi(), num_blocks=5).num_actions
        65
        """
        board = state.board()
        return cls(board.rows, board.cols, state.num_actions, **size)

    def fits(self, state: State) -> bool:
        """Whether the board and the actions of the game of `state` are those of this net."""
        board = state.board()
        found = board.rows, board.cols, state.num_actions
        return found == (self.rows, self.cols, self.num_actions)


class ConvolutionBlock(nn.Module):
    """A convolution that keeps the size of the board, batch norm and ReLU.

    The ReLU overwrites its input (`relu_`), because memory costs more time than computing does.
    """

    def __init__(self, in_filters: int, out_filters: int, size: int = 3) -> None:
        super().__init__()
        self.convolution = _convolution(in_filters, out_filters, size)
        self.norm: nn.Module = nn.BatchNorm2d(out_filters)

    def forward(self, features: Tensor) -> Tensor:
        """Features [N, in_filters, R, S] to [N, out_filters, R, S]."""
        return torch.relu_(self.norm(self.convolution(features)))


class ResidualBlock(nn.Module):
    """Two convolutions, whose result is added to what came in: [N, F, R, S] to the same shape."""

    def __init__(self, num_filters: int) -> None:
        super().__init__()
        self.first = ConvolutionBlock(num_filters, num_filters)
        self.second = _convolution(num_filters, num_filters, 3)
        self.second_norm: nn.Module = nn.BatchNorm2d(num_filters)

    def forward(self, features: Tensor) -> Tensor:
        """The features after this block."""
        change = self.second_norm(self.second(self.first(features)))
        change += features
        return torch.relu_(change)


def _convolution(in_filters: int, out_filters: int, size: int) -> nn.Conv2d:
    """A convolution without a bias, because the batch norm after it has one."""
    return nn.Conv2d(in_filters, out_filters, size, padding=size // 2, bias=False)


class DensePolicyHead(nn.Module):
    """Features [N, F, R, S] to logits [N, A]; each action has its own weights."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__()
        self.convolution = ConvolutionBlock(config.num_filters, POLICY_FILTERS, size=1)
        self.linear = nn.Linear(POLICY_FILTERS * config.rows * config.cols, config.num_actions)

    def forward(self, features: Tensor) -> Tensor:
        """A logit for every action; softmax over the legal ones makes probabilities of them."""
        logits: Tensor = self.linear(self.convolution(features).flatten(1))
        return logits


class PooledPolicyHead(nn.Module):
    """Features [N, F, R, S] to logits [N, A]; all squares have the same weights."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__()
        self.convolution = ConvolutionBlock(config.num_filters, config.num_filters, size=1)
        self.squares = nn.Conv2d(config.num_filters, 1, 1)
        has_pass = config.num_actions > config.rows * config.cols
        self.passing = nn.Linear(config.num_filters, 1) if has_pass else None

    def forward(self, features: Tensor) -> Tensor:
        """A logit for every action; softmax over the legal ones makes probabilities of them."""
        features = self.convolution(features)
        logits: Tensor = self.squares(features).flatten(1)
        if self.passing is None:
            return logits
        return torch.cat([logits, self.passing(features.mean((2, 3)))], dim=1)


class ValueHead(nn.Module):
    """Features [N, F, R, S] to values [N].

    The hidden layer of a dense head sees each square. That of a pooled head sees only the maximum,
    which says whether there is a pattern at all, and the mean, which says how many there are.
    """

    def __init__(self, config: NetConfig) -> None:
        super().__init__()
        self._is_pooled = config.heads == "pooled"
        filters = config.num_filters if self._is_pooled else VALUE_FILTERS
        num_seen = filters * (2 if self._is_pooled else config.rows * config.cols)
        self.convolution = ConvolutionBlock(config.num_filters, filters, size=1)
        self.hidden = nn.Linear(num_seen, config.value_hidden)
        self.linear = nn.Linear(config.value_hidden, 1)

    def forward(self, features: Tensor) -> Tensor:
        """The value of each position for its player to move, in [-1, 1]."""
        features = self.convolution(features)
        seen = (
            torch.cat([features.mean((2, 3)), features.amax((2, 3))], dim=1)
            if self._is_pooled
            else features.flatten(1)
        )
        return torch.tanh(self.linear(torch.relu_(self.hidden(seen)))).squeeze(1)


class AnyNet(nn.Module):
    """What this net and those of your own (`mctslab.net.own_net`) have in common.

    Args:
        config: the shape.
        make: makes such a net, with other weights, from a shape.
    """

    memory_format = torch.channels_last  # in which processors compute fastest

    def __init__(self, config: NetConfig, make: "MakeAnyNet") -> None:
        super().__init__()
        self.config = config
        self.make = make

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy, also in another process, is on the processor and ready to answer."""
        weights = {name: each.cpu().numpy() for name, each in self.state_dict().items()}
        return with_weights, (self.make, self.config, weights)


MakeAnyNet: TypeAlias = Callable[[NetConfig], AnyNet]


def with_weights(make: MakeAnyNet, config: NetConfig, weights: Mapping[str, np.ndarray]) -> AnyNet:
    """The net with these weights, by the names of their layers, ready to answer."""
    is_ours = make is PolicyValueNet
    # Its first weights are replaced. Those of our own are not even drawn.
    with torch.device("meta") if is_ours else torch.random.fork_rng(devices=[]):
        net = make(config).eval()
    tensors = {name: torch.from_numpy(each) for name, each in weights.items()}
    net.load_state_dict(tensors, assign=is_ours)
    return net


class PolicyValueNet(AnyNet):
    """The whole net. Its first weights are drawn by PyTorch: `torch.manual_seed` fixes them.

    Args:
        config: the shape.
    """

    def __init__(self, config: NetConfig) -> None:
        super().__init__(config, PolicyValueNet)
        self.stem = ConvolutionBlock(config.inputs.count, config.num_filters)
        self.tower = nn.Sequential(
            *(ResidualBlock(config.num_filters) for _ in range(config.num_blocks))
        )
        make_policy_head = PooledPolicyHead if config.heads == "pooled" else DensePolicyHead
        self.policy_head = make_policy_head(config)
        self.value_head = ValueHead(config)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Policy logits [N, A] and values [N] of `planes` [N, C, R, S].

        The values are for the player to move.
        """
        features = self.tower(self.stem(planes))
        return self.policy_head(features), self.value_head(features)
