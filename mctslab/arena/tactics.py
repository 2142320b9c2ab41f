"""Tactical positions of Gomoku, of which it is proved what the right moves are.

    from mctslab import players
    from mctslab.arena import tactics

    player = players.make("uct:1000", rng=np.random.default_rng(1))
    solved = sum(tactics.solves(player, tactic) for tactic in tactics.load())

They come from games between beginners. An exhaustive search, which tried every answer on every
square, has proved of each move of the wins whether it forces a five within 7 plies.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mctslab.games.gomoku import Gomoku
from mctslab.players.player import Player

FILE: Final = Path(__file__).parent / "static" / "gomoku_tactics.json"
"""The file with the positions."""


@dataclass(frozen=True, slots=True)
class Tactic:
    """A position of free-style Gomoku, and the moves that are right in it."""

    name: str
    """Such as `win-5-15x15-03`: kind, plies, board and a number."""
    kind: str
    """`complete`: a five can be completed. `block`: the opponent's must be blocked, or all is lost.
    `win`: a five can be forced, whatever the opponent answers."""
    plies: int
    """How many it takes to the five, the opponent's counted: 3, 5 or 7; 1 for the other kinds."""
    state: Gomoku
    solutions: frozenset[int]
    """The actions that complete, or the one that blocks. Of a win all those that force a five
    within 7 plies, so a longer way to the same end is right, too."""


def load() -> tuple[Tactic, ...]:
    """All positions, those of one kind, length and board together."""
    text = FILE.read_text("utf-8")
    found: list[Tactic] = []
    for entry in json.loads(text)["positions"]:
        state = Gomoku(entry["size"])
        actions = {state.action_to_string(action): action for action in range(state.num_actions)}
        for move in entry["moves"].split():
            state = state.child(actions[move])
        solutions = frozenset(actions[move] for move in entry["solutions"].split())
        group = f"{entry['kind']}-{entry['plies']}-{state.size}x{state.size}"
        number = 1 + sum(tactic.name.startswith(group) for tactic in found)
        name = f"{group}-{number:02}"
        found.append(Tactic(name, entry["kind"], entry["plies"], state, solutions))
    return tuple(found)


def solves(player: Player, tactic: Tactic) -> bool:
    """Whether `player` plays one of the right moves."""
    return player.choose(tactic.state) in tactic.solutions
