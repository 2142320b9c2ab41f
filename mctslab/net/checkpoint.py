"""A net in a file: its weights, and all that is known about it.

The file is in the safetensors format: a header of JSON, then plain numbers
(https://huggingface.co/docs/safetensors). Reading it runs no code, whoever wrote it. The header has
the net's configuration and its origin (game, seed, settings, ...).
"""

import json
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as to_bytes
from torch import Tensor

import mctslab
from mctslab.net.model import AnyNet, NetConfig, with_weights
from mctslab.net.own_net import MakeNet, OwnNet, maker, source_digest
from mctslab.typed import WrongEntryError, from_json, write_whole

SUFFIX: Final = ".safetensors"
CHECKPOINT: Final = f"checkpoint{SUFFIX}"
"""The file of a run in its folder."""

_HEADER: Final = "mctslab"
_NET: Final = "net."
_OWN_NET: Final = "own_net"
"""The entry of `about` that names the class of a net of your own."""


class CheckpointError(ValueError):
    """A file that is not a checkpoint of mctslab, or was cut short; the sentence says which."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The content of a file."""

    net: AnyNet
    about: Mapping[str, Any]
    """The origin of the net: `game`, `game_options`, `step`, seeds, settings, ..."""
    tensors: Mapping[str, Tensor]
    """All other tensors: those of the optimiser or of a replay buffer."""


@dataclass(frozen=True, slots=True)
class _Header:
    """The header as JSON has it."""

    format: Literal[1]
    config: NetConfig
    about: dict[str, Any]
    versions: dict[str, str]


def save_checkpoint(
    path: str | os.PathLike[str],
    net: AnyNet,
    *,
    about: Mapping[str, Any] | None = None,
    tensors: Mapping[str, Tensor] | None = None,
) -> Path:
    """Write a net to the file `path`, and return that path.

    The file is whole at every moment, also when the program is killed or the disk is full.

    Args:
        path: the file; it usually ends in `.safetensors`.
        net: the net, on any device.
        about: its origin, anything that JSON can hold. `game` and `game_options`, as
            `games.make` takes them, say what the net plays.
        tensors: other tensors to keep, by name.

    Raises:
        OSError: the file can't be written; an older one is unchanged.
    """
    versions = {
        "mctslab": mctslab.__version__,
        "torch": str(torch.__version__),
        "numpy": np.__version__,
        "python": platform.python_version(),
    }
    own = {_OWN_NET: net.about()} if isinstance(net, OwnNet) else {}
    content = _Header(1, net.config, {**(about or {}), **own}, versions)
    header = json.dumps(asdict(content), ensure_ascii=False, allow_nan=False, sort_keys=True)
    numbers = {f"{_NET}{name}": tensor for name, tensor in net.state_dict().items()}
    numbers |= tensors or {}
    # What can be written is on the CPU, contiguous, and shares its memory with nothing else.
    numbers = {
        name: tensor.detach().to("cpu", copy=True).contiguous()
        for name, tensor in sorted(numbers.items())
    }
    # One entry, because safetensors writes several in any order.
    write_whole(path, to_bytes(numbers, {_HEADER: header}))
    return Path(path)


def load_checkpoint(path: str | os.PathLike[str], make_net: MakeNet | None = None) -> Checkpoint:
    """Read a net from the file `path`, ready to evaluate positions on the CPU.

    Args:
        path: the file.
        make_net: what made the net, if it is one of your own; the file has no code.

    Raises:
        CheckpointError: the file is not a checkpoint, was cut short, or is of another net.
        OSError: there is no such file, or it can't be read.
    """
    header, tensors = _read(Path(path))
    names = [name for name in tensors if name.startswith(_NET)]
    weights = {name.removeprefix(_NET): tensors.pop(name).numpy().copy() for name in names}
    own = header.about.get(_OWN_NET)
    if (own is None) != (make_net is None):
        raise CheckpointError(
            f"{path} has a net of mctslab itself: leave out make_net."
            if own is None
            else f"{path} has a net of your own, whose code is not in the file. Give what made it: "
            f"make_net={own['name']}."
        )
    try:
        net = with_weights(maker(make_net), header.config, weights)
    except RuntimeError as error:
        whose = "its configuration" if own is None else f"make_net={make_net!r}"
        raise CheckpointError(
            f"{path} is inconsistent: its weights are not those of {whose}."
        ) from error
    return Checkpoint(net, header.about, tensors)


def has_changed(about: Mapping[str, Any], make_net: MakeNet) -> bool:
    """Whether a net of your own was made by another source, as far as both are known."""
    before, now = about[_OWN_NET]["digest"], source_digest(make_net)
    return "" not in (before, now) and before != now


def _read(path: Path) -> tuple[_Header, dict[str, Tensor]]:
    """Header and tensors of a file that is whole."""
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {str(path)!r} with a net.")
    try:
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except SafetensorError as error:
        raise CheckpointError(
            f"{path} is not a net, or was cut short: it cannot be read as a safetensors file "
            f"({str(error).strip().splitlines()[0]})."
        ) from error
    if _HEADER not in metadata:
        raise CheckpointError(f"{path} has tensors, but was not written by mctslab.")
    try:
        return from_json(metadata[_HEADER], _Header, "header"), tensors
    except WrongEntryError as error:
        raise CheckpointError(f"{path} is inconsistent: {error}") from error
