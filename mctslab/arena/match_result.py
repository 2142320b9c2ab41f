"""What came of a match between two players."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape

from mctslab.arena.clock import Clock, clock_of
from mctslab.arena.forfeits import forfeits_in_words, losses_by
from mctslab.arena.played import PlayedGame, PlayedMove, Reason
from mctslab.arena.sprt import SPRT, Decision
from mctslab.games.state import State
from mctslab.score import Estimate, Score


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The games of two players, seen by the first of them.

    In a sequential test the games after the decision don't count and are left out; its score is
    then somewhat too extreme, because it was a streak that ended the test.
    """

    names: tuple[str, str]
    games: tuple[PlayedGame, ...]
    """In order of their numbers."""
    num_games: int
    """How many were to be played; a sequential test, or a stop, may have left it at fewer."""
    first_state: State
    sprt: SPRT | None = None

    @property
    def is_complete(self) -> bool:
        """Whether there is nothing left to play."""
        return len(self.games) >= self.num_games or self.decision is not None

    # How strong

    @property
    def score(self) -> Score:
        """Wins, draws and losses of the first player; its `rate` and `elo` have intervals."""
        return _score(self.games, self.names[0])

    @property
    def elo(self) -> Estimate:
        """How far the first player is rated above the second."""
        return self.score.elo

    def score_as(self, player: int) -> Score:
        """The first player's score in the games in which it was player 0, or player 1."""
        name = self.names[0]
        return _score((game for game in self.games if game.players[player] == name), name)

    @property
    def pair_counts(self) -> tuple[int, int, int, int, int]:
        """How many pairs of games gave the first player 0, 1/2, 1, 3/2 and 2 points.

        A pair is two games from one opening with colours swapped; one of which only one game is
        there doesn't count.
        """
        return pair_counts(self.games, self.names[0])

    @property
    def log_likelihood_ratio(self) -> float:
        """Of the sequential test; 0 without one."""
        return self.sprt.log_likelihood_ratio(self.pair_counts) if self.sprt else 0.0

    @property
    def decision(self) -> Decision | None:
        """What the sequential test has decided; None where there is none, or not yet."""
        return self.sprt.decide(self.pair_counts) if self.sprt else None

    def running_score(self) -> tuple[Estimate, ...]:
        """The score, from 0 to 1, after each game, to be drawn.

        Each interval is right by itself, for someone who looks once.
        """
        rates, score = [], Score()
        for game in self.games:
            score += _score([game], self.names[0])
            rates.append(score.rate)
        return tuple(rates)

    # How it was played

    def clock(self, name: str) -> Clock:
        """The time that the player called `name` has used."""
        return clock_of(self.games, name)

    def num_choices(self, name: str) -> int:
        """How many moves of the player called `name` were not forced; openings by lot don't count.

        A forced move costs next to no time, so what a player takes where it does think is its
        `clock` divided by this.
        """
        return sum(
            state.current_player == game.players.index(name) and len(state.legal_actions()) > 1
            for game in self.games
            for state in game.states(self.first_state)[game.opening_plies : len(game.actions)]
        )

    def losses_by(self, name: str) -> Counter[Reason]:
        """How the player called `name` has lost its games."""
        return losses_by(self.games, name)

    @property
    def num_different_games(self) -> int:
        """How many games have a course of their own.

        Players without chance repeat themselves, and the intervals, which take every game for a
        new one, are too narrow. In a small game good players repeat a game by chance as well, which
        does no harm.
        """
        return len({(game.players, game.actions) for game in self.games})

    def states(self, number: int) -> list[State]:
        """All positions of a game, to be looked at one by one.

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

    # What there is to see

    def lines(self) -> Iterator[str]:
        """The result in words, a line for each thing there is to say."""
        first, second = self.names
        score = self.score
        number = f"{len(self.games)}"
        if not self.is_complete:
            number += f" of {self.num_games}"
        yield f"{first} against {second}, {self.first_state.title}, {number} games"
        yield f"won {score.wins}, drawn {score.draws}, lost {score.losses}"
        yield f"score {_in_words(score.rate, '.3f')}"
        yield f"Elo {_in_words(score.elo, '+.0f')}"
        halves = [
            f"{as_player.rate.value:.3f} as {self.first_state.player_names[player]}"
            for player in (0, 1)
            if (as_player := self.score_as(player)).num_games
        ]
        if halves:
            yield f"score {', '.join(halves)}"
        yield from self._lines_of_test()
        for name in self.names:
            yield f"{name}: {self.clock(name)}"
        yield from self.warnings()

    def _lines_of_test(self) -> Iterator[str]:
        if self.sprt is None:
            return
        low, high = self.sprt.bounds
        state = f"log likelihood ratio {self.log_likelihood_ratio:.2f} in {low:.2f} to {high:.2f}"
        elo = {Decision.H0: self.sprt.elo0, Decision.H1: self.sprt.elo1}
        if self.decision is None:
            yield f"sequential test of Elo {self.sprt.elo0:+g} and {self.sprt.elo1:+g}: {state}"
        else:
            yield f"sequential test: Elo {elo[self.decision]:+g} is accepted; {state}"

    def warnings(self) -> Iterator[str]:
        """What makes the result doubtful, a line each: losses not by the rules, games repeated."""
        yield from forfeits_in_words(self.games, self.names)
        different = self.num_different_games
        if self.games and different <= len(self.games) / 2:
            yield (
                f"only {different} of the games are different; if the players play without chance, "
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


def pair_counts(games: tuple[PlayedGame, ...], name: str) -> tuple[int, int, int, int, int]:
    """How many pairs of `games` gave the player called `name` 0, 1/2, 1, 3/2 and 2 points."""
    pairs: dict[int, list[float]] = {}
    for game in games:
        pairs.setdefault(game.number // 2, []).append(game.points(name))
    counts = [0] * 5
    for points in pairs.values():
        if len(points) == 2:
            counts[round(2 * sum(points))] += 1
    return (counts[0], counts[1], counts[2], counts[3], counts[4])


def _score(games: Iterable[PlayedGame], name: str) -> Score:
    points = Counter(game.points(name) for game in games)
    return Score(points[1.0], points[0.5], points[0.0])


def _in_words(estimate: Estimate, how: str) -> str:
    value, low, high = (
        f"{number:{how}}" for number in (estimate.value, estimate.low, estimate.high)
    )
    return f"{value}, 95 % interval {low} to {high}"
