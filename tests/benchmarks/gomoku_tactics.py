"""Which players find the forced wins of Gomoku, and at what budget?

    python -m tests.benchmarks.gomoku_tactics
    python -m tests.benchmarks.gomoku_tactics uct:100000 puct:1s:threats --kinds win

For each player the share of the positions of `mctslab.arena.tactics` in which it plays a right
move, by kind and length, and over all of them with the 95 % Wilson interval. The first row is what
a move by lot would solve.
"""

import argparse
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mctslab import arena, players
from mctslab.arena import tactics

PLAYERS = (
    "heuristic",
    *(
        f"{kind}:{budget}{evaluator}"
        for kind, evaluator in (
            ("uct", ""),
            ("puct", ""),
            ("puct", ":uniform"),
            ("puct", ":threats"),
        )
        for budget in (400, 1_600, 6_400)
    ),
)


class Group(NamedTuple):
    """Positions of one kind and length, on boards of all sizes."""

    name: str
    tactics: Sequence[tactics.Tactic]


def groups(kinds: Sequence[str]) -> list[Group]:
    """The positions by kind and length, in the order in which they are loaded."""
    found: dict[str, list[tactics.Tactic]] = {}
    for tactic in tactics.load():
        if tactic.kind in kinds:
            name = f"{tactic.kind} {tactic.plies}" if tactic.kind == "win" else tactic.kind
            found.setdefault(name, []).append(tactic)
    return [Group(name, members) for name, members in found.items()]


def solved(name: str, group: Group, seed: int) -> int:
    """How many of a group the player solves; each position is a new start for it."""
    return sum(
        tactics.solves(players.make(name, rng=np.random.default_rng([seed, number])), tactic)
        for number, tactic in enumerate(group.tactics)
    )


def by_lot(group: Group) -> float:
    """How many of a group a random move solves on average."""
    return sum(len(each.solutions) / len(each.state.legal_actions()) for each in group.tactics)


def row(name: str, counts: Sequence[float], chosen: Sequence[Group]) -> str:
    """A line of the table: shares in percent."""
    numbers = [len(group.tactics) for group in chosen]
    shares = [f"{100 * count / number:9.0f}" for count, number in zip(counts, numbers, strict=True)]
    low, high = arena.wilson(sum(counts), sum(numbers))
    total = f"{100 * sum(counts) / sum(numbers):6.1f} ({100 * low:.1f} to {100 * high:.1f})"
    return f"{name:24}{''.join(shares)}   {total}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("players", nargs="*", default=PLAYERS, help="by their short names")
    parser.add_argument("--kinds", nargs="+", default=("complete", "block", "win"))
    parser.add_argument("--most", type=int, help="positions of each kind and length")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chosen = [Group(name, each[: arguments.most]) for name, each in groups(arguments.kinds)]
    print("percent solved".ljust(24) + "".join(f"{group.name:>9}" for group in chosen) + "   all")
    print("positions".ljust(24) + "".join(f"{len(group.tactics):9}" for group in chosen))
    print(row("a move by lot", [by_lot(group) for group in chosen], chosen))
    for name in arguments.players:
        counts = [solved(name, group, arguments.seed) for group in chosen]
        print(row(name, counts, chosen), flush=True)


if __name__ == "__main__":
    main()
