"""A net in a file: its numbers, and all that is known about it.

The file is in the safetensors format: a header of JSON, then plain numbers
(https://huggingface.co/docs/safetensors). Reading it runs no code, whoever wrote it. In the header
stand the net's configuration and what its maker says about it (game, seed, step, ...), and a
digest of everything, so that a file that was cut short or has changed is told from a good one.

>>> import tempfile, torch
>>> from pathlib import Path
>>> from mctslab.games import TicTacToe
>>> from mctslab.net.model import PolicyValueNet, tiny
>>> with tempfile.TemporaryDirectory() as folder:
...     file = Path(folder) / "first.safetensors"
...     _ = save_checkpoint(file, PolicyValueNet(tiny(TicTacToe())))
...     load_checkpoint(file).net.config.num_blocks
3
"""

import hashlib
import json
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as to_bytes
from torch import Tensor

import mctslab
from mctslab import games
from mctslab.games.state import State
from mctslab.net.encode import InputPlanes
from mctslab.net.model import NetConfig, PolicyValueNet

FORMAT: Final = 1
"""Which version of the header this program writes, and the newest that it reads."""
SUFFIX: Final = ".safetensors"

_HEADER: Final = "mctslab"
_DIGEST: Final = "sha256"
_NET: Final = "net."
_LENGTH_BYTES: Final = 8
"""At the beginning of a safetensors file: how long its header is."""


class CheckpointError(ValueError):
    """A file that holds no net of ours, or a damaged one; the sentence says which."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What was read from a file."""

    net: PolicyValueNet
    about: Mapping[str, Any]
    """What the maker of the net says: `game`, `game_options`, `step`, seeds, settings, ..."""
    tensors: Mapping[str, Tensor]
    """What else was kept: the optimiser's numbers, or those of a replay buffer."""
    versions: Mapping[str, str]
    """The versions of the programs that wrote the file."""

    def first_state(self) -> State:
        """The first position of the game that the net is for.

        Raises:
            CheckpointError: the file does not say the game, or one that is unknown here or has
                another board than the net.
        """
        name = self.about.get("game")
        if name is None:
            raise CheckpointError("The file does not say which game this net is for.")
        try:
            state = games.make(name, **self.about.get("game_options", {}))
        except (ValueError, TypeError) as error:
            raise CheckpointError(f"The game of this net cannot be set up: {error}") from error
        if not self.net.config.fits(state):
            raise CheckpointError(f"This net is for another board than its game's:\n{state}")
        return state


def save_checkpoint(
    path: str | os.PathLike[str],
    net: PolicyValueNet,
    *,
    about: Mapping[str, Any] | None = None,
    tensors: Mapping[str, Tensor] | None = None,
) -> Path:
    """Write a net to the file `path`, and return that path.

    It is written beside an older file and then put in its place, so that there is a whole file of
    that name at every moment, also when the program is killed or the disk is full.

    Args:
        path: the file; it usually ends in `.safetensors`.
        net: the net, on any device.
        about: what to say about it, anything that JSON can hold. `game` and `game_options`, as
            `games.make` takes them, let readers know what the net plays.
        tensors: numbers to keep beside the net's, by name.

    Raises:
        ValueError: `about` holds something that is no JSON.
        OSError: the file can't be written.
    """
    target = Path(path)
    numbers = {f"{_NET}{name}": tensor for name, tensor in net.state_dict().items()}
    numbers |= tensors or {}
    numbers = {name: _plain(tensor) for name, tensor in sorted(numbers.items())}
    header = _header(net.config, about or {})
    metadata = {_HEADER: header, _DIGEST: _digest(header, numbers)}
    _write_whole(target, _in_order(to_bytes(numbers, metadata)))
    return target


def load_checkpoint(path: str | os.PathLike[str]) -> Checkpoint:
    """Read a net from the file `path`; it comes ready to be asked, on the CPU.

    Raises:
        CheckpointError: the file is no net of ours, or a damaged one, or made by a newer mctslab.
        OSError: there is no such file, or it can't be read.
    """
    header, numbers = _read(Path(path))
    try:
        net = PolicyValueNet(_config(header["config"]))
        ours = {name: numbers.pop(name) for name in list(numbers) if name.startswith(_NET)}
        net.load_state_dict({name.removeprefix(_NET): tensor for name, tensor in ours.items()})
        about, versions = dict(header["about"]), dict(header["versions"])
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise CheckpointError(
            f"{path} does not hold together: its numbers are not those of its configuration "
            f"({_first_line(error)})."
        ) from error
    return Checkpoint(
        net.eval(),
        about=MappingProxyType(about),
        tensors=MappingProxyType(numbers),
        versions=MappingProxyType(versions),
    )


# The header


def _header(config: NetConfig, about: Mapping[str, Any]) -> str:
    content = {
        "format": FORMAT,
        "config": asdict(config),
        "about": dict(about),
        "versions": {
            "mctslab": mctslab.__version__,
            "torch": str(torch.__version__),
            "numpy": np.__version__,
            "python": platform.python_version(),
        },
    }
    try:
        return json.dumps(content, ensure_ascii=False, allow_nan=False, sort_keys=True)
    except (TypeError, ValueError) as error:
        raise ValueError(f"`about` cannot be written as JSON: {error}.") from error


def _config(entries: Mapping[str, Any]) -> NetConfig:
    """The configuration that was written as JSON."""
    return NetConfig(**{**entries, "inputs": InputPlanes(**entries["inputs"])})


# The numbers


def _plain(tensor: Tensor) -> Tensor:
    """A tensor as it can be written: on the CPU, in one piece, sharing its memory with no other."""
    return tensor.detach().to("cpu", copy=True).contiguous()


def _digest(header: str, numbers: Mapping[str, Tensor]) -> str:
    """A digest of all that a file says; names and shapes are part of it."""
    digest = hashlib.sha256(header.encode())
    for name, tensor in sorted(numbers.items()):
        digest.update(f"\0{name}\0{tensor.dtype}\0{tuple(tensor.shape)}\0".encode())
        digest.update(tensor.reshape(-1).view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Header and numbers of a file that is whole."""
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {str(path)!r} with a net.")
    try:
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
            numbers = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except SafetensorError as error:
        raise CheckpointError(
            f"{path} is no net, or one that was cut short: it cannot be read as a safetensors file "
            f"({_first_line(error)})."
        ) from error
    if _HEADER not in metadata:
        raise CheckpointError(f"{path} holds numbers, but was not written by mctslab.")
    if metadata.get(_DIGEST) != _digest(metadata[_HEADER], numbers):
        raise CheckpointError(f"{path} is damaged: it has changed since it was written.")
    header: dict[str, Any] = json.loads(metadata[_HEADER])
    if header["format"] > FORMAT:
        raise CheckpointError(
            f"{path} was written by a newer mctslab ({header['versions']['mctslab']}; this is "
            f"{mctslab.__version__})."
        )
    return header, numbers


def _in_order(content: bytes) -> bytes:
    """The same file with its metadata sorted by name.

    safetensors writes them in any order, so that the same net made different files.
    """
    end = _LENGTH_BYTES + int.from_bytes(content[:_LENGTH_BYTES], "little")
    header = json.loads(content[_LENGTH_BYTES:end])
    header["__metadata__"] = dict(sorted(header["__metadata__"].items()))
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _LENGTH_BYTES)  # the numbers begin at a multiple of 8
    return len(text).to_bytes(_LENGTH_BYTES, "little") + text + content[end:]


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place and then into it."""
    beside = path.with_name(f".{path.name}.part")
    try:
        with open(beside, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n")[0]
