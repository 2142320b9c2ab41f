"""What a tournament is: the game, who plays, how many games, from which seed, by which rules."""

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mctslab import games
from mctslab.arena.contestant import Contestant, Entry, contestants
from mctslab.arena.fixtures import Fixture, schedule
from mctslab.arena.playing import Conditions
from mctslab.arena.sprt import SPRT
from mctslab.games.openings import random_opening
from mctslab.games.state import State


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything from which the games of a tournament follow.

    Raises:
        ValueError: a number that makes no sense.
    """

    first_state: State
    contestants: tuple[Contestant, ...]
    num_games: int
    """Between any two."""
    seed: int
    opening_plies: int = 0
    seconds_per_move: float | None = None
    sprt: SPRT | None = None
    game: str = ""
    """By which name `games.make` makes the first state; empty where it was given as a state."""
    game_options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, number, least in (
            ("num_games", self.num_games, 1),
            ("seed", self.seed, 0),
            ("opening_plies", self.opening_plies, 0),
        ):
            if not isinstance(number, int) or number < least:
                raise ValueError(f"{name}={number!r} has to be a whole number, {least} or more.")
        if self.seconds_per_move is not None and not self.seconds_per_move > 0:
            raise ValueError(
                f"seconds_per_move={self.seconds_per_move!r} has to be above 0, or None."
            )
        if len(self.contestants) < 2:
            raise ValueError("It takes two contestants or more.")
        if self.sprt is not None and len(self.contestants) > 2:
            raise ValueError("A sequential test is between two contestants.")

    @property
    def names(self) -> tuple[str, ...]:
        """Of the contestants, all different."""
        return tuple(contestant.name for contestant in self.contestants)

    @property
    def conditions(self) -> Conditions:
        """How each game is played."""
        return Conditions(
            self.first_state, self.contestants, self.opening_plies, self.seconds_per_move
        )

    @property
    def num_pairings(self) -> int:
        """How many pairs of contestants there are."""
        return len(self.contestants) * (len(self.contestants) - 1) // 2

    def fixtures(self) -> Iterator[Fixture]:
        """All games, in the order in which they are begun."""
        return schedule(len(self.contestants), self.num_games, seed=self.seed)

    def as_json(self) -> dict[str, Any]:
        """What the first line of a file of results says of them."""
        sprt = self.sprt
        return {
            "command": self.command or self.call,
            "game": self.game or self.first_state.game,
            "game_options": dict(self.game_options),
            "first_state": str(self.first_state),
            "contestants": list(self.names),
            "num_games": self.num_games,
            "seed": self.seed,
            "opening_plies": self.opening_plies,
            "seconds_per_move": self.seconds_per_move,
            "sprt": sprt and [sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta],
        }

    @property
    def command(self) -> str:
        """The command that plays the same; empty where there is none, as for a player of one's own.

        Only a game and players that were given by name can be named in a command.
        """
        short_names = [contestant.short_name for contestant in self.contestants]
        if not (self.game and all(short_names)):
            return ""
        words = ["python", "-m", "mctslab", "arena", self.game, *short_names]
        for name, value in self.game_options.items():
            words += ["--game-option", f"{name}={json.dumps(value)}"]
        words += ["--games", str(self.num_games), "--seed", str(self.seed)]
        if self.opening_plies:
            words += ["--opening-plies", str(self.opening_plies)]
        if self.seconds_per_move is not None:
            words += ["--seconds-per-move", f"{self.seconds_per_move:g}"]
        if self.sprt is not None:
            words += ["--sprt", f"{self.sprt.elo0:g}", f"{self.sprt.elo1:g}"]
        return shlex.join(words)

    @property
    def call(self) -> str:
        """The call from Python that plays the same, to be read: functions go by their names."""
        players = [_written(contestant) for contestant in self.contestants]
        options = {
            "num_games": self.num_games,
            "seed": self.seed,
            "game_options": self.game_options,
            "opening_plies": self.opening_plies,
            "seconds_per_move": self.seconds_per_move,
            "sprt": self.sprt,
        }
        words = [repr(self.game) if self.game else f"a position of {self.first_state.game}"]
        words += players if len(players) == 2 else [f"[{', '.join(players)}]"]
        words += [f"{name}={value!r}" for name, value in options.items() if value]
        return f"arena.{'match' if len(players) == 2 else 'round_robin'}({', '.join(words)})"


def _written(contestant: Contestant) -> str:
    """A contestant as it stands in a call: a short name, or its name with how it is made."""
    if contestant.short_name:
        return repr(contestant.short_name)
    make: Any = contestant.make
    name = getattr(getattr(make, "func", make), "__qualname__", type(make).__name__)
    arguments = [repr(value) for value in getattr(make, "args", ())]
    arguments += [f"{name}={value!r}" for name, value in getattr(make, "keywords", {}).items()]
    return f"{contestant.name!r} by {name}({', '.join(arguments)})"


def make_settings(
    game: str | State,
    entries: Sequence[Entry],
    game_options: Mapping[str, Any] | None,
    **others: Any,
) -> Settings:
    """The settings for a game given by name or by its first position.

    Raises:
        ValueError: no such game or player, or a number that makes no sense.
        TypeError: an entry is no contestant.
    """
    if isinstance(game, State):
        if game_options:
            raise ValueError("game_options go with the name of a game, not with a state.")
        name, first_state = "", game
    else:
        name, first_state = game, first_state_of(game, game_options or {})
    settings = Settings(
        first_state,
        contestants(entries),
        game=name,
        game_options=dict(game_options or {}),
        **others,
    )
    # Too long an opening is said now, not by one process or another.
    random_opening(first_state, settings.opening_plies, np.random.default_rng(0))
    return settings


def first_state_of(game: str, options: Mapping[str, Any]) -> State:
    """The position where a game begins, by the name of the game.

    Raises:
        ValueError: there is no such game, or it has no such options.
    """
    try:
        return games.make(game, **options)
    except TypeError as error:
        raise ValueError(f"The game {game!r} cannot have these options: {error}.") from error
