"""What a net should have said: who won, and what the search thought of each move.

A finished game gives one sample for each of its positions. The value target z of a position is what
the game brought to the player who was to move there: +1 in every position of the winner's turn, -1
in every one of the loser's, 0 in a draw. It is the same rule for both colours, and it does not
matter who plays first or whether turns alternate.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from mctslab.games.state import State
from mctslab.net.encode import Floats, InputPlanes, encode_batch


class Samples(NamedTuple):
    """Positions with what a net should say of them."""

    planes: Floats
    """[N, C, rows, cols]."""
    policies: Floats
    """[N, A]: pi, probabilities of all actions; 0 for those that are illegal."""
    values: Floats
    """[N]: z, what the game brought to the player to move, in [-1, 1]."""


def value_target(state: State, returns: tuple[float, float]) -> float:
    """z of a position: of a game's `returns`, those of the player to move at `state`."""
    return returns[state.current_player]


def policy_target(shares: Mapping[int, float], num_actions: int) -> Floats:
    """pi of a position, [A]: `shares`, such as visits by action, divided by their sum.

    Raises:
        ValueError: the shares sum to nothing, or one is negative.
    """
    policy = np.zeros(num_actions, np.float32)
    total = sum(shares.values())
    if not total > 0 or min(shares.values()) < 0:
        raise ValueError(f"These are no shares of a whole: {dict(shares)!r}.")
    for action, share in shares.items():
        policy[action] = share / total
    return policy


def samples_of(
    positions: Sequence[State],
    policies: Sequence[Floats | None],
    inputs: InputPlanes,
    discount: float = 1.0,
) -> Samples:
    """The samples of one finished game.

    Args:
        positions: all of them, the first and the terminal one included.
        policies: pi, [A], for every position but the terminal one; or only for the last of these,
            as where the opening was drawn by lot. Positions without a policy, and those whose
            policy is None, make no samples.
        inputs: what the net sees.
        discount: what z is multiplied by for each move that is left to the end of the game, in
            (0, 1]. Below 1 a win is worth more the sooner it comes, and a loss hurts less the
            later.

    Raises:
        ValueError: more policies than positions, or none at all.
        GameNotOverError: the last position is not terminal.
    """
    if not 0 < len(policies) < len(positions):
        raise ValueError(
            f"{len(positions)} positions and {len(policies)} policies: there has to be a policy "
            "for each position but the terminal one, or for the last of these."
        )
    returns = positions[-1].returns()
    end = len(positions) - 1
    searched = zip(range(end - len(policies), end), policies, strict=True)
    taught = [(positions[: ply + 1], policy) for ply, policy in searched if policy is not None]
    if not taught:
        return no_samples(positions[-1], inputs)
    return Samples(
        encode_batch([game for game, _ in taught], inputs),
        np.stack([policy for _, policy in taught]),
        np.array(
            [
                value_target(game[-1], returns) * discount ** (len(positions) - len(game))
                for game, _ in taught
            ],
            np.float32,
        ),
    )


def no_samples(state: State, inputs: InputPlanes) -> Samples:
    """Nothing to learn, of the game of `state`."""
    planes = encode_batch([[state]], inputs)[:0]
    return Samples(planes, np.zeros((0, state.num_actions), np.float32), np.zeros(0, np.float32))
