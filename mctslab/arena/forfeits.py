"""Games that were not lost by the rules: who lost how many, and why."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from mctslab.arena.played import PlayedGame, Reason

REASONS: Final[Mapping[Reason, str]] = {
    Reason.TIME: "time",
    Reason.ILLEGAL: "an illegal move",
    Reason.EXCEPTION: "an exception",
    Reason.CRASH: "ending the process",
}
"""How they are called, after "lost by"."""


def losses_by(games: Iterable[PlayedGame], name: str) -> Counter[Reason]:
    """How the player called `name` has lost games."""
    return Counter(game.reason for game in games if name in game.players and game.points(name) == 0)


def forfeits_in_words(games: Sequence[PlayedGame], names: Iterable[str]) -> Iterator[str]:
    """A line for each player and reason, with what was said at the first of these losses."""
    for name in names:
        for reason, number in sorted(losses_by(games, name).items()):
            if reason is not Reason.RULES:
                message = next(
                    game.message
                    for game in games
                    if game.reason is reason and name in game.players and game.points(name) == 0
                )
                yield f"{name} lost {number} by {REASONS[reason]}: {message}"
