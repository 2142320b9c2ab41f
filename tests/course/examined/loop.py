"""Self-play as students write it: games of a net against itself, matches, and turned boards."""

import numpy as np

from mctslab import course, search

NOISE = search.DirichletNoise(0.5)


def think(state, net, rng, noise):
    options = {"num_simulations": 30, "evaluator": course.evaluator_of(net), "noise": noise}
    result = search.puct_search(state, rng=rng, **options)
    return {child.action: child.visit_count for child in result.children}


def choose(visits, temperature, rng):
    if temperature == 0:
        return max(visits, key=visits.get)
    weights = np.array(list(visits.values())) ** (1 / temperature)
    return int(rng.choice(list(visits), p=weights / weights.sum()))


def play(state, net, rng):
    history = []
    while not state.is_terminal:
        visits = think(state, net, rng, NOISE)
        total = sum(visits.values())
        action = choose(visits, 1 if len(history) < 3 else 0, rng)
        policy = {move: count / total for move, count in visits.items()}
        history.append((state, policy))
        state = state.child(action)
    returns = state.returns()
    return [(each, policy, returns[each.current_player]) for each, policy in history]


def match(state, net, rng):
    while not state.is_terminal:
        state = state.child(choose(think(state, net, rng, None), 0, rng))
    return state.returns()


def augment(planes, policy):
    board = policy.reshape(planes.shape[1:])
    pairs = []
    for turns in range(4):
        turned, moved = np.rot90(planes, turns, (1, 2)), np.rot90(board, turns)
        pairs.append((turned, moved.ravel()))
        pairs.append((turned[:, :, ::-1], moved[:, ::-1].ravel()))
    return pairs
