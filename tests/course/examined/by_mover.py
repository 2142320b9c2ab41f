"""A search as in many textbooks: four functions, nodes that hold the player who moved.

It gives a leaf all its children at once, returns the best action and the root, and stops by number
or by time.
"""

import math


class Node:
    def __init__(self, state, mover, action=None, parent=None):
        self.state, self.mover, self.action, self.parent = state, mover, action, parent
        self.children = []
        self.visit_count = 0
        self.score = 0.0

    @property
    def mean_value(self):
        return self.score / self.visit_count if self.visit_count else 0.0


def tree_policy(node, c):
    while node.children:
        unvisited = [child for child in node.children if child.visit_count == 0]
        if unvisited:
            return unvisited[0]
        logarithm = math.log(node.visit_count)
        node = max(
            node.children,
            key=lambda child: child.mean_value + c * math.sqrt(logarithm / child.visit_count),
        )
    return node


def expansion(node):
    if node.visit_count == 0 or node.state.is_terminal:
        return node
    for action in node.state.legal_actions():
        child = node.state.child(action)
        node.children.append(Node(child, node.state.current_player, action, node))
    return node.children[0]


def default_policy(state, rng):
    while not state.is_terminal:
        actions = state.legal_actions()
        state = state.child(actions[rng.integers(0, len(actions))])
    return state.returns()


def backup(node, returns):
    while node is not None:
        node.visit_count += 1
        node.score += returns[node.mover]
        node = node.parent


def search(state, num_simulations, rng, c=1.4):
    root = Node(state, 1 - state.current_player)
    done = 0
    while done < num_simulations:
        leaf = expansion(tree_policy(root, c))
        backup(leaf, default_policy(leaf.state, rng))
        done += 1
    best = max(root.children, key=lambda child: child.visit_count)
    return best.action, root
