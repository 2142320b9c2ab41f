"""Speeds side by side: what the comparisons with OpenSpiel share."""

import argparse
import gc
import platform
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

Speed = Callable[[int], float]
"""Measures a program with a seed: simulations a second."""


def speed(num_simulations: int, think: Callable[[], object]) -> float:
    """Simulations a second of processor time, of the second of two runs."""
    gc.collect()  # or this one would pay for the trees of the last
    think()
    started = time.process_time()
    think()
    return num_simulations / (time.process_time() - started)


def processor() -> str:
    """What the machine calls its processor."""
    file = Path("/proc/cpuinfo")
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def print_table(
    about: str, games: Mapping[str, Mapping[str, Speed]], ratios: Sequence[tuple[str, str]]
) -> None:
    """For each game the speeds of several programs, and ratios of two of them.

    They take turns, so that whatever else the machine does slows all of them.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--runs", type=int, default=5, help="runs of each (default: 5)")
    runs = parser.parse_args().runs
    print(f"{processor()}, one thread; simulations a second of CPU time, medians of {runs}")
    print("alternating runs, lowest and highest ratio in brackets\n")
    programs = list(next(iter(games.values())))
    titles = "".join(f"{f'{one} to {other}':26}" for one, other in ratios)
    print(f"{'game':16}" + "".join(f"{program:>11}" for program in programs), "", titles)
    for game, measures in games.items():
        rows = [
            {program: measure(seed) for program, measure in measures.items()}
            for seed in range(runs + 1)
        ][1:]  # the first run warms all of them up
        line = f"{game:16}"
        for program in programs:
            line += f"{statistics.median(row[program] for row in rows):11,.0f}"
        line += "  "
        for one, other in ratios:
            each = [row[one] / row[other] for row in rows]
            shown = f"{statistics.median(each):.3g} ({min(each):.3g} to {max(each):.3g})"
            line += f"{shown:26}"
        print(line, flush=True)
