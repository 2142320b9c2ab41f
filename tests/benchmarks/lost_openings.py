"""What can the second player hope for? Random openings that are proven to be won or lost.

    python -m tests.benchmarks.lost_openings

The openings are those of a match with `--opening-plies 2`, from the same seeds. In each of them a
net searches with proofs (MCTS-Solver), and what is proven is counted. What is not proven within
`--simulations` is counted by the value of the search, which is an opinion.
"""

from collections import Counter

import numpy as np

from mctslab import arena, fast, net
from mctslab.search import SearchResult
from tests.benchmarks.shared import parser_of

PLIES = 2
SURE = 0.9
"""A value beyond which a search is counted as sure, proof or none."""


def verdict(result: SearchResult) -> str:
    """What a search has found out about the player to move, the first one."""
    if result.proven is not None:
        return {1: "proven won", 0: "proven drawn", -1: "proven lost"}[int(result.proven)]
    if abs(result.value) > SURE:
        return "won, it seems" if result.value > 0 else "lost, it seems"
    return "open"


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("net", nargs="?", default="gomoku6_4", help="which net (gomoku6_4)")
    parser.add_argument("--openings", type=int, default=100, help="how many (default: 100)")
    parser.add_argument("--simulations", type=int, default=20_000, help="of each (default: 20000)")
    parser.add_argument("--seed", type=int, default=1, help="of the match (default: 1)")
    words = parser.parse_args()
    evaluator = net.load(words.net)
    first_state, found = evaluator.first_state(), Counter[str]()
    match = {"num_games": 2 * words.openings, "seed": words.seed, "opening_plies": PLIES}
    for game in arena.match(first_state, "random", "random", **match).games[::2]:
        result = fast.puct_search(
            game.states(first_state)[PLIES],
            evaluator=evaluator,
            num_simulations=words.simulations,
            batch_size=16,
            solver=True,
            rng=np.random.default_rng(1),
        )
        found[verdict(result)] += 1
    print(f"for the first player, of {words.openings} random openings:")
    for name, number in found.most_common():
        print(f"{number:5} {name}")


if __name__ == "__main__":
    main()
