"""A net as the page computes it, in wasmtime; for the search here it is an evaluator."""

from collections.abc import Sequence

import numpy as np

from docs.site.play import build
from mctslab.games.state import State
from mctslab.net.encode import Floats, InputPlanes, encode
from mctslab.net.evaluator import legal_priors, returns
from mctslab.search.evaluators import Evaluation


class PageNet:
    """A net in the memory of a board's engine.

    Args:
        state: the first position on the board.
        file: the net, as the build writes it.
    """

    def __init__(self, state: State, file: bytes) -> None:
        self.instance = build.Instance(build.engine(state))
        self.address = self.put(file)
        self._num_actions = state.num_actions
        self._planes = self.instance.new(4 * build.NUM_PLANES * state.num_actions)
        self._logits = self.instance.new(4 * state.num_actions)

    def put(self, data: bytes) -> int:
        """Copy `data` into the memory; its address."""
        address = self.instance.new(max(len(data), 8))
        self.instance.write(address, data)
        return address

    def outputs(self, state: State) -> tuple[Floats, float]:
        """The logits of all actions, and the value for the player to move."""
        self.instance.write(self._planes, encode([state], InputPlanes()).tobytes())
        value = self.instance.call("evaluate", self.address, self._planes, self._logits)
        data = self.instance.read(self._logits, 4 * self._num_actions)
        return np.frombuffer(data, np.float32), value

    def __call__(self, states: Sequence[State], rng: np.random.Generator) -> Evaluation:
        """The net's outputs for `states`, as the search needs them; `rng` is not used."""
        logits, values = zip(*map(self.outputs, states), strict=True)
        return Evaluation(
            [
                returns(value, state.current_player)
                for value, state in zip(values, states, strict=True)
            ],
            legal_priors(np.array(logits), [state.legal_actions() for state in states]),
        )
