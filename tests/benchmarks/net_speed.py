"""How fast is a net on this processor? Six ways to ask it, side by side.

    python -m tests.benchmarks.net_speed
    python -m tests.benchmarks.net_speed --nets tiny --batches 1 64 --threads 1 2

Positions a second, medians of runs in which all ways take turns, so that whatever else the machine
does slows all alike; with one thread of CPU time, with more of the clock's. OpenVINO is tried where
it is installed; it is no dependency. `bf16` computes with 8 bits of precision, on processors that
can: its answers are not the same.
"""

import argparse
import importlib.util
import statistics
import time
from collections.abc import Callable, Sequence

import numpy as np
import torch

from mctslab import games
from mctslab.net.inference import OnnxInference, TorchInference, folded, onnx_model, openvino_core
from mctslab.net.model import NetConfig, PolicyValueNet

NETS = {
    "tiny": NetConfig.for_game(games.Gomoku(size=6, in_a_row=4)),
    "small": NetConfig.for_game(games.Gomoku(size=9), num_filters=48, num_blocks=4),
    "base": NetConfig.for_game(games.Gomoku(), num_filters=64, num_blocks=6),
}
POSITIONS_A_RUN = 64

Way = Callable[[np.ndarray], Sequence[np.ndarray]]


def asked_by_torch(module: torch.nn.Module) -> Way:
    def ask(planes: np.ndarray) -> list[np.ndarray]:
        with torch.inference_mode():
            return [answer.numpy() for answer in module(torch.from_numpy(planes))]

    return ask


def asked_by_openvino(net: PolicyValueNet, threads: int, precision: str) -> Way:
    core = openvino_core()
    model = core.read_model(onnx_model(net).SerializeToString())
    settings = {
        "INFERENCE_NUM_THREADS": threads,
        "INFERENCE_PRECISION_HINT": precision,
        "NUM_STREAMS": 1,
    }
    request = core.compile_model(model, "CPU", settings).create_infer_request()

    def ask(planes: np.ndarray) -> list[np.ndarray]:
        request.infer([planes], share_inputs=True)
        return [request.get_output_tensor(0).data, request.get_output_tensor(1).data[:, 0]]

    return ask


def ways_to_ask(net: PolicyValueNet, threads: int, planes: np.ndarray) -> dict[str, Way]:
    script = torch.jit.trace(folded(net), torch.from_numpy(planes))
    ways = {
        "eager": asked_by_torch(net),
        "folded": TorchInference(net),
        "scripted": asked_by_torch(torch.jit.freeze(script)),
        "ONNX": OnnxInference(net, threads),
    }
    if importlib.util.find_spec("openvino"):
        ways["OpenVINO"] = asked_by_openvino(net, threads, "f32")
        ways["bf16"] = asked_by_openvino(net, threads, "bf16")
    return ways


def measure(
    ways: dict[str, Way], planes: np.ndarray, runs: int, clock: Callable[[], float]
) -> dict[str, float]:
    """Positions a second of each way."""
    calls = max(1, POSITIONS_A_RUN // len(planes))
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(runs + 1):
        for name, ask in ways.items():
            started = clock()
            for _ in range(calls):
                ask(planes)
            seconds[name].append((clock() - started) / calls)
    return {name: len(planes) / statistics.median(each[1:]) for name, each in seconds.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nets", nargs="+", default=list(NETS), choices=list(NETS))
    parser.add_argument("--batches", nargs="+", type=int, default=[1, 8, 32, 64])
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--runs", type=int, default=15, help="runs of each way (default: 15)")
    arguments = parser.parse_args()
    for threads in arguments.threads:
        torch.set_num_threads(threads)
        clock = time.process_time if threads == 1 else time.perf_counter
        for name in arguments.nets:
            torch.manual_seed(1)
            net = PolicyValueNet(NETS[name]).eval()
            for batch in arguments.batches:
                shape = (batch, net.config.inputs.count, net.config.rows, net.config.cols)
                planes = np.random.default_rng(1).integers(0, 2, shape).astype(np.float32)
                speeds = measure(ways_to_ask(net, threads, planes), planes, arguments.runs, clock)
                fields = [f"{way} {speed:,.0f}" for way, speed in speeds.items()]
                label = f"{name}, {threads} thread{'s' * (threads > 1)}, batch {batch}:"
                print(f"{label:28}", ", ".join(fields), flush=True)


if __name__ == "__main__":
    main()
