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
        _play(state, opponent, you=int(arguments.second))
    except (EOFError, KeyboardInterrupt):
        print("\nThe game was stopped.")
    return 0


def _play(state: State, opponent: Player, *, you: int) -> None:
    """Play a game in the terminal; you are player `you`. It ends earlier if you want to stop."""
    names = state.player_names
    print(f"{state.title}: you are {names[you]}. {_HELP}")
    positions, shown = [state], None
    while not (state := positions[-1]).is_terminal:
        if shown is not state:
            shown = state
            print(f"\n{state}")
        if state.current_player != you:
            action = opponent.choose(state)
            print(f"{names[1 - you]}: {state.action_to_string(action)}")
            positions.append(state.child(action))
        elif (forced_pass := _forced_pass(state)) is not None:
            input("You have to pass: press Enter. ")
            positions.append(state.child(forced_pass))
        elif not _answer(input("Your move: ").strip().lower(), positions, opponent):
            return
    print(f"\n{state}")


def _forced_pass(state: State) -> int | None:
    """The only legal action if it is a pass, which has no square; otherwise None."""
    first, *others = state.legal_actions()
    return None if others or state.action_square(first) is not None else first


def _answer(words: str, positions: list[State], opponent: Player) -> bool:
    """Do what you wrote in the last of these positions; False if you want to stop."""
    state = positions[-1]
    if words in ("quit", "exit"):
        return False
    if words == "undo":
        own = [
            place
            for place, each in enumerate(positions)
            if each.current_player == state.current_player
        ]
        if len(own) == 1:
            print("You have not moved yet.")
        else:
            del positions[own[-2] + 1 :]  # back to the position before your last move
    elif words == "hint":
        advice = state.action_to_string(opponent.choose(state))
        print(f"Your opponent would play {advice}.")
    else:
        try:
            positions.append(state.child(state.string_to_action(words)))
        except ValueError as error:
            print(f"{error} {_HELP}")
    return True
