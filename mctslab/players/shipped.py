"""The nets that come with mctslab, and the boards that they play on, listed without PyTorch."""

import importlib.util
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from safetensors import safe_open

from mctslab import games
from mctslab.games.state import State

WEIGHTS: Final = Path(__file__).resolve().parents[1] / "net" / "weights"


@dataclass(frozen=True, slots=True)
class ShippedNet:
    """A net that comes with mctslab."""

    name: str
    """With this name `mctslab.net.load` finds it: `gomoku9_4`, the net of age 4 for 9 x 9."""
    file: Path
    game: str
    game_options: Mapping[str, Any]

    def first_state(self) -> State:
        """The first position of its game."""
        return games.make(self.game, **self.game_options)

    def fits(self, state: State) -> bool:
        """Whether it plays the game of `state`, on that board and by those rules."""
        return self.game == state.game and _rules(self.first_state()) == _rules(state)


def shipped_nets(state: State | None = None, *, folder: Path = WEIGHTS) -> tuple[ShippedNet, ...]:
    """The nets that come with mctslab, the youngest of each board first.

    Args:
        state: only those that play this game, on this board; all of them if None.
        folder: where to look for them.
    """
    return tuple(each for each in _nets_in(folder) if state is None or each.fits(state))


def has_torch() -> bool:
    """Whether PyTorch is installed, which every net needs."""
    return importlib.util.find_spec("torch") is not None


@cache  # a panel lists them often, and the files that come with mctslab do not change
def _nets_in(folder: Path) -> tuple[ShippedNet, ...]:
    return tuple(sorted(map(_read, folder.glob("*.safetensors")), key=_board_and_age))


def _read(file: Path) -> ShippedNet:
    about = header(file)["about"]
    return ShippedNet(file.stem, file, about["game"], about.get("game_options", {}))


def header(file: Path) -> dict[str, Any]:
    """The header of a net's file: `config`, `about`, `versions`."""
    with safe_open(file, "numpy") as opened:
        content: dict[str, Any] = json.loads(opened.metadata()["mctslab"])
    return content


def _rules(state: State) -> tuple[object, ...]:
    """A key that is the same for two positions of a game with the same board and rules."""
    names = ("size", "in_a_row", "exactly_five")
    return (state.num_actions, *(getattr(state, name, None) for name in names))


def _board_and_age(net: ShippedNet) -> tuple[str, int, str, int]:
    """The order of the nets; a name without a number at its end has the age 0."""
    family, _, age = net.name.rpartition("_")
    number = int(age) if age.isdecimal() else 0
    return net.game, net.first_state().num_actions, family, number
