"""Small training runs for the tests of this folder, and what is compared between them."""

import json

import torch

from mctslab.net.checkpoint import load_checkpoint
from mctslab.net.evaluation import Benchmark
from mctslab.net.run_folder import CHECKPOINT, train
from mctslab.net.run_log import read_log
from mctslab.net.training_config import SelfPlayConfig, TrainingConfig

SMALL = {
    "num_filters": 4,
    "num_blocks": 1,
    "value_hidden": 4,
    "num_games": 6,
    "num_shares": 1,
    "num_iterations": 6,
    "steps_per_iteration": 2,
    "batch_size": 8,
    "replay_capacity": 90,  # fewer than are played, so that old ones go
}
PLAYING = {"num_simulations": 6, "opening_plies": 2, "temperature_plies": 4}


def config(**changes):
    return TrainingConfig(**{**SMALL, "self_play": SelfPlayConfig(**PLAYING), **changes})


def lines(entries):
    return "".join(f"{name} = {number}\n" for name, number in entries.items())


TOML = f"{lines(SMALL)}[self_play]\n{lines(PLAYING)}"
"""The same in a file."""
BENCHMARK = Benchmark(("random", "uct:40"), every=4, num_games=4, num_simulations=4)


def train_on(folder, length, settings=None, **options):
    """Go on with a run for so many iterations."""
    done = []
    stop = lambda: len(done) >= length  # noqa: E731
    return train(settings or config(), folder, progress=done.append, stop=stop, **options)


def train_in_parts(folder, settings=None, length=1, **options):
    """A whole run, stopped after each `length` iterations; its trainer."""
    while not (trainer := train_on(folder, length, settings, **options)).is_done:
        assert len(read_log(folder)) == trainer.num_iterations
    return trainer


def reference_lines(settings, log, seed=3):
    """A file for `read_reference` with the log of one run, line by line."""
    entries = settings.entries()
    del entries["seed"]
    lines = [
        {"format": 1, "settings": entries},
        *({"seed": seed, "iteration": each} for each in log),
    ]
    return [json.dumps(line) for line in lines]


def numbers(net):
    """All that a net has learnt."""
    return {name: tensor.clone() for name, tensor in net.state_dict().items()}


def numbers_in(folder):
    """All that the net of a run has learnt."""
    return numbers(load_checkpoint(folder / CHECKPOINT).net)


def same(one, other):
    """Whether two nets are the same to the last bit."""
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


def without_times(log):
    return [{k: v for k, v in each.items() if not k.endswith("seconds")} for each in log]


def is_as(run, whole):
    """Whether a run came to the same as one to which nothing has happened, to the last byte."""
    files = [(folder / CHECKPOINT).read_bytes() for folder in (run, whole)]
    logs = [without_times(read_log(folder)) for folder in (run, whole)]
    return files[0] == files[1] and logs[0] == logs[1]
