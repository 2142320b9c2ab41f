"""The table of a tournament: each row is a player's result against everybody."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from mctslab.score import Estimate, Score


@dataclass(frozen=True, slots=True)
class CrossTable:
    """Who scored how much against whom; prints as text and shows itself in a cell."""

    names: tuple[str, ...]
    scores: tuple[tuple[Score, ...], ...]
    """[players, players]: what each row's player got against each column's."""
    elo: tuple[Estimate, ...]

    @property
    def order(self) -> tuple[int, ...]:
        """The players as they stand in the table, the highest rated first."""
        return tuple(sorted(range(len(self.names)), key=lambda place: -self.elo[place].value))

    @property
    def ranked_names(self) -> tuple[str, ...]:
        """The names in that order."""
        return tuple(self.names[place] for place in self.order)

    @property
    def rates(self) -> tuple[tuple[float | None, ...], ...]:
        """[players, players], in that order: the score from 0 to 1; None where nobody played."""
        scores = [[self.scores[row][column] for column in self.order] for row in self.order]
        return tuple(
            tuple(score.rate.value if score.num_games else None for score in row) for row in scores
        )

    def head(self) -> tuple[str, ...]:
        """What stands above the columns."""
        numbers = (str(rank) for rank in range(1, len(self.names) + 1))
        return ("", "player", *numbers, "points", "games", "score", "Elo", "95 % interval")

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Rank, name, score against each of the others, points, games, score, rating."""
        for rank, place in enumerate(self.order, start=1):
            row = self.scores[place]
            total = sum(row, Score())
            elo = self.elo[place]
            yield (
                str(rank),
                self.names[place],
                *(_against(row[opponent]) for opponent in self.order),
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
        body = "".join(
            "<tr>"
            + "".join(
                f'<th scope="row" style="text-align:left">{escape(cell)}</th>'
                if place == 1
                else f"<td>{escape(cell)}</td>"
                for place, cell in enumerate(row)
            )
            + "</tr>"
            for row in self.rows()
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _against(score: Score) -> str:
    return f"{score.rate.value:.2f}" if score.num_games else "·"
