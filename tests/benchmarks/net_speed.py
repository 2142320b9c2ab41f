"""How fast is a net on this processor? The backends side by side.

    python -m tests.benchmarks.net_speed
    python -m tests.benchmarks.net_speed --nets tiny --batches 1 64 --threads 1 2

Positions a second, medians of runs in which all backends take turns, so that whatever else the
machine does slows all alike; with one thread of CPU time, with more of the clock's. The backends
that need `pip install "mctslab[speed]"` are left out where they are missing. In bfloat16 the
answers are not the same.
"""

import argparse
import importlib.util
import statistics
import time
from collections.abc import Callable

import numpy as np
import torch

from mctslab import games
from mctslab.net.inference import HalfPrecisionInference, Inference, OnnxInference, TorchInference
from mctslab.net.model import NetConfig, PolicyValueNet

NETS = {
    "tiny": NetConfig.for_game(games.Gomoku(size=6, in_a_row=4), heads="pooled"),
    "connect_four_4": NetConfig.for_game(games.ConnectFour(), num_filters=48, num_blocks=4),
    "gomoku9_4": NetConfig.for_game(games.Gomoku(size=9), num_blocks=5, heads="pooled"),
}
POSITIONS_A_RUN = 256


def backends(net: PolicyValueNet, threads: int) -> dict[str, Inference]:
    """Those that are installed, by the name in the table."""
    ways: dict[str, Inference] = {
        "PyTorch": TorchInference(net, num_threads=threads),
        "PyTorch bf16": TorchInference(net, dtype=torch.bfloat16, num_threads=threads),
    }
    if importlib.util.find_spec("onnxruntime"):
        ways["ONNX"] = OnnxInference(net, threads)
    if importlib.util.find_spec("openvino") and threads == 1:
        ways["OpenVINO bf16"] = HalfPrecisionInference(net)
    return ways


def measure(
    ways: dict[str, Inference], planes: np.ndarray, runs: int, clock: Callable[[], float]
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
    parser.add_argument("--batches", nargs="+", type=int, default=[1, 8, 32, 128])
    parser.add_argument("--threads", nargs="+", type=int, default=[1])
    parser.add_argument("--runs", type=int, default=15, help="runs of each way (default: 15)")
    arguments = parser.parse_args()
    for threads in arguments.threads:
        clock = time.process_time if threads == 1 else time.perf_counter
        for name in arguments.nets:
            torch.manual_seed(1)
            net = PolicyValueNet(NETS[name]).eval()
            for batch in arguments.batches:
                shape = (batch, net.config.inputs.count, net.config.rows, net.config.cols)
                planes = np.random.default_rng(1).integers(0, 2, shape).astype(np.float32)
                speeds = measure(backends(net, threads), planes, arguments.runs, clock)
                fields = [f"{way} {speed:,.0f}" for way, speed in speeds.items()]
                label = f"{name}, {threads} thread{'s' * (threads > 1)}, batch {batch}:"
                print(f"{label:28}", ", ".join(fields), flush=True)


if __name__ == "__main__":
    main()
