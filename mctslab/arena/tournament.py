"""What came of a tournament in which everybody plays everybody."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from mctslab.arena.clock import Clock, clock_of
from mctslab.arena.cross_table import CrossTable
from mctslab.arena.forfeits import forfeits_in_words, losses_by
from mctslab.arena.match_result import MatchResult
from mctslab.arena.played import PlayedGame, Reason
from mctslab.arena.ratings import Ratings, bradley_terry
from mctslab.games.state import State
from mctslab.score import Score


@dataclass(frozen=True, slots=True)
class Tournament:
    """The games of a round robin."""

    names: tuple[str, ...]
    games: tuple[PlayedGame, ...]
    """Pairing by pairing, in order of their numbers."""
    num_games: int
    """How many were to be played between any two."""
    first_state: State

    @property
    def is_complete(self) -> bool:
        """Whether there is nothing left to play."""
        pairings = len(self.names) * (len(self.names) - 1) // 2
        return len(self.games) >= self.num_games * pairings

    def between(self, first: str, second: str) -> MatchResult:
        """The games of two players, seen by the first.

        Raises:
            ValueError: there is no such player, or both are the same.
        """
        for name in (first, second):
            if name not in self.names:
                raise ValueError(f"There is no player {name!r}; there are {', '.join(self.names)}.")
        if first == second:
            raise ValueError(f"{first!r} did not play against itself.")
        games = tuple(game for game in self.games if {first, second} == set(game.players))
        return MatchResult((first, second), games, self.num_games, self.first_state)

    def scores(self) -> tuple[tuple[Score, ...], ...]:
        """[players, players]: what each row's player got against each column's."""
        table = {(first, second): Score() for first in self.names for second in self.names}
        for game in self.games:
            for name, opponent in (game.players, game.players[::-1]):
                points = game.points(name)
                table[name, opponent] += Score(points == 1, points == 0.5, points == 0)
        return tuple(tuple(table[row, column] for column in self.names) for row in self.names)

    def ratings(self, *, zero: str | None = None) -> Ratings:
        """The Elo ratings of all players, with intervals.

        Args:
            zero: who is rated 0; without it, the mean of all.
        """
        points = [[score.points for score in row] for row in self.scores()]
        return bradley_terry(self.names, points, zero=zero)

    def cross_table(self) -> CrossTable:
        """Who scored how much against whom, the highest rated first."""
        return CrossTable(self.names, self.scores(), self.ratings().elo)

    def clock(self, name: str) -> Clock:
        """The time that the player called `name` has used in all its games."""
        return clock_of(self.games, name)

    def losses_by(self, name: str) -> Counter[Reason]:
        """How the player called `name` has lost its games."""
        return losses_by(self.games, name)

    def warnings(self) -> Iterator[str]:
        """Losses that are not by the rules, a line for each player and reason."""
        yield from forfeits_in_words(self.games, self.names)

    def notes(self) -> Iterator[str]:
        """What there is to say beside the table: everybody's time, and what makes it doubtful."""
        for name in self.names:
            yield f"{name}: {self.clock(name)}"
        yield from self.warnings()

    def __str__(self) -> str:
        return "\n".join([self._heading(), str(self.cross_table()), *self.notes()])

    def __repr__(self) -> str:
        return f"<Tournament: {self._heading()}>"

    def _repr_html_(self) -> str:
        notes = "<br>".join(map(escape, self.notes()))
        return f"{self.cross_table()._repr_html_()}<div>{notes}</div>"

    def _heading(self) -> str:
        done = "" if self.is_complete else ", not finished"
        return f"{len(self.names)} players, {self.first_state.title}, {len(self.games)} games{done}"
