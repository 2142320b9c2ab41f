"""Games small enough to be searched by hand, and chance that says what the test wants."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from mctslab.boards import EMPTY, Board, BoardStyle
from mctslab.games import GameNotOverError, IllegalActionError, State
from mctslab.search import Evaluation, Node

FORCED_PASS = "c4 b4 a2 b1 a3 d3 c1 d2 a4"
"""The moves of a Reversi on 4 x 4 after which White is to move and little is left:

      a b c d
    1 . W B .     White plays a1 (0), Black passes (16), White plays d1 (3) and wins 8 to 7;
    2 B B B W     or White plays d1 (3), Black plays d4 (15) and wins 10 to 5.
    3 B B W W
    4 B B B .
"""


class Turn(NamedTuple):
    """A position of a written-out game: whose turn it is, and what each action leads to.

    A number is the end of the game: what player 0 gets. Player 1 gets the opposite.
    """

    player: int
    options: tuple["Turn | float", ...]


class Toy(State):
    """What does not matter in a game for tests."""

    game = "toy"
    title = "A toy"
    player_names = ("First", "Second")
    num_actions = 9
    last_action = None

    @property
    def is_terminal(self):
        return not self.legal_actions()

    def action_to_string(self, action):
        return "abcdefghi"[action]

    def board(self):
        return Board(1, 1, BoardStyle.POINTS, (EMPTY,), ("a",), ("1",))


@dataclass(frozen=True)
class WrittenOut(Toy):
    """A game whose tree is given: the actions of a position are 0, 1, 2 ... in its options."""

    place: Turn | float
    path: tuple[int, ...] = ()

    @property
    def current_player(self):
        return self.place.player if isinstance(self.place, Turn) else 0

    def legal_actions(self):
        return tuple(range(len(self.place.options))) if isinstance(self.place, Turn) else ()

    def child(self, action):
        if action not in self.legal_actions():
            raise IllegalActionError(self, action)
        return WrittenOut(self.place.options[action], (*self.path, action))

    def returns(self):
        if not self.is_terminal:
            raise GameNotOverError(self)
        return float(self.place), -float(self.place)


@dataclass(frozen=True)
class Chain(Toy):
    """Turns alternate; `width` actions that all lead on, for `plies_left` plies; a draw."""

    plies_left: int
    width: int = 1
    current_player: int = 0

    def legal_actions(self):
        return tuple(range(self.width)) if self.plies_left else ()

    def child(self, action):
        return replace(self, plies_left=self.plies_left - 1, current_player=1 - self.current_player)

    def returns(self):
        return 0.0, 0.0


class Dictated(np.random.Generator):
    """A source of chance whose `random()` gives the numbers dictated, and no others."""

    def __init__(self, *numbers: float) -> None:
        super().__init__(np.random.PCG64())
        self.left = list(numbers)

    def random(self, *size):
        return self.left.pop(0)


@dataclass(frozen=True)
class FunctionEvaluator:
    """Values from a function, for the player to move; all moves get the same prior."""

    function: Callable[[State], float]

    def __call__(self, states, rng):
        values = [float(self.function(state)) for state in states]
        movers = [state.current_player for state in states]
        pairs = zip(values, movers, strict=True)
        return Evaluation([(v, -v) if mover == 0 else (-v, v) for v, mover in pairs])


def family(statistics: Sequence[tuple[Any, ...]]) -> Node:
    """A node whose children have these N, W, P and `proven`, in this order; its N is their sum."""
    node = Node(WrittenOut(Turn(0, (0.0,) * len(statistics))))
    for visits, total, *rest in statistics:
        child = Node(parent=node, action=node.untried_actions.pop(0))
        child.visit_count, child.total_value = visits, total
        child.prior, child.proven = (*rest, None)[:2] if rest else (1.0, None)
        node.children.append(child)
        node.visit_count += visits
    return node


def all_nodes(root: Node) -> list[Node]:
    """Every node of a tree, parents before children."""
    nodes = [root]
    for node in nodes:
        nodes += node.children
    return nodes


def path_to(node: Node) -> tuple[int, ...]:
    """The actions from the root to `node`."""
    path = []
    while node.parent is not None:
        path.append(node.action)
        node = node.parent
    return tuple(reversed(path))


def facts(node: Node) -> dict[str, Any]:
    """All that a search can change in a node."""
    return {
        "N": node.visit_count,
        "W": node.total_value,
        "mover": node.mover,
        "P": node.prior,
        "proven": node.proven,
        "children": [child.action for child in node.children],
        "untried": list(node.untried_actions),
    }


def listed(root: Node) -> list[dict[str, Any]]:
    """The facts of a node and of all nodes below it."""
    return [facts(node) for node in all_nodes(root)]


def statistics(root: Node) -> dict[tuple[int, ...], tuple[int, float]]:
    """N and W of every node, by the actions that lead to it from here down."""
    found, waiting = {}, [((), root)]
    for path, node in waiting:
        found[path] = node.visit_count, node.total_value
        waiting += [((*path, child.action), child) for child in node.children]
    return found


def visited(root: Node) -> dict[tuple[int, ...], tuple[int, float]]:
    """The statistics of the nodes that have a visit."""
    return {path: n_and_w for path, n_and_w in statistics(root).items() if n_and_w[0]}


def play(state: State, actions: Sequence[int] | str) -> State:
    """The position after `actions`, given as numbers or in the game's notation."""
    for action in actions.split() if isinstance(actions, str) else actions:
        state = state.child(state.string_to_action(action) if isinstance(action, str) else action)
    return state
