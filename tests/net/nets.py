"""Small nets for the tests of this folder."""

from collections.abc import Mapping
from pathlib import Path

import torch

from mctslab.games import State, description
from mctslab.net.checkpoint import save_checkpoint
from mctslab.net.encode import InputPlanes
from mctslab.net.model import NetConfig, PolicyValueNet


def lively_net(config: NetConfig, seed: int = 0) -> PolicyValueNet:
    """A net whose batch norms have statistics of their own, as a trained one's have."""
    torch.manual_seed(seed)
    net = PolicyValueNet(config)
    planes = torch.rand(64, config.inputs.count, config.rows, config.cols)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter += 0.05 * torch.randn_like(parameter)
        for _ in range(20):
            net(planes)
    return net.eval()


def small_net(state: State, seed: int = 0) -> PolicyValueNet:
    """The smallest net for a game that has all parts."""
    config = NetConfig.for_game(state, num_filters=4, num_blocks=1, value_hidden=4)
    return lively_net(config, seed)


def net_with_history(state: State) -> PolicyValueNet:
    """A small net that sees two positions of a game."""
    inputs = InputPlanes(history=2)
    config = NetConfig.for_game(state, inputs=inputs, num_filters=4, num_blocks=1, value_hidden=4)
    return lively_net(config)


def save_nets(folder: Path, nets: Mapping[str, State]) -> None:
    """Write a small net for each of these games, by the name of its file."""
    for name, state in nets.items():
        game, options = description(state)
        about = {"game": game, "game_options": options}
        save_checkpoint(folder / f"{name}.safetensors", small_net(state), about=about)
