"""What the benchmarks share: options, programs that take turns, and how their numbers are shown."""

import argparse
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from mctslab.score import wilson


def parser_of(doc: str | None, runs: int = 0) -> argparse.ArgumentParser:
    """Reads the options of a benchmark with this docstring; `runs` is the default of `--runs`."""
    parser = argparse.ArgumentParser(description=(doc or "").partition("\n")[0])
    if runs:
        parser.add_argument("--runs", type=int, default=runs, help=f"of each (default: {runs})")
    return parser


def in_turns(
    programs: Mapping[str, Callable[[int], float]], runs: int
) -> dict[str, Sequence[float]]:
    """What each program measures, called with the number of the run, in all runs but the first.

    They take turns, so that what slows the machine slows all of them; the first run warms them up.
    """
    rows = [[measure(run) for measure in programs.values()] for run in range(runs + 1)]
    return dict(zip(programs, zip(*rows[1:], strict=True), strict=True))


def processor_seconds(call: Callable[[], object]) -> float:
    """The processor time of a call."""
    started = time.process_time()
    call()
    return time.process_time() - started


def ratio(ones: Iterable[float], others: Iterable[float], form: str = ".2f") -> str:
    """The median ratio of two programs, run by run, and the lowest and the highest."""
    ratios = [one / other for one, other in zip(ones, others, strict=True)]
    shown = (f"{each:{form}}" for each in (statistics.median(ratios), min(ratios), max(ratios)))
    return "{} ({} to {})".format(*shown)


def processor() -> str:
    """The name of this machine's processor."""
    file = Path("/proc/cpuinfo")
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def share(points: float, number: int) -> str:
    """The points of so many positions or games as a share of all, with a 95% interval."""
    low, high = wilson(points, number)
    return f"{points / number:.3f} ({low:.3f} to {high:.3f})"
