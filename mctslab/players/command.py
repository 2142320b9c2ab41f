"""The command `play`: a game against the computer in the terminal, also one of your own."""

import argparse

import numpy as np

from mctslab import games
from mctslab.games.options import add_game_option, game_options
from mctslab.games.state import State
from mctslab.players.names import make
from mctslab.players.player import Player


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
    """Play until the end or until `quit`.

    Raises:
        ValueError: the game or the opponent cannot be found, or the opponent cannot play this game.
        OSError: the file of a net is not there.
    """
    state = games.make(arguments.game, **game_options(arguments))
    opponent = make(arguments.against, rng=np.random.default_rng(arguments.seed))
    try:
        _play(state, opponent, you=int(arguments.second))
    except (EOFError, KeyboardInterrupt):
        print("\nThe game was stopped.")
    except ValueError as error:
        raise ValueError(f"{opponent.name} cannot play here: {error}") from error
    return 0


def _play(state: State, opponent: Player, *, you: int) -> None:
    """Play a game in the terminal; you are player `you`. It ends earlier if you want to stop.

    Raises:
        ValueError: the opponent cannot play this game.
    """
    names = state.player_names
    print(f"{state.title}: you are {names[you]}. Write a move, or quit.\n\n{state}")
    while not state.is_terminal:
        if state.current_player != you:
            action = opponent.choose(state)
            print(f"{names[1 - you]}: {state.action_to_string(action)}")
            state = state.child(action)
        elif _has_to_pass(state):
            input("You have to pass: press Enter. ")
            state = state.child(state.legal_actions()[0])
        else:
            words = input("Your move: ").strip().lower()
            if words == "quit":
                return
            try:
                state = state.child(state.string_to_action(words))
            except ValueError as error:
                if words in ("q", "exit"):
                    return
                print(error)
                continue
        print(f"\n{state}")


def _has_to_pass(state: State) -> bool:
    """Whether the only legal action is a pass, which has no square."""
    first, *others = state.legal_actions()
    return not others and state.action_square(first) is None
