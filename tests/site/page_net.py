"""An engine of the page in wasmtime, and a net as it computes it, which is an evaluator here."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from docs.site.play import build
from mctslab.games.state import State
from mctslab.net.encode import Floats, InputPlanes, encode
from mctslab.net.evaluator import legal_priors, returns
from mctslab.search.evaluators import Evaluation


def some_position(state: State, most_moves: int, rng: np.random.Generator) -> State:
    """A position some random moves after `state` in a game that is not over."""
    for _ in range(rng.integers(0, most_moves)):
        following = state.child(int(rng.choice(state.legal_actions())))
        if following.is_terminal:
            break
        state = following
    return state


class Page:
    """An engine, and arrays in its memory."""

    def __init__(self, instance: build.Instance) -> None:
        self.instance = instance

    def put(self, data: bytes | np.ndarray[Any, Any]) -> int:
        """Copy data into the memory; its address."""
        content = data if isinstance(data, bytes) else data.tobytes()
        address = self.instance.new(max(len(content), 8))
        self.instance.write(address, content)
        return address

    def get(self, address: int, like: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        data = self.instance.read(address, like.nbytes)
        return np.frombuffer(data, like.dtype).reshape(like.shape)


class PageNet(Page):
    """A net in the memory of a board's engine.

    Args:
        state: the first position on the board.
        file: the net, as the build writes it.
    """

    def __init__(self, state: State, file: bytes) -> None:
        super().__init__(build.Instance(build.engine(state)))
        self.address = self.put(file)
        self._logits = np.zeros(state.num_actions, np.float32)
        self._planes = self.instance.new(4 * build.NUM_PLANES * state.num_actions)
        self._answer = self.put(self._logits)

    def outputs(self, state: State) -> tuple[Floats, float]:
        """The logits of all actions, and the value for the player to move."""
        self.instance.write(self._planes, encode([state], InputPlanes()).tobytes())
        value = self.instance.call("evaluate", self.address, self._planes, self._answer)
        return self.get(self._answer, self._logits), value

    def __call__(self, states: Sequence[State], rng: np.random.Generator) -> Evaluation:
        """The net's outputs for `states`, as the search needs them; `rng` is not used."""
        logits, values = zip(*map(self.outputs, states), strict=True)
        movers = [state.current_player for state in states]
        return Evaluation(
            list(map(returns, values, movers)),
            legal_priors(np.array(logits), [state.legal_actions() for state in states]),
        )
