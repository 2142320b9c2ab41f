"""Who takes part: a name, and a way to make the player anew for each game."""

import functools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

import numpy as np

from mctslab import players
from mctslab.players import Player


class Factory(Protocol):
    """Makes a player whose chance comes from `rng`.

    A class does, or `functools.partial(UCTPlayer, 400, reuse_tree=True)`. To play in several
    processes it must be possible to pickle it: what is defined in a notebook is not.
    """

    def __call__(self, *, rng: np.random.Generator) -> Player:
        """A new player."""
        ...


@dataclass(frozen=True, slots=True)
class Contestant:
    """Takes part in a match under a name; a new player is made for every game."""

    name: str
    make: Factory
    short_name: str = ""
    """By which `players.make` makes this player; empty for a factory."""


Entry: TypeAlias = str | Contestant | Factory
"""How a contestant is given: a short name, a factory, or a factory with a name."""


def contestants(entries: Sequence[Entry]) -> tuple[Contestant, ...]:
    """The contestants that `entries` stand for, each with a name of its own.

    Each makes a player once, so that what is wrong with it is said before the first game.

    Raises:
        ValueError: there is no player with such a short name.
        TypeError: an entry is none, or its factory gave no player.
    """
    entered = [_contestant(entry) for entry in entries]
    seen: Counter[str] = Counter()
    unique = []
    for contestant in entered:
        seen[contestant.name] += 1
        number = seen[contestant.name]
        name = contestant.name if number == 1 else f"{contestant.name} #{number}"
        unique.append(replace(contestant, name=name))
    return tuple(unique)


def _contestant(entry: Entry) -> Contestant:
    if isinstance(entry, str):
        contestant = Contestant(entry, functools.partial(players.make, entry), short_name=entry)
    elif isinstance(entry, Contestant):
        contestant = entry
    elif callable(entry):
        contestant = Contestant("", entry)
    else:
        raise TypeError(
            f"{entry!r} is no contestant: give a short name such as 'uct:400', or a function that "
            "takes rng=... and makes a player."
        )
    player = contestant.make(rng=np.random.default_rng(0))
    if not isinstance(player, Player):
        raise TypeError(
            f"A contestant has to make a mctslab.players.Player; {entry!r} made {player!r}."
        )
    return contestant if contestant.name else replace(contestant, name=player.name)
