"""The settings of a training run: everything that decides which net comes out."""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Self

from mctslab import games
from mctslab.games.state import State
from mctslab.net.encode import InputPlanes
from mctslab.net.gate import Gate
from mctslab.net.gumbel import Gumbel
from mctslab.net.model import NetConfig
from mctslab.net.playout_cap import PlayoutCap
from mctslab.net.self_play import SelfPlayConfig
from mctslab.search.puct_search import DirichletNoise
from mctslab.search.selection import puct


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """What a training run is, from the game to the seed.

    An iteration plays some positions, adds the games that ended to the replay buffer, and takes
    some steps of the optimiser. The same settings always make the same net, on one thread and with
    the same versions of the programs.

    Raises:
        ValueError: a number out of range, or no such game.
    """

    game: str = "gomoku"
    game_options: Mapping[str, Any] = field(default_factory=lambda: {"size": 6, "in_a_row": 4})
    inputs: InputPlanes = field(default_factory=InputPlanes)
    num_filters: int = 32
    num_blocks: int = 3
    value_hidden: int = 32
    heads: str = "dense"
    """`dense` or `pooled`; see `mctslab.net.model`."""
    self_play: SelfPlayConfig = field(default_factory=SelfPlayConfig)
    num_games: int = 128
    """Games in progress at once."""
    num_workers: int = 0
    """Processes that play, each a part of the games, while this one learns: as many as there are
    cores. With 0 this process does both in turn."""
    half_precision: bool = False
    """Whether the net answers and learns in numbers of half the length, where the processor can:
    nearly twice as fast. A net trained so is the same on processors of the same kind only."""
    num_iterations: int = 100
    positions_per_iteration: int = 1_024
    """Moves to be chosen in self-play."""
    steps_per_iteration: int = 32
    """Steps of the optimiser."""
    batch_size: int = 256
    """Positions in a step."""
    replay_capacity: int = 50_000
    """How many of the newest positions are learnt from."""
    learning_rate: float = 3e-3
    final_learning_rate: float = 3e-4
    """Where the learning rate comes down to, along half a cosine, in the last iteration."""
    weight_decay: float = 1e-4
    gate: Gate | None = None
    """What a net has to do before it makes the self-play. Without a gate the newest makes it."""
    start_from: str = ""
    """The name or the file of a net to begin with, such as one that has learnt on another board;
    pooled heads fit boards of every size. Without one the first weights are random."""
    seed: int = 1

    def __post_init__(self) -> None:
        counts = ("num_games", "num_iterations", "positions_per_iteration", "batch_size")
        for name in (*counts, "steps_per_iteration", "replay_capacity", "num_workers", "seed"):
            number, least = getattr(self, name), 0 if name in ("seed", "num_workers") else 1
            if not isinstance(number, int) or number < least:
                raise ValueError(f"{name}={number!r} has to be a whole number, {least} or more.")
        for name in ("num_games", "positions_per_iteration"):
            if getattr(self, name) < self.num_workers:
                raise ValueError(
                    f"{name}={getattr(self, name)!r} is too few for {self.num_workers} processes."
                )
        for name in ("learning_rate", "final_learning_rate", "weight_decay"):
            number, may_be_zero = getattr(self, name), name == "weight_decay"
            if not (math.isfinite(number) and (number > 0 or (may_be_zero and number == 0))):
                raise ValueError(f"{name}={number!r} is none: a number above 0.")
        self.net_config()

    @property
    def num_groups(self) -> int:
        """Into how many groups the games are divided; each has a source of chance of its own."""
        return max(1, self.num_workers)

    def first_state(self) -> State:
        """The first position of the game.

        Raises:
            ValueError: no such game, or options that it does not have.
        """
        try:
            return games.make(self.game, **self.game_options)
        except TypeError as error:
            raise ValueError(f"{self.game} has no such options: {error}.") from error

    def net_config(self) -> NetConfig:
        """The shape of the net."""
        return NetConfig.for_game(
            self.first_state(),
            inputs=self.inputs,
            num_filters=self.num_filters,
            num_blocks=self.num_blocks,
            value_hidden=self.value_hidden,
            heads=self.heads,
        )

    def learning_rate_at(self, iteration: int) -> float:
        """The learning rate in an iteration, counted from 0."""
        share = iteration / max(1, self.num_iterations - 1)
        fall = (1 + math.cos(math.pi * min(1.0, share))) / 2
        return self.final_learning_rate + (self.learning_rate - self.final_learning_rate) * fall

    def entries(self) -> dict[str, Any]:
        """The settings as JSON and TOML have them; `from_entries` reads them back."""
        entries = asdict(self)
        selection = self.self_play.selection
        entries["self_play"]["selection"] = {
            "c_puct": selection.c, "c_base": selection.c_base, "fpu": selection.fpu,
        }  # fmt: skip
        return entries

    @classmethod
    def from_entries(cls, entries: Mapping[str, Any]) -> Self:
        """The settings of a mapping; what is not in it has its default.

        Raises:
            ValueError: an entry that is no setting, or one that cannot be.
        """
        known = _checked(entries, cls, "")
        if "inputs" in known:
            known["inputs"] = InputPlanes(**_checked(known["inputs"], InputPlanes, "inputs."))
        if "self_play" in known:
            playing = _checked(known["self_play"], SelfPlayConfig, "self_play.")
            if "selection" in playing:
                playing["selection"] = puct(**playing["selection"])
            for name, kind in _OPTIONS.items():
                if name in playing:
                    playing[name] = _option(playing[name], kind, f"self_play.{name}.")
            known["self_play"] = SelfPlayConfig(**playing)
        if "gate" in known:
            gate = known["gate"]
            is_none = gate is None or gate is False
            known["gate"] = None if is_none else Gate(**_checked(gate, Gate, "gate."))
        return cls(**known)

    @classmethod
    def from_toml(cls, path: str | Path) -> Self:
        """The settings of a file.

        Raises:
            ValueError: the file is no TOML, or as `from_entries`.
            OSError: there is no such file.
        """
        try:
            return cls.from_entries(tomllib.loads(Path(path).read_text("utf-8")))
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"{path} is no TOML: {error}.") from error


_OPTIONS: Final = MappingProxyType(
    {"noise": DirichletNoise, "gumbel": Gumbel, "playout_cap": PlayoutCap}
)
"""What self-play may have or not, and its settings."""


def _option(entries: Any, kind: type, where: str) -> Any:
    """An option by its settings, or none; TOML knows no None, so that false says it there."""
    is_none = entries is None or entries is False
    return None if is_none else kind(**_checked(entries, kind, where))


def _checked(entries: Any, kind: type, where: str) -> dict[str, Any]:
    """A copy of `entries`, all of which are fields of `kind`."""
    if not isinstance(entries, Mapping):
        raise ValueError(f"{where.rstrip('.')}={entries!r} is no table of settings.")
    names = [each.name for each in fields(kind)]
    for name in entries:
        if name not in names:
            raise ValueError(f"There is no setting {where}{name}; known are {', '.join(names)}.")
    return dict(entries)
