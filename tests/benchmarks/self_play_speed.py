"""How fast is self-play? Side by side with the plain loop: one game, objects, a net call a leaf.

    python -m tests.benchmarks.self_play_speed

Four in a row on 6 x 6, the net `tiny`, the same number of visits a move, both in one thread and
with the tree kept from move to move. The plain loop asks PyTorch as it stands. What counts is the
ratio.
"""

import argparse
import statistics
import time

import numpy as np
import torch

from mctslab import games
from mctslab.games import State
from mctslab.net.encode import Floats
from mctslab.net.evaluator import NetEvaluator
from mctslab.net.inference import Answer, fastest
from mctslab.net.model import PolicyValueNet, tiny
from mctslab.net.self_play import SelfPlay, SelfPlayConfig
from mctslab.search import DirichletNoise, puct_search

FIRST_STATE = games.Gomoku(size=6, in_a_row=4)


class Plain:
    """A net asked by PyTorch as it stands, batch norms and all."""

    name = "PyTorch, eager"

    def __init__(self, net: PolicyValueNet) -> None:
        self.net = net

    def __call__(self, planes: Floats) -> Answer:
        with torch.no_grad():
            logits, values = self.net(torch.from_numpy(planes))
        return Answer(logits.numpy(), values.numpy())


def plain_loop(net: PolicyValueNet, visits: int, num_positions: int, seed: int) -> float:
    """Positions a second of games that are played one after the other."""
    evaluator, rng = NetEvaluator(net, inference=Plain(net)), np.random.default_rng(seed)
    state: State = FIRST_STATE
    root = None
    began = time.process_time()
    for _ in range(num_positions):
        known = 0
        if root is not None:
            played = next(child for child in root.children if child.action == state.last_action)
            known = played.visit_count if played.children else 0
        result = puct_search(
            state,
            evaluator=evaluator,
            num_simulations=max(1, visits - known),
            noise=DirichletNoise(alpha=0.3),
            rng=rng,
            root=root,
        )
        counts = np.array([child.visit_count for child in result.children], float)
        chosen = rng.choice(len(counts), p=counts / counts.sum())
        state, root = state.child(result.children[chosen].action), result.root
        if state.is_terminal:
            state, root = FIRST_STATE, None
    return num_positions / (time.process_time() - began)


def self_play(net: PolicyValueNet, visits: int, num_games: int, moves: int, seed: int) -> float:
    """Positions a second of many games at once, after a first move in each."""
    config = SelfPlayConfig(num_simulations=visits)
    rng = np.random.default_rng(seed)
    playing = SelfPlay(FIRST_STATE, config, net.config.inputs, num_games=num_games, rng=rng)
    inference = fastest(net)
    playing.play(inference, num_games)
    before, began = playing.num_positions, time.process_time()
    playing.play(inference, moves * num_games)
    return (playing.num_positions - before) / (time.process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visits", type=int, default=64, help="of a move (default: 64)")
    parser.add_argument("--games", type=int, default=128, help="at once (default: 128)")
    parser.add_argument("--moves", type=int, default=8, help="of each of these (default: 8)")
    parser.add_argument("--runs", type=int, default=5, help="runs of each (default: 5)")
    words = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    net = PolicyValueNet(tiny(FIRST_STATE)).eval()
    plain, ours = [], []
    for seed in range(words.runs):
        plain.append(plain_loop(net, words.visits, 4 * words.moves, seed))
        ours.append(self_play(net, words.visits, words.games, words.moves, seed))
    ratios = [one / other for one, other in zip(ours, plain, strict=True)]
    print(
        f"positions a second of CPU time, {words.visits} visits a move, medians of {words.runs}: "
        f"plain loop {statistics.median(plain):,.1f}, {words.games} games at once "
        f"{statistics.median(ours):,.1f}, ratio {statistics.median(ratios):.1f} "
        f"({min(ratios):.1f} to {max(ratios):.1f})"
    )


if __name__ == "__main__":
    main()
