"""For which player does a search count its results? The shape of its tree shows it.

In each exam some moves lead to a choice between a win and a loss, and the player who makes the
choice must prefer their own win. The share of visits that go there is close to 1 if the search
counts for the right player, close to 0 if it counts for the other player, and 1/2 if the results do
not reach the choice. To tell the faults apart, exams at every depth are needed, with turns that
alternate and turns that do not, with results of rollouts and of finished games. The effect of each
fault on the shares is found by planting it into the package's search.
"""

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from mctslab.course.examiner.exam_game import ExamState, end, settled, wide
from mctslab.course.tree_game import Place, turn_of
from mctslab.search.mcts import expand, select
from mctslab.search.node import Node
from mctslab.search.selection import ucb1

NUM_SIMULATIONS: Final = 300
RIGHT: Final = 0.55
"""Above this share, the choice is made for the right player."""


class Exam(NamedTuple):
    """A game in which the last of `movers` chooses between something better and something worse.

    Before it, every move leads to the same position.
    """

    movers: tuple[int, ...]
    """The players to move at the root, below it, and so on."""
    again: bool = False
    """Whether the player who chooses moves once more afterwards."""
    over: int | None = None
    """0: a win ends the game at once, or it goes on to a draw. 1: it goes on to a draw, or a loss
    ends it at once. None: it goes on to a win or to a loss."""

    @property
    def place(self) -> Place:
        """The first position."""
        *before, chooser = self.movers
        player = chooser if self.again else 1 - chooser
        better, worse = wide(player, chooser), wide(player, 1 - chooser)
        if self.over == 0:
            better, worse = end(chooser, player), wide(player, None)
        elif self.over == 1:
            better, worse = wide(player, None), end(1 - chooser, player)
        place = turn_of(chooser, better, worse)
        for mover in reversed(before):
            place = turn_of(mover, place, place)
        return place

    def share(self, leaves: Sequence[tuple[int, ...]], num_simulations: int) -> float:
        """The share of the visits that went to the better move, from 0 to 1.

        A move that ends the game at once leaves no trace if the search stores the result, so the
        other move is counted.
        """
        depth = len(self.movers) - 1
        reached = [leaf for leaf in leaves if len(leaf) > depth]
        better = sum(leaf[depth] == 0 for leaf in reached)
        worse = len(reached) - better
        total = max(num_simulations, len(leaves)) - (len(leaves) - len(reached))
        if self.over == 0:
            better = total - worse
        elif self.over == 1:
            worse = total - better
        return better / (better + worse) if better + worse else 0.5

    def __str__(self) -> str:
        first, *others = (*self.movers, *self._last)
        turns = f"player {first} moves" + "".join(f", then player {mover}" for mover in others)
        how = ("a win that ends the game and a draw", "a draw and a loss that ends it")
        choice = "a win and a loss" if self.over is None else how[self.over]
        return f"{turns}, and player {self.movers[-1]} chooses between {choice}"

    @property
    def _last(self) -> tuple[int, ...]:
        return self.movers[-1:] if self.again else ()


EXAMS: Final = tuple(
    Exam(movers, again, over)
    for over in (None, 0, 1)
    for movers, again in (
        *(((0,), False), ((1,), False), ((0, 1), False), ((1, 0), False), ((0, 1, 0), False)),
        *(((1, 0, 1), False), ((0, 0), False), ((1, 1), False), ((0, 0, 1), False)),
        *(((0,), True), ((1,), True), ((1, 0), True)),
    )
)


# Faults planted into the package's search


def _mover(node: Node, _leaf: Node, _up: int) -> int | None:
    return node.mover


@dataclass(frozen=True, slots=True)
class Wrong:
    """A search that counts its results wrongly."""

    fault: str
    credit: Callable[[Node, Node, int], int | None] = _mover
    """The player whose result a node counts: from the node, the leaf and the steps between them."""
    over: float = 1.0
    """The factor for the result of a finished game in the tree."""
    leaf: float = 1.0
    """The same for the value of any other leaf."""
    draw: float = 0.0
    """The value of a draw for both players."""
    depth: int = 100
    """Below this depth moves are chosen at random."""


def _way_up(node: Node) -> list[Node]:
    """The nodes from this one to the root."""
    way = [node]
    while way[-1].parent is not None:
        way.append(way[-1].parent)
    return way


def _root_player(node: Node) -> int:
    return _way_up(node)[-1].mover


def _by_depth(node: Node) -> int:
    """The mover, if turns alternated from the root on."""
    return (_root_player(node) + len(_way_up(node))) % 2


WRONG: Final = (
    *(
        Wrong("the sign is never flipped", credit)
        for credit in (
            lambda _, leaf, __: leaf.mover,
            lambda _, leaf, __: 1 - leaf.mover,
            lambda _, leaf, __: leaf.state.current_player,
            lambda node, _, __: _root_player(node),
        )
    ),
    *(
        Wrong("the wrong player's result", credit)
        for credit in (
            lambda node, _, __: 1 - node.mover,
            lambda node, _, __: node.state.current_player,
            lambda node, _, __: 1 - _root_player(node),
            lambda node, _, __: (node if node.parent is None else node.parent).mover,
        )
    ),
    *(
        Wrong("turns are assumed to alternate", credit)
        for credit in (
            lambda _, leaf, up: (leaf.mover + up) % 2,
            lambda _, leaf, up: (1 - leaf.state.current_player + up) % 2,
            lambda node, _, __: 1 - node.state.current_player,
            lambda node, _, __: _by_depth(node),
        )
    ),
    Wrong("one player's result everywhere", lambda *_: 0),
    Wrong("one player's result everywhere", lambda *_: 1),
    Wrong("results do not reach the moves", lambda *_: None),
    Wrong("the result of a finished game is ignored", over=0.0),
    Wrong("the result of a finished game has the wrong sign", over=-1.0),
    Wrong("the value of a leaf has the wrong sign", leaf=-1.0),
    Wrong("draws have the wrong value", draw=-1.0),
    Wrong("draws have the wrong value", draw=1.0),
    Wrong("the tree does not grow", depth=1),
    Wrong("the tree does not grow", depth=2),
)


@functools.cache
def _share(exam: Exam, wrong: Wrong) -> float:
    """The result of a search with this fault in an exam."""
    if len(exam.movers) > wrong.depth:
        return 0.5
    rng = np.random.default_rng(1)
    root = Node(ExamState(exam.place))
    known: dict[int, tuple[float, float] | None] = {}
    leaves = []
    for _ in range(NUM_SIMULATIONS):
        [leaf] = expand(select(root, ucb1()), rng)
        state = leaf.state
        assert isinstance(state, ExamState)
        factor = wrong.over if state.is_terminal else wrong.leaf
        first, second = settled(state.place, known) or (0.0, 0.0)
        returns = (first * factor, second * factor) if first else (wrong.draw, wrong.draw)
        _count(leaf, returns, wrong)
        leaves.append(state.path)
    return exam.share(leaves, NUM_SIMULATIONS)


def _count(leaf: Node, returns: tuple[float, float], wrong: Wrong) -> None:
    """Count a result from the leaf up to the root."""
    for up, node in enumerate(_way_up(leaf)):
        player = wrong.credit(node, leaf, up)
        node.visit_count += 1
        node.total_value += 0.0 if player is None else returns[player]


def diagnosis(shares: Sequence[float]) -> tuple[str, float]:
    """The fault that explains the shares best, and how far it is from them, from 0 to 1.

    A fault that is farther away than another after a few exams need not take the others.
    """
    best, least = "", math.inf
    for wrong in WRONG:
        distance = 0.0
        for exam, share in zip(EXAMS, shares, strict=True):
            distance += abs(share - _share(exam, wrong)) / len(EXAMS)
            if distance >= least:
                break
        else:
            best, least = wrong.fault, distance
    return best, least
