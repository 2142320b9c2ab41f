"""Notebook 04, expansion: one more child."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mctslab.course.checking.comparing import Shares, Tally, Words, tally
from mctslab.course.exercise import exercise
from mctslab.course.question import FROM_MODEL, Case
from mctslab.course.tree_game import (
    SPARSE,
    Grown,
    Place,
    TreeGame,
    drawn,
    outlined,
    place_at_random,
    plant,
    turn_of,
    won_by,
    written,
)
from mctslab.search.node import Node

Expand = Callable[[Node, np.random.Generator], Any]

_CHILDREN = "children of the node"
_UNTRIED = "untried actions left"
_RETURNED = "what is returned"
_PARENT = "parent of the new child"
_ACTION = "action of the new child"
_MOVER = "mover of the new child"
_POSITION = "position of the new child"
_VISITS = "visits of the node and of the new child"


def _expand_once(function: Expand, node: Node, rng: np.random.Generator) -> object:
    """What can be observed after one call; the new child is the node's last one."""
    old = list(node.children)
    found = function(node, rng)
    if isinstance(found, list) and len(found) == 1:  # as the package's function returns it
        found = found[0]
    new = next((child for child in node.children if child not in old), None)
    facts: dict[str, object] = {
        _CHILDREN: len(node.children),
        _UNTRIED: tuple(sorted(node.untried_actions)),
        _RETURNED: _called(found, node, new),
    }
    if not node.state.is_terminal:
        facts[_PARENT] = _called(new and new.parent, node, new)
        facts[_ACTION] = new and new.action
        facts[_MOVER] = new and new.mover
        facts[_POSITION] = _called_position(node, new)
    return facts | {_VISITS: (node.visit_count, new.visit_count if new else 0)}


def _called(found: object, node: Node, new: Node | None) -> object:
    if not isinstance(found, Node):
        return found
    if found is node:
        return Words("the node")
    if found in node.children and found is not new:
        return Words("a child that was there before")
    return Words("the new child" if found is new else "a node that is not in the tree")


def _called_position(node: Node, new: Node | None) -> Words | None:
    """The child's position, described from the node's."""
    if new is None:
        return None
    if new.state == node.state:
        return Words("that of the node")
    after = {node.state.child(action): action for action in node.state.legal_actions()}
    seen = f"that after action {after[new.state]}" if new.state in after else "another one"
    return Words(seen)


def _expand_twice(function: Expand, node: Node, rng: np.random.Generator) -> object:
    function(node, rng)
    function(node, rng)
    return {_CHILDREN: len(node.children), _UNTRIED: len(node.untried_actions)}


def _expand_all_the_way(function: Expand, node: Node, rng: np.random.Generator) -> object:
    for _ in node.state.legal_actions():
        function(node, rng)
    return {
        "actions of the children, in ascending order": tuple(
            sorted(-1 if child.action is None else child.action for child in node.children)
        ),
        _UNTRIED: tuple(sorted(node.untried_actions)),
    }


def _expand_many(function: Expand, node: Node, rng: np.random.Generator) -> Tally:
    def first_action() -> object:
        root = Node(node.state)
        function(root, rng)
        return root.children[0].action if root.children else None

    return tally(first_action() for _ in range(900))


def _expand_again(function: Expand, node: Node, rng: np.random.Generator) -> Words:
    def order() -> list[object]:
        same_rng, root = np.random.default_rng(7), Node(node.state)
        for _ in range(30):
            function(root, same_rng)
        return [child.action for child in root.children]

    return Words("the same children" if order() == order() else "other children")


def _expand_case(
    place: Place,
    grown: Grown,
    expected: object,
    use: Callable[..., object] = _expand_once,
    shown: str = "",
) -> Case:
    def arguments() -> tuple[Node, np.random.Generator]:
        return plant(TreeGame(place), grown), np.random.default_rng(1)

    shown = shown or f"expand(node, rng), and the node is this root\n{written(arguments()[0])}"
    return Case(arguments, expected, shown, use, changes_arguments=True)


def _expand_cases() -> list[Case]:
    end = drawn()
    forced, two = turn_of(0, end), turn_of(1, end, won_by(1))
    wide = turn_of(0, *[turn_of(1, end)] * 30)
    return [
        _expand_case(
            end,
            Grown(2, 0),
            {_CHILDREN: 0, _UNTRIED: (), _RETURNED: Words("the node"), _VISITS: (2, 0)},
        ),
        _expand_case(
            forced,
            Grown(1, 0),
            {
                _CHILDREN: 1,
                _UNTRIED: (),
                _RETURNED: Words("the new child"),
                _PARENT: Words("the node"),
                _ACTION: 0,
                _MOVER: 0,
                _POSITION: Words("that after action 0"),
                _VISITS: (1, 0),
            },
        ),
        _expand_case(
            two,
            Grown(5, 2, {0: Grown(5, 2)}),
            {
                _CHILDREN: 2,
                _UNTRIED: (),
                _RETURNED: Words("the new child"),
                _PARENT: Words("the node"),
                _ACTION: 1,
                _MOVER: 1,
                _POSITION: Words("that after action 1"),
                _VISITS: (5, 0),
            },
        ),
        _expand_case(
            turn_of(0, end, end, end, end, end),
            Grown(0, 0),
            {_CHILDREN: 2, _UNTRIED: 3},
            _expand_twice,
            "a node with five untried actions, expanded twice",
        ),
        _expand_case(
            turn_of(0, end, end, end, end),
            Grown(0, 0),
            {"actions of the children, in ascending order": (0, 1, 2, 3), _UNTRIED: ()},
            _expand_all_the_way,
            "a node with four untried actions, expanded four times",
        ),
        _expand_case(
            turn_of(0, end, end, end),
            Grown(0, 0),
            Shares({0: 1 / 3, 1: 1 / 3, 2: 1 / 3}),
            _expand_many,
            "the first action tried at a node with the actions 0, 1 and 2, in 900 trees",
        ),
        _expand_case(
            wide,
            Grown(0, 0),
            Words("the same children"),
            _expand_again,
            "a node with thirty actions expanded thirty times, then again with the same seed",
        ),
    ]


def _expand_variation(rng: np.random.Generator) -> Case:
    place = place_at_random(rng, 2)
    return Case(
        lambda: (Node(TreeGame(place, (), SPARSE)), np.random.default_rng(1)),
        FROM_MODEL,
        f"a root that is expanded until nothing is left to try\n{outlined(place)}",
        _expand_all_the_way,
        changes_arguments=True,
    )


@exercise(cases=_expand_cases, variation=_expand_variation)
def expand(node: Node, rng: np.random.Generator) -> Node:
    """Add a child for an untried action drawn at random; where the game is over, the node."""
    if not node.untried_actions:
        return node
    action = int(rng.choice(node.untried_actions))
    node.untried_actions.remove(action)
    child = Node(parent=node, action=action)
    node.children.append(child)
    return child
