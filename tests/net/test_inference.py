"""A net that was made ready gives the answers of the net, in full and in half precision."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from mctslab import games
from mctslab.net import inference as module
from mctslab.net.encode import InputPlanes
from mctslab.net.inference import TorchInference
from mctslab.net.learning import make_optimizer, training_step
from mctslab.net.model import NetConfig, PolicyValueNet
from mctslab.net.replay import Samples
from tests.net.by_hand import ByHand
from tests.net.nets import lively_net

CONFIGS = [
    NetConfig.for_game(games.Gomoku(size=6, in_a_row=4)),
    NetConfig.for_game(games.ConnectFour(), inputs=InputPlanes(history=8), num_filters=64),
    NetConfig(5, 4, 21, inputs=InputPlanes(2, False, True), num_filters=5, num_blocks=0),
    NetConfig(5, 4, 21, num_filters=5, num_blocks=1, heads="pooled"),
    NetConfig(6, 6, 36, num_filters=8, num_blocks=2, heads="pooled"),
]


@pytest.mark.parametrize("values", [[0.5, 7.0], [-1.5, 1.0]])
def test_a_value_that_is_none_is_told(values):
    answer = module.Answer(np.zeros((2, 9), np.float32), np.array(values, np.float32))
    with pytest.raises(ValueError, match=r"value -?[0-9.]+ is not between -1 and 1: end its value"):
        module.checked(answer)


def planes_for(config: NetConfig, num_positions: int) -> np.ndarray:
    shape = (num_positions, config.inputs.count, config.rows, config.cols)
    return np.random.default_rng(2).integers(0, 2, shape).astype(np.float32)


@pytest.mark.parametrize("config", CONFIGS)
def test_a_net_gives_the_answers_that_are_computed_by_hand_also_when_it_is_made_ready(config):
    net = lively_net(config)
    ready = TorchInference(net)
    for num_positions in (1, 2 * module.MAX_BATCH + 5):
        planes = planes_for(config, num_positions)
        answer, expected = ready(planes), ByHand(net)(planes)
        assert answer.policy_logits.shape == (num_positions, config.num_actions)
        assert answer.values.shape == (num_positions,)
        with torch.no_grad():
            plain = [each.numpy() for each in net(torch.from_numpy(planes))]
        for ours, its, right in zip(answer, plain, expected, strict=True):
            np.testing.assert_allclose(ours, right, atol=1e-4)
            np.testing.assert_allclose(its, right, atol=1e-5)
    assert min(map(np.std, expected)) > 0.001, "the net says the same of everything: no test at all"


def test_a_net_answers_and_learns_on_one_core_and_others_on_as_many_as_before():
    config = NetConfig.for_game(games.TicTacToe())
    net, numbers_of_cores = PolicyValueNet(config), []
    ready = TorchInference(net)
    for each in (net, ready._net):
        each.register_forward_hook(lambda *_: numbers_of_cores.append(torch.get_num_threads()))
    samples = Samples(planes_for(config, 2), np.full((2, 9), 1 / 9, np.float32), np.ones(2, "f"))
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        ready(samples.planes)
        assert torch.get_num_threads() == 2
        training_step(net, make_optimizer(net, 0.1), samples)
        assert torch.get_num_threads() == 2
        with pytest.raises(RuntimeError):
            ready(samples.planes[:, 1:])
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    assert numbers_of_cores == [1, 1]


def test_threads_that_answer_at_the_same_time_leave_later_ones_as_many_cores_as_before():
    """A thread that begins while another one computes finds one core, and that is not restored."""
    inside, other_is_done = threading.Event(), threading.Event()

    def answer():
        with module.on_cores(1):
            inside.set()
            other_is_done.wait()

    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        with ThreadPoolExecutor(1) as late, ThreadPoolExecutor(1) as next_one:
            with module.on_cores(1):
                answered = late.submit(answer)
                assert inside.wait(60)
            other_is_done.set()
            answered.result()
            assert torch.get_num_threads() == next_one.submit(torch.get_num_threads).result() == 2
    finally:
        torch.set_num_threads(before)
