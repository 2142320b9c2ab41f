"""Notebook 06, the bug museum: four faults of UCT that were found in published programs."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np

from mctslab import search
from mctslab.course.checking.comparing import tally
from mctslab.course.exercise import exhibit
from mctslab.course.question import FROM_MODEL, Case, case, edits_in, mistakes_in
from mctslab.course.tree_game import (
    LONG,
    SPARSE,
    Grown,
    Place,
    TreeGame,
    chain_at_random,
    drawn,
    is_long,
    outlined,
    plant,
    statistics,
    turn_of,
    won_by,
    written,
)
from mctslab.games.state import State
from mctslab.search.node import Node

# museum_reward


def _reward_cases() -> list[Case]:
    return [
        case(0, 0, expected=1),
        case(0, 1, expected=-1),
        case(1, 1, expected=1),
        case(1, 0, expected=-1),
        case(None, 0, expected=0),
        case(None, 1, expected=0),
    ]


@exhibit(
    title="A search that is afraid of draws",
    start=edits_in("""
        - ...
        + if winner == player:
        +     return 1
        + return -1
    """),
    faulty="return -1",
    cases=_reward_cases,
    hints=(
        "How many ways are there for a game to end? Follow the function for each of them.",
        "After a draw `winner` is None. Which line is reached, for either player?",
        "A draw needs a case of its own: `if winner is None: return 0`.",
    ),
    when_right="With the fault, both players avoid draws as if they were losses.",
    mistakes=mistakes_in("""
        player 0 mistaken for no winner
            In Python 0 counts as false, so `if not winner` is true when player 0 has won. Write `if
            winner is None`.
            if winner is None => if not winner
        half a point for a draw on the scale from -1 to 1
            Halfway between a win, 1, and a loss, -1, is 0. Half a point is right on a scale where
            a loss is 0.
            return 0 => return 0.5
        a draw scored as a win for both
            Then a draw is as good as a win for the search, and it misses wins.
            return 0 => return 1
        a loss scored as a draw
            If a loss is 0 as well, the search is indifferent to losing. A loss is -1.
            else -1 => else 0
        no answer after a draw
            If no `return` is reached, a function returns None. A draw is worth 0.
            return 0 => return None
        everything seen from player 0's point of view
            A win for one player is a loss for the other: compare the winner with `player`.
            winner == player => winner == 0
        the sign reversed
            The winner gets 1, the loser -1.
            1 if winner == player else -1 => -1 if winner == player else 1
    """),
)
def museum_reward(winner: int | None, player: int) -> float:
    """What a game was worth to `player`; `winner` is 0, 1, or None after a draw."""
    if winner is None:
        return 0
    return 1 if winner == player else -1


# museum_simulation


def _grown_by(function: Callable[..., Any], root: Node, rng: np.random.Generator) -> object:
    """How often each kind of tree occurs in many searches: the task does not fix the order of the
    draws."""
    trees = [_once(function, Node(root.state), each) for each in rng.spawn(_SEARCHES)]
    return {name: tally(tree[name] for tree in trees) for name in trees[0]}


def _once(
    function: Callable[..., Any], root: Node, rng: np.random.Generator
) -> dict[str, tuple[float, ...]]:
    for _ in range(12):
        function(root, rng)
    children = sorted(root.children, key=lambda child: child.action or 0)
    return {
        "N and W of the root": (root.visit_count, root.total_value),
        "N of its children": tuple(each.visit_count for each in children),
        "W of its children": tuple(each.total_value for each in children),
    }


_SEARCHES: Final = 60


def _simulation_case(place: Place, shown: str) -> Case:
    def arguments() -> tuple[Node, np.random.Generator]:
        return Node(TreeGame(place, (), SPARSE)), np.random.default_rng(3)

    def package(root: Node, rng: np.random.Generator) -> None:
        leaf = search.expand(search.select(root, search.ucb1()), rng)[0]
        search.backpropagate(leaf, search.rollout(leaf.state, search.uniform, rng))

    expected = _grown_by(package, *arguments())
    shown = f"{_SEARCHES} times 12 simulations of {shown}"
    return Case(arguments, expected, shown, _grown_by, changes_arguments=True)


def _simulation_variation(rng: np.random.Generator) -> Case:
    """With one move everywhere nothing is left to chance."""
    place = chain_at_random(rng)

    def use(function: Callable[..., Any], root: Node, generator: np.random.Generator) -> object:
        for _ in range(12):
            function(root, generator)
        return statistics(root)

    shown = f"12 simulations of a game with one move everywhere\n{outlined(place)}"
    return Case(
        lambda: (Node(TreeGame(place, (), SPARSE)), np.random.default_rng(3)),
        FROM_MODEL,
        shown,
        use,
        changes_arguments=True,
    )


def _simulation_cases() -> list[Case]:
    wins, loses = won_by(0), won_by(1)
    return [
        _simulation_case(turn_of(0, loses), "one forced move that loses"),
        _simulation_case(turn_of(0, wins, loses), "a move that wins and a move that loses"),
        _simulation_case(
            turn_of(0, turn_of(1, wins, loses), turn_of(1, wins, wins)),
            "two moves with two replies each; after the second one every reply wins for player 0",
        ),
        _simulation_case(
            turn_of(0, turn_of(1, turn_of(0, wins, loses), drawn()), turn_of(0, loses, wins)),
            "a small game of different lengths",
        ),
        _simulation_case(
            turn_of(
                0,
                turn_of(1, turn_of(0, turn_of(1, wins)), turn_of(0, turn_of(1, loses))),
                turn_of(1, turn_of(0, turn_of(0, turn_of(0, turn_of(0, wins))))),
                turn_of(1, turn_of(0, drawn(), loses), turn_of(1, wins)),
            ),
            "a game in which fewer and fewer moves are left",
        ),
    ]


@exhibit(
    title="A search that learns nothing",
    start=edits_in("""
        - node = search.select
        + state = root.state
        + node = search.select
        state = leaf.state =>
    """),
    faulty="state = root.state",
    cases=_simulation_cases,
    variation=_simulation_variation,
    hints=(
        "From which position does the rollout begin? And from which should it begin?",
        "`state` is set before the tree is walked, and the walk does not change it: the rollout "
        "begins at the root's position.",
        "After the expansion, write `state = leaf.state`.",
    ),
    when_right="With this fault all moves look alike, however long the search thinks.",
    mistakes=mistakes_in("""
        rollouts from the selected node, not from its new child
            That is one ply too early: the first move of the rollout is then any move, not the one
            that was just added to the tree.
            leaf.state => node.state
        rollouts from the root's child
            From the root, the leaf's action leads to the leaf only if the leaf is a child of the
            root.
            - state = leaf.state
            + state = root.state
            + if leaf.action in state.legal_actions():
            +     state = state.child(leaf.action)
        the result counted from the root
            The result is about the leaf: the way back begins there.
            backpropagate(leaf => backpropagate(root
        the result counted from the selected node
            The new leaf itself took part too: the way back begins there.
            backpropagate(leaf => backpropagate(node
        a rollout of one move
            A rollout continues to the end of the game: use `while` instead of `if`.
            while => if
        the two results swapped
            `returns()` has one number for each player, and `backpropagate` uses for each node that
            of its mover. Nothing has to be swapped.
            state.returns() => state.returns()[::-1]
    """),
)
def museum_simulation(root: Node, rng: np.random.Generator) -> None:
    """One simulation of UCT, added to the tree below `root`."""
    node = search.select(root, search.ucb1())
    [leaf] = search.expand(node, rng)
    state = leaf.state
    while not state.is_terminal:
        state = state.child(search.uniform(state, rng))
    search.backpropagate(leaf, state.returns())


# museum_children


def _children_case(place: Place, shown: str, *players: int) -> Case:
    def arguments() -> tuple[State, int]:
        return TreeGame(place, (), SPARSE), place.player

    def use(function: Callable[..., Any], state: State, player: int) -> object:
        found = function(state, player)
        if not isinstance(found, list) or not all(isinstance(child, dict) for child in found):
            return found
        return {
            "whose turn it is in each child": tuple(child.get("player") for child in found),
            "positions that are the right ones": sum(
                child.get("state") == state.child(action)
                for child, action in zip(found, state.legal_actions(), strict=False)
            ),
        }

    expected = {
        "whose turn it is in each child": players,
        "positions that are the right ones": len(players),
    }
    return Case(arguments, expected, shown, use)


def _children_cases() -> list[Case]:
    first, second = turn_of(0, drawn()), turn_of(1, drawn())
    return [
        _children_case(turn_of(0, second), "player 0 moves, then player 1", 1),
        _children_case(turn_of(1, first), "player 1 moves, then player 0", 0),
        _children_case(turn_of(0, second, second), "two moves of player 0, then player 1", 1, 1),
        _children_case(turn_of(0, first), "player 0 moves twice: player 1 has to pass", 0),
        _children_case(
            turn_of(1, first, second, first),
            "after the second of three moves, player 1 moves again",
            *(0, 1, 0),
        ),
    ]


def _children_variation(rng: np.random.Generator) -> Case:
    players = [int(player) for player in rng.integers(0, 2, rng.integers(1, 5))]
    place = turn_of(int(rng.integers(2)), *(turn_of(player, drawn()) for player in players))
    if rng.random() < 0.3:
        place, players = place._replace(options=(*place.options, drawn())), [*players, 0]
    shown = f"player {place.player} moves, then player {' or '.join(map(str, players))}"
    return _children_case(place, shown, *players)


@exhibit(
    title="A search that plays for the other side",
    start=edits_in("child.current_player => player"),
    faulty='children.append({"state": child, "player": player})',
    cases=_children_cases,
    variation=_children_variation,
    hints=(
        "Whose turn is it before the move, and whose after it?",
        "`1 - player` looks right, and is, until a player has to pass.",
        "Take it from the new position: `child.current_player`.",
    ),
    when_right="With this fault, wins are credited to the wrong side all over the tree.",
    mistakes=mistakes_in("""
        the players taken in turn, whatever the position says
            Where a player has to pass, or moves twice, the same player is to move again. Take the
            player from the new position: `child.current_player`.
            child.current_player => 1 - player
        the turn taken from the position before the move
            That is the same fault in other words: `state.current_player` is the parent's. Use the
            child's.
            child.current_player => state.current_player
        the player changed inside the loop
            `player = 1 - player` in the loop gives every second child the wrong one: all children
            of a node come after one move.
            - child = state
            + player = 1 - player
            + child = state
            child.current_player => player
        player 1 everywhere
            That is right only after the first move. Use the new position's `current_player`.
            child.current_player => 1
        the other player than the child's
            `child.current_player` is whose turn it is there, and that is what counts.
            child.current_player => 1 - child.current_player
        the position of the parent kept
            Each child has the position after its move, `state.child(action)`.
            "state": child => "state": state
        a return inside the loop
            It ends the function after the first child. Return when the loop is over.
            - children.append({"state": child, "player": child.current_player})
            + return [{"state": child, "player": child.current_player}]
    """),
)
def museum_children(state: State, player: int) -> list[dict[str, Any]]:
    """The children of a node, each with the player to move there; in `state` that is `player`."""
    children = []
    for action in state.legal_actions():
        child = state.child(action)
        children.append({"state": child, "player": child.current_player})
    return children


# museum_backpropagate


def _way_case(place: Place, length: int, value: float, *expected: float) -> Case:
    """The case of a game with one line of play; `expected` is added, from the leaf upwards."""
    leaf_total, *others = expected

    def line() -> Grown:
        grown = Grown(0, 0)
        for _ in range(length):
            grown = Grown(1, 0.25, {0: grown})
        return grown

    def arguments() -> tuple[Node, float]:
        leaf = plant(TreeGame(place), line())
        while leaf.children:
            leaf = leaf.children[0]
        return leaf, value

    def use(function: Callable[..., Any], leaf: Node, value: float) -> object:
        function(leaf, value)
        way: list[Node] = [leaf]
        while way[-1].parent is not None:
            way.append(way[-1].parent)
        return {
            "visits, from the leaf to the root": tuple(node.visit_count for node in way),
            # Nobody moved into the root, so its total is left out.
            "totals, from the leaf to the root's child": tuple(n.total_value for n in way[:-1]),
        }

    facts = {
        "visits, from the leaf to the root": (1,) + (2,) * length,
        "totals, from the leaf to the root's child": (leaf_total, *(0.25 + t for t in others)),
    }
    shown = f"museum_backpropagate(leaf, {value:g}), and the leaf is the last of\n"
    shown += written(plant(TreeGame(place), line()))
    return Case(arguments, facts, shown, use, changes_arguments=True)


def _way_cases() -> list[Case]:
    end = drawn()
    return [
        _way_case(turn_of(0, end), 1, 1.0, 1.0),
        _way_case(turn_of(0, turn_of(1, end)), 2, 1.0, 1.0, -1.0),
        _way_case(turn_of(0, turn_of(0, end)), 2, 1.0, 1.0, 1.0),
        _way_case(turn_of(1, turn_of(0, turn_of(1, end))), 3, -1.0, -1.0, 1.0, -1.0),
        _way_case(turn_of(0, turn_of(1, turn_of(1, end))), 3, 1.0, 1.0, 1.0, -1.0),
        _way_case(
            turn_of(0, turn_of(0, turn_of(1, turn_of(1, turn_of(0, end))))),
            *(5, 0.5),
            *(0.5, -0.5, -0.5, 0.5, 0.5),
        ),
    ]


def _way_variation(rng: np.random.Generator) -> Case:
    place, length = drawn(), LONG if is_long(rng) else int(rng.integers(1, 20))
    for _ in range(length):
        place = turn_of(int(rng.integers(2)), place)
    case = _way_case(place, length, float(rng.choice((1, -1, 0.5))), *[0.0] * length)
    return replace(case, expected=FROM_MODEL)


@exhibit(
    title="A search that forgets who has passed",
    start=edits_in("""
        - value if node.mover == leaf.mover else -value
        + value
        + value = -value
    """),
    faulty="value = -value",
    cases=_way_cases,
    variation=_way_variation,
    hints=(
        "What does flipping the sign at every step assume about whose turn it is?",
        "If a player moves twice in a row, or the other one passes and the pass is not a node, "
        "two successive nodes have the same mover.",
        "A node gets `value` if `node.mover == leaf.mover`, and `-value` otherwise.",
    ),
    when_right="With this fault, Reversi goes wrong where passes matter most: in the endgame.",
    mistakes=mistakes_in("""
        the sign never changed
            Then both players are credited with the result of one of them.
            value if node.mover == leaf.mover else -value => value
        the sign changed where the mover stays the same
            It is the other way round: the sign changes where the movers differ.
            - value if node.mover == leaf.mover else -value
            + value
            + if node.parent is not None and node.mover == node.parent.mover:
            +     value = -value
        the players to move compared, instead of the movers
            `current_player` moves next. The value counts for the player who has moved: compare
            `node.mover` with `node.parent.mover`.
            - value if node.mover == leaf.mover else -value
            + value
            + above = node.parent
            + if above and node.state.current_player != above.state.current_player:
            +     value = -value
        the sign changed before the leaf was counted
            `value` is the result for the leaf's own mover, so the leaf gets it unchanged.
            - node.visit_count
            + value = -value
            + node.visit_count
            value if node.mover == leaf.mover else -value => value
        the sign that belongs to player 0 everywhere
            `value` is the result for the mover of the leaf, who can be either player.
            node.mover == leaf.mover => node.mover == 0
        the visits of one player only
            Every node on the way gets its visit, whoever its mover is.
            - node.visit_count += 1
            - node.total_value += value if node.mover == leaf.mover else -value
            + if node.mover == leaf.mover:
            +     node.visit_count += 1
            +     node.total_value += value
    """),
)
def museum_backpropagate(leaf: Node, value: float) -> None:
    """Count a result up to the root; `value` is what it was worth to the mover of `leaf`."""
    node: Node | None = leaf
    while node is not None:
        node.visit_count += 1
        node.total_value += value if node.mover == leaf.mover else -value
        node = node.parent
