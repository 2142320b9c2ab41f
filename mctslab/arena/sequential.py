"""Which games of a match a sequential test counts, and whether it has decided.

Pairs of games are taken in the order of their numbers, and none after the decision. So it depends
neither on which game happened to end first, nor on how many processes played.
"""

from collections.abc import Iterable

from mctslab.arena.played import PlayedGame
from mctslab.arena.sprt import SPRT, Decision


class SequentialTest:
    """A test that is told of games in any order.

    Args:
        sprt: the test; with None nothing is ever decided.
        name: whose points are counted.
    """

    def __init__(self, sprt: SPRT | None, name: str) -> None:
        self.decision: Decision | None = None
        self._sprt = sprt
        self._name = name
        self._points: dict[int, float] = {}
        self._num_counted = 0
        self._counts = [0] * 5

    def add(self, game: PlayedGame) -> None:
        """Take a game into account, when its turn has come."""
        if self._sprt is None:
            return
        self._points[game.number] = game.points(self._name)
        while self.decision is None and self._next_pair_is_there():
            points = self._points[self._num_counted] + self._points[self._num_counted + 1]
            self._counts[round(2 * points)] += 1
            self._num_counted += 2
            self.decision = self._sprt.decide(self._counts)

    def counts(self, game: PlayedGame) -> bool:
        """Whether a game belongs to the result: nothing after the decision does."""
        return self.decision is None or game.number < self._num_counted

    def _next_pair_is_there(self) -> bool:
        return {self._num_counted, self._num_counted + 1} <= self._points.keys()


def that_count(games: Iterable[PlayedGame], sprt: SPRT | None, name: str) -> tuple[PlayedGame, ...]:
    """The games of a match up to the decision, in order of their numbers."""
    in_order = sorted(games, key=lambda game: game.number)
    test = SequentialTest(sprt, name)
    for game in in_order:
        test.add(game)
    return tuple(game for game in in_order if test.counts(game))
