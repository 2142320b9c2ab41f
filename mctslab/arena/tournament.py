"""The result of a tournament in which every player meets every other, and its table."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from mctslab.arena.match_result import MatchResult, Result
from mctslab.arena.ratings import Ratings, bradley_terry
from mctslab.score import Estimate, Score


@dataclass(frozen=True, slots=True)
class CrossTable:
    """The score of each player against each other, as text and as HTML."""

    names: tuple[str, ...]
    scores: tuple[tuple[Score, ...], ...]
    """[players, players]: the score of each row's player against each column's."""
    elo: tuple[Estimate, ...]

    @property
    def order(self) -> tuple[int, ...]:
        """The indices of the players, the highest rated first."""
        return tuple(sorted(range(len(self.names)), key=lambda place: -self.elo[place].value))

    @property
    def ranked_names(self) -> tuple[str, ...]:
        """The names in that order."""
        return tuple(self.names[place] for place in self.order)

    @property
    def rates(self) -> tuple[tuple[float | None, ...], ...]:
        """[players, players], in that order: the score from 0 to 1; None without a game."""
        scores = [[self.scores[row][column] for column in self.order] for row in self.order]
        return tuple(
            tuple(score.rate.value if score.num_games else None for score in row) for row in scores
        )

    def head(self) -> tuple[str, ...]:
        """The heads of the columns."""
        numbers = (str(rank) for rank in range(1, len(self.names) + 1))
        return ("", "player", *numbers, "points", "games", "score", "Elo", "95% interval")

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Rank, name, score against each of the others, points, games, score, rating."""
        for rank, (place, rates) in enumerate(zip(self.order, self.rates, strict=True), start=1):
            total = sum(self.scores[place], Score())
            elo = self.elo[place]
            yield (
                str(rank),
                self.names[place],
                *("-" if rate is None else f"{rate:.2f}" for rate in rates),
                f"{total.points:g}",
                str(total.num_games),
                f"{total.rate.value:.3f}" if total.num_games else "",
                f"{elo.value:+.0f}",
                f"{elo.low:+.0f} to {elo.high:+.0f}",
            )

    def __str__(self) -> str:
        lines = [self.head(), *self.rows()]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(
                f"{cell:<{width}}" if place == 1 else f"{cell:>{width}}"
                for place, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in lines
        )

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in self.head())
        body = ""
        for rank, name, *cells in self.rows():
            player = f'<th scope="row" style="text-align:left">{escape(name)}</th>'
            rest = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
            body += f"<tr><td>{rank}</td>{player}{rest}</tr>"
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


@dataclass(frozen=True, slots=True, repr=False)
class Tournament(Result):
    """The games of a round robin."""

    def between(self, first: str, second: str) -> MatchResult:
        """The games of two players, from the point of view of the first.

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
        """[players, players]: the score of each row's player against each column's."""
        table = {(first, second): Score() for first in self.names for second in self.names}
        for game in self.games:
            for name, opponent in (game.players, game.players[::-1]):
                points = game.points(name)
                table[name, opponent] += Score(points == 1, points == 0.5, points == 0)
        return tuple(tuple(table[row, column] for column in self.names) for row in self.names)

    def ratings(self, *, zero: str | None = None) -> Ratings:
        """The Elo ratings of all players, with intervals.

        Args:
            zero: the player who is rated 0; without it, the mean of all.
        """
        points = [[score.points for score in row] for row in self.scores()]
        return bradley_terry(self.names, points, zero=zero)

    def cross_table(self) -> CrossTable:
        """The score of each player against each other, the highest rated first."""
        return CrossTable(self.names, self.scores(), self.ratings().elo)

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
