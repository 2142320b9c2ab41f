"""The results of a match between two players, and of a tournament of several."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass
from html import escape
from typing import Final, NamedTuple

from mctslab.arena.game import Cost, PlayedGame, Reason
from mctslab.arena.ratings import Ratings, bradley_terry
from mctslab.arena.settings import Settings
from mctslab.boards.elements import signed
from mctslab.games.state import State
from mctslab.score import Estimate, Score


def result_of(
    settings: Settings, games: Iterable[PlayedGame], first_state: State
) -> "MatchResult | Tournament":
    """The result of these games, in any order: of a match if there are two players."""
    in_order = tuple(sorted(games, key=lambda game: (game.pairing, game.number)))
    kind = MatchResult if len(settings.contestants) == 2 else Tournament
    return kind(settings.contestants, in_order, settings.num_games, first_state)


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """The games between several players: the common part of a match and a tournament."""

    names: tuple[str, ...]
    games: tuple[PlayedGame, ...]
    """Pairing by pairing, in order of their numbers."""
    num_games: int
    """The number of games planned between any two; when it is stopped, there are fewer."""
    first_state: State

    @property
    def total_games(self) -> int:
        """The number of games planned in all pairings together."""
        return self.num_games * math.comb(len(self.names), 2)

    @property
    def is_complete(self) -> bool:
        """Whether all games have been played."""
        return len(self.games) >= self.total_games

    def cost(self, name: str) -> Cost:
        """The time and work of the player called `name`."""
        own = (game for game in self.games if name in game.players)
        costs = [astuple(game.cost(game.players.index(name))) for game in own]
        return Cost(*map(sum, zip(*costs, strict=True)))

    def warnings(self) -> Iterator[str]:
        """Reasons to doubt the result: a line for each player and reason of a loss, such as time.

        The line contains the message of the first of these losses.
        """
        for name in self.names:
            own = [game for game in self.games if name in game.players]
            for reason in (each for each in Reason if each is not Reason.RULES):
                lost = [game for game in own if game.reason is reason and not game.points(name)]
                if lost:
                    yield f"{name} lost {len(lost)} by {reason}: {lost[0].message}"

    def lines(self) -> Iterator[str]:
        """The result in words."""
        for name in self.names:
            yield f"{name}: {self.cost(name)}"
        yield from self.warnings()

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        return f"<pre>{escape(repr(self))}</pre>"


@dataclass(frozen=True, slots=True, repr=False)
class MatchResult(Result):
    """The games of two players, from the point of view of the first."""

    # How strong

    @property
    def score(self) -> Score:
        """Wins, draws and losses of the first player; its `rate` and `elo` have intervals."""
        return _score(self.games, self.names[0])

    @property
    def elo(self) -> Estimate:
        """The first player's rating above the second's."""
        return self.score.elo

    def score_as(self, player: int) -> Score:
        """The first player's score in the games in which it was player 0, or player 1."""
        name = self.names[0]
        return _score((game for game in self.games if game.players[player] == name), name)

    def running_score(self) -> tuple[Estimate, ...]:
        """The score, from 0 to 1, after each game.

        Each interval is right only for a single look at the match.
        """
        rates, score = [], Score()
        for game in self.games:
            score += _score([game], self.names[0])
            rates.append(score.rate)
        return tuple(rates)

    # How it was played

    def num_choices(self, name: str) -> int:
        """How many moves of the player called `name` were neither forced nor in the opening.

        A forced move takes almost no time, so the time that a player takes for a move it thinks
        about is that of its `cost` divided by this.
        """
        return sum(
            state.current_player == game.players.index(name) and len(state.legal_actions()) > 1
            for game in self.games
            for state in game.states(self.first_state)[game.opening_plies : len(game.actions)]
        )

    @property
    def num_different_games(self) -> int:
        """The number of different games.

        Deterministic players repeat their games, and the intervals, which assume that every game is
        new, are too narrow. In a small game good players can also repeat a game by chance, which
        does no harm.
        """
        return len({(game.players, game.actions) for game in self.games})

    # As text

    def lines(self) -> Iterator[str]:
        """The result in words."""
        first, second = self.names
        score = self.score
        of_all = "" if self.is_complete else f" of {self.num_games}"
        yield f"{first} against {second}, {self.first_state.title}, {len(self.games)}{of_all} games"
        yield f"won {score.wins}, drawn {score.draws}, lost {score.losses}"
        yield f"score {_in_words(score.rate, _rate)}"
        yield f"Elo {_in_words(score.elo, elo_text)}"
        for player, name in enumerate(self.first_state.player_names):
            if (half := self.score_as(player)).num_games:
                yield f"score as {name} {_in_words(half.rate, _rate)}"
        yield from Result.lines(self)

    def warnings(self) -> Iterator[str]:
        """Reasons to doubt the result: losses not by the rules, and games that were repeated."""
        yield from Result.warnings(self)
        different = self.num_different_games
        if self.games and different <= len(self.games) / 2:
            yield (
                f"only {different} of the games are different; if the players are deterministic, "
                "the intervals are too narrow, and opening_plies can help"
            )


def _score(games: Iterable[PlayedGame], name: str) -> Score:
    points = Counter(game.points(name) for game in games)
    return Score(points[1.0], points[0.5], points[0.0])


_rate: Final = "{:.3f}".format


def elo_text(number: float) -> str:
    """An Elo rating or difference in whole points, with its sign.

    >>> elo_text(190.8), elo_text(-0.2)
    ('+191', '0')
    """
    return signed(number, ".0f")


def _in_words(estimate: Estimate, written: Callable[[float], str]) -> str:
    value, low, high = map(written, estimate)
    return f"{value}, 95% interval {low} to {high}"


@dataclass(frozen=True, slots=True, repr=False)
class Tournament(Result):
    """The games of a round robin."""

    def between(self, first: str, second: str) -> MatchResult:
        """The games of two players, from the point of view of the first.

        Raises:
            ValueError: there is no such player, or both are the same.
        """
        if first == second or not {first, second} <= {*self.names}:
            raise ValueError(f"{first!r} and {second!r} are not two of {', '.join(self.names)}.")
        games = self._games_of(first, second)
        return MatchResult((first, second), games, self.num_games, self.first_state)

    def _games_of(self, *pair: str) -> tuple[PlayedGame, ...]:
        return tuple(game for game in self.games if set(pair) == set(game.players))

    def scores(self) -> tuple[tuple[Score, ...], ...]:
        """[players, players]: the score of each row's player against each column's."""
        return tuple(
            tuple(_score(self._games_of(row, column), row) for column in self.names)
            for row in self.names
        )

    def ratings(self, *, zero: str | None = None) -> Ratings:
        """The Elo ratings of all players, with intervals.

        Args:
            zero: the player who is rated 0; without it, the mean of all.
        """
        points = [[score.points for score in row] for row in self.scores()]
        return bradley_terry(self.names, points, zero=zero)

    def cross_table(self) -> "CrossTable":
        """The score of each player against each other, the highest rated first."""
        ranking = self.ratings().ranking()
        places = [self.names.index(name) for name, _ in ranking]
        scores = self.scores()
        rates = tuple(
            tuple(
                score.rate.value if score.num_games else None
                for score in (scores[row][column] for column in places)
            )
            for row in places
        )
        return CrossTable(tuple(name for name, _ in ranking), rates, tuple(e for _, e in ranking))

    def lines(self) -> Iterator[str]:
        """The result in words."""
        done = "" if self.is_complete else ", not finished"
        title = self.first_state.title
        yield f"{len(self.names)} players, {title}, {len(self.games)} games{done}"
        yield str(self.cross_table())
        yield from Result.lines(self)


class CrossTable(NamedTuple):
    """The players of a tournament, the highest rated first, with the scores between them."""

    ranked_names: tuple[str, ...]
    rates: tuple[tuple[float | None, ...], ...]
    """[players, players]: the score of each row's player against each column's, from 0 to 1; None
    without a game."""
    elo: tuple[Estimate, ...]

    def __str__(self) -> str:
        """A line for each player: rank, name, score against each of the others, rating."""
        width = max(map(len, self.ranked_names))
        ranks = range(1, len(self.ranked_names) + 1)
        lines = [f"    {'player':{width}}  {''.join(f'{rank:>6}' for rank in ranks)}     Elo"]
        for rank, name, rates, elo in zip(ranks, *self, strict=True):
            cells = "".join("     -" if rate is None else f"{rate:6.2f}" for rate in rates)
            value, low, high = map(elo_text, elo)
            lines.append(f"{rank:2}  {name:{width}}  {cells}  {value:>6}  ({low} to {high})")
        return "\n".join(lines)
