"""Small games for exercises of minimax and self-play, with given ends and players to move."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final, TypeAlias

import numpy as np

from mctslab import games
from mctslab.course.checking.cases import AtMost, Case, Function, Words
from mctslab.course.tree_game import Place, TreeGame, drawn, named, turn_of, ways_to_turns, won_by
from mctslab.games.state import State
from mctslab.search.evaluators import Evaluation

Evaluate: TypeAlias = Callable[[State], float]


def leftmost(state: State, rng: np.random.Generator) -> int:
    """A player without randomness: the first legal move."""
    return state.legal_actions()[0]


def rightmost(state: State, rng: np.random.Generator) -> int:
    """Another one: the last legal move."""
    return state.legal_actions()[-1]


class Counted:
    """Judges positions, by numbers that were written down, and counts how often it was called."""

    def __init__(self, judge: Evaluate) -> None:
        self.count = 0
        self._judge = judge

    def __call__(self, state: State) -> float:
        """What the position is worth to player 0."""
        self.count += 1
        return self._judge(state)


class Judge:
    """Stands for a net: its answers depend on the number of moves only; it notes its batches.

    The value for player 0 is 0.75, 0.5 or -0.25 where there are one, two or three moves, and the
    priors are as 2 : 1 of two and as 2 : 3 : 1 of three.
    """

    def __init__(self) -> None:
        self.batches: list[tuple[Words, ...]] = []

    def __call__(self, states: Sequence[State]) -> Evaluation:
        """Values and priors of the positions.

        Raises:
            ValueError: there are none.
        """
        states = list(states)
        if not states:
            raise ValueError("evaluate was called without positions")
        self.batches.append(tuple(map(_name, states)))
        numbers = [len(state.legal_actions()) for state in states]
        values = [(0.0, 0.75, 0.5, -0.25)[number] for number in numbers]
        priors = [((), (1.0,), (2 / 3, 1 / 3), (2 / 6, 3 / 6, 1 / 6))[number] for number in numbers]
        return Evaluation([(value, -value) for value in values], priors)

    def ends(self) -> list[Words]:
        """The ends of a game that it was called for."""
        return [name for batch in self.batches for name in batch if name.endswith(_OVER)]


_OVER: Final = " (the game is over)"


def _name(state: State) -> Words:
    assert isinstance(state, TreeGame)
    return Words(named(state.path) + _OVER * state.is_terminal)


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
    player = int(rng.integers(2))
    if depth == 0:
        return _turn(player, [int(number) for number in rng.integers(-9, 10, rng.integers(1, 4))])
    return _turn(player, [turns_at_random(rng, depth - 1) for _ in range(rng.integers(1, 4))])


def values_at_random(rng: np.random.Generator, place: Place) -> dict[tuple[int, ...], float]:
    """A value for each turn of a game, by the way to it."""
    return {way: int(rng.integers(-9, 10)) for way in ways_to_turns(place)}


def judge_of(values: Mapping[tuple[int, ...], float] = MappingProxyType({})) -> Evaluate:
    """Judges positions for player 0: the end of a game by its returns, a turn by its value or 0."""

    def judge(state: State) -> float:
        if state.is_terminal:
            return state.returns()[0]
        if not isinstance(state, TreeGame):
            return 0
        return values.get(tuple(state.numbers.index(action) for action in state.path), 0)

    return judge


def at_most(made: Case, right: Function, fact: str) -> Case:
    """An input with the facts of a correct function, of which one is a count and may be smaller."""
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
