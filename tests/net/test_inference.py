"""However a net is asked, it gives the same answers."""

import subprocess
import sys

import numpy as np
import pytest
import torch

from mctslab import games
from mctslab.net import inference as module
from mctslab.net.encode import InputPlanes
from mctslab.net.inference import (
    HalfPrecisionInference,
    OnnxInference,
    TorchInference,
    fastest,
    folded,
    in_half_precision,
)
from mctslab.net.model import NetConfig
from tests.net.by_hand import ByHand
from tests.net.nets import lively_net

CONFIGS = [
    NetConfig.for_game(games.Gomoku(size=6, in_a_row=4)),
    NetConfig.for_game(games.ConnectFour(), inputs=InputPlanes(history=8), num_filters=64),
    NetConfig(5, 4, 21, InputPlanes(2, False, True), num_filters=5, num_blocks=0),
    NetConfig(5, 4, 21, num_filters=5, num_blocks=1, heads="pooled"),
    NetConfig(6, 6, 36, num_filters=8, num_blocks=2, heads="pooled"),
]


def planes_for(config: NetConfig, num_positions: int) -> np.ndarray:
    shape = (num_positions, config.inputs.count, config.rows, config.cols)
    return np.random.default_rng(2).integers(0, 2, shape).astype(np.float32)


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize(
    "ask",
    [
        TorchInference,
        OnnxInference,
        lambda net: OnnxInference(net, num_threads=2),
        fastest,
    ],
)
def test_every_way_to_ask_gives_the_answers_of_the_net(config, ask):
    net = lively_net(config)
    ready = ask(net)
    for num_positions in (1, 3, 64):
        planes = planes_for(config, num_positions)
        logits, values = ready(planes)
        with torch.no_grad():
            expected = [answer.numpy() for answer in net(torch.from_numpy(planes))]

        assert logits.shape == (num_positions, config.num_actions)
        assert values.shape == (num_positions,)
        np.testing.assert_allclose(logits, expected[0], atol=1e-4)
        np.testing.assert_allclose(values, expected[1], atol=1e-4)


@pytest.mark.parametrize("config", CONFIGS)
def test_in_half_precision_the_third_digit_differs(config):
    """bfloat16 has eight binary digits; a processor without it computes as exactly as ever."""
    net = lively_net(config)
    planes = planes_for(config, 64)
    exact = fastest(net)(planes)
    half = HalfPrecisionInference(net)(planes)
    for answer, expected in zip(half, exact, strict=True):
        np.testing.assert_allclose(answer, expected, atol=0.03 * np.abs(expected).max())
    again = HalfPrecisionInference(net)(planes)
    np.testing.assert_array_equal(again.policy_logits, half.policy_logits)
    np.testing.assert_array_equal(again.values, half.values)


@pytest.mark.parametrize("can", [True, False])
def test_half_precision_is_for_processors_that_have_it(net, monkeypatch, can):
    monkeypatch.setattr(module, "computes_in_bfloat16", lambda: can)
    expected = "OpenVINO in bfloat16" if can else "ONNX Runtime"
    assert in_half_precision(net).name == expected


def test_without_openvino_the_answers_are_exact(net, monkeypatch):
    find = module.importlib.util.find_spec
    monkeypatch.setattr(
        module.importlib.util, "find_spec", lambda name: None if name == "openvino" else find(name)
    )
    assert in_half_precision(net).name == "ONNX Runtime"


NET_AFTER_NET = """\
import gc, signal
from mctslab.net.inference import HalfPrecisionInference
from mctslab.net.model import NetConfig, PolicyValueNet
from mctslab import games
net = PolicyValueNet(NetConfig.for_game(games.TicTacToe(), num_filters=8, num_blocks=1))
first = HalfPrecisionInference(net)
second = HalfPrecisionInference(net)
del first
gc.collect()
del second
gc.collect()
signal.signal(signal.SIGINT, signal.default_int_handler)  # some shells' jobs don't hear it
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_an_interrupt_after_a_net_has_followed_another_is_only_an_interrupt():
    """A net is made ready while the one before is still there, as training does it; then Stop."""
    done = subprocess.run(
        [sys.executable, "-c", NET_AFTER_NET], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout) == (0, "interrupted\n"), done.stderr


FREE = """
import os, threading
import numpy as np
from mctslab import games
from mctslab.net.inference import HalfPrecisionInference
from mctslab.net.model import NetConfig, PolicyValueNet

half = HalfPrecisionInference(PolicyValueNet(NetConfig.for_game(games.TicTacToe())).eval())
planes = np.zeros((256, 4, 3, 3), np.float32)
asking = threading.Thread(target=lambda: [half(planes) for _ in range(50)])
asking.start()
while hasattr(os, "sched_getaffinity") and asking.is_alive():  # elsewhere nothing is bound
    try:
        cores = os.sched_getaffinity(asking.native_id)
    except ProcessLookupError:
        break
    assert cores == os.sched_getaffinity(0), cores
print("free")
"""


def test_no_thread_is_bound_to_a_core():
    """Self-play in several processes would have them all on the same one."""
    done = subprocess.run([sys.executable, "-c", FREE], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "free\n"), done.stderr


@pytest.mark.parametrize("ask", [TorchInference, OnnxInference])
def test_the_answers_are_those_computed_by_hand(net, ask):
    planes = planes_for(net.config, 3)
    for answer, expected in zip(ask(net)(planes), ByHand(net)(planes), strict=True):
        np.testing.assert_allclose(answer, expected, atol=1e-4)


@pytest.mark.parametrize("ask", [TorchInference, OnnxInference, HalfPrecisionInference])
def test_no_value_is_beyond_certainty(net, ask):
    """A net that is sure of its victory said 1.0000001 of it, and lost the game for that."""
    planes = planes_for(net.config, 64)
    for certainty in np.linspace(3, 30, 40):
        with torch.no_grad():
            net.value_head.linear.bias.fill_(float(certainty))
        assert ask(net)(planes).values.max() <= 1


def test_folding_leaves_no_batch_norm_and_the_net_as_it_was(net):
    before = {name: tensor.clone() for name, tensor in net.state_dict().items()}
    plain = folded(net.train())
    assert not any("norm" in name for name in plain.state_dict())
    assert not plain.training
    assert net.training
    for name, tensor in net.state_dict().items():
        assert torch.equal(tensor, before[name])


@pytest.mark.parametrize("ask", [TorchInference, OnnxInference])
def test_what_the_net_learns_later_is_not_in_it(net, ask):
    planes = planes_for(net.config, 2)
    ready = ask(net)
    before = ready(planes)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.zero_()
    np.testing.assert_array_equal(ready(planes).policy_logits, before.policy_logits)
    assert np.abs(ask(net)(planes).policy_logits).max() == 0


def test_without_onnx_runtime_pytorch_answers(net, monkeypatch):
    def find(name):
        return None if name == "onnxruntime" else object()

    monkeypatch.setattr(module.importlib.util, "find_spec", find)
    assert fastest(net).name == "PyTorch on cpu"


def test_the_processor_is_asked_through_onnx_runtime(net, monkeypatch):
    monkeypatch.setattr(module, "best_device", lambda: "cpu")
    assert fastest(net).name == "ONNX Runtime"


def test_a_graphics_card_is_used_without_being_asked_for(net, monkeypatch):
    """`meta` stands for a card: a device that PyTorch has everywhere, and that computes nothing."""
    monkeypatch.setattr(module, "best_device", lambda: "meta")
    assert fastest(net).name == "PyTorch on meta"


def test_loading_the_package_does_not_load_onnx_runtime():
    code = "import sys, mctslab.net; print('onnxruntime' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
