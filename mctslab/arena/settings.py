"""The settings of a tournament: the game, the players, the games, the seeds.

The seeds of a game follow from the seed of the tournament, the two players, and the number of the
game between them, but not from when or where it is played. So any one game can be played again on
its own, a tournament can be stopped and resumed, and more games can be added at its end.
"""

import functools
import io
import json
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, Final, Literal, TypeAlias

import numpy as np

from mctslab import games, players
from mctslab.arena.game import PlayedGame
from mctslab.games.openings import random_opening
from mctslab.games.state import State
from mctslab.players import Player, PolicyPlayer
from mctslab.typed import Count, Meta, Number, Positive, check, takes

_MAY_DIFFER: Final = frozenset({"command", "num_games"})
"""More games can be added to a tournament; any other change makes it a different one."""

# Who plays


Factory: TypeAlias = Callable[..., Player]
"""Called with `rng=...`, a `numpy.random.Generator`, it makes a player: a class, or
`functools.partial(UCTPlayer, 400, reuse_tree=True)`. To play in several processes it must be
possible to pickle it, which is not so if it is defined in a notebook."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """Takes part in a match under a name; a new player is made for every game."""

    name: str
    make: Factory


Entry: TypeAlias = str | Player | Contestant | Factory | Callable[[State], int]
"""The ways to give a contestant: a short name, a player, a function from a state to an action, a
factory, or a factory with a name."""


def contestants(entries: Sequence[Entry]) -> tuple[Contestant, ...]:
    """The contestants for `entries`, each with a unique name.

    Each makes a player once, so that an error is raised before the first game.

    Raises:
        ValueError: there is no player with such a short name.
        TypeError: an entry is not a contestant, or its factory returned no player.
    """
    made = [_contestant(entry) for entry in entries]
    for place, contestant in enumerate(made):
        earlier = sum(each.name.split(" #")[0] == contestant.name for each in made[:place])
        if earlier:
            made[place] = replace(contestant, name=f"{contestant.name} #{earlier + 1}")
    return tuple(made)


def _contestant(entry: Any) -> Contestant:
    if isinstance(entry, str):
        contestant = Contestant(entry, functools.partial(players.make, entry))
    elif isinstance(entry, Player):
        contestant = Contestant(entry.name, functools.partial(_renewed, _copied(entry)))
    elif takes(entry.make if isinstance(entry, Contestant) else entry, rng=None):
        contestant = entry if isinstance(entry, Contestant) else Contestant("", entry)
    elif takes(entry, None):
        contestant = Contestant("", functools.partial(_by_function, entry))
    else:
        raise TypeError(
            f"{entry!r} is no contestant. Give the short name of a player, such as 'uct:400'; a "
            "player; a function from a state to an action; or a function that takes rng=... and "
            "returns a new player, such as functools.partial(UCTPlayer, 400)."
        )
    player = contestant.make(rng=np.random.default_rng(0))
    if not isinstance(player, Player):
        raise TypeError(
            f"A contestant must make a mctslab.players.Player; {entry!r} made {player!r}."
        )
    if isinstance(entry, str) and player.name != entry:  # it says exactly which player it is
        return _contestant(player.name)
    return contestant if contestant.name else replace(contestant, name=player.name)


def _by_function(choose: Callable[[State], int], *, rng: np.random.Generator) -> Player:
    name = getattr(choose, "__name__", type(choose).__name__)
    return PolicyPlayer(name, lambda state, _: choose(state), rng=rng)


def _copied(player: Player) -> bytes:
    """A player for `_renewed`; its random generators are left out."""
    file = io.BytesIO()
    pickler = pickle.Pickler(file)
    pickler.persistent_id = lambda part: isinstance(part, np.random.Generator) or None  # type: ignore[method-assign]
    try:
        pickler.dump(player)
    except Exception as error:
        raise TypeError(
            f"The player {player.name!r} cannot be copied for each game ({error}). Give a function "
            "that takes rng=... and returns a new player."
        ) from error
    return file.getvalue()


def _renewed(copied: bytes, *, rng: np.random.Generator) -> Player:
    """A copy of a player, with the random numbers of one game."""
    unpickler = pickle.Unpickler(io.BytesIO(copied))
    unpickler.persistent_load = lambda _: rng  # type: ignore[method-assign]
    player: Player = unpickler.load()
    return player


# Which games


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What determines the games of a tournament, as plain data: the first line of its file.

    Raises:
        ValueError: an entry is out of range.
    """

    format: Literal["mctslab.arena"] = "mctslab.arena"
    version: Literal[1] = 1
    command: str = ""
    """How the games were played, in words; empty unless you add some."""
    game: str
    """The name from which `games.make` makes the first position, or that of its class."""
    game_options: dict[str, Any]
    first_state: str
    """The first position, as text."""
    contestants: Annotated[tuple[str, ...], Meta(min_length=2)]
    """Their names, all different."""
    num_games: Count
    """Between any two."""
    seed: Number
    opening_plies: Number = 0
    """The number of random plies before the players take over."""
    seconds_per_move: Positive | None = None
    """Whoever takes longer for one move loses; None for no limit."""

    def __post_init__(self) -> None:
        check(self)

    def unplayed(self, pairing: tuple[int, int], number: int) -> PlayedGame:
        """The game with a number between two contestants, of which nothing is played yet.

        Colours change from game to game.
        """
        one, other = pairing if number % 2 == 0 else pairing[::-1]
        players = self.contestants[one], self.contestants[other]
        return PlayedGame(pairing, number, (), players=players, opening_plies=self.opening_plies)

    def seeds(self, game: PlayedGame) -> tuple[int, int, int]:
        """The seeds of player 0, of player 1, and of the random opening.

        The two games of a pair have the same opening, and so do pairs of the same number in all
        pairings, which are then compared fairly.
        """
        for_players = np.random.SeedSequence(self.seed, spawn_key=(1, *game.pairing, game.number))
        for_opening = np.random.SeedSequence(self.seed, spawn_key=(0, game.number // 2))
        first, second = for_players.generate_state(2, np.uint64).tolist()
        (opening,) = for_opening.generate_state(1, np.uint64).tolist()
        return first, second, opening

    def games(self) -> Iterator[PlayedGame]:
        """All games, in the order in which they are begun: pair of games by pair.

        At any time, all pairings have about the same number of finished games.
        """
        for number in range(0, self.num_games, 2):
            for second in range(1, len(self.contestants)):
                for first in range(second):
                    for game in range(number, min(number + 2, self.num_games)):
                        yield self.unplayed((first, second), game)

    def difference(self, other: "Settings") -> str:
        """The name of an entry that makes the other one a different tournament; empty if none
        does."""
        names = (each.name for each in fields(self) if each.name not in _MAY_DIFFER)
        return next((name for name in names if getattr(self, name) != getattr(other, name)), "")


@dataclass(frozen=True, slots=True)
class Setup:
    """A tournament that can be played."""

    settings: Settings
    first_state: State
    contestants: tuple[Contestant, ...]


def make_setup(
    game: str | State,
    entries: Sequence[Entry],
    game_options: Mapping[str, Any] | None = None,
    **others: Any,
) -> Setup:
    """The tournament of a game given by name or by its first position.

    Args:
        game: a name for `games.make`, or the position where every game begins.
        entries: the contestants.
        game_options: for `games.make`.
        others: further entries of `Settings`.

    Raises:
        ValueError: there is no such game or player, or a number is out of range.
        TypeError: an entry is not a contestant.
    """
    if game_options and isinstance(game, State):
        raise ValueError("game_options go with the name of a game, not with a state.")
    options = json.loads(json.dumps(dict(game_options or {})))  # tuples become lists
    first_state = game if isinstance(game, State) else games.make(game, **options)
    players = contestants(entries)
    settings = Settings(
        game=first_state.game if isinstance(game, State) else game,
        game_options=options,
        first_state=str(first_state),
        contestants=tuple(player.name for player in players),
        **others,
    )
    # An opening that is too long is an error now, not in the middle of the games.
    random_opening(first_state, settings.opening_plies, np.random.default_rng(0))
    return Setup(settings, first_state, players)
