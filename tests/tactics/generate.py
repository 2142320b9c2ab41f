"""Makes the tactical positions of Gomoku that `mctslab.arena.tactics` reads, and proves each.

    python -m tests.tactics.generate --seed 1

Games between two beginners, who complete a five and block one but otherwise play at random near the
stones, are looked through for positions in which the player to move

- completes a five (`complete`, 1 ply);
- has to block one, on the only square that does (`block`, 1 ply);
- has a forced win in exactly 3, 5 or 7 plies (`win`), by fours, or by threes as well.

The solutions of the last are all moves that force a win within 7 plies, proved by `prover`; there
are no more than MOST_SOLUTIONS of them, so that a player does not find one by accident. No game
gives two positions.
"""

import argparse
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mctslab.arena.tactics import FILE
from mctslab.games import Gomoku
from tests.tactics.prover import LONGEST, Prover

SIZES = (9, 15)
WANTED = {("complete", 1): 8, ("block", 1): 12, ("win", 3): 20, ("win", 5): 20, ("win", 7): 20}
"""How many positions of each kind and length, on each size of board."""
MOST_SOLUTIONS = 4
PLIES = range(8, 41)
"""The ply from which a game is searched for positions: a random one of these."""


def beginner(state: Gomoku, rng: np.random.Generator) -> int:
    """Completes a five, or blocks one, or plays next to a stone, now and then two steps off."""
    prover = Prover(state)
    squares = prover.completing(prover.player) or prover.completing(3 - prover.player)
    actions = [prover.action(square) for square in squares]
    if not actions:
        stones = [
            divmod(place, state.size) for place, s in enumerate(state.board().stones) if s >= 0
        ]
        reach = 1 if rng.random() < 0.7 else 2
        actions = [
            action
            for action in state.legal_actions()
            if any(
                max(abs(action // state.size - row), abs(action % state.size - col)) <= reach
                for row, col in stones or [(state.size // 2, state.size // 2)]
            )
        ]
    return actions[int(rng.random() * len(actions))]


def kind_of(state: Gomoku, wanted: Counter[tuple[str, int]]) -> tuple[str, int, frozenset[int]]:
    """The kind of a position, its length, and the solutions; none where it is not wanted."""
    prover = Prover(state)
    if own := prover.completing(prover.player):
        return "complete", 1, frozenset(map(prover.action, own))
    threats = prover.completing(3 - prover.player)
    if len(threats) == 1 and wanted["block", 1]:
        return "block", 1, frozenset(map(prover.action, threats))
    for plies in (3, 5, 7):
        if prover.winning_moves(plies):
            winning = prover.winning_moves(LONGEST) if wanted["win", plies] else frozenset()
            return "win", plies, winning
    return "nothing", 0, frozenset()


def position_of_a_game(
    size: int, wanted: Counter[tuple[str, int]], rng: np.random.Generator
) -> dict[str, Any] | None:
    """A position of a game between beginners, if there is one that is wanted."""
    state, moves = Gomoku(size), []
    look_at = PLIES[int(rng.random() * len(PLIES))]
    while not state.is_terminal:
        if len(moves) >= look_at:
            kind, plies, solutions = kind_of(state, wanted)
            if wanted[kind, plies] and 0 < len(solutions) <= MOST_SOLUTIONS:
                return {
                    "kind": kind,
                    "plies": plies,
                    "size": size,
                    "moves": " ".join(moves),
                    "solutions": " ".join(map(state.action_to_string, sorted(solutions))),
                }
        action = beginner(state, rng)
        moves.append(state.action_to_string(action))
        state = state.child(action)
    return None


def positions(
    size: int, rng: np.random.Generator, wanted_kinds: Mapping[tuple[str, int], int] = WANTED
) -> list[dict[str, Any]]:
    """All that are wanted on a board of one size, in the order of WANTED."""
    wanted = Counter(wanted_kinds)
    found = []
    while wanted.total():
        position = position_of_a_game(size, wanted, rng)
        if position is not None:
            wanted[position["kind"], position["plies"]] -= 1
            found.append(position)
    return sorted(found, key=lambda each: list(WANTED).index((each["kind"], each["plies"])))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=FILE)
    arguments = parser.parse_args()
    found = [
        position
        for size in SIZES
        for position in positions(size, np.random.default_rng([arguments.seed, size]))
    ]
    lines = ",\n".join(json.dumps(position) for position in found)
    command = f"python -m tests.tactics.generate --seed {arguments.seed}"
    beside = arguments.out.with_suffix(".new")
    beside.write_text(
        f'{{"made_by": {json.dumps(command)},\n"positions": [\n{lines}\n]}}\n', encoding="utf-8"
    )
    beside.replace(arguments.out)


if __name__ == "__main__":
    main()
