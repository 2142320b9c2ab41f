"""The settings of a training run: everything that decides which net results, on one page.

A file in TOML has the same tables: the entries of `TrainingConfig` first, then `[inputs]`,
`[self_play]`, `[self_play.selection]`, `[self_play.noise]`, `[self_play.gumbel]` and `[gate]`. What
a file leaves out has the default given here.

>>> TrainingConfig.from_entries({"game": "connect_four", "self_play": {"num_simulations": 32}}).game
'connect_four'
"""

import math
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, TypeAlias

import numpy as np

from mctslab import games
from mctslab.games.openings import random_opening
from mctslab.games.state import State
from mctslab.net.model import NetConfig, NetSize
from mctslab.search.noise import DirichletNoise
from mctslab.search.selection import PUCT, puct, puct_exploration
from mctslab.typed import (
    Count,
    Meta,
    NonNegative,
    Number,
    Positive,
    Share,
    WrongEntryError,
    check,
    convert,
    from_toml,
)

Simulations = Annotated[int, Meta(ge=2, le=100_000)]
"""Two or more: the first simulation only evaluates the position itself."""
Plies = Annotated[int, Meta(ge=0, le=10_000)]
EvenCount = Annotated[int, Meta(ge=2, le=1_000_000, multiple_of=2)]

if TYPE_CHECKING:
    Game: TypeAlias = str | State
else:
    Game = str  # a position is replaced by its name before the entries are checked


@dataclass(frozen=True, slots=True)
class Gumbel:
    """Gumbel AlphaZero: how the root is searched; the formulas are in `mctslab.net.gumbel`.

    Raises:
        WrongEntryError: a number out of range.
    """

    num_considered: Annotated[int, Meta(ge=1, le=100_000)] = 16
    """m: the number of moves that are tried, or all moves if there are fewer. n simulations try at
    most n moves; with n / 2 some simulations remain to compare the best ones."""
    c_visit: NonNegative = 50.0
    c_scale: NonNegative = 1.0
    """How much a value weighs against the net's logits; see `mctslab.net.gumbel.sigma`."""

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class SelfPlayConfig:
    """How the games of self-play are played.

    Raises:
        WrongEntryError: a number out of range.
    """

    num_simulations: Simulations = 32
    """For every move, in a new tree."""
    selection: PUCT = field(default_factory=puct)
    noise: DirichletNoise | None = field(default_factory=lambda: DirichletNoise(alpha=0.3))
    """Mixed into each root's priors, so that every move is tried now and then. With `gumbel` it is
    not used, because Gumbel noise takes its place."""
    temperature_plies: Plies = 10
    """During the first plies a move is drawn in proportion to its visits; afterwards the most
    visited move is played. With `gumbel` the noise takes part in the choice during these plies."""
    opening_plies: Plies = 4
    """The largest number of random plies before the net plays, so that it also learns positions it
    would not choose. The number is drawn for each game, from 0 on."""
    gumbel: Gumbel | None = field(default_factory=Gumbel)
    """Searches the root by Gumbel AlphaZero, and takes the improved policy as the target. Without
    it PUCT searches the root, and the target is the visits."""
    solver: bool = True
    """Whether the searches prove wins, draws and losses (MCTS-Solver), which then count exactly in
    the policy target and in the choice of the move; see `mctslab.search.forest`."""

    def __post_init__(self) -> None:
        check(self)
        if self.selection.exploration is not puct_exploration:
            raise WrongEntryError(
                f"selection = {self.selection!r}: expected PUCT's own formula, since the settings "
                "of a run are kept in a file, which cannot hold a function."
            )


@dataclass(frozen=True, slots=True)
class Gate:
    """The promotion gate: when a net is examined, and the score it needs.

    Raises:
        WrongEntryError: a number out of range.
    """

    every: Count = 5
    """The newest net is examined each time this number of iterations is done."""
    num_games: EvenCount = 40
    """Against the net that makes the self-play; two games share an opening, colours swapped."""
    threshold: Share = 0.55
    """The points a game that it needs: a win is one point, a draw half a point."""
    num_simulations: Simulations = 32
    """Of both nets, a move."""
    opening_plies: Plies = 2
    """The number of random plies at the start of each game."""

    def __post_init__(self) -> None:
        check(self)


def _by_name(game: str | State, options: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The name and the options that stand for `game`; entries of other types as they are.

    Raises:
        WrongEntryError: a position beside the options of another one.
        ValueError: it is no first position.
    """
    if not isinstance(game, State):
        is_default = game == "gomoku" and options == {}
        return game, {"size": 6, "in_a_row": 4} if is_default else options
    name, its_options = games.description(game)
    if options not in ({}, its_options):
        raise WrongEntryError(
            f"game_options = {dict(options)!r}: expected none beside a position, which has its "
            "options."
        )
    if type(game) is games.Gomoku:  # without options it would be another board
        its_options.setdefault("size", game.size)
    return name, its_options


@dataclass(frozen=True, slots=True)
class TrainingConfig(NetSize):
    """What a training run is, from the game and the size of the net to the seed.

    An iteration plays some games, adds their positions to the replay buffer, and takes some steps
    of the optimiser. The same settings always make the same net, with the same versions of the
    programs and on the same kind of processor.

    Raises:
        ValueError: no such game, the game refuses an option, or a gate with an opening longer than
            the game; WrongEntryError for an entry of another type or out of range.
    """

    game: Game = "gomoku"
    """A name for `games.make`; or the first position of any game, which is replaced by its name."""
    game_options: Mapping[str, Any] = field(default_factory=dict)
    """For `games.make`. Without any, `"gomoku"` is four in a row on 6 x 6, and any other game is
    as `games.make` makes it."""
    self_play: SelfPlayConfig = field(default_factory=SelfPlayConfig)
    num_games: Annotated[int, Meta(ge=1, le=100_000)] = 96
    """Played in an iteration, from beginning to end."""
    num_shares: Annotated[int, Meta(ge=1, le=10_000)] = 2
    """The shares that these games are divided into, each with its own random generator. All games
    of a share are played at once. Each process that plays needs one or more shares. Their number
    decides which net results; the number of processes does not."""
    half_precision: bool = False
    """Whether the net computes in bfloat16 where the device can: nearly twice as fast. Such a net
    is reproducible on devices of the same kind only."""
    device: Literal["auto", "cpu", "cuda", "mps"] = "auto"
    """Where the net learns and answers: `mps` is a Mac's graphics, `auto` a graphics card if there
    is one. The bits that result depend on it."""
    num_iterations: Count = 100
    """More can be given to a run in a folder, finished or not. Its learning rate then follows the
    longer curve from where the run is, so that after a finished run it rises again."""
    steps_per_iteration: Annotated[int, Meta(ge=1, le=100_000_000)] = 24
    """Steps of the optimiser."""
    batch_size: Annotated[int, Meta(ge=1, le=1_000_000)] = 256
    """Positions in a step."""
    replay_capacity: Annotated[int, Meta(ge=1, le=100_000_000)] = 50_000
    """The number of newest positions from which training draws."""
    learning_rate: Positive = 3e-3
    final_learning_rate: Positive = 3e-4
    """The learning rate of the last iteration; on the way it follows half a cosine."""
    weight_decay: NonNegative = 1e-4
    gate: Gate | None = None
    """The match that a net must win before it makes the self-play. Without a gate the newest net
    makes it."""
    seed: Number = 1

    def __post_init__(self) -> None:
        game, options = _by_name(self.game, self.game_options)
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "game_options", options)
        check(self)
        if self.gate is not None:  # an opening longer than the game raises its error now
            random_opening(self.first_state(), self.gate.opening_plies, np.random.default_rng(0))
        self.net_config()

    @property
    def game_name(self) -> str:
        """The name of the game, for `games.make`."""
        assert isinstance(self.game, str)
        return self.game

    def first_state(self) -> State:
        """The first position of the game.

        Raises:
            ValueError: no such game, or options that it does not have.
        """
        return games.make(self.game_name, **self.game_options)

    def net_config(self) -> NetConfig:
        """The shape of the net."""
        size = {each.name: getattr(self, each.name) for each in fields(NetSize)}
        return NetConfig.for_game(self.first_state(), **size)

    def learning_rate_at(self, iteration: int) -> float:
        """The learning rate in an iteration, counted from 0; the curve is as long as the run."""
        share = iteration / max(1, self.num_iterations - 1)
        fall = (1 + math.cos(math.pi * min(1.0, share))) / 2
        return self.final_learning_rate + (self.learning_rate - self.final_learning_rate) * fall

    # To a file and back

    def entries(self) -> dict[str, Any]:
        """The settings as a file has them, for `from_entries`."""
        entries = asdict(self)
        del entries["self_play"]["selection"]["exploration"]  # always the formula of PUCT
        return entries

    @classmethod
    def from_entries(cls, entries: Mapping[str, Any], *, own_game: str = "") -> Self:
        """The settings in a mapping, as `entries` gives it; a missing entry has its default.

        Args:
            entries: the settings; `noise = false` and `gumbel = false` stand for none, since TOML
                has no null.
            own_game: the only game of the form `module:Class` that is accepted, since data alone
                must not decide which module is imported.

        Raises:
            ValueError: as for the class; also for an unknown entry, or a game of a module.
        """
        entries = convert(entries, dict[str, Any])
        game, playing = entries.get("game"), entries.get("self_play")
        if isinstance(game, str) and ":" in game and game != own_game:
            raise WrongEntryError(
                f"game = {game!r}: expected the name of a game of mctslab, since a file cannot say "
                f"which code to run. If you trust that code, add `--game {game}` to the command, "
                "or use TrainingConfig(game=...) in Python."
            )
        if isinstance(playing, Mapping):
            none = {name: None for name in ("noise", "gumbel") if playing.get(name) is False}
            entries = {**entries, "self_play": {**playing, **none}}
        return convert(entries, cls)

    @classmethod
    def from_toml(cls, path: str | os.PathLike[str], *, own_game: str = "") -> Self:
        """The settings in a file.

        Args:
            path: the file.
            own_game: a game of your own, `my_game.py:MyGame` or `module:MyGame`, that is trained;
                the file names the same one or none.

        Raises:
            ValueError: it is not TOML, or as `from_entries`.
            OSError: there is no such file.
        """
        entries: dict[str, Any] = from_toml(path, dict[str, Any])
        try:
            if own_game and entries.setdefault("game", own_game) != own_game:
                raise WrongEntryError(f"game = {entries['game']!r}: expected {own_game!r}.")
            return cls.from_entries(entries, own_game=own_game)
        except ValueError as error:
            raise WrongEntryError(f"{os.fspath(path)}: {error}") from error
