"""What do several threads bring? Playing strength against one thread, in Elo, with its interval.

    python -m tests.benchmarks.parallel_strength connect_four --seconds 0.1
    python -m tests.benchmarks.parallel_strength reversi --simulations 2000
    python -m tests.benchmarks.parallel_strength reversi --shared 4000
    python -m tests.benchmarks.parallel_strength reversi --shared 4000 --one-tree 3320

With `--seconds` both sides think equally long, and the side with the threads needs idle cores.
With `--simulations` every thread makes as many as the single one: what the threads could bring at
most, on however busy a machine. With `--shared` the threads together make as many as the single
one in its one tree: what they lose by growing a tree each. So much could be won at most, if all of
them grew one tree (with virtual losses, say) and never waited for each other. In an order that does
not depend on chance, as a seed asks for, they do wait: `--one-tree` says how many simulations they
would come to in the same time.
"""

import argparse
from functools import partial

from mctslab import arena
from mctslab.players import UCTPlayer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    budget = parser.add_mutually_exclusive_group(required=True)
    budget.add_argument("--seconds", type=float, help="for a move of either side")
    budget.add_argument("--simulations", type=int, help="for a move, in each thread")
    budget.add_argument("--shared", type=int, help="for a move, of all threads together")
    parser.add_argument("--one-tree", type=int, help="with --shared, for a move of the single one")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    threads = arguments.threads
    one = arguments.one_tree or arguments.simulations or arguments.shared
    several = arguments.simulations * threads if arguments.simulations else arguments.shared
    result = arena.match(
        arguments.game,
        arena.Contestant(
            f"{threads} threads",
            partial(UCTPlayer, several, arguments.seconds, num_threads=threads),
        ),
        arena.Contestant("1 thread", partial(UCTPlayer, one, arguments.seconds)),
        num_games=arguments.games,
        seed=arguments.seed,
        opening_plies=2,
        progress=arena.TextProgress(),
    )
    print(result)


if __name__ == "__main__":
    main()
