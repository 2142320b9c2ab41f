"""A search as students write it: a class that calls itself, with signs that flip on the way back.

It takes positions with the interface of `mctslab.games.State` and returns an action, nothing else.
"""

import math


class Place:
    def __init__(self, state):
        self.state = state
        self.visits = 0
        self.total = 0.0  # for the player to move here
        self.below = {}


class Search:
    def __init__(self, rng, c=1.0):
        self.rng = rng
        self.c = c

    def visit(self, place, depth=0):
        """One simulation; the value for the player to move at `place`."""
        state = place.state
        if state.is_terminal:
            value = state.returns()[state.current_player]
        elif place.visits == 0:
            value = self.playout(state)
        else:
            action = self.pick(place)
            if action not in place.below:
                place.below[action] = Place(state.child(action))
            child = place.below[action]
            value = self.visit(child, depth + 1)
            if child.state.current_player != state.current_player:
                value = -value
        place.visits += 1
        place.total += value
        return value

    def pick(self, place):
        untried = [a for a in place.state.legal_actions() if a not in place.below]
        if untried:
            return untried[int(self.rng.integers(len(untried)))]
        return max(place.below, key=lambda action: self.score(place, place.below[action]))

    def score(self, place, child):
        mean = child.total / child.visits
        if child.state.current_player != place.state.current_player:
            mean = -mean
        return mean + self.c * math.sqrt(math.log(place.visits) / child.visits)

    def playout(self, state):
        player = state.current_player
        while not state.is_terminal:
            actions = state.legal_actions()
            state = state.child(actions[int(self.rng.integers(len(actions)))])
        return state.returns()[player]


def search(state, num_simulations, rng):
    searcher = Search(rng)
    root = Place(state)
    for _ in range(num_simulations):
        searcher.visit(root)
    return max(root.below, key=lambda action: root.below[action].visits)
