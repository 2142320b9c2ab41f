"""What the side road on games and windows says is so."""

import numpy as np
import pytest
import torch

from mctslab import games, net


@pytest.fixture
def fresh_net(names):
    """Another net that knows nothing."""

    def make(seed):
        torch.manual_seed(seed)
        return net.PolicyValueNet(names["own_net"].config)

    return make


# By hand


def test_a_game_by_hand_is_a_game_and_its_visits_are_those_of_its_searches(names, fresh_net):
    evaluator = net.NetEvaluator(fresh_net(3))
    positions, visits = names["play_a_game"](evaluator, np.random.default_rng(3))

    assert positions[0] == games.TicTacToe()
    assert positions[-1].is_terminal
    for number, (state, after, counts) in enumerate(
        zip(positions, positions[1:], visits, strict=False)
    ):
        assert tuple(counts) == state.legal_actions()
        assert after == state.child(after.last_action)
        assert sum(counts.values()) == 31  # of 32 visits one is the root's own
        assert number < 4 or counts[after.last_action] == max(counts.values())
