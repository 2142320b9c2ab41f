"""Notebook 07, Connect Four: a search with a budget, and the tree kept from move to move."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from mctslab import games, search
from mctslab.course.checking.comparing import Words
from mctslab.course.exercise import exercise
from mctslab.course.question import FROM_MODEL, Case, mistakes_in
from mctslab.course.tree_game import (
    IN_ORDER,
    SPARSE,
    Grown,
    Place,
    TreeGame,
    drawn,
    grown_at_random,
    named,
    place_at_random,
    plant,
    turn_of,
    won_by,
    written,
)
from mctslab.games.state import State
from mctslab.search.node import Node
from mctslab.search.result import SearchResult
from mctslab.search.reuse import find_root

# anytime

Think = Callable[[int], SearchResult]
Stop = Callable[[], bool]
Clock = Callable[[], float]

SLICE: Final = 100
_LEAST_PRICED: Final = 20
"""A slice of fewer simulations takes as much time as this number."""


class _Thinking:
    """A search that was written down beforehand, with a clock that its simulations move on."""

    def __init__(self, standings: Sequence[Sequence[Grown]], price: float, stop_at: float) -> None:
        self.slices: list[int] = []
        self._standings = standings
        self._price = price
        self._stop_at = stop_at

    def __call__(self, num_simulations: int) -> SearchResult:
        """Go on searching: the result is the next of the standings, and after the last one that."""
        if num_simulations < 1:
            raise ValueError(f"num_simulations={num_simulations} is too small, 1 is the least.")
        self.slices.append(num_simulations)
        moves = self._standings[min(len(self.slices), len(self._standings)) - 1]
        tried = {move: grown for move, grown in enumerate(moves) if grown.visit_count}
        visits = sum(grown.visit_count for grown in moves)
        place = turn_of(0, *[drawn()] * len(moves))
        root = plant(TreeGame(place), Grown(visits, 0, tried))
        return SearchResult(root, num_simulations, self._price * num_simulations)

    def clock(self) -> float:
        """The time in seconds. As on any computer it does not begin at 0."""
        # A call costs something, too: a loop that goes on for the whole time ends soon.
        return 5_000 + self._price * sum(max(each, _LEAST_PRICED) for each in self.slices)

    def stop(self) -> bool:
        """Whether the simulations after which the user says stop are done."""
        return sum(self.slices) >= self._stop_at


def _watched(
    function: Callable[..., Any],
    think: _Thinking,
    num_simulations: int,
    seconds: float,
    stop: Stop,
    clock: Clock,
) -> object:
    move = function(think, num_simulations, seconds, stop, clock)
    return {"move": move, "slices": tuple(think.slices)}


def _anytime_case(
    num_simulations: int,
    seconds: float,
    standings: Sequence[Sequence[Grown]],
    expected: tuple[int, tuple[int, ...]],
    price: float = 0.001,
    stop_at: float = float("inf"),
) -> Case:
    def arguments() -> tuple[_Thinking, int, float, Stop, Clock]:
        think = _Thinking(standings, price, stop_at)
        return think, num_simulations, seconds, think.stop, think.clock

    shown = f"anytime(think, num_simulations={num_simulations}, seconds={seconds:g}, stop, clock)\n"
    shown += f"{SLICE} simulations take {price * SLICE:g} seconds; stop() returns "
    shown += "False" if stop_at == float("inf") else f"True from simulation {stop_at} on"
    for number, moves in enumerate(standings, start=1):
        counted = ", ".join(map(_counted, moves))
        shown += f"\nvisits of the moves 0, 1, 2 after slice {number}: {counted}"
    move, slices = expected
    return Case(
        arguments, {"move": move, "slices": slices}, shown, _watched, changes_arguments=True
    )


def _counted(move: Grown) -> str:
    visits, total_value, _ = move
    return f"{visits} (Q={total_value / visits:+.2f})" if visits else "0"


def _anytime_cases() -> list[Case]:
    def standing(*moves: tuple[int, float]) -> list[Grown]:
        return [Grown(visits, value) for visits, value in moves]

    few = standing((1, -1), (2, 0), (1, 0))
    begun = standing((50, 5), (30, 0), (20, 8))
    later = standing((60, 3), (110, 33), (30, 15))
    end = standing((65, 2), (135, 27), (200, 80))
    return [
        _anytime_case(SLICE, 10, [begun], (0, (SLICE,))),
        _anytime_case(4, 10, [few], (1, (4,))),
        _anytime_case(SLICE + 1, 10, [begun, later], (1, (SLICE, 1))),
        _anytime_case(200, 10, [begun, later], (1, (SLICE, SLICE))),
        _anytime_case(250, 10, [begun, later, end], (2, (SLICE, SLICE, 50))),
        _anytime_case(10_000, 0.05, [begun, later], (0, (SLICE,))),
        _anytime_case(1_000, 0.25, [begun, later, end], (2, (SLICE, SLICE, SLICE))),
        _anytime_case(1_000, 0.7, [begun, later], (1, (SLICE, SLICE)), price=0.004),
        _anytime_case(1_000, 10, [begun, later], (0, (SLICE,)), stop_at=0),
        _anytime_case(1_000, 10, [begun, later, end], (1, (SLICE, SLICE)), stop_at=150),
        _anytime_case(250, 0.15, [begun, later, end], (1, (SLICE, SLICE)), stop_at=300),
    ]


def _anytime_variation(rng: np.random.Generator) -> Case:
    standings = [
        [Grown(1 + int(more), 0) for more in rng.multinomial(97 + n, rng.dirichlet([1, 1, 1]))]
        for n in range(0, 7 * SLICE, SLICE)
    ]
    num_simulations, price = int(rng.integers(1, 900)), float(rng.uniform(0.001, 0.01))
    stop_at = float(rng.choice((math.inf, float(rng.integers(1, 900)))))
    seconds = float(rng.uniform(0.05, 8))
    case = _anytime_case(num_simulations, seconds, standings, (0, ()), price, stop_at)
    return replace(case, expected=FROM_MODEL)


@exercise(
    title="A move at any time",
    cases=_anytime_cases,
    variation=_anytime_variation,
    hints=(
        "Search one slice, then check three things: are the simulations spent, is the time up, and "
        "does `stop()` return True? Go on while none of them is the case.",
        "Before the loop, set `deadline = clock() + seconds` and `spent = 0`. A slice has 100 "
        "simulations, or fewer if fewer are left: `min(100, num_simulations - spent)`.",
        "In a `while True:` loop, call `result = think(size)` and add `size` to `spent`. If "
        "`spent >= num_simulations or clock() >= deadline or stop()`, return `result.best_action`. "
        "(`result.best_so_far` also has an answer while some moves have not been tried.)",
    ),
    when_right="A search like this can be interrupted at any time, as by Stop on the panel.",
    mistakes=mistakes_in("""
        both budgets spent before it ends
            The search ends as soon as one of them is spent. Go on only while there are both
            simulations and time left, not while one of the two is left.
            num_simulations or clock() => num_simulations and clock()
        a last slice that is too long
            If fewer than 100 simulations are left, the last slice must be shorter: `min(100,
            num_simulations - spent)`.
            min(100, num_simulations - spent) => 100
        a search that ends after its first slice
            `clock()` does not start at 0 when the search does: read it before the first slice and
            compare with that reading. Or `stop` has no brackets: a function itself counts as true.
            clock() + seconds => seconds
        a new deadline for every slice
            The seconds are for the whole search. Read the clock once before the loop, not at the
            beginning of each slice.
            deadline = clock() + seconds =>
            - size = min
            + deadline = clock() + seconds
            + size = min
        the clock not read again
            The time has to be checked after every slice, so call `clock()` in the loop.
             or clock() >= deadline =>
        stop() never called
            The user can ask for the move at any time. Call `stop()` after every slice, in addition
            to checking the two budgets.
             or stop() =>
        stop() called only at the beginning
            Its answer can change at any time, so call it after every slice.
            spent = 0 => stopped, spent = stop(), 0
            stop(): => stopped:
        no slices
            A search in one piece cannot look at the clock, and it cannot be stopped before it is
            over. Search 100 simulations at a time.
            - ...
            + return think(num_simulations).best_so_far
        no move when it is stopped at once
            An anytime search always has a move. Search one slice first, and check afterwards
            whether to go on.
            - spent = 0
            - ...
            + result, spent = None, 0
            + while spent < num_simulations and clock() < deadline and not stop():
            +     size = min(100, num_simulations - spent)
            +     result = think(size)
            +     spent += size
            + return result.best_so_far if result else None
        slices counted instead of simulations
            The budget is a number of simulations, so add the size of the slice to what is spent,
            not 1.
            spent += size => spent += 1
        the move of the first slice
            Every slice returns a new result, and the last one rests on the most simulations. Return
            its move.
            spent = 0 => spent, first = 0, None
            - spent += size
            + spent += size
            + first = first or result
            return result => return first
        the move with the highest win rate, however few its visits
            A high mean of a few visits can be luck that the search has not checked yet. Return the
            most visited move, `result.best_action`.
            result.best_so_far => max(result.children, key=lambda child: child.mean_value).action
        the whole result instead of the move
            `think` returns a SearchResult. Return its move: `result.best_action`.
            result.best_so_far => result
    """),
)
def anytime(think: Think, num_simulations: int, seconds: float, stop: Stop, clock: Clock) -> int:
    """Search until a budget is spent or `stop()` is true; return the most visited move so far.

    `think(n)` goes on for n simulations and returns the SearchResult so far; `clock()` returns the
    time in seconds. Search in slices of 100, the last one shorter if fewer are left, and always at
    least one slice.
    """
    deadline = clock() + seconds
    spent = 0
    while True:
        size = min(100, num_simulations - spent)
        result = think(size)
        spent += size
        if spent >= num_simulations or clock() >= deadline or stop():
            return result.best_so_far


# reuse_tree


def _facts(root: object, state: State) -> dict[str, object]:
    """A root in a few facts, those about itself first."""
    if not isinstance(root, Node):
        return {"what is returned": root} | dict.fromkeys(_OF_A_NODE, Words("nothing to see"))
    strangers = sum(child.parent is not root for child in root.children)
    facts = (
        Words("the one asked for" if root.state == state else "another"),
        None if root.parent is None else Words("a node of the old tree"),
        root.mover,
        (root.visit_count, root.total_value),
        tuple(sorted(root.untried_actions)),
        strangers,
        _below(root),
    )
    return {"what is returned": Words("a node")} | dict(zip(_OF_A_NODE, facts, strict=True))


_OF_A_NODE: Final = (
    "its position",
    "its parent",
    "its mover",
    "its N and W",
    "its untried actions",
    "children whose parent is another node",
    "actions, N and W of the nodes below",
)


def _below(root: Node) -> list[tuple[tuple[int, ...], int, float]]:
    """The actions that lead to each node below `root`, its N and its W, whatever lies above."""
    found = []
    waiting: list[tuple[tuple[int, ...], Node]] = [((), root)]
    for path, node in waiting:
        for child in node.children:
            below = (*path, -1 if child.action is None else child.action)
            waiting.append((below, child))
            found.append((below, child.visit_count, child.total_value))
    return sorted(found)


def _reused(function: Callable[..., Any], root: Node, state: State) -> object:
    return _facts(function(root, state), state)


def _reuse_case(
    place: Place,
    grown: Grown,
    path: tuple[int, ...],
    expected: Grown,
    numbers: tuple[int, ...] = IN_ORDER,
) -> Case:
    """The case of a tree written out, and of the position that the actions of `path` lead to."""

    def arguments() -> tuple[Node, State]:
        root = plant(TreeGame(place, (), numbers), grown)
        state: State = root.state
        for action in path:
            state = state.child(action)
        return root, state

    root, state = arguments()
    shown = f"reuse_tree(root, state), and the state is that of {named(path)}\n{written(root)}"
    facts = _facts(plant(state, expected), state)
    return Case(arguments, facts, shown, _reused, changes_arguments=True)


def _connect_four_case() -> Case:
    """The case of a real search, after the move that it liked best and the best reply."""

    def arguments() -> tuple[Node, State]:
        state = games.ConnectFour(rows=4, cols=4).child(1)
        rng = np.random.default_rng(7)
        result = search.mcts(state, num_simulations=150, rng=rng)
        move, reply, *_ = result.principal_variation
        return result.root, state.child(move).child(reply)

    root, state = arguments()
    shown = "the tree of a search on a small board of Connect Four, after a move and a reply"
    expected = _facts(find_root(root, state), state)
    return Case(arguments, expected, shown, _reused, changes_arguments=True)


def _reuse_cases() -> list[Case]:
    end = drawn()
    chosen = turn_of(0, won_by(0), won_by(1), end)
    alternating = turn_of(0, turn_of(1, chosen, chosen), turn_of(1, chosen, chosen))
    first_again = turn_of(0, turn_of(0, turn_of(1, won_by(1), won_by(0))), turn_of(1, end))
    second_again = turn_of(0, turn_of(1, turn_of(1, turn_of(0, end, won_by(0)))))
    new = Grown(0, 0)
    full = {0: Grown(2, 2), 1: Grown(1, -1), 2: Grown(1, 0)}
    tree = Grown(
        11,
        2,
        {
            0: Grown(4, 1, {1: Grown(2, -1, {0: Grown(1, 1)}), 0: Grown(1, 1)}),
            1: Grown(7, 1, {1: Grown(5, -2, full), 0: Grown(1, 0)}),
        },
    )
    below = {0: Grown(3, -1, {0: Grown(2, 2)})}
    first_twice = Grown(5, -2, {0: Grown(4, -2, below), 1: Grown(1, 0)})
    deep = {0: Grown(3, -1, {0: Grown(1, 0), 1: Grown(1, 1)})}
    second_twice = Grown(5, 3, {0: Grown(5, 3, {0: Grown(4, -2, deep)})})
    last = Grown(2, 1, {0: Grown(1, 0), 1: Grown(1, 1)})
    return [
        _reuse_case(alternating, tree, (1, 1), Grown(4, 1, full)),
        _reuse_case(alternating, tree, (0, 1), Grown(1, 1, {0: Grown(1, 1)})),
        _reuse_case(alternating, tree, (1, 0), new),
        _reuse_case(
            turn_of(0, end, turn_of(1, chosen)), Grown(1, 0, {0: Grown(1, 0)}), (1, 0), new
        ),
        # Nobody has moved since.
        _reuse_case(alternating, tree, (), tree),
        # Player 0 moves twice: one move further on, it is still player 0's turn.
        _reuse_case(first_again, first_twice, (0,), Grown(3, -1, below)),
        # Player 1 moves twice: two moves further on, and three.
        _reuse_case(second_again, second_twice, (0, 0), Grown(3, -1, deep)),
        _reuse_case(second_again, second_twice, (0, 0, 0), last),
        _connect_four_case(),
    ]


def _reuse_variation(rng: np.random.Generator) -> Case:
    place = turn_of(int(rng.integers(2)), place_at_random(rng, 5), place_at_random(rng, 5))
    below = grown_at_random(rng, place, int(rng.integers(1, 60)), SPARSE).children
    visits = sum(child.visit_count for child in below.values())
    grown = Grown(visits, sum(child.total_value for child in below.values()), below)
    state, path = TreeGame(place, (), SPARSE), list[int]()
    while not state.is_terminal and rng.random() < 0.8:
        path.append(int(rng.choice(state.legal_actions())))
        state = state.child(path[-1])
    path = path[: len(path) - state.is_terminal]
    case = _reuse_case(place, grown, tuple(path), Grown(0, 0), SPARSE)
    return replace(case, expected=FROM_MODEL)


@exercise(
    title="The tree goes on",
    cases=_reuse_cases,
    variation=_reuse_variation,
    hints=(
        "First find the node: go through the tree and compare `node.state == state`. Then ask what "
        "is different about a root.",
        "The old statistics of the node belong to the player who moved there. Those of a root are "
        "for the player to move, who is the mover of all its children. So you need the sums over "
        "the children.",
        "Begin with `nodes = [root]`, and in `for node in nodes:` add `node.children` to the list. "
        "When you have found the state, set `node.parent = None` and `node.mover = "
        "state.current_player`, and make `visit_count` and `total_value` the sums over "
        "`node.children`. After the loop: `return search.Node(state)`.",
    ),
    when_right="`search.mcts` does this when you hand it `root=result.root`.",
    mistakes=mistakes_in("""
        the parent not cut off
            `backpropagate` goes up as long as there is a parent. With this one it goes on counting
            in the old tree, and the old tree is never freed. Set `node.parent = None`.
            node.parent = node.action = None =>
        the statistics of the move instead of those of a root
            W of a node counts for the player who moved there, and now the opponent is to move.
            Nobody moves into a root: its mover is `state.current_player`, and its N and W are the
            sums over its children.
            - node.mover = state.current_player
            - ...
            - return node
            + return node
        the mover left as it was
            A root counts for the player to move. With the old mover the next results are added to W
            for the wrong side. Set `node.mover = state.current_player`.
            node.mover = state.current_player =>
        the rollout from the node itself counted, too
            When the node was new, one simulation ended there without going on to a child, so its N
            is larger than the sum over its children. At a root no simulation ends. Take the sums.
            - node.parent = node.action = None
            - ...
            - return node
            + if node.parent is not None and node.mover != state.current_player:
            +     node.total_value = -node.total_value
            + node.parent, node.mover = None, state.current_player
            + return node
        the sign flipped, whoever moved
            If a player moves twice, the mover of the node is still to move, and the sign stays. All
            children were chosen by the player to move, so take the sum of their W.
            - node.parent = node.action = None
            - ...
            - return node
            + node.total_value = -node.total_value
            + node.parent, node.mover = None, state.current_player
            + return node
        the sums added to what was there
            The old N and W count the same simulations already. Write `=` instead of `+=`.
            visit_count = sum => visit_count += sum
            total_value = sum => total_value += sum
        children whose parent is still the old node
            `child.parent` is the way back for every result. It still leads into the old tree, so
            the new root learns nothing. Set it for each child.
            - node.parent = node.action = None
            + old, node = node, search.Node(state)
            + node.children += old.children
            + node.untried_actions[:] = old.untried_actions
        moves that have a child still listed as untried
            A new node has all its moves untried. Take over `untried_actions` as well, or every
            child is added a second time.
            - node.parent = node.action = None
            + old, node = node, search.Node(state)
            + node.children += old.children
            + for child in node.children:
            +     child.parent = node
        a root whose N and W begin at 0
            The root's N is part of the bonus of its children. With fewer visits than they have,
            UCB1 goes wrong. Take the sums over the children.
            sum(child.visit_count for child in node.children) => 0
            sum(child.total_value for child in node.children) => 0.0
        the numbers kept and the tree thrown away
            What is worth keeping is the children, with everything that was learnt below them.
            - return node
            + root = search.Node(state)
            + root.visit_count, root.total_value = node.visit_count, node.total_value
            + return root
        a fresh root every time
            That is right only if the position is not in the tree. Look for it first.
            - ...
            + return search.Node(state)
        no node if the position is not in the tree
            Then there is nothing to reuse, and the search starts with a new node:
            `search.Node(state)`.
            return search.Node(state) => return None
        positions compared with `is`
            The position on the board equals that of the node, but it is another object. `is` asks
            whether two names mean the same object, `==` whether the objects are equal.
            node.state == state => node.state is state
        only the nodes two moves below searched
            Usually one move and one reply have been played. But it can also be that nobody has
            moved, that a player moved twice, or that one had to pass. Look through the whole tree.
            - for node in nodes:
            + for node in [reply for move in root.children for reply in move.children]:
        the last move compared instead of the position
            The same reply can follow each of our moves, and it leads to another position every
            time. Compare `node.state` with `state`.
            node.state == state => node.action == state.last_action
    """),
)
def reuse_tree(root: Node, state: State) -> Node:
    """The node of `state` in the tree below `root`, made a root; a new node if it isn't there.

    A root has no parent. Its mover is the player to move, and its N and W are the sums over its
    children.
    """
    nodes = [root]
    for node in nodes:
        if node.state == state:
            node.parent = node.action = None
            node.mover = state.current_player
            node.visit_count = sum(child.visit_count for child in node.children)
            node.total_value = sum(child.total_value for child in node.children)
            return node
        nodes += node.children
    return search.Node(state)
