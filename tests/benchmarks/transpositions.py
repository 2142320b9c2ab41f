"""What do transpositions bring at equal simulations? Questions saved, best moves found, games won.

    python -m tests.benchmarks.transpositions positions tic_tac_toe --simulations 200
    python -m tests.benchmarks.transpositions positions connect_four --simulations 400
    python -m tests.benchmarks.transpositions match --simulations 200

`positions`: positions of random games where the moves are not all worth the same, each searched as
a tree and as a graph; how often the move is one that a perfect player calls best, with Wilson's
95 % interval, and the difference with its interval, which goes by the positions where the two
disagree. Beside it stands in how many of the simulations the evaluator was asked, and in how many
about a position that it had not been asked about before: the rest ended at the end of a game, or
was work done twice. `match`: Gomoku on 6 x 6, four in a row, graph against tree.
"""

import argparse
import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from mctslab import arena, games
from mctslab.arena.score import wilson
from mctslab.fast.solver import Solver
from mctslab.games import State
from mctslab.players import Player, Proposal
from mctslab.search import Evaluator, puct, puct_search, rollout_evaluator, uniform_evaluator
from mctslab.search.minimax import minimax
from mctslab.search.rollouts import uniform

EVALUATORS: dict[str, Callable[[], Evaluator]] = {
    "uniform": uniform_evaluator,
    "rollout": rollout_evaluator,
}
PLIES = {"tic_tac_toe": (1, 6), "connect_four": (14, 26)}
"""Between which plies the positions are."""


class Counting:
    """An evaluator that counts how often it is asked, and about how many positions."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.number = 0
        self.positions: set[State] = set()

    def __call__(self, states, rng):
        self.number += len(states)
        self.positions.update(states)
        return self.evaluator(states, rng)


def verdicts(state: State, memo: dict, solver: Solver) -> Mapping[int, float]:
    """What each move is worth to the player to move."""
    if isinstance(state, games.ConnectFour):
        return solver.solve_moves(state)
    player = state.current_player
    return {action: minimax(state.child(action), memo)[player] for action in state.legal_actions()}


def positions(first_state: State, plies: tuple[int, int], rng) -> Iterator[State]:
    """Positions of random games, each once, so many plies deep."""
    seen = set()
    while True:
        state = first_state
        for _ in range(int(rng.integers(*plies, endpoint=True))):
            if not state.is_terminal:
                state = state.child(uniform(state, rng))
        if not state.is_terminal and state not in seen:
            seen.add(state)
            yield state


def compare_positions(arguments: argparse.Namespace) -> None:
    first_state = {"tic_tac_toe": games.TicTacToe(), "connect_four": games.ConnectFour()}[
        arguments.game
    ]
    solver, memo = Solver(), {}
    found, asked, new = {False: [], True: []}, {False: 0, True: 0}, {False: 0, True: 0}
    of_random_games = positions(first_state, PLIES[arguments.game], np.random.default_rng(0))
    while len(found[True]) < arguments.num:
        state = next(of_random_games)
        worth = verdicts(state, memo, solver)
        best = max(worth.values())
        if best == min(worth.values()):
            continue
        for transpositions in (False, True):
            evaluator = Counting(EVALUATORS[arguments.evaluator]())
            result = puct_search(
                state,
                evaluator=evaluator,
                num_simulations=arguments.simulations,
                selection=puct(arguments.c),
                batch_size=arguments.batch,
                transpositions=transpositions,
                rng=np.random.default_rng(len(found[True])),
            )
            asked[transpositions] += evaluator.number
            new[transpositions] += len(evaluator.positions)
            found[transpositions].append(worth[result.best_action] == best)
    print(
        f"{arguments.game}, {arguments.num} positions, {arguments.simulations} simulations, "
        f"{arguments.evaluator} evaluator, c = {arguments.c:g}, batches of {arguments.batch}"
    )
    for transpositions, name in ((False, "tree"), (True, "graph")):
        hits = sum(found[transpositions])
        low, high = wilson(hits, arguments.num)
        simulations = arguments.num * arguments.simulations
        print(
            f"  {name:5}  best move {hits / arguments.num:.1%} [{low:.1%}, {high:.1%}], "
            f"evaluator asked in {asked[transpositions] / simulations:.1%} of the simulations, "
            f"about a new position in {new[transpositions] / simulations:.1%}"
        )
    gained = sum(b and not a for a, b in zip(found[False], found[True], strict=True))
    lost = sum(a and not b for a, b in zip(found[False], found[True], strict=True))
    difference = (gained - lost) / arguments.num
    error = 1.96 * math.sqrt(gained + lost - (gained - lost) ** 2 / arguments.num) / arguments.num
    print(
        f"  graph better in {gained}, tree better in {lost}: "
        f"{difference:+.1%} [{difference - error:+.1%}, {difference + error:+.1%}]"
    )


class GraphPlayer(Player):
    """Searches by PUCT, with or without transpositions."""

    def __init__(self, transpositions: bool, arguments: argparse.Namespace, rng) -> None:
        self.name = "graph" if transpositions else "tree"
        self._arguments, self._transpositions, self._rng = arguments, transpositions, rng

    def think(self, state: State) -> Iterator[Proposal]:
        result = puct_search(
            state,
            evaluator=EVALUATORS[self._arguments.evaluator](),
            num_simulations=self._arguments.simulations,
            selection=puct(self._arguments.c),
            batch_size=self._arguments.batch,
            transpositions=self._transpositions,
            rng=self._rng,
        )
        yield Proposal(result.best_action, progress=1.0)


def compare_games(arguments: argparse.Namespace) -> None:
    def make(transpositions: bool, rng: np.random.Generator) -> Player:
        return GraphPlayer(transpositions, arguments, rng)

    print(
        arena.match(
            games.Gomoku(size=6, in_a_row=4),
            arena.Contestant("graph", partial(make, True)),
            arena.Contestant("tree", partial(make, False)),
            num_games=arguments.num,
            seed=1,
            opening_plies=4,
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["positions", "match"])
    parser.add_argument("game", nargs="?", choices=list(PLIES), default="tic_tac_toe")
    parser.add_argument("--num", type=int, default=400, help="positions or games (default: 400)")
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--evaluator", choices=list(EVALUATORS), default="uniform")
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--c", type=float, default=1.25)
    arguments = parser.parse_args()
    (compare_positions if arguments.what == "positions" else compare_games)(arguments)


if __name__ == "__main__":
    main()
