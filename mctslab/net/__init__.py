"""Policy-value nets: what they see, how they are built, kept, asked and trained.

The only room that loads PyTorch. Everything else works without it.
"""

from mctslab.net.missing import MissingPackageError

try:
    import torch as _torch  # noqa: F401 (looked for here, so that one sentence tells what is missing)
except ModuleNotFoundError as error:
    raise MissingPackageError(
        "mctslab.net needs PyTorch, which is not installed here: `python3 run.py setup` installs "
        "it, and so does `pip install torch`; everything but the nets works without it.",
        name=error.name,
    ) from error

from mctslab.net.checkpoint import Checkpoint, CheckpointError, load_checkpoint, save_checkpoint
from mctslab.net.encode import InputPlanes, encode, encode_batch, turn
from mctslab.net.evaluator import NetEvaluator, known, load
from mctslab.net.model import NetConfig, PolicyValueNet

__all__ = [
    "Checkpoint",
    "CheckpointError",
    "InputPlanes",
    "NetConfig",
    "NetEvaluator",
    "PolicyValueNet",
    "encode",
    "encode_batch",
    "known",
    "load",
    "load_checkpoint",
    "save_checkpoint",
    "turn",
]
