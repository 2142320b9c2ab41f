"""Policy-value nets: what they see, how they are built, how they learn from their own games.

The room that loads PyTorch; everything without nets works without it. A reading order:

1. A net answers: `encode` draws a position as planes, `model` computes policy and value from them,
   `evaluator` hands both to the search, `checkpoint` keeps a net in a file.
2. A net plays itself: `self_play` searches and plays whole games, in trees from `trees`; `gumbel`
   is another way to search the root.
3. A net learns: `replay` makes targets of the games, `learning` takes a step of gradient descent,
   `training` is the loop of both, `run_folder` keeps a run in a folder, and `run_log` its numbers.
   All settings are in `training_config`.
4. A net of your own instead of ours: `own_net`.
5. What surrounds it: `evaluation` measures the strength, `inference` makes a net fast, `layers`
   lists its layers, `reference` reads runs to compare with.
"""

from mctslab.net.missing import MissingPackageError
from mctslab.search.interrupts import interrupted_after as _interrupted_after

try:
    with _interrupted_after("the import of PyTorch"):
        import torch as _torch
except ModuleNotFoundError as error:
    raise MissingPackageError(
        "mctslab.net needs PyTorch, which is not installed here: `python3 run.py setup` installs "
        "it, and so does `pip install torch`; everything but the nets works without it.",
        name=error.name,
    ) from error

from mctslab.net.checkpoint import load_checkpoint
from mctslab.net.encode import InputPlanes, encode, encode_batch, turn
from mctslab.net.evaluation import Benchmark, Measurement
from mctslab.net.evaluator import NetEvaluator, family, load, net_file, player, shipped_nets
from mctslab.net.inference import fastest
from mctslab.net.layers import block_layers, net_layers
from mctslab.net.learning import losses, make_optimizer, policy_entropy, training_step, weight_norm
from mctslab.net.model import NetConfig, PolicyValueNet
from mctslab.net.reference import Reference, read_reference
from mctslab.net.replay import ReplayBuffer, Samples, policy_target, samples_of, value_target
from mctslab.net.run_folder import CHECKPOINT, train
from mctslab.net.training_config import Gate, Gumbel, SelfPlayConfig, TrainingConfig

# PyTorch decides now on how many cores this thread computes, and not while a net of ours computes
# on one (`inference.on_cores`) in another thread.
_torch.get_num_threads()

__all__ = [
    "CHECKPOINT",
    "Benchmark",
    "Gate",
    "Gumbel",
    "InputPlanes",
    "Measurement",
    "NetConfig",
    "NetEvaluator",
    "PolicyValueNet",
    "Reference",
    "ReplayBuffer",
    "Samples",
    "SelfPlayConfig",
    "TrainingConfig",
    "block_layers",
    "encode",
    "encode_batch",
    "family",
    "fastest",
    "load",
    "load_checkpoint",
    "losses",
    "make_optimizer",
    "net_file",
    "net_layers",
    "player",
    "policy_entropy",
    "policy_target",
    "read_reference",
    "samples_of",
    "shipped_nets",
    "train",
    "training_step",
    "turn",
    "value_target",
    "weight_norm",
]
