"""The command `play`: a game against the computer in the terminal, also one of your own."""

import argparse
import sys

import numpy as np

from mctslab import games
from mctslab.games.options import add_game_option, game_options
from mctslab.games.state import State
from mctslab.players.names import make
from mctslab.players.player import Player

_HELP = "Write a move, or: hint, undo, quit."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The game, and who plays it."""
    parser.add_argument(
        "game",
        help="a short name, such as reversi; or a file with a game of your own, my_game.py or "
        "my_game.py:MyGame, which is run, so name only a file that you trust",
    )
    parser.add_argument(
        "--against", default="uct:1s", metavar="PLAYER", help="the opponent (default: uct:1s)"
    )
    parser.add_argument("--second", action="store_true", help="let the opponent move first")
    parser.add_argument("--seed", type=int, help="of the opponent's random numbers")
    add_game_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play until the end or until `quit`; 2 if the game or the opponent cannot be found."""
    try:
        state = games.make(arguments.game, **game_options(arguments))
        opponent = make(arguments.against, rng=np.random.default_rng(arguments.seed))
    except (OSError, TypeError, ValueError) as error:
        print(f"play: {error}", file=sys.stderr)
        return 2
    try:
        _Game(state, opponent, you=int(arguments.second)).play()
    except (EOFError, KeyboardInterrupt):
        print("\nThe game was stopped.")
    return 0


class _Game:
    """A game in the terminal between you, the player with this number, and the opponent."""

    def __init__(self, state: State, opponent: Player, *, you: int) -> None:
        self._positions = [state]
        self._opponent = opponent
        self._you = you

    def play(self) -> None:
        """Play until the game is over, or you want to stop."""
        names = self._state.player_names
        print(f"{self._state.title}: you are {names[self._you]}. {_HELP}")
        shown = None
        while not self._state.is_terminal:
            if shown is not self._state:
                shown = self._state
                print(f"\n{shown}")
            if self._state.current_player != self._you:
                self._move(self._opponent.choose(self._state), names[1 - self._you])
            elif (forced_pass := self._forced_pass()) is not None:
                input("You have to pass: press Enter. ")
                self._move(forced_pass, "You")
            elif not self._answer(input("Your move: ").strip().lower()):
                return
        print(f"\n{self._state}")

    @property
    def _state(self) -> State:
        return self._positions[-1]

    def _forced_pass(self) -> int | None:
        """The only legal action if it is a pass, which has no square; otherwise None."""
        first, *others = self._state.legal_actions()
        return None if others or self._state.action_square(first) is not None else first

    def _move(self, action: int, who: str) -> None:
        print(f"{who}: {self._state.action_to_string(action)}")
        self._positions.append(self._state.child(action))

    def _answer(self, words: str) -> bool:
        """Do what you wrote; False if you want to stop."""
        if words in ("quit", "exit"):
            return False
        if words == "undo":
            self._undo()
        elif words == "hint":
            advice = self._opponent.choose(self._state)
            print(f"Your opponent would play {self._state.action_to_string(advice)}.")
        else:
            try:
                self._positions.append(self._state.child(self._state.string_to_action(words)))
            except ValueError as error:
                print(f"{error} {_HELP}")
        return True

    def _undo(self) -> None:
        """Go back to the position before your last move."""
        yours = [
            place
            for place, state in enumerate(self._positions[:-1])
            if state.current_player == self._you
        ]
        if yours:
            del self._positions[yours[-1] + 1 :]
        else:
            print("You have not moved yet.")
