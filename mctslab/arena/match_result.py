"""The result of a match between two players."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import Final

from mctslab.arena.played import Clock, PlayedGame, PlayedMove, Reason, clock_of
from mctslab.arena.sprt import SPRT, Decision
from mctslab.games.state import State
from mctslab.score import Estimate, Score

_LOST_BY: Final[Mapping[Reason, str]] = {
    Reason.TIME: "time",
    Reason.ILLEGAL: "an illegal move",
    Reason.EXCEPTION: "an exception",
    Reason.CRASH: "ending the process",
}


@dataclass(frozen=True, slots=True)
class Result:
    """The games between several players: the common part of a match and a tournament."""

    names: tuple[str, ...]
    games: tuple[PlayedGame, ...]
    """Pairing by pairing, in order of their numbers."""
    num_games: int
    """The number of games planned between any two; a sequential test, or a stop, leaves fewer."""
    first_state: State

    @property
    def is_complete(self) -> bool:
        """Whether all games have been played."""
        return len(self.games) >= self.num_games * math.comb(len(self.names), 2)

    def clock(self, name: str) -> Clock:
        """The time that the player called `name` has used."""
        return clock_of(self.games, name)

    def losses_by(self, name: str) -> Counter[Reason]:
        """How the player called `name` has lost its games."""
        return Counter(game.reason for game in self.games if game.is_lost_by(name))

    def warnings(self) -> Iterator[str]:
        """Reasons to doubt the result: a line for each player and reason of a loss, such as time.

        The line contains the message of the first of these losses.
        """
        for name in self.names:
            for reason, number in sorted(self.losses_by(name).items()):
                if reason is not Reason.RULES:
                    lost = (game for game in self.games if game.is_lost_by(name))
                    message = next(game.message for game in lost if game.reason is reason)
                    yield f"{name} lost {number} by {_LOST_BY[reason]}: {message}"

    def notes(self) -> Iterator[str]:
        """The time of each player, then the warnings."""
        for name in self.names:
            yield f"{name}: {self.clock(name)}"
        yield from self.warnings()


@dataclass(frozen=True, slots=True, repr=False)
class MatchResult(Result):
    """The games of two players, from the point of view of the first.

    In a sequential test the games after the decision don't count and are left out. Its score is
    somewhat too extreme, because a lucky streak ended the test.
    """

    sprt: SPRT | None = None

    @property
    def is_complete(self) -> bool:
        """Whether all games have been played."""
        return len(self.games) >= self.num_games or self.decision is not None

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

    @property
    def pair_counts(self) -> tuple[int, ...]:
        """How many pairs of games gave the first player 0, 1/2, 1, 3/2 and 2 points.

        A pair is two games from one opening with colours swapped; it counts when both are finished.
        """
        pairs: dict[int, list[float]] = {}
        for game in self.games:
            pairs.setdefault(game.number // 2, []).append(game.points(self.names[0]))
        sums = [sum(points) for points in pairs.values() if len(points) == 2]
        return tuple(sums.count(half_points / 2) for half_points in range(5))

    @property
    def log_likelihood_ratio(self) -> float:
        """Of the sequential test; 0 without one."""
        return self.sprt.log_likelihood_ratio(self.pair_counts) if self.sprt else 0.0

    @property
    def decision(self) -> Decision | None:
        """The decision of the sequential test; None if there is none, or not yet."""
        return self.sprt.decide(self.pair_counts) if self.sprt else None

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
        about is its `clock` divided by this.
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

    def states(self, number: int) -> list[State]:
        """All positions of a game.

        Raises:
            ValueError: there is no game of that number.
        """
        return self._game(number).states(self.first_state)

    def moves(self, number: int) -> tuple[PlayedMove, ...]:
        """The moves of a game with what each cost, for `mctslab.draw.clocks`.

        Raises:
            ValueError: there is no game of that number.
        """
        return self._game(number).moves(self.first_state)

    def _game(self, number: int) -> PlayedGame:
        for game in self.games:
            if game.number == number:
                return game
        raise ValueError(f"There is no game number {number!r} in this match.")

    # As text

    def lines(self) -> Iterator[str]:
        """The result in words."""
        first, second = self.names
        score = self.score
        of_all = "" if self.is_complete else f" of {self.num_games}"
        yield f"{first} against {second}, {self.first_state.title}, {len(self.games)}{of_all} games"
        yield f"won {score.wins}, drawn {score.draws}, lost {score.losses}"
        yield f"score {_in_words(score.rate, '.3f')}"
        yield f"Elo {_in_words(score.elo, '+.0f')}"
        halves = [
            f"{half.rate.value:.3f} as {self.first_state.player_names[player]}"
            for player in (0, 1)
            if (half := self.score_as(player)).num_games
        ]
        if halves:
            yield f"score {', '.join(halves)}"
        if self.sprt is not None:
            low, high = self.sprt.bounds
            ratio = f"log likelihood ratio {self.log_likelihood_ratio:.2f}"
            elo = {Decision.H0: self.sprt.elo0, Decision.H1: self.sprt.elo1}
            test = (
                f" of Elo {self.sprt.elo0:+g} and {self.sprt.elo1:+g}:"
                if self.decision is None
                else f": Elo {elo[self.decision]:+g} is accepted;"
            )
            yield f"sequential test{test} {ratio} in {low:.2f} to {high:.2f}"
        yield from self.notes()

    def warnings(self) -> Iterator[str]:
        """Reasons to doubt the result: losses not by the rules, and games that were repeated."""
        yield from Result.warnings(self)
        different = self.num_different_games
        if self.games and different <= len(self.games) / 2:
            yield (
                f"only {different} of the games are different; if the players are deterministic, "
                "the intervals are too narrow, and opening_plies can help"
            )

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        first, second = self.names
        return f"<MatchResult: {first} against {second}, {self.score}>"

    def _repr_html_(self) -> str:
        head, *rest = map(escape, self.lines())
        return f"<div><strong>{head}</strong><br>{'<br>'.join(rest)}</div>"


def _score(games: Iterable[PlayedGame], name: str) -> Score:
    points = Counter(game.points(name) for game in games)
    return Score(points[1.0], points[0.5], points[0.0])


def _in_words(estimate: Estimate, how: str) -> str:
    value, low, high = (f"{number:{how}}" for number in estimate)
    return f"{value}, 95% interval {low} to {high}"
