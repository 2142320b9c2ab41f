"""A match of Reversi against GRhino, a program that values positions by patterns of squares.

    python -m tests.benchmarks.reversi_engine net+endgame:reversi8_4:400 --depths 1 3 5 7

It needs the program `gtp-rhino` of the package grhino (Debian, Ubuntu). GRhino searches with
alpha-beta to the given depth, and solves the end of the game; its book of openings is not used.
Neither it nor a net draws random numbers, so each opening of random plies is played twice, once
with either colour.
"""

import os
import subprocess
from typing import Final, Self

import numpy as np

from mctslab import games, players
from mctslab.games.openings import random_opening
from mctslab.games.state import State
from tests.benchmarks.shared import parser_of, share

PROGRAM: Final = "/usr/games/gtp-rhino"


class GRhino:
    """GRhino at a depth, asked by the Go Text Protocol (GTP)."""

    def __init__(self, depth: int) -> None:
        self._process = subprocess.Popen(
            [PROGRAM, "--book=0", f"--mid={depth}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate("quit\n")

    def ask(self, command: str) -> str:
        """The answer to a command.

        Raises:
            RuntimeError: GRhino refuses the command, or has ended.
        """
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        self._process.stdout.readline()  # an empty line ends each answer
        if not answer.startswith("="):
            raise RuntimeError(f"GRhino answered {answer!r} to {command!r}.")
        return answer[1:].strip()

    def tell(self, state: State, action: int) -> None:
        """Play a move that was chosen for `state` on GRhino's board."""
        self.ask(f"play {_COLORS[state.current_player]} {state.action_to_string(action)}")

    def choose(self, state: State) -> int:
        """The move that GRhino plays in `state`, which is on its board."""
        return state.string_to_action(self.ask(f"genmove {_COLORS[state.current_player]}"))


_COLORS: Final = ("black", "white")
_MUST_PASS: Final = (games.Reversi().pass_action,)


def play(engine: GRhino, player: players.Player, own_side: int, opening: list[int]) -> float:
    """The points of `player` in a game: 1, 0.5 or 0."""
    engine.ask("clear_board")
    state: State = games.Reversi()
    for action in opening:
        engine.tell(state, action)
        state = state.child(action)
    while not state.is_terminal:
        if state.legal_actions() == _MUST_PASS:
            (action,) = _MUST_PASS  # the engine passes by itself
        elif state.current_player == own_side:
            action = player.choose(state)
            engine.tell(state, action)
        else:
            action = engine.choose(state)
        state = state.child(action)
    return (state.returns()[own_side] + 1) / 2


def main() -> None:
    """Print a table."""
    parser = parser_of(__doc__)
    parser.add_argument("player", help="such as net:reversi8_4:400")
    parser.add_argument("--depths", type=int, nargs="+", default=[1, 3, 5, 7])
    parser.add_argument("--games", type=int, default=40, help="an even number")
    parser.add_argument("--opening-plies", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    words = parser.parse_args()
    if not os.path.exists(PROGRAM):
        parser.error(f"There is no {PROGRAM}: install the package grhino.")
    print(f"| depth | {words.player} | as first | as second player |\n|---|---|---|---|")
    for depth in words.depths:
        rng = np.random.default_rng(words.seed)
        player = players.make(words.player, rng=rng)
        points: tuple[list[float], list[float]] = ([], [])
        with GRhino(depth) as engine:
            for _ in range(words.games // 2):
                opening = random_opening(games.Reversi(), words.opening_plies, rng)
                for side in (0, 1):
                    points[side].append(play(engine, player, side, opening))
        sides = ([*points[0], *points[1]], *points)
        columns = [share(sum(each), len(each)) for each in sides]
        print(f"| {depth} | {' | '.join(columns)} |", flush=True)


if __name__ == "__main__":
    main()
