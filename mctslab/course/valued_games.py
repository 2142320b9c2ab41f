"""Small games for exercises of minimax and self-play, with given ends and players to move."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from mctslab import games
from mctslab.course.checking.comparing import AtMost
from mctslab.course.question import Case, Function
from mctslab.course.tree_game import Place, TreeGame, drawn, turn_of, ways_to_turns, won_by
from mctslab.games.state import State

Evaluate: TypeAlias = Callable[[State], float]


class Evaluation:
    """Judges positions, by numbers that were written down, and counts how often it was called."""

    def __init__(self, judge: Evaluate) -> None:
        self.count = 0
        self._judge = judge

    def __call__(self, state: State) -> float:
        """What the position is worth to player 0."""
        self.count += 1
        return self._judge(state)


def first(*options: int | Place) -> Place:
    """It is the turn of player 0; a number is an end, worth that much to player 0."""
    return _turn(0, options)


def second(*options: int | Place) -> Place:
    """It is the turn of player 1."""
    return _turn(1, options)


def _turn(player: int, options: Sequence[int | Place]) -> Place:
    places = [
        option if isinstance(option, Place) else Place(1 - player, returns=(option, -option))
        for option in options
    ]
    return turn_of(player, *places)


def turns_at_random(rng: np.random.Generator, depth: int) -> Place:
    """A game of `depth` moves whose ends are worth whole numbers from -9 to 9."""
    if depth == 0:
        return _turn(0, [int(number) for number in rng.integers(-9, 10, rng.integers(1, 4))])
    options = [turns_at_random(rng, depth - 1) for _ in range(rng.integers(1, 4))]
    return _turn(int(rng.integers(2)), options)


def values_at_random(rng: np.random.Generator, place: Place) -> dict[tuple[int, ...], float]:
    """A value for each turn of a game, by the way to it."""
    return {way: int(rng.integers(-9, 10)) for way in ways_to_turns(place)}


def judge_of(values: Mapping[tuple[int, ...], float] = MappingProxyType({})) -> Evaluate:
    """Judges positions for player 0: the end of a game by its returns, a turn by its value or 0."""

    def judge(state: State) -> float:
        assert isinstance(state, TreeGame)
        return state.returns()[0] if state.is_terminal else values.get(state.way, 0)

    return judge


def at_most(made: Case, right: Function, fact: str) -> Case:
    """An input with the facts of a right function, of which one is a count and may be smaller."""
    facts = made.run(right, *made.arguments())
    return replace(made, expected=facts | {fact: AtMost(facts[fact])})


def disc_difference(state: State) -> float:
    """Black's discs less White's."""
    assert isinstance(state, games.Reversi)
    black, white = state.disc_counts()
    return black - white


def line_of_play(players: Sequence[int], winner: int | None) -> list[State]:
    """The positions of a game in which these players moved, one after the other, by action 1."""
    place = drawn() if winner is None else won_by(winner)
    for player in reversed(players):
        place = turn_of(player, drawn(), place)
    positions: list[State] = [TreeGame(place)]
    for _ in players:
        positions.append(positions[-1].child(1))
    return positions


def game_in_words(players: Sequence[int], winner: int | None) -> str:
    """Who moved in such a game, one position after the other, and who has won."""
    moved = f"player {players[0]} moves once"
    if len(players) > 1:
        moved = f"players {', '.join(map(str, players))} move in this order"
    return f"{moved} and {'nobody' if winner is None else f'player {winner}'} wins"
