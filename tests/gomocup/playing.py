"""A player that does as it is told, and a conversation in which no time passes."""

import numpy as np

from mctslab.games import State
from mctslab.gomocup.session import Session
from mctslab.players import Player, Proposal


class Obedient(Player):
    """Thinks of the legal actions one after the other; notes what it is asked to prepare for."""

    name = "obedient"

    def __init__(self):
        self.prepared: list[State] = []

    def prepare(self, state):
        self.prepared.append(state)

    def think(self, state):
        for number, action in enumerate(state.legal_actions()):
            yield Proposal(action, progress=0.0, num_simulations=number)


class Conversation:
    """A session, with a clock that moves when it is told to."""

    def __init__(self, make_player=Obedient, **options):
        self.players = []

        def noted():
            self.players.append(make_player())
            return self.players[-1]

        self.session = Session(noted, rng=np.random.default_rng(1), **options)
        self.now = 100.0

    def say(self, *lines):
        """What is answered to these lines, without what is meant for people."""
        replies = [each for line in lines for each in self.session.receive(line, self.now)]
        return [reply for reply in replies if not reply.startswith("MESSAGE")]

    def ask(self, *lines):
        """The answer after these lines, when the player has thought to the end."""
        assert self.say(*lines) == []
        return self.decide(self.session.turn.state.legal_actions()[0])

    def decide(self, action):
        """Let the player decide on an action."""
        turn = self.session.turn
        assert self.session.consider(turn, Proposal(action, 1.0), self.now) == []
        [answer] = self.session.finish(turn, None, self.now)
        return answer

    def think(self, action, **fields):
        """Let the player have a thought."""
        return self.session.consider(self.session.turn, Proposal(action, 0.5, **fields), self.now)

    def wait(self, seconds):
        """Let time pass."""
        self.now += seconds
        return self.session.look(self.now)

    @property
    def state(self):
        """The position that is thought about."""
        return self.session.turn.state


def started(size=15, **options):
    """A conversation in which a game has begun."""
    conversation = Conversation(**options)
    assert conversation.say(f"START {size}") == ["OK"]
    return conversation
