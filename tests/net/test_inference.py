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
from mctslab.net.learning import make_optimizer, training_step
from mctslab.net.model import NetConfig, PolicyValueNet
from mctslab.net.replay import Samples
from tests.net.by_hand import ByHand
from tests.net.nets import lively_net
from tests.net.runs import numbers, same

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
@pytest.mark.parametrize("backend", [TorchInference, OnnxInference, fastest])
def test_every_backend_gives_the_answers_that_are_computed_by_hand(config, backend):
    net = lively_net(config)
    ready = backend(net)
    for num_positions in (1, 3, 64):
        planes = planes_for(config, num_positions)
        answer = ready(planes)
        assert answer.policy_logits.shape == (num_positions, config.num_actions)
        assert answer.values.shape == (num_positions,)
        for ours, expected in zip(answer, ByHand(net)(planes), strict=True):
            np.testing.assert_allclose(ours, expected, atol=1e-4)


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("backend", [HalfPrecisionInference, TORCH_IN_HALF])
def test_in_half_precision_the_third_digit_differs(config, backend):
    """bfloat16 has eight binary digits; a processor without it computes as exactly as ever."""
    net = lively_net(config)
    planes = planes_for(config, 64)
    exact = TorchInference(net)(planes)
    half, again = (backend(net)(planes) for _ in range(2))
    for answer, other, expected in zip(half, again, exact, strict=True):
        assert answer.dtype == np.float32
        np.testing.assert_allclose(answer, expected, atol=0.04 * np.abs(expected).max())
        np.testing.assert_array_equal(answer, other)
    assert backend is HalfPrecisionInference or np.abs(half.values - exact.values).max() > 0


@pytest.mark.parametrize(
    ("choose", "missing", "in_bfloat16", "device", "expected"),
    [
        (in_half_precision, "", True, "cpu", "OpenVINO in bfloat16"),
        (in_half_precision, "", False, "cpu", "ONNX Runtime"),
        (in_half_precision, "openvino", True, "cpu", "PyTorch on cpu in bfloat16"),
        (in_half_precision, "openvino", False, "cpu", "ONNX Runtime"),
        (fastest, "", False, "cpu", "ONNX Runtime"),
        (fastest, "onnxruntime", False, "cpu", "PyTorch on cpu"),
        # `meta` stands for a graphics card: every PyTorch has this device, which computes nothing.
        (fastest, "", False, "meta", "PyTorch on meta"),
    ],
)
def test_the_best_of_what_is_there_is_taken(
    net, monkeypatch, choose, missing, in_bfloat16, device, expected
):
    find = module.importlib.util.find_spec
    found = lambda name: None if name == missing else find(name)  # noqa: E731
    monkeypatch.setattr(module.importlib.util, "find_spec", found)
    monkeypatch.setattr(module, "computes_in_bfloat16", lambda *_: in_bfloat16)
    monkeypatch.setattr(module, "best_device", lambda: device)
    assert choose(net).name == expected


@pytest.mark.parametrize("ability", ["avx512_bf16", "amx_bf16", "avx2"])
def test_pytorch_says_which_processors_have_it(monkeypatch, ability):
    monkeypatch.setattr(module, "best_device", lambda: "cpu")
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {ability: True}, raising=False)
    assert module.computes_in_bfloat16() is (ability != "avx2")


IN_A_PROGRAM = """\
import gc, os, signal, sys, threading
import numpy as np
import torch
torch.set_num_threads(2)
from mctslab import games, net
assert torch.get_num_threads() == 2, "a student's own nets become slow"
assert "onnxruntime" not in sys.modules, "a package that is not needed yet is loaded"

from mctslab.net.inference import HalfPrecisionInference
tower = net.PolicyValueNet(net.NetConfig.for_game(games.TicTacToe())).eval()
first, second = HalfPrecisionInference(tower), HalfPrecisionInference(tower)

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
    """Nor does it change on how many cores PyTorch computes there.

    No thread is bound to a core, where self-play in several processes would have them all.

    A net is made ready while the one before is still there, as training does; after that an
    interrupt is only an interrupt.
    """
    done = subprocess.run(
        [sys.executable, "-c", IN_A_PROGRAM], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout) == (0, "interrupted\n"), done.stderr


def test_a_net_answers_and_learns_on_one_core_and_others_on_as_many_as_before():
    config = NetConfig.for_game(games.TicTacToe())
    net, numbers_of_cores = PolicyValueNet(config), []
    net.register_forward_hook(lambda *_: numbers_of_cores.append(torch.get_num_threads()))
    samples = Samples(planes_for(config, 2), np.full((2, 9), 1 / 9, np.float32), np.ones(2, "f"))
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        TorchInference(net)(samples.planes)
        assert torch.get_num_threads() == 2
        training_step(net, make_optimizer(net, 0.1), samples)
        assert torch.get_num_threads() == 2
        with pytest.raises(RuntimeError):
            TorchInference(net)(samples.planes[:, 1:])
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    assert numbers_of_cores == [1, 1]


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
    before = numbers(net)
    plain = folded(net.train())
    assert not any("norm" in name for name in plain.state_dict())
    assert (plain.training, net.training) == (False, True)
    assert same(numbers(net), before)


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
