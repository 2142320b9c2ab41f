"""The progress of a tournament, and a line of text with it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TextIO, TypeAlias

from mctslab.arena.match_result import MatchResult
from mctslab.arena.played import Reason
from mctslab.arena.tournament import Tournament
from mctslab.running_line import RunningLine

_BAR_WIDTH: Final = 10


@dataclass(frozen=True, slots=True)
class Standing:
    """The progress of a tournament."""

    make_result: Callable[[], MatchResult | Tournament]
    """Returns the result of the games so far."""
    num_played: int
    num_games: int
    """In all pairings together."""
    seconds: float
    """Since this run began."""
    num_resumed: int
    """Games that were in the file before this run."""
    is_last: bool = False
    """Whether nothing more will come."""

    @property
    def seconds_left(self) -> float | None:
        """An estimate from the games of this run; None before the first."""
        played = self.num_played - self.num_resumed
        if not played:
            return None
        return self.seconds / played * (self.num_games - self.num_played)


Progress: TypeAlias = Callable[[Standing], object]
"""Called after every finished game."""


class TextProgress:
    """Keeps a line with the running score up to date.

    Args:
        stream: where it is written, as in `RunningLine`.
        in_place: whether the line replaces itself, as in `RunningLine`.
    """

    def __init__(self, stream: TextIO | None = None, *, in_place: bool | None = None) -> None:
        self._line = RunningLine(stream, in_place=in_place)

    def __call__(self, standing: Standing) -> None:
        """Write the line, if it is due."""
        self._line.update(lambda: line_of(standing), is_last=standing.is_last)


def line_of(standing: Standing) -> str:
    """A bar, the number of games, the running score, and the time that is left."""
    filled = round(_BAR_WIDTH * standing.num_played / standing.num_games)
    bar = "█" * filled + "░" * (_BAR_WIDTH - filled)
    parts = [f"{bar} {standing.num_played}/{standing.num_games}"]
    if standing.num_played:
        result = standing.make_result()
        parts.append(_running(result))
        if others := sum(game.reason is not Reason.RULES for game in result.games):
            parts.append(f"{others} not by the rules")
    left = standing.seconds_left
    if left is not None and not standing.is_last:
        parts.append(f"{int(left) // 60}:{int(left) % 60:02d} left")
    return "  ".join(parts)


def _running(result: MatchResult | Tournament) -> str:
    if isinstance(result, MatchResult):
        rate = result.score.rate
        words = f"{result.score}  score {rate.value:.3f} ({rate.low:.3f} to {rate.high:.3f})"
        if result.sprt is not None:
            words += f"  LLR {result.log_likelihood_ratio:+.2f}"
        return words
    (name, elo), *_ = result.ratings().ranking()
    return f"{name} leads with Elo {elo.value:+.0f}"
