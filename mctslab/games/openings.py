"""Random openings, so that players who would repeat the same game play different ones."""

from typing import Final

from mctslab.games.state import Rng, State, as_generator

_TRIES: Final = 1_000


def random_opening(first_state: State, plies: int, rng: Rng) -> list[int]:
    """The actions of `plies` random moves from `first_state`, after which the game is still open.

    Raises:
        ValueError: the game is over, or no random game was still open after `plies` plies.
    """
    if first_state.is_terminal:
        raise ValueError(f"There is nothing to play, because the game is over:\n{first_state}")
    rng = as_generator(rng)
    for _ in range(_TRIES):
        state = first_state
        actions: list[int] = []
        while not state.is_terminal and len(actions) < plies:
            legal = state.legal_actions()
            actions.append(legal[int(rng.random() * len(legal))])
            state = state.child(actions[-1])
        if not state.is_terminal:
            return actions
    raise ValueError(
        f"opening_plies={plies!r} is too many: {first_state.title} is over by then. Use a smaller "
        "number."
    )
