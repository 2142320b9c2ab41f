"""Default policies, and the rollout: play on to the end of the game by one of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from mctslab.games.reversi import Reversi
from mctslab.games.state import State

RolloutPolicy: TypeAlias = Callable[[State, np.random.Generator], int]
"""Chooses a legal action of a state that is not terminal."""


def rollout(state: State, policy: RolloutPolicy, rng: np.random.Generator) -> tuple[float, float]:
    """Play by `policy` to the end of the game; its returns, one for each player."""
    while not state.is_terminal:
        state = state.child(policy(state, rng))
    return state.returns()


def random_item(items: Sequence[int], rng: np.random.Generator) -> int:
    """One of `items`, each as likely as the others.

    Everything in a search draws like this, with `rng.random()`: it is quicker than `rng.choice`
    and `rng.integers`, and gives the same numbers in compiled code.
    """
    return items[int(rng.random() * len(items))]


def uniform(state: State, rng: np.random.Generator) -> int:
    """Any legal action, all equally likely."""
    return random_item(state.legal_actions(), rng)


def greedy(state: State, rng: np.random.Generator) -> int:
    """The maximum-disc strategy in Reversi: a random one of the moves that flip most discs.

    Raises:
        ValueError: this is not Reversi.
    """
    if not isinstance(state, Reversi):
        raise ValueError(f"The greedy policy counts discs, in Reversi only; this is {state.title}.")
    mover = state.current_player
    discs = {each: state.child(each).disc_counts()[mover] for each in state.legal_actions()}
    most = max(discs.values())
    return random_item([action for action, number in discs.items() if number == most], rng)


NINE_CLASSES: Final = (
    ((0, 0),),
    ((2, 2),),
    ((2, 3),),
    ((0, 2),),
    ((0, 3),),
    ((1, 2),),
    ((1, 3),),
    ((1, 1),),
    ((0, 1),),
)
"""Canosa's order of preference for the squares of Reversi, best class first, each named by the
(row, column) of one of its squares; the others follow by the symmetries of the board."""

FIVE_CLASSES: Final = (
    ((0, 0),),
    ((2, 2), (2, 3)),
    ((0, 2), (0, 3)),
    ((1, 2), (1, 3)),
    ((1, 1), (0, 1)),
)
"""The same order with neighbouring classes put together."""


@dataclass(frozen=True, slots=True)
class Roxanne:
    """Roxanne Canosa's policy for Reversi: a random one of the legal squares of the best class."""

    ranks: tuple[int, ...]
    """For each action (64 squares and the pass) the number of its class, 0 for the best."""

    def __call__(self, state: State, rng: np.random.Generator) -> int:
        """A random one of the legal squares of the best class that has one.

        Raises:
            ValueError: this is not Reversi on 8 x 8.
        """
        ranks = self.ranks_of(state)
        best = min(ranks)
        actions = zip(state.legal_actions(), ranks, strict=True)
        return random_item([action for action, rank in actions if rank == best], rng)

    def ranks_of(self, state: State) -> list[int]:
        """For each legal action of `state` the number of its class, 0 for the best.

        Raises:
            ValueError: this is not Reversi on 8 x 8.
        """
        if state.num_actions != len(self.ranks):
            raise ValueError(
                f"The Roxanne policy is for Reversi on 8 x 8, with its {len(self.ranks)} actions; "
                f"this is {state.title} with {state.num_actions}."
            )
        return [self.ranks[action] for action in state.legal_actions()]


def roxanne(classes: tuple[tuple[tuple[int, int], ...], ...] = NINE_CLASSES) -> Roxanne:
    """The Roxanne policy with the given classes of squares, best first."""
    size = 8
    ranks = [0] * (size * size + 1)  # the four centre squares and the pass are never in question
    for rank, squares in enumerate(classes):
        for row, col in squares:
            for one, other in ((row, col), (col, row)):
                for r in (one, size - 1 - one):
                    for c in (other, size - 1 - other):
                        ranks[r * size + c] = rank
    return Roxanne(tuple(ranks))


def by_name() -> dict[str, RolloutPolicy]:
    """The policies that are good for rollouts, by their short names."""
    return {"uniform": uniform, "roxanne": roxanne(), "roxanne5": roxanne(FIVE_CLASSES)}


def named(name: str) -> RolloutPolicy:
    """The rollout policy with a short name.

    Raises:
        ValueError: no such policy.
    """
    policies = by_name()
    if name not in policies:
        raise ValueError(f"There is no rollout policy {name!r}. Known are {', '.join(policies)}.")
    return policies[name]
