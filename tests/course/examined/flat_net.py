"""A search with a net whose tree lies in lists: one entry for each node, no objects, no recursion.

`net(state)` is a policy over all actions and a value for the player to move.
"""

import numpy as np


def search(state, num_simulations, rng, net):
    states, parents, actions, priors = [state], [-1], [-1], [1.0]
    visits, totals, children = [0], [0.0], [[]]

    def expand(node):
        policy, value = net(states[node])
        legal = list(states[node].legal_actions())
        total = sum(policy[action] for action in legal)
        for action in legal:
            children[node].append(len(states))
            states.append(states[node].child(action))
            parents.append(node)
            actions.append(action)
            priors.append(policy[action] / total)
            visits.append(0)
            totals.append(0.0)
            children.append([])
        return value

    def puct(node, child):
        mean = totals[child] / visits[child] if visits[child] else 0.0
        return mean + 1.25 * priors[child] * np.sqrt(visits[node]) / (1 + visits[child])

    for _ in range(num_simulations):
        node = 0
        while children[node]:
            node = max(children[node], key=lambda child: puct(node, child))
        player = states[node].current_player
        if states[node].is_terminal:
            value = states[node].returns()[player]
        else:
            value = expand(node)
        while node >= 0:
            above = states[max(parents[node], 0)].current_player
            visits[node] += 1
            totals[node] += value if above == player else -value
            node = parents[node]
    return {
        actions[child]: (visits[child], totals[child] / max(visits[child], 1))
        for child in children[0]
    }
