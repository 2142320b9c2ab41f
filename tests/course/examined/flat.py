"""A search whose tree lies in lists: one entry for each node, no objects, no recursion.

Children have equal priors, and the value of a leaf is the result of a rollout.
"""

import math


def search(state, num_simulations, rng):
    states, parents, actions = [state], [-1], [-1]
    visits, totals, children = [0], [0.0], [[]]

    def expand(node):
        for action in list(states[node].legal_actions()):
            children[node].append(len(states))
            states.append(states[node].child(action))
            parents.append(node)
            actions.append(action)
            visits.append(0)
            totals.append(0.0)
            children.append([])

    def rollout(state):
        player = state.current_player
        while not state.is_terminal:
            state = state.child(rng.choice(state.legal_actions()))
        return state.returns()[player]

    def puct(node, child):
        mean = totals[child] / visits[child] if visits[child] else 0.0
        prior = 1 / len(children[node])
        return mean + 1.25 * prior * math.sqrt(visits[node]) / (1 + visits[child])

    for _ in range(num_simulations):
        node = 0
        while children[node]:
            node = max(children[node], key=lambda child: puct(node, child))
        player = states[node].current_player
        if states[node].is_terminal:
            value = states[node].returns()[player]
        else:
            expand(node)
            value = rollout(states[node])
        while node >= 0:
            above = states[max(parents[node], 0)].current_player
            visits[node] += 1
            totals[node] += value if above == player else -value
            node = parents[node]
    return {
        actions[child]: (visits[child], totals[child] / max(visits[child], 1))
        for child in children[0]
    }
