"""Small nets for the tests of this folder."""

import torch

from mctslab.games import State
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
