"""Notebook 06, the bug museum: four faults of UCT that were found in other people's programs."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mctslab import search
from mctslab.course.exhibit import exhibit
from mctslab.course.question import Case, Misconception, case, misconception
from mctslab.course.small_trees import Grown, plant, statistics, written
from mctslab.course.tree_game import Place, TreeGame, drawn, turn_of, won_by
from mctslab.games.state import State
from mctslab.search.node import Node

# museum_reward


def _reward_start(winner: int | None, player: int) -> float:
    """What a game was worth to `player`; `winner` is 0, 1, or None after a draw."""
    if winner == player:
        return 1
    return -1


def _reward_cases() -> list[Case]:
    return [
        case(0, 0, expected=1),
        case(0, 1, expected=-1),
        case(1, 1, expected=1),
        case(1, 0, expected=-1),
        case(None, 0, expected=0),
        case(None, 1, expected=0),
    ]


@misconception(
    "player 0 taken for nobody",
    "In Python 0 counts as false, so `if not winner` is true when player 0 has won. Ask "
    "`if winner is None`.",
)
def _zero_is_nobody(winner: int | None, player: int) -> float:
    if not winner:
        return 0
    return 1 if winner == player else -1


@misconception(
    "half a point for a draw on the scale from -1 to 1",
    "Half-way between a win, 1, and a loss, -1, lies 0. Half a point is right where a loss is 0.",
)
def _half_a_point(winner: int | None, player: int) -> float:
    if winner is None:
        return 0.5
    return 1 if winner == player else -1


@misconception(
    "a draw scored as a win for both",
    "Then the search is as glad of a draw as of a win, and lets wins go by.",
)
def _draw_wins(winner: int | None, player: int) -> float:
    return 1 if winner is None or winner == player else -1


@misconception(
    "a loss scored as a draw",
    "With 0 for a loss as well, the search does not mind losing. A loss is -1.",
)
def _loss_is_zero(winner: int | None, player: int) -> float:
    return 1 if winner == player else 0


@misconception(
    "no answer after a draw",
    "Where no `return` is reached, a function gives None. A draw is worth 0.",
)
def _none_after_a_draw(winner: int | None, player: int) -> float | None:
    if winner == player:
        return 1
    return None if winner is None else -1


@misconception(
    "everything seen with the eyes of player 0",
    "What is a win for one is a loss for the other: compare the winner with `player`.",
)
def _for_player_0(winner: int | None, player: int) -> float:
    if winner is None:
        return 0
    return 1 if winner == 0 else -1


@misconception(
    "the sign turned round",
    "The winner gets 1, the loser -1.",
)
def _turned_round(winner: int | None, player: int) -> float:
    if winner is None:
        return 0
    return -1 if winner == player else 1


@exhibit(
    title="A search that is afraid of draws",
    start=_reward_start,
    faulty="return -1",
    cases=_reward_cases,
    misconceptions=(
        _zero_is_nobody,
        _half_a_point,
        _draw_wins,
        _loss_is_zero,
        _none_after_a_draw,
        _for_player_0,
        _turned_round,
    ),
    hints=(
        "How many ways are there for a game to end? Go through the function for each of them.",
        "After a draw `winner` is None. Which line is reached, for either player?",
        "A draw needs a case of its own: `if winner is None: return 0`.",
    ),
    when_right="With the fault, both players avoid draws as if they were losses.",
)
def museum_reward(winner: int | None, player: int) -> float:
    """What a game was worth to `player`; `winner` is 0, 1, or None after a draw."""
    if winner is None:
        return 0
    return 1 if winner == player else -1


# museum_simulation


def _simulation_start(root: Node, rng: np.random.Generator) -> None:
    """One simulation of UCT, added to the tree below `root`."""
    state = root.state
    node = search.select(root, search.ucb1())
    [leaf] = search.expand(node, rng)
    while not state.is_terminal:
        state = state.child(search.uniform(state, rng))
    search.backpropagate(leaf, state.returns())


def _grown_by(function: Callable[..., Any], root: Node, rng: np.random.Generator) -> object:
    for _ in range(12):
        function(root, rng)
    return statistics(root)


def _simulation_case(place: Place, shown: str) -> Case:
    def arguments() -> tuple[Node, np.random.Generator]:
        return Node(TreeGame(place)), np.random.default_rng(3)

    root, rng = arguments()
    result = search.mcts(root.state, num_simulations=12, rng=rng)
    expected = statistics(result.root)
    shown = f"12 simulations of {shown}"
    return Case(arguments, expected, shown, _grown_by, changes_arguments=True)


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
    ]


def _simulation(
    name: str, explanation: str
) -> Callable[[Callable[[Node, Node, Node, np.random.Generator], None]], Misconception]:
    """Turn the last two phases, given root, node and leaf, into a wrong simulation."""

    def make(last: Callable[[Node, Node, Node, np.random.Generator], None]) -> Misconception:
        def simulation(root: Node, rng: np.random.Generator) -> None:
            node = search.select(root, search.ucb1())
            [leaf] = search.expand(node, rng)
            last(root, node, leaf, rng)

        return Misconception(name, explanation, simulation)

    return make


def _rolled_out(state: State, rng: np.random.Generator) -> tuple[float, float]:
    return search.rollout(state, search.uniform, rng)


@_simulation(
    "rollouts from the selected node, not from its new child",
    "That is one ply too early: the first move of the rollout is then any move, not the one that "
    "was just added to the tree.",
)
def _from_the_node(root: Node, node: Node, leaf: Node, rng: np.random.Generator) -> None:
    search.backpropagate(leaf, _rolled_out(node.state, rng))


@_simulation(
    "rollouts from the root's child",
    "From the root, the leaf's action leads to the leaf only where the leaf lies right below it.",
)
def _from_the_roots_child(root: Node, node: Node, leaf: Node, rng: np.random.Generator) -> None:
    state = root.state
    if leaf.action in state.legal_actions():
        state = state.child(leaf.action)
    search.backpropagate(leaf, _rolled_out(state, rng))


@_simulation(
    "the result counted from the root",
    "The result is about the leaf: the way back begins there.",
)
def _counted_at_the_root(root: Node, node: Node, leaf: Node, rng: np.random.Generator) -> None:
    search.backpropagate(root, _rolled_out(leaf.state, rng))


@_simulation(
    "the result counted from the selected node",
    "The new leaf itself took part too: the way back begins there.",
)
def _counted_at_the_node(root: Node, node: Node, leaf: Node, rng: np.random.Generator) -> None:
    search.backpropagate(node, _rolled_out(leaf.state, rng))


@_simulation(
    "a rollout of one move",
    "A rollout goes on to the end of the game: `while`, in place of `if`.",
)
def _one_move(root: Node, node: Node, leaf: Node, rng: np.random.Generator) -> None:
    state = leaf.state
    if not state.is_terminal:
        state = state.child(search.uniform(state, rng))
    search.backpropagate(leaf, state.returns())


@_simulation(
    "the result turned around",
    "`returns()` holds one number for each player, and `backpropagate` takes for each node the "
    "one of its mover. Nothing changes sign.",
)
def _turned_around(root: Node, node: Node, leaf: Node, rng: np.random.Generator) -> None:
    first, second = _rolled_out(leaf.state, rng)
    search.backpropagate(leaf, (second, first))


@exhibit(
    title="A search that learns nothing",
    start=_simulation_start,
    faulty="state = root.state",
    cases=_simulation_cases,
    misconceptions=(
        _from_the_node,
        _from_the_roots_child,
        _counted_at_the_root,
        _counted_at_the_node,
        _one_move,
        _turned_around,
    ),
    hints=(
        "Which position is on the board when the rollout begins? And which should it be?",
        "`state` is set before the tree is walked, and the walk does not change it: the rollout "
        "begins at the root's position.",
        "After the expansion, write `state = leaf.state`.",
    ),
    when_right="With the fault all moves look alike, however long the search thinks.",
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

Children = list[dict[str, Any]]


def _children_start(state: State, player: int) -> list[dict[str, Any]]:
    """The nodes below a node; `player` is whose turn it is, in the state and in each node."""
    children = []
    for action in state.legal_actions():
        child = state.child(action)
        children.append({"state": child, "player": player})
    return children


def _children_case(place: Place, shown: str, *players: int) -> Case:
    def arguments() -> tuple[State, int]:
        return TreeGame(place), TreeGame(place).current_player

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


@misconception(
    "the players taken in turn, whatever the position says",
    "Where a player has to pass, or moves twice, the same player is to move again. The new "
    "position knows: `child.current_player`.",
)
def _in_turn(state: State, player: int) -> Children:
    return [{"state": state.child(a), "player": 1 - player} for a in state.legal_actions()]


@misconception(
    "the position before the move asked whose turn it is",
    "That is the same fault in other words: `state.current_player` is the parent's. Ask the child.",
)
def _asks_the_parent(state: State, player: int) -> Children:
    mover = state.current_player
    return [{"state": state.child(a), "player": mover} for a in state.legal_actions()]


@misconception(
    "the player changed inside the loop",
    "`player = 1 - player` in the loop gives every second child the wrong one: all children of a "
    "node come after one move.",
)
def _changed_in_the_loop(state: State, player: int) -> Children:
    children = []
    for action in state.legal_actions():
        player = 1 - player
        children.append({"state": state.child(action), "player": player})
    return children


@misconception(
    "player 1 written in everywhere",
    "That is right below the first move only. Ask the new position.",
)
def _always_player_1(state: State, player: int) -> Children:
    return [{"state": state.child(a), "player": 1} for a in state.legal_actions()]


@misconception(
    "the child's player turned round",
    "`child.current_player` is whose turn it is there, and that is what is asked for.",
)
def _childs_opponent(state: State, player: int) -> Children:
    children = [state.child(action) for action in state.legal_actions()]
    return [{"state": child, "player": 1 - child.current_player} for child in children]


@misconception(
    "the position of the parent kept",
    "Each child has the position after its move, `state.child(action)`.",
)
def _parents_position(state: State, player: int) -> Children:
    return [
        {"state": state, "player": state.child(a).current_player} for a in state.legal_actions()
    ]


@misconception(
    "a return inside the loop",
    "It ends the function after the first child. Return when the loop is over.",
)
def _one_child(state: State, player: int) -> Children:
    child = state.child(state.legal_actions()[0])
    return [{"state": child, "player": child.current_player}]


@exhibit(
    title="A search that plays for the other side",
    start=_children_start,
    faulty='children.append({"state": child, "player": player})',
    cases=_children_cases,
    misconceptions=(
        _in_turn,
        _asks_the_parent,
        _changed_in_the_loop,
        _always_player_1,
        _childs_opponent,
        _parents_position,
        _one_child,
    ),
    hints=(
        "Whose turn is it before the move, and whose after it?",
        "`1 - player` looks right, and is, until somebody has to pass.",
        "The new position knows best: `child.current_player`.",
    ),
    when_right="With the fault, wins are credited to the wrong side all over the tree.",
)
def museum_children(state: State, player: int) -> list[dict[str, Any]]:
    """The nodes below a node; `player` is whose turn it is, in the state and in each node."""
    children = []
    for action in state.legal_actions():
        child = state.child(action)
        children.append({"state": child, "player": child.current_player})
    return children


# museum_backpropagate


def _backpropagate_start(leaf: Node, value: float) -> None:
    """Count a result up to the root; `value` is what it was worth to the mover of `leaf`."""
    node: Node | None = leaf
    while node is not None:
        node.visit_count += 1
        node.total_value += value
        value = -value
        node = node.parent


def _way_case(place: Place, length: int, value: float, *expected: float) -> Case:
    """The case of a game with one line of play; `expected` runs from the leaf upwards."""

    def line() -> Grown:
        grown = Grown(0, 0)
        for _ in range(length):
            grown = Grown(1, 0, {0: grown})
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
        "totals, from the leaf to the root's child": expected,
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


def _way_back(
    name: str, explanation: str
) -> Callable[[Callable[[Node, Node], bool]], Misconception]:
    """Turn a condition on a node and its parent, to change the sign between them, into a walk."""

    def make(changes: Callable[[Node, Node], bool]) -> Misconception:
        def way_back(leaf: Node, value: float) -> None:
            node = leaf
            while True:
                node.visit_count += 1
                node.total_value += value
                if node.parent is None:
                    return
                if changes(node, node.parent):
                    value = -value
                node = node.parent

        return Misconception(name, explanation, way_back)

    return make


@_way_back(
    "the sign never changed",
    "Then both players are credited with what one of them got.",
)
def _never_changed(node: Node, parent: Node) -> bool:
    return False


@_way_back(
    "the sign changed where the mover stays the same",
    "It is the other way round: it changes where the movers differ.",
)
def _where_they_are_the_same(node: Node, parent: Node) -> bool:
    return node.mover == parent.mover


@_way_back(
    "the players to move compared, in place of the movers",
    "`current_player` is who moves next. The value counts for the one who has moved: compare "
    "`node.mover` with `node.parent.mover`.",
)
def _next_players(node: Node, parent: Node) -> bool:
    return node.state.current_player != parent.state.current_player


@misconception(
    "the sign changed before the leaf was counted",
    "`value` is what the result was worth to the leaf's own mover: the leaf gets it as it is.",
)
def _changed_too_early(leaf: Node, value: float) -> None:
    node: Node | None = leaf
    while node is not None:
        value = -value
        node.visit_count += 1
        node.total_value += value
        node = node.parent


@misconception(
    "the sign that belongs to player 0 everywhere",
    "`value` is what the result was worth to the mover of the leaf, and that may be either player.",
)
def _value_for_player_0(leaf: Node, value: float) -> None:
    node: Node | None = leaf
    while node is not None:
        node.visit_count += 1
        node.total_value += value if node.mover == 0 else -value
        node = node.parent


@misconception(
    "the visits of one player only",
    "Every node on the way gets its visit, whoever its mover is.",
)
def _skips_the_other(leaf: Node, value: float) -> None:
    node: Node | None = leaf
    while node is not None:
        if node.mover == leaf.mover:
            node.visit_count += 1
            node.total_value += value
        node = node.parent


@exhibit(
    title="A search that forgets who has passed",
    start=_backpropagate_start,
    faulty="value = -value",
    cases=_way_cases,
    misconceptions=(
        _never_changed,
        _where_they_are_the_same,
        _next_players,
        _changed_too_early,
        _value_for_player_0,
        _skips_the_other,
    ),
    hints=(
        "What does a change of sign at every step take for granted about whose turn it is?",
        "Where a player moves twice in a row, or the other one passes and the pass is no node, two "
        "nodes above each other have the same mover.",
        "A node gets `value` where `node.mover == leaf.mover`, and `-value` where not.",
    ),
    when_right="With the fault Reversi goes wrong where passes count most: in the endgame.",
)
def museum_backpropagate(leaf: Node, value: float) -> None:
    """Count a result up to the root; `value` is what it was worth to the mover of `leaf`."""
    node: Node | None = leaf
    while node is not None:
        node.visit_count += 1
        node.total_value += value if node.mover == leaf.mover else -value
        node = node.parent
