"""Small training runs for the tests of this folder, and what is compared between them."""

import torch

from mctslab.net.training_config import SelfPlayConfig, TrainingConfig

SMALL = {
    "num_filters": 4,
    "num_blocks": 1,
    "value_hidden": 4,
    "num_games": 6,
    "num_iterations": 6,
    "positions_per_iteration": 40,
    "steps_per_iteration": 2,
    "batch_size": 8,
    "replay_capacity": 90,  # fewer than are played, so that old ones go
}


TOML = """
num_filters = 4
num_blocks = 1
value_hidden = 4
num_games = 6
num_iterations = 6
positions_per_iteration = 40
steps_per_iteration = 2
batch_size = 8
replay_capacity = 90

[self_play]
num_simulations = 6
opening_plies = 2
temperature_plies = 4
"""
"""The same in a file."""


def config(**changes):
    playing = SelfPlayConfig(num_simulations=6, opening_plies=2, temperature_plies=4)
    return TrainingConfig(**{**SMALL, "self_play": playing, **changes})


def numbers(net):
    """All that a net has learnt."""
    return {name: tensor.clone() for name, tensor in net.state_dict().items()}


def same(one, other):
    """Whether two nets are the same to the last bit."""
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


def without_times(log):
    return [{k: v for k, v in each.items() if not k.endswith("seconds")} for each in log]
