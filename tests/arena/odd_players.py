"""Players that do what they should not, made by functions that another process can import."""

import os
import re
import sys
import time

from mctslab.games import State
from mctslab.players import Player, Proposal


class OddPlayer(Player):
    """Plays the first legal move, until it is its turn in a position with some stones on it."""

    def __init__(self, rng, name="odd", after=0):
        self.name = name
        self.rng = rng
        self.after = after

    def think(self, state: State):
        stones = sum(stone >= 0 for stone in state.board().stones)
        is_odd = stones >= self.after
        yield Proposal(self.odd_action(state) if is_odd else state.legal_actions()[0], 1.0)

    def odd_action(self, state):
        return state.legal_actions()[0]


class Raising(OddPlayer):
    def odd_action(self, state):
        raise RuntimeError("I have\nlost my way")


class Exiting(OddPlayer):
    def odd_action(self, state):
        sys.exit(3)


class EndingTheProcess(OddPlayer):
    def odd_action(self, state):
        os._exit(7)


class Illegal(OddPlayer):
    def odd_action(self, state):
        return state.legal_actions()[0] + 100


class WrongType(OddPlayer):
    def odd_action(self, state):
        return "a1"


class NeverAnswering(OddPlayer):
    def odd_action(self, state):
        print("thinking", flush=True)
        while True:
            time.sleep(0.01)


class Stuck(OddPlayer):
    """Never comes back from C, where no other Python code can run."""

    def odd_action(self, state):
        re.match("(a+)+$", "a" * 60 + "b")


class NeverReady(Stuck):
    def prepare(self, state):
        self.odd_action(state)


class Slow(OddPlayer):
    """Has a thought at once, and then more thoughts without end."""

    def think(self, state: State):
        while True:
            yield Proposal(state.legal_actions()[0], 0.5)
            time.sleep(0.01)


class Silent(OddPlayer):
    def think(self, state: State):
        yield from ()


class Interrupted(OddPlayer):
    """Is interrupted by Ctrl-C in the middle of a game."""

    def odd_action(self, state):
        raise KeyboardInterrupt


def unmakeable(rng):
    """Makes a player for the first time only: the arena tries each factory once."""
    if rng.bit_generator.seed_seq.entropy == 0:
        return OddPlayer(rng)
    raise OSError("the weights are gone")


def slow_to_make(rng):
    """Makes a player that has a lot to load first."""
    if rng.bit_generator.seed_seq.entropy != 0:  # see above
        time.sleep(2.5)
    return OddPlayer(rng, "prepared")
