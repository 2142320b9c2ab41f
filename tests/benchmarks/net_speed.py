"""How fast is a net on one core of this processor? As `self_play` and the players compute it.

    python -m tests.benchmarks.net_speed
    python -m tests.benchmarks.net_speed --nets tiny --batches 1 64

Positions a second of CPU time, medians of runs in which all forms of a net take turns, so that
whatever else the machine does slows all alike. In bfloat16 the answers are not the same.
"""

import statistics
from collections.abc import Callable

import numpy as np
import torch

from mctslab import games
from mctslab.net.encode import Floats
from mctslab.net.inference import Answer, Inference, TorchInference
from mctslab.net.model import NetConfig, PolicyValueNet
from tests.benchmarks.shared import in_turns, parser_of, processor_seconds

NETS = {
    "tiny": NetConfig.for_game(games.Gomoku(size=6, in_a_row=4), heads="pooled"),
    "connect_four_3": NetConfig.for_game(games.ConnectFour(), num_filters=48, num_blocks=4),
    "gomoku9_4": NetConfig.for_game(games.Gomoku(size=9), num_blocks=5, heads="pooled"),
}
POSITIONS_A_RUN = 256


def plain(net: PolicyValueNet) -> Inference:
    """The net asked by PyTorch as it stands, batch norms and all."""

    def answer(planes: Floats) -> Answer:
        with torch.inference_mode():
            return Answer(*(numbers.numpy() for numbers in net(torch.from_numpy(planes))))

    return answer


def forms(net: PolicyValueNet) -> dict[str, Inference]:
    """The net as it is, with its batch norms folded, and that in half precision."""
    return {
        "as it is": plain(net),
        "folded": TorchInference(net),
        "in bfloat16": TorchInference(net, dtype=torch.bfloat16),
    }


def measure(ways: dict[str, Inference], planes: Floats, runs: int) -> dict[str, float]:
    """Positions a second of each form."""
    calls = max(1, POSITIONS_A_RUN // len(planes))

    def measured(evaluate: Inference) -> Callable[[int], float]:
        many = lambda: [evaluate(planes) for _ in range(calls)]  # noqa: E731
        return lambda _: calls * len(planes) / processor_seconds(many)

    found = in_turns({name: measured(each) for name, each in ways.items()}, runs)
    return {name: statistics.median(each) for name, each in found.items()}


def main() -> None:
    parser = parser_of(__doc__, runs=15)
    parser.add_argument("--nets", nargs="+", default=list(NETS), choices=list(NETS))
    parser.add_argument("--batches", nargs="+", type=int, default=[1, 8, 32, 128])
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    for name in arguments.nets:
        torch.manual_seed(1)
        net = PolicyValueNet(NETS[name]).eval()
        for batch in arguments.batches:
            shape = (batch, net.config.inputs.count, net.config.rows, net.config.cols)
            planes = np.random.default_rng(1).integers(0, 2, shape).astype(np.float32)
            speeds = measure(forms(net), planes, arguments.runs)
            fields = [f"{form} {speed:,.0f}" for form, speed in speeds.items()]
            print(f"{f'{name}, batch {batch}:':28}", ", ".join(fields), flush=True)


if __name__ == "__main__":
    main()
