"""A game that is written out as a tree: small enough to work through by hand.

>>> end_now, go_on = won_by(0), turn_of(1, won_by(1), won_by(1), drawn())
>>> state = TreeGame(turn_of(0, end_now, go_on))
>>> state.legal_actions(), state.child(1).current_player, state.child(0).returns()
((0, 1), 1, (1.0, -1.0))
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self

import numpy as np

from mctslab.boards.board import EMPTY, Board, BoardStyle
from mctslab.course.checking.cases import Words, tally
from mctslab.games.state import GameNotOverError, IllegalActionError, State
from mctslab.search.node import Node


class Place(NamedTuple):
    """A place in the tree: an end with its returns, or a turn with the places that it leads to."""

    player: int
    options: "tuple[Place, ...]" = ()
    returns: tuple[float, float] | None = None


def turn_of(player: int, *options: Place) -> Place:
    """It is this player's turn, and each option is where one of the actions leads to."""
    return Place(player, options)


def won_by(player: int) -> Place:
    """The game is over, and this player has won."""
    return Place(1 - player, returns=(1.0, -1.0) if player == 0 else (-1.0, 1.0))


def forced(number: int, end: Place, first: int = 0, width: int = 1) -> Place:
    """Turns of alternating players, `first` to begin, and then this end, whatever they choose."""
    for ply in reversed(range(number)):
        end = turn_of((first + ply) % 2, *[end] * width)
    return end


def place_at_random(rng: np.random.Generator, depth: int) -> Place:
    """A random game of at most `depth` moves, in which players pass or move twice now and then."""
    if depth == 0 or rng.random() < 0.2:
        return (won_by(0), won_by(1), drawn())[rng.integers(3)]
    options = (place_at_random(rng, depth - 1) for _ in range(rng.integers(1, 4)))
    return turn_of(int(rng.integers(2)), *options)


LONG: Final = 300
"""More moves than an answer would count on."""


def is_long(rng: np.random.Generator) -> bool:
    """Whether a random game is to be a long one; one in ten is."""
    return bool(rng.random() < 0.1)


def chain_at_random(rng: np.random.Generator) -> Place:
    """A game with one move everywhere, in which players pass and move twice as it happens."""
    end = (won_by(0), won_by(1), drawn())[rng.integers(3)]
    for _ in range(LONG if is_long(rng) else int(rng.integers(1, 7))):
        end = turn_of(int(rng.integers(2)), end)
    return end


def ways_to_turns(place: Place) -> list[tuple[int, ...]]:
    """The ways to every turn, by the places of the options."""
    places: list[tuple[Place, tuple[int, ...]]] = [(place, ())]
    for here, way in places:
        places += [(option, (*way, at)) for at, option in enumerate(here.options)]
    return [way for here, way in places if here.options]


def drawn() -> Place:
    """The game is over, and nobody has won."""
    return Place(0, returns=(0.0, 0.0))


IN_ORDER: Final = tuple(range(100))
"""The actions 0, 1, 2 and so on."""
SPARSE: Final = (3, 7, 12, 18, 21, 25)
"""Actions that are not indices of a list."""


def outlined(
    place: Place,
    inner: Mapping[tuple[int, ...], float] = MappingProxyType({}),
    *,
    numbers: Sequence[int] = SPARSE,
) -> str:
    """A game as lines, each move below the one before it.

    Args:
        place: where the game begins.
        inner: values of places by the ways to them.
        numbers: the actions of every turn; without them those of `game_of`.
    """
    lines = []
    waiting: list[tuple[Place, tuple[int, ...]]] = [(place, ())]
    while waiting:
        here, path = waiting.pop()
        name = f"move {numbers[path[-1]]}: " if path else ""
        words = f"player {here.player} to move" if here.returns is None else f"{here.returns[0]:g}"
        if path in inner:
            words += f", evaluated {inner[path]:g}"
        lines.append("  " * len(path) + name + words)
        waiting += [(option, (*path, move)) for move, option in enumerate(here.options)][::-1]
    return shortened(lines)


def shortened(lines: Sequence[str]) -> str:
    """The lines of a game or tree, as many of them as anyone reads."""
    rest = [f"... and {len(lines) - _MOST_LINES} more"] if len(lines) > _MOST_LINES else []
    return "\n".join([*lines[:_MOST_LINES], *rest])


_MOST_LINES: Final = 40


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class TreeGame(State):
    """A position of such a game. Turns don't have to alternate."""

    place: Place
    path: tuple[int, ...] = ()
    """The actions that led here; they distinguish two places with the same future."""
    numbers: tuple[int, ...] = IN_ORDER
    """The actions of every turn, from its first option on."""

    game = "tree_game"
    title = "A game written out"
    player_names = ("Black", "White")

    @property
    def current_player(self) -> int:
        """Whose turn it is."""
        return self.place.player

    @property
    def num_actions(self) -> int:
        """More than any place has."""
        return 26

    @property
    def last_action(self) -> int | None:
        """The last action of the path."""
        return self.path[-1] if self.path else None

    def legal_actions(self) -> tuple[int, ...]:
        """A number for each option."""
        return self.numbers[: len(self.place.options)]

    def child(self, action: int) -> Self:
        """The place that the action leads to."""
        return type(self)(*self._after(action), self.numbers)

    def _after(self, action: int) -> tuple[Place, tuple[int, ...]]:
        """The place that an action leads to, and the path to it."""
        options, numbers = self.place.options, self.numbers
        number = numbers.index(action) if action in numbers else len(options)
        if number >= len(options):
            raise IllegalActionError(self, action)
        return options[number], (*self.path, numbers[number])

    @property
    def is_terminal(self) -> bool:
        """Whether this is an end."""
        return self.place.returns is not None

    def returns(self) -> tuple[float, float]:
        """The returns of the end."""
        if self.place.returns is None:
            raise GameNotOverError(self)
        return self.place.returns

    def action_to_string(self, action: int) -> str:
        """A letter."""
        return chr(ord("a") + action)

    def board(self) -> Board:
        """There is no board, only a single empty point."""
        return Board(1, 1, BoardStyle.POINTS, (EMPTY,), ("a",), ("1",))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TreeGame):
            return NotImplemented
        return self.place == other.place and self.path == other.path

    def __hash__(self) -> int:
        return hash((self.place, self.path))

    def __str__(self) -> str:
        way = " ".join(map(str, self.path)) or "the start"
        return f"{self.title}, at {way}: {self._status()}"


def game_of(place: Place) -> TreeGame:
    """The game that begins here, with actions that are not indices of a list."""
    return TreeGame(place, (), SPARSE)


class Grown(NamedTuple):
    """The statistics of a node, and the children that it has, by their actions."""

    visit_count: int
    total_value: float
    children: "Mapping[int, Grown]" = MappingProxyType({})


def grown_at_random(
    rng: np.random.Generator, place: Place, visits: int, numbers: tuple[int, ...]
) -> Grown:
    """A tree as a search of `num_simulations` could have grown it; no two scores in it are
    equal."""
    total = float(rng.uniform(-visits, visits))
    places = rng.permutation(len(place.options))[: max(0, visits - 1)]
    if not len(places):
        return Grown(visits, total)
    more = rng.multinomial(visits - 1 - len(places), [1 / len(places)] * len(places))
    children = {
        numbers[at]: grown_at_random(rng, place.options[at], 1 + int(extra), numbers)
        for at, extra in zip(places, more, strict=True)
    }
    return Grown(visits, total, children)


def tree_at_random(rng: np.random.Generator, depth: int, num_visits: int) -> tuple[Place, Grown]:
    """A random game, and a tree in it with fewer visits; or a long game, and all of its moves."""
    if is_long(rng):
        place, visits = forced(LONG, won_by(0)), LONG + 10
    else:
        place, visits = place_at_random(rng, depth), int(rng.integers(1, num_visits))
    return place, grown_at_random(rng, place, visits, SPARSE)


def plant(state: State, grown: Grown) -> Node:
    """The root of a tree with these statistics."""
    root = Node(state)
    _fill(root, grown)
    return root


def rooted(place: Place, grown: Grown) -> Node:
    """The root of a tree with these statistics, in the game that begins at a place."""
    return plant(game_of(place), grown)


def _fill(node: Node, grown: Grown) -> None:
    node.visit_count, node.total_value = grown.visit_count, grown.total_value
    node.untried_actions = [a for a in node.state.legal_actions() if a not in grown.children]
    for action, below in grown.children.items():
        child = Node(node.state.child(action), parent=node, action=action)
        node.children.append(child)
        _fill(child, below)


def nodes_of(root: Node) -> Iterator[tuple[tuple[Any, ...], Node, Node | None]]:
    """Every node of a tree after its parent: the actions that lead to it, the node, the parent."""
    waiting: deque[tuple[tuple[Any, ...], Node, Node | None]] = deque([((), root, None)])
    while waiting:
        path, node, parent = waiting.popleft()
        yield path, node, parent
        waiting += [((*path, child.action), child, node) for child in node.children]


def path_at_random(rng: np.random.Generator, place: Place, grown: Grown) -> tuple[int, ...]:
    """The actions that lead to any node of a tree."""
    paths = [path for path, _, _ in nodes_of(rooted(place, grown))]
    return paths[rng.integers(len(paths))]


def node_at(root: Node, path: Sequence[int]) -> Node:
    """The node that these actions lead to."""
    node = root
    for action in path:
        node = next(child for child in node.children if child.action == action)
    return node


def way_up(node: Node) -> list[Node]:
    """The nodes from this one up to the root."""
    way = [node]
    while way[-1].parent is not None:
        way.append(way[-1].parent)
    return way


def path_to(node: Node) -> tuple[int, ...]:
    """The actions from the root to `node`."""
    return tuple(each.action for each in way_up(node)[-2::-1] if each.action is not None)


def place_of(node: object, root: Node) -> object:
    """The place of a node in words; anything else is returned unchanged."""
    if not isinstance(node, Node):
        return node
    if way_up(node)[-1] is not root:
        return Words("a node of another tree")
    return Words(named(path_to(node)))


def named(path: tuple[int, ...]) -> str:
    """The node that is reached by these actions, in words."""
    if not path:
        return "the root"
    if len(path) > _MOST_LINES:
        return f"the node after {len(path)} actions"
    return f"the node after action{'s' if len(path) > 1 else ''} {', '.join(map(str, path))}"


def statistics(root: Node) -> dict[str, tuple[int, float]]:
    """N and W of every node, by the actions that lead to it."""
    return {
        f"N and W of {named(path)}": (node.visit_count, node.total_value)
        for path, node, _ in nodes_of(root)
    }


def priors_in(root: Node) -> dict[str, float]:
    """P of every node below the root, by the actions that lead to it."""
    return {f"P of {named(path)}": node.prior for path, node, parent in nodes_of(root) if parent}


def observed(root: Node) -> dict[str, object]:
    """All that can be seen of a tree: N and W of every node, and what else it is, in words."""
    found: dict[str, object] = {**statistics(root)}
    for path, node, parent in nodes_of(root):
        words = [
            f"chosen by player {node.mover}" if parent else f"its mover is player {node.mover}"
        ]
        words.append(f"children {len(node.children)}, untried {sorted(node.untried_actions)}")
        if node.parent is not parent:
            words.append("its parent is another node" if node.parent else "it has no parent")
        if parent and node.state != parent.state.child(path[-1]):
            words.append("its position is another one")
        found[named(path)] = Words(", ".join(words))
    return found


def by_depth(root: Node) -> dict[str, tuple[tuple[float, ...], ...]]:
    """N and W of all nodes, depth by depth, siblings in the order of their actions."""
    levels = [[root]]
    while levels[-1]:
        levels.append([child for node in levels[-1] for child in _in_order(node.children)])
    del levels[-1]
    return {
        "visits by depth": tuple(tuple(n.visit_count for n in level) for level in levels),
        "total values by depth": tuple(tuple(n.total_value for n in level) for level in levels),
    }


def tallied(roots: Iterable[object]) -> object:
    """How often each kind of tree occurs, depth by depth; or whatever is not the root of a tree."""
    trees = []
    for root in roots:
        if not isinstance(root, Node):
            return root
        trees.append(by_depth(root))
    return {name: tally(tree[name] for tree in trees) for name in trees[0]}


def _in_order(children: Sequence[Node]) -> list[Node]:
    return sorted(children, key=lambda child: -1 if child.action is None else child.action)


def written(root: Node, *, with_priors: bool = False) -> str:
    """A small tree as text: every node with its action, P, N, Q, and whose choice it was."""
    lines = []
    waiting = [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        lines.append("  " * depth + _described(node, with_priors))
        waiting += [(child, depth + 1) for child in reversed(node.children)]
    return shortened(lines)


def _described(node: Node, with_prior: bool) -> str:
    name = "root" if node.action is None else f"action {node.action}"
    words = [f"{name}: N={node.visit_count}"]
    if node.action is not None:
        words += [f"P={node.prior:.3g}"] if with_prior else []
        words.append(f"Q={node.mean_value:+.2f}" if node.visit_count else "not visited")
        words.append(f"chosen by player {node.mover}")
    if node.state.is_terminal:
        words.append("the game is over")
    elif node.untried_actions:
        words.append(f"untried: {', '.join(map(str, node.untried_actions))}")
    return ", ".join(words)
