"""Every backend computes the same answers of a net."""

import functools
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
TORCH_IN_HALF = functools.partial(TorchInference, dtype=torch.bfloat16)


def planes_for(config: NetConfig, num_positions: int) -> np.ndarray:
    shape = (num_positions, config.inputs.count, config.rows, config.cols)
    return np.random.default_rng(2).integers(0, 2, shape).astype(np.float32)


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize(
    "backend",
    [
        TorchInference,
        OnnxInference,
        fastest,
    ],
)
def test_every_backend_gives_the_answers_of_the_net(config, backend):
    net = lively_net(config)
    ready = backend(net)
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
@pytest.mark.parametrize("backend", [HalfPrecisionInference, TORCH_IN_HALF])
def test_in_half_precision_the_third_digit_differs(config, backend):
    """bfloat16 has eight binary digits; a processor without it computes as exactly as ever."""
    net = lively_net(config)
    planes = planes_for(config, 64)
    exact = fastest(net)(planes)
    half = backend(net)(planes)
    for answer, expected in zip(half, exact, strict=True):
        assert answer.dtype == np.float32
        np.testing.assert_allclose(answer, expected, atol=0.04 * np.abs(expected).max())
    again = backend(net)(planes)
    np.testing.assert_array_equal(again.policy_logits, half.policy_logits)
    np.testing.assert_array_equal(again.values, half.values)


def test_torch_in_half_precision_is_not_exact(net):
    planes = planes_for(net.config, 64)
    assert np.abs(TORCH_IN_HALF(net)(planes).values - TorchInference(net)(planes).values).max() > 0


@pytest.mark.parametrize("can", [True, False])
def test_half_precision_is_for_processors_that_have_it(net, monkeypatch, can):
    monkeypatch.setattr(module, "computes_in_bfloat16", lambda _: can)
    expected = "OpenVINO in bfloat16" if can else "ONNX Runtime"
    assert in_half_precision(net).name == expected


@pytest.mark.parametrize("ability", ["avx512_bf16", "amx_bf16", "avx2"])
def test_pytorch_says_which_processors_have_it(monkeypatch, ability):
    monkeypatch.setattr(module, "best_device", lambda: "cpu")
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {ability: True}, raising=False)
    assert module.computes_in_bfloat16() is (ability != "avx2")


def test_without_openvino_pytorch_computes_in_half_precision(net, monkeypatch):
    find = module.importlib.util.find_spec
    monkeypatch.setattr(
        module.importlib.util, "find_spec", lambda name: None if name == "openvino" else find(name)
    )
    for can, expected in ((True, "PyTorch on cpu in bfloat16"), (False, "ONNX Runtime")):
        monkeypatch.setattr(module, "computes_in_bfloat16", lambda _, can=can: can)
        assert in_half_precision(net).name == expected


IN_A_PROGRAM = """\
import gc, os, signal, sys, threading
import numpy as np
import torch
torch.set_num_threads(2)
from mctslab import games, net
assert torch.get_num_threads() == 1, "the small batches of a search take several times as long"
assert "onnxruntime" not in sys.modules, "a package that is not needed yet is loaded"

from mctslab.net.inference import HalfPrecisionInference
tower = net.PolicyValueNet(net.NetConfig.for_game(games.TicTacToe())).eval()
first = HalfPrecisionInference(tower)
second = HalfPrecisionInference(tower)

planes = np.zeros((256, 4, 3, 3), np.float32)
computing = threading.Thread(target=lambda: [first(planes) for _ in range(50)])
computing.start()
while hasattr(os, "sched_getaffinity") and computing.is_alive():  # elsewhere nothing is bound
    try:
        cores = os.sched_getaffinity(computing.native_id)
    except ProcessLookupError:
        break
    assert cores == os.sched_getaffinity(0), cores
computing.join()

del first
gc.collect()
del second
gc.collect()
signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs of some shells ignore it
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_a_net_in_half_precision_changes_nothing_in_its_process():
    """Nor does PyTorch compute on more threads than one.

    No thread is bound to a core, where self-play in several processes would have them all.

    A net is made ready while the one before is still there, as training does; after that an
    interrupt is only an interrupt.
    """
    done = subprocess.run(
        [sys.executable, "-c", IN_A_PROGRAM], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout) == (0, "interrupted\n"), done.stderr


@pytest.mark.parametrize("backend", [TorchInference, OnnxInference])
def test_the_answers_are_those_computed_by_hand(net, backend):
    planes = planes_for(net.config, 3)
    for answer, expected in zip(backend(net)(planes), ByHand(net)(planes), strict=True):
        np.testing.assert_allclose(answer, expected, atol=1e-4)


@pytest.mark.parametrize(
    "backend", [TorchInference, OnnxInference, HalfPrecisionInference, TORCH_IN_HALF]
)
def test_no_value_is_beyond_certainty(net, backend):
    """A net that is sure of its victory said 1.0000001 of it, and lost the game for that."""
    planes = planes_for(net.config, 256)
    for certainty in np.linspace(3, 30, 10):
        with torch.no_grad():
            net.value_head.linear.bias.fill_(float(certainty))
        assert backend(net)(planes).values.max() <= 1


def test_folding_leaves_no_batch_norm_and_the_net_as_it_was(net):
    before = {name: tensor.clone() for name, tensor in net.state_dict().items()}
    plain = folded(net.train())
    assert not any("norm" in name for name in plain.state_dict())
    assert not plain.training
    assert net.training
    for name, tensor in net.state_dict().items():
        assert torch.equal(tensor, before[name])


@pytest.mark.parametrize("backend", [TorchInference, OnnxInference])
def test_what_the_net_learns_later_is_not_in_it(net, backend):
    planes = planes_for(net.config, 2)
    ready = backend(net)
    before = ready(planes)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.zero_()
    np.testing.assert_array_equal(ready(planes).policy_logits, before.policy_logits)
    assert np.abs(backend(net)(planes).policy_logits).max() == 0


def test_without_onnx_runtime_pytorch_answers(net, monkeypatch):
    def find(name):
        return None if name == "onnxruntime" else object()

    monkeypatch.setattr(module.importlib.util, "find_spec", find)
    assert fastest(net).name == "PyTorch on cpu"


def test_a_processor_computes_by_onnx_runtime(net, monkeypatch):
    monkeypatch.setattr(module, "best_device", lambda: "cpu")
    assert fastest(net).name == "ONNX Runtime"


def test_a_graphics_card_is_used_where_there_is_one(net, monkeypatch):
    """`meta` stands for a card: a device that PyTorch has everywhere, and that computes nothing."""
    monkeypatch.setattr(module, "best_device", lambda: "meta")
    assert fastest(net).name == "PyTorch on meta"
