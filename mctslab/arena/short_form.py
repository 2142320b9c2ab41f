"""A game in a quarter of the space, for tournaments that are kept or handed on.

A line is a list in place of an object, and holds what cannot be worked out from the first line of
the file: the moves, the result, and the clocks' totals. The seeds follow from the tournament's.
Of each player's times, simulations and nodes only the sum is kept; every move is given its mean
when the line is read again.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from mctslab.arena.fixtures import fixture
from mctslab.arena.played import PlayedGame, Reason

COLUMNS: Final = (
    "pairing", "number", "actions", "returns", "num_moves", "seconds", "simulations", "reason",
    "message", "nodes",
)  # fmt: skip
"""What stands in a line, in this order; the first line of the file names them. Nodes are left out
where nobody counts them."""


def as_row(game: PlayedGame) -> list[Any]:
    """A game as the list that is written into a file."""
    return [
        list(game.pairing),
        game.number,
        list(game.actions),
        [_short(result) for result in game.returns],
        [len(seconds) for seconds in game.seconds],
        [round(sum(seconds), 5) for seconds in game.seconds],
        [_short(sum(simulations)) for simulations in game.simulations],
        game.reason.value,
        game.message,
        *([[_short(sum(nodes)) for nodes in game.nodes]] if any(game.nodes) else []),
    ]


def from_row(row: Sequence[Any], header: Mapping[str, Any]) -> PlayedGame:
    """The game that `as_row` has written, in a file with this first line.

    Raises:
        IndexError, KeyError, TypeError, ValueError: `row` is something else.
    """
    pairing, number, actions, returns, num_moves, seconds, simulations, reason, message, *more = row
    first, second = pairing
    played = fixture((first, second), number, seed=header["seed"])
    one, other = played.players
    return PlayedGame(
        pairing=played.pairing,
        number=number,
        players=(header["contestants"][one], header["contestants"][other]),
        seeds=played.seeds,
        opening_seed=played.opening_seed,
        opening_plies=header["opening_plies"],
        actions=tuple(actions),
        seconds=(_shared(seconds[0], num_moves[0]), _shared(seconds[1], num_moves[1])),
        simulations=(_shared(simulations[0], num_moves[0]), _shared(simulations[1], num_moves[1])),
        returns=(float(returns[0]), float(returns[1])),
        reason=Reason(reason),
        message=str(message),
        nodes=(
            (_shared(more[0][0], num_moves[0]), _shared(more[0][1], num_moves[1]))
            if more
            else ((), ())
        ),
    )


def _shared(total: float, number: int) -> tuple[float, ...]:
    """The total of so many moves, shared out evenly."""
    return (total / number,) * number if number else ()


def _short(number: float) -> float:
    """The same number, without a decimal point where it needs none."""
    return int(number) if number == int(number) else number
