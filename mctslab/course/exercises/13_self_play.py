"""Notebook 13, self-play: the targets of a game, and the promotion gate."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from mctslab.course.checking.cases import Case
from mctslab.course.exercise import exercise
from mctslab.course.valued_games import game_in_words, line_of_play
from mctslab.games.state import State

# self_play_targets

Visits: TypeAlias = Mapping[int, int]


def _targets_variation(rng: np.random.Generator) -> Case:
    players = [int(player) for player in rng.integers(0, 2, rng.integers(1, 20))]
    counts = [{0: int(n), 1: int(rng.integers(1, 20))} for n in rng.integers(0, 20, len(players))]
    winner, visits = (0, 1, None)[rng.integers(3)], counts

    def arguments() -> tuple[list[State], list[dict[int, int]]]:
        return line_of_play(players, winner), [dict(each) for each in visits]

    shown = f"self_play_targets(positions, visits), where {game_in_words(players, winner)}; "
    shown += f"visits = {[dict(each) for each in visits]}"
    return Case(arguments, shown=shown)


@exercise(variation=_targets_variation)
def self_play_targets(
    positions: Sequence[State], visits: Sequence[Mapping[int, int]]
) -> list[tuple[dict[int, float], float]]:
    """The targets of a finished game: (policy, value) for each position but the last.

    `visits` holds for each of these the visits of its moves, by action. The policy is their shares
    of all visits, by action; the value is the result of the game for the player to move.
    """
    returns = positions[-1].returns()
    targets = []
    for state, counts in zip(positions, visits, strict=False):
        total = sum(counts.values())
        policy = {action: count / total for action, count in counts.items()}
        targets.append((policy, returns[state.current_player]))
    return targets


# promotion_gate

Play: TypeAlias = Callable[[str, str], float]


class Scripted:
    """A match whose results are known: the points of the player who moves first, game by game."""

    def __init__(self, candidate_first: Sequence[float], champion_first: Sequence[float]) -> None:
        self._points = {"candidate": list(candidate_first), "champion": list(champion_first)}
        self.num_played = {"candidate": 0, "champion": 0}

    def __call__(self, first: str, second: str) -> float:
        """Play a game; after the last result, the results start again from the beginning."""
        if {first, second} != {"candidate", "champion"}:
            raise ValueError(f"play({first!r}, {second!r}): the candidate plays the champion")
        points = self._points[first]
        number = self.num_played[first]
        self.num_played[first] += 1
        return points[number % len(points)]


def _gate_case(
    candidate_first: Sequence[float], champion_first: Sequence[float], threshold: float
) -> Case:
    number = 2 * len(candidate_first)

    def arguments() -> tuple[str, str, Scripted, int, float]:
        played = Scripted(candidate_first, champion_first)
        return "champion", "candidate", played, number, threshold

    def use(function: Callable[..., Any], *arguments: Any) -> dict[str, object]:
        who = function(*arguments)
        num_played = arguments[2].num_played
        return {
            "who goes on playing": who,
            "games with the candidate moving first": num_played["candidate"],
            "games with the champion moving first": num_played["champion"],
        }

    shown = (
        f"promotion_gate('champion', 'candidate', play, {number}, {threshold}), where the "
        f"candidate moving first gets {_points(candidate_first)}, and the champion moving first "
        f"gets {_points(champion_first)}"
    )
    return Case(arguments, shown=shown, use=use)


def _points(points: Sequence[float]) -> str:
    return " + ".join(f"{each:g}" for each in points)


def _gate_cases() -> list[Case]:
    return [
        _gate_case((1, 1), (0, 0), 0.55),
        _gate_case((1, 1, 1, 1, 0), (1, 1, 0.5, 1, 0), 0.55),
        _gate_case((1,) * 6 + (0,) * 5, (0,) * 6 + (1,) * 5, 0.55),
    ]


def _gate_variation(rng: np.random.Generator) -> Case:
    as_first, as_second = rng.choice((0, 0.5, 1), (2, int(rng.integers(1, 20)))).tolist()
    return _gate_case(as_first, as_second, round(float(rng.uniform(0.3, 0.7)), 2) + 0.001)


@exercise(cases=_gate_cases, variation=_gate_variation, points=2)
def promotion_gate(
    champion: str,
    candidate: str,
    play: Callable[[str, str], float],
    num_games: int,
    threshold: float,
) -> str:
    """Who makes the games of self-play from now on: the candidate, or still the champion.

    They play `num_games` games, an even number; each of the two moves first in half of them.
    `play(first, second)` plays one game and returns the points of the first: 1, 0.5 or 0. The
    candidate needs at least the share `threshold` of all points.
    """
    points = 0.0
    for _ in range(num_games // 2):
        points += play(candidate, champion)
        points += 1 - play(champion, candidate)
    return candidate if points / num_games >= threshold else champion
