"""The ladder: the student's own player, as strong as what has been written so far makes it.

At the end of most notebooks `climb` lets it play a short match. Every rung of the ladder is such a
match, and its height is the player's rating above random play of the same game.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from html import escape
from importlib import resources
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from mctslab.course.experiments import budget
from mctslab.course.keeping import progress
from mctslab.course.keeping.parts import find
from mctslab.course.keeping.progress import Rung
from mctslab.games.state import State

if TYPE_CHECKING:
    from mctslab.arena import Estimate
    from mctslab.draw.curves import Chart

OPPONENTS: Final = ("random", "uct:50", "uct:400")
MANY_MOVES: Final = 40
OPPONENTS_OF_MANY_MOVES: Final = ("random", "uct:200", "uct:1600")
"""In games whose first position has more legal actions: a search tries every one of them once."""

_NUM_GAMES: Final = 40
_NUM_LONG_GAMES: Final = 20
_LARGE_BOARD: Final = 60
"""On a board with this many squares a game is long, and a match should take at most a minute."""

Choose = Callable[[State, np.random.Generator], int]
"""A player: from a position and the source of all random numbers to a legal action."""


def climb(
    notebook: str,
    name: str,
    choose: Choose,
    *,
    parts: Sequence[str],
    game: str | State = "connect_four",
) -> "Ladder":
    """Let a player play against three opponents for about a minute, and show the ladder.

    It plays forty games against each of them, or twenty on a large board. The match is kept with
    the student's progress, instead of an earlier one of this notebook. If no part of the player is
    the student's, nothing is played: the ladder shows the match of the package's own functions.

    Args:
        notebook: the number of the notebook, such as `"04"`.
        name: what the player is, in a few words.
        choose: the player. One that keeps a tree must begin a new one when a new game begins.
        parts: the exercises whose functions it is made of. If all of them are the student's, the
            rung is filled, otherwise it is hollow.
        game: a name for `games.make`, or the first position.

    Raises:
        ValueError: there is no such game.
        AttributeError: there is no such exercise.
        IllegalActionError: the player's first move is not legal.
        KeyboardInterrupt: the match was stopped; nothing was kept.
        Exception: whatever the player raises at its first move.
    """
    from mctslab import games  # takes a while to load

    __tracebackhide__ = True  # where a match was stopped or fails, Jupyter leaves this part out
    own = [part for part in parts if find(part).source]
    if parts and not own and notebook in stored().rungs:
        print(_NOTHING_OWN)
        borrowed = {notebook: replace(stored().rungs[notebook], own=[], lent=list(parts))}
        return Ladder(progress.load().rungs | borrowed, notebook)
    first_state = games.make(game) if isinstance(game, str) else game
    points, num_games = _play(first_state, name, choose, seed=int(notebook))
    rung = Rung(
        name=name,
        game=_name_of(first_state),
        own=own,
        lent=[part for part in parts if part not in own],
        points=points,
        num_games=num_games,
    )
    for remark in progress.change(lambda content: content.rungs.update({notebook: rung})):
        print(remark)
    return ladder(notebook)


def _play(
    first_state: State, name: str, choose: Choose, *, seed: int
) -> tuple[dict[str, float], int]:
    """The player's points against each opponent, and the number of games against each of them."""
    from mctslab import arena, players  # take a while to load

    board, num_moves = first_state.board(), len(first_state.legal_actions())
    is_long = board.rows * board.cols >= _LARGE_BOARD
    num_games = budget(_NUM_LONG_GAMES if is_long else _NUM_GAMES, quick=2)
    first_state.child(choose(first_state, np.random.default_rng(seed)))  # its errors as they are
    contestant = arena.Contestant(name, partial(players.PolicyPlayer, name, choose))
    points = {}
    for opponent in OPPONENTS_OF_MANY_MOVES if num_moves > MANY_MOVES else OPPONENTS:
        print(f"{name} against {opponent}:")
        match = arena.match(
            first_state,
            contestant,
            opponent,
            num_games=num_games,
            seed=seed,
            progress=arena.TextProgress(),
        )
        if not match.is_complete:  # the arena ends a match at Ctrl-C
            raise KeyboardInterrupt("The match was stopped, so this rung was not kept.")
        for warning in match.warnings():
            print(warning)
        points[opponent] = float(sum(each.points(name) for each in match.games))
    return points, num_games


def _name_of(first_state: State) -> str:
    """The title of the game, with the size of the board if it is not the usual one."""
    title, board = first_state.title, first_state.board()
    try:
        is_usual = first_state == type(first_state)()
    except TypeError:  # a game that always needs arguments
        is_usual = False
    return title if is_usual else f"{title} {board.rows} × {board.cols}"


@dataclass(frozen=True, slots=True)
class Stored:
    """What comes with the package."""

    opponents: Mapping[str, Sequence[Sequence[float]]]
    """In some games, the points of each opponent against each other one."""
    rungs: Mapping[str, Rung]
    """The matches of the package's own functions, by the numbers of their notebooks."""


@cache
def stored() -> Stored:
    """The matches that come with the package (`python -m tests.benchmarks.strength` plays them)."""
    text = resources.files("mctslab.course").joinpath("ladder.json").read_bytes()
    return msgspec.json.decode(text, type=Stored)


def rating(rung: Rung) -> "Estimate":
    """The player's Elo rating above random play, with its 95% interval.

    A player that won every game could be stronger still: its rating is a lower bound.
    """
    from mctslab.arena import bradley_terry

    points = np.array([*rung.points.values()])
    table = np.zeros((len(points) + 1, len(points) + 1))
    table[:-1, :-1] = stored().opponents.get(rung.game, 0)
    table[-1, :-1], table[:-1, -1] = points, rung.num_games - points
    ratings = bradley_terry((*rung.points, "own"), table.tolist(), zero="random")
    return ratings.difference("own", "random")


@dataclass(frozen=True, slots=True)
class Ladder:
    """All rungs so far; words when printed, a chart as the last line of a cell."""

    own: Mapping[str, Rung]
    """By the numbers of their notebooks."""
    newest: str | None = None
    """The notebook whose match has just been played."""

    @property
    def chart(self) -> "Chart":
        """Elo over notebooks; a rung that is not climbed yet is a question."""
        from mctslab.draw import rungs  # Matplotlib is large

        all_rungs = dict(sorted({**stored().rungs, **self.own}.items()))
        return rungs.ladder(
            [f"{notebook} {rung.name}" for notebook, rung in all_rungs.items()],
            [rung.game for rung in all_rungs.values()],
            [rating(rung) if each in self.own else None for each, rung in all_rungs.items()],
            [each in self.own and bool(rung.lent) for each, rung in all_rungs.items()],
        )

    def __str__(self) -> str:
        shown = self.own if self.newest is None else {self.newest: self.own[self.newest]}
        lines = [_in_words(rung) + self._beside(notebook) for notebook, rung in shown.items()]
        if len(self.own) == 1:
            lines.append(_FIRST)
        return "\n".join(lines) or _NO_RUNG

    __repr__ = __str__

    def _beside(self, notebook: str) -> str:
        """What to think of a rung that is not above the highest earlier one of the same game."""
        rung = self.own[notebook]
        earlier = {
            each: rating(other)
            for each, other in self.own.items()
            if each < notebook and other.game == rung.game
        }
        if not earlier:
            return ""
        best, elo = max(earlier, key=lambda each: earlier[each].value), rating(rung)
        if elo.value > earlier[best].value:
            return ""
        why = "their intervals overlap, so that can be chance"
        if elo.high < earlier[best].low:
            why = "and by more than chance, so this player is weaker against these opponents"
        return f" It is not above the rung of notebook {best}: {why}."

    def _repr_html_(self) -> str:
        words = "".join(f"<p>{escape(line)}</p>" for line in str(self).splitlines())
        if self.newest or not self.own:
            return words + self.chart.svg
        return f"{self.chart.svg}<details><summary>All rungs in words</summary>{words}</details>"


_NOTHING_OWN: Final = (
    "No function of yours in this player has passed its check, so nothing was played.\n"
    "The rung of this notebook is a match of the package's functions."
)
_NO_RUNG: Final = "You have no rung yet. Each question mark is a player that you will write."
_FIRST: Final = (
    "Elo points measure strength: whoever has 100 more gets about 64 of 100 points. random plays "
    "any legal move; uct:50 and uct:400 are tree searches, as in notebook 06, with 50 and 400 "
    "rollouts for each move."
)


def _in_words(rung: Rung) -> str:
    elo, points = rating(rung), rung.points
    scores = ", ".join(
        f"{each:g} of {rung.num_games} points against {name}" for name, each in points.items()
    )
    words = (
        f"{rung.name} ({rung.game}): {scores}. That is {elo.value:.0f} Elo above random play "
        f"({elo.low:.0f} to {elo.high:.0f})."
    )
    if sum(points.values()) == len(points) * rung.num_games:
        words += " It won every game, so it could be stronger still."
    if rung.lent:
        words += f" The package's own functions in it: {', '.join(rung.lent)}."
    return words


def ladder(newest: str | None = None) -> Ladder:
    """The ladder with all rungs so far."""
    return Ladder(progress.load().rungs, newest)
