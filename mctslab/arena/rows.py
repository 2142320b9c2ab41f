"""A game as a line of a results file, and the first line of such a file.

A game's line is a list, and holds what does not follow from the first line: the moves, the result
and the clocks. The seeds follow from the tournament's seed. The times, simulations and nodes of a
player are a list with a number for each move, or only their total; then every move is given the
mean when the line is read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, TypeAlias

from mctslab.arena.fixtures import fixture
from mctslab.arena.played import PlayedGame, Reason
from mctslab.typed import Count, Finite, Meta, NonNegative, Number, Positive, Share, convert

COLUMNS: Final = (
    "pairing", "number", "actions", "returns", "num_moves", "seconds", "simulations", "reason",
    "message", "nodes",
)  # fmt: skip
"""The entries of a line, in this order. Nodes are left out where no player counts them."""

_Result: TypeAlias = Annotated[float, Meta(ge=-1, le=1)]
_Used: TypeAlias = NonNegative | tuple[NonNegative, ...]
"""What a player's moves used: in total, or each of them."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a file: what is played."""

    format: str
    version: int
    command: str
    game: str
    game_options: dict[str, Any]
    first_state: str
    contestants: Annotated[tuple[str, ...], Meta(min_length=2)]
    num_games: Count
    seed: Number
    opening_plies: Number
    seconds_per_move: Positive | None
    sprt: tuple[Finite, Finite, Share, Share] | None
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    pairing: tuple[Number, Number]
    number: Number
    actions: tuple[Number, ...]
    returns: tuple[_Result, _Result]
    num_moves: tuple[Number, Number]
    seconds: tuple[_Used, _Used]
    simulations: tuple[_Used, _Used]
    reason: Literal["rules", "time", "illegal", "exception", "crash"]
    message: str
    nodes: tuple[_Used, _Used] | None = None


def as_row(game: PlayedGame, *, short: bool = False) -> list[Any]:
    """A game as the list that is written into a file; `short` keeps only totals of the clocks."""
    return [
        list(game.pairing),
        game.number,
        list(game.actions),
        [_plain(result) for result in game.returns],
        [len(seconds) for seconds in game.seconds],
        [_used(seconds, short) for seconds in game.seconds],
        [_used(simulations, short) for simulations in game.simulations],
        game.reason.value,
        game.message,
        *([[_used(nodes, short) for nodes in game.nodes]] if any(game.nodes) else []),
    ]


def from_row(content: object, header: Mapping[str, Any]) -> PlayedGame:
    """The game that `as_row` has written, in a file with this first line.

    Raises:
        ValueError: `content` is something else.
    """
    if not isinstance(content, list) or len(content) not in (len(COLUMNS) - 1, len(COLUMNS)):
        raise ValueError(f"expected a list of {', '.join(COLUMNS)}.")
    row = convert(dict(zip(COLUMNS, content, strict=False)), _Row)
    _check(row, header)
    played = fixture(row.pairing, row.number, seed=header["seed"])
    one, other = played.players
    return PlayedGame(
        pairing=played.pairing,
        number=row.number,
        players=(header["contestants"][one], header["contestants"][other]),
        seeds=played.seeds,
        opening_seed=played.opening_seed,
        opening_plies=header["opening_plies"],
        actions=row.actions,
        seconds=_each(row.seconds, row.num_moves),
        simulations=_each(row.simulations, row.num_moves),
        returns=row.returns,
        reason=Reason(row.reason),
        message=row.message,
        nodes=_each(row.nodes, row.num_moves) if row.nodes is not None else ((), ()),
    )


def _check(row: _Row, header: Mapping[str, Any]) -> None:
    """Compare the entries of a line with each other.

    Raises:
        ValueError: they contradict each other.
    """
    first, second = row.pairing
    if not first < second < len(header["contestants"]):
        raise ValueError(f"pairing = {list(row.pairing)}: there are no such two contestants.")
    if sum(row.returns) != 0:
        raise ValueError(f"returns = {list(row.returns)}: expected two numbers with the sum 0.")
    without_action = sum(row.num_moves) - (len(row.actions) - header["opening_plies"])
    if not 0 <= without_action <= (row.reason != "rules"):
        raise ValueError(
            f"num_moves = {list(row.num_moves)} does not fit the {len(row.actions)} actions."
        )


def _used(numbers: Sequence[float], short: bool) -> float | list[float]:
    """The numbers of all moves, or their total where it is as good or only that is kept."""
    if short or len(set(numbers)) < 2:
        return _plain(round(sum(numbers), 5 if short else 6))
    return [_plain(number) for number in numbers]


def _each(
    used: tuple[_Used, _Used], num_moves: tuple[int, int]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return _of_moves(used[0], num_moves[0]), _of_moves(used[1], num_moves[1])


def _of_moves(used: _Used, num_moves: int) -> tuple[float, ...]:
    """A number for each move; a total is divided evenly."""
    if not isinstance(used, tuple):
        return (used / num_moves,) * num_moves if num_moves else ()
    if len(used) != num_moves:
        raise ValueError(f"{len(used)} numbers do not fit {num_moves} moves.")
    return used


def _plain(number: float) -> float:
    """The same number, without a decimal point where it needs none."""
    return int(number) if number == int(number) else number
