"""The command `gomocup` with players that do odd things; the first word is the player's."""

import sys
import time

from mctslab import __main__, players
from mctslab.games import State
from mctslab.players import Player, Proposal


class Tireless(Player):
    """Has one thought after the other, from the last square to the first, and never ends."""

    name = "tireless"

    def think(self, state: State):
        yield Proposal(state.legal_actions()[-1], 0.0)
        while True:
            time.sleep(0.01)
            yield Proposal(state.legal_actions()[0], 0.0)


class Stuck(Tireless):
    """Has no thought at all, once the game has begun."""

    def think(self, state: State):
        if state.last_action is None:
            yield Proposal(state.legal_actions()[0], 1.0)
        time.sleep(10_000)


class Slow(Tireless):
    """Takes its time to get ready."""

    def prepare(self, state):
        time.sleep(10_000)


class Talking(Tireless):
    """Prints, in Python and below it, what nobody wants to know."""

    def think(self, state: State):
        print("thinking aloud", flush=True)
        print("complaining", file=sys.stderr, flush=True)
        __import__("os").write(1, b"from below\n")
        yield Proposal(state.legal_actions()[0], 1.0)


ODD = {"tireless": Tireless, "stuck": Stuck, "slow": Slow, "talking": Talking}

if __name__ == "__main__":
    players.make = lambda name, rng: ODD[name]()
    sys.exit(__main__.main(["gomocup", "--player", *sys.argv[1:]]))
