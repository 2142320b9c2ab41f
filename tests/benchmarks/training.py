"""How strong is a net after some seconds of training? Learning curves, one or two checkouts.

    python -m tests.benchmarks.training curves.jsonl --seconds 15 30 60
    python -m tests.benchmarks.training curves.jsonl --seconds 15 30 60 --clock cpu
    python -m tests.benchmarks.training halves.jsonl --seconds 60 120 --before COMMIT
    python -m tests.benchmarks.training proofs.jsonl --variants default without --clock cpu

A run is the command `train` with the default settings of its checkout, from random weights. After
each number of seconds its net is kept: seconds on the wall, as the run's log adds them up, with a
process for each core; or with `--clock cpu` of processor time with a single process, whatever else
the machine does. Neither counts imports and the first compile. The nets play UCT with 1,000
rollouts, always by this checkout's search: 64 simulations a move by plain PUCT, 200 games that
begin with two random plies. `--before` trains another commit of this repository as well, or the
checkout in another folder. `--variants` changes the settings; VARIANTS lists them.

The file has a line for each net; the same command goes on wherever it was stopped, with the next
run.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from mctslab import games
from mctslab.net.checkpoint import load_checkpoint
from mctslab.net.evaluation import opponent_mover, play_match
from mctslab.net.run_folder import CHECKPOINT
from mctslab.net.training_config import Gate
from mctslab.score import Score
from tests.benchmarks.shared import parser_of, share

GAMES: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "gomoku6": ("gomoku", {"size": 6, "in_a_row": 4}),
    "connect_four": ("connect_four", {}),
    "reversi6": ("reversi", {"size": 6}),
}
VARIANTS: Mapping[str, str] = {
    "default": "",
    "without": "solver = false",
    "visits": "solver = false\ngumbel = false",
    "64 simulations": "num_simulations = 64\nsolver = false\ngumbel = false",
    "16 simulations": "num_simulations = 16\nsolver = false\ngumbel = false",
    "Gumbel, 16": "num_simulations = 16\nsolver = false\n[self_play.gumbel]\nnum_considered = 8",
    "Gumbel, 32": "num_simulations = 32\nsolver = false",
    "Gumbel, 32, values weigh less": (
        "num_simulations = 32\nsolver = false\n"
        "[self_play.gumbel]\nnum_considered = 16\nc_scale = 0.1"
    ),
}
"""What stands in `[self_play]`."""
PROJECT = Path(__file__).parents[2]


def settings_of(game: str, variant: str, seed: int) -> str:
    """The settings of a run, as a file in TOML."""
    name, options = GAMES[game]
    entries = ", ".join(f"{key} = {value}" for key, value in options.items())
    top = f'game = "{name}"\ngame_options = {{ {entries} }}\nseed = {seed}\n'
    return f"{top}[self_play]\n{VARIANTS[variant]}\n"


def trained(
    checkout: Path, folder: Path, marks: list[float], clock: str
) -> Iterator[tuple[float, dict[str, Any]]]:
    """Let a checkout train in a folder with its settings, and keep its net at each mark.

    Yields:
        each mark, in seconds, and what the run's log said then.
    """
    command = [sys.executable, "-m", "mctslab", "train", "settings.toml", "--out", "."]
    environment = {**os.environ, "PYTHONPATH": str(checkout.resolve())}
    if clock == "cpu":
        command += ["--workers", "0"]
        environment |= {"OMP_NUM_THREADS": "1"}
    process = psutil.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    began, seconds, log = None, 0.0, log_of(folder)
    try:
        for mark in marks:
            while seconds < mark or not log["num_iterations"]:
                time.sleep(0.05)
                if process.poll() is not None:
                    raise RuntimeError(f"The training in {folder} ended by itself.")
                log, spent = log_of(folder), sum(process.cpu_times()[:2])
                if began is None and len(list(folder.iterdir())) > 1:
                    began = spent  # its imports are done, and it opens the folder
                seconds = log["seconds"] if clock == "wall" else spent - (began or spent)
            shutil.copy(folder / CHECKPOINT, folder / f"{mark:g}.safetensors")
            yield mark, log
    finally:
        while process.poll() is None:  # older programs sometimes lost an interrupt
            process.send_signal(signal.SIGINT)
            time.sleep(1.0)


def log_of(folder: Path) -> dict[str, Any]:
    """The seconds, iterations and positions in the log of a run."""
    file = folder / "log.jsonl"
    text = file.read_text("utf-8") if file.exists() else ""
    rows = [json.loads(line) for line in text.split("\n")[:-1]]
    return {
        "seconds": sum(row["seconds"] for row in rows),
        "num_iterations": len(rows),
        "num_positions": rows[-1]["num_positions"] if rows else 0,
    }


def judged(file: Path, game: str, words: argparse.Namespace) -> dict[str, Any]:
    """Wins, draws and losses of a net, as either player; the openings are always the same."""
    name, options = GAMES[game]
    scores = play_match(
        Gate(num_games=words.games, num_simulations=words.simulations, opening_plies=2),
        games.make(name, **options),
        load_checkpoint(file).net,
        opponent_mover(words.opponent, np.random.default_rng([1, 1])),
        [1, 0],
    )
    return dict(zip(("as_first", "as_second"), map(list, scores), strict=True))


@contextmanager
def checkout_of(before: str) -> Iterator[Path]:
    """The folder of another checkout, or a new one with a commit of this repository."""
    if (Path(before) / "mctslab").is_dir():
        yield Path(before)
        return
    with tempfile.TemporaryDirectory() as folder:
        git = ["git", "-C", str(PROJECT), "worktree"]
        subprocess.run([*git, "add", "--detach", f"{folder}/it", before], check=True)
        try:
            yield Path(folder, "it")
        finally:
            subprocess.run([*git, "remove", "--force", f"{folder}/it"], check=True)


def measure(words: argparse.Namespace, checkouts: Mapping[str, Path]) -> None:
    """Train and judge what is missing in the file."""
    lines = words.json.read_text("utf-8").splitlines() if words.json.exists() else []
    known = [json.loads(line) for line in lines]
    done = {(each["game"], each["variant"], each["seed"], each["who"]) for each in known}
    runs = [
        (game, variant, seed, who)
        for seed in words.seeds
        for game in words.boards
        for variant in words.variants
        for who in checkouts
    ]
    for run in [each for each in runs if each not in done]:
        about = dict(zip(("game", "variant", "seed", "who"), run, strict=True))
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "settings.toml").write_text(settings_of(*run[:3]), "utf-8")
            marks = sorted(words.seconds)
            logs = dict(trained(checkouts[run[3]], folder, marks, words.clock))
            rows = [
                {**about, "clock": words.clock, **log, "seconds": mark,
                 **judged(folder / f"{mark:g}.safetensors", run[0], words)}
                for mark, log in logs.items()
            ]  # fmt: skip
        with words.json.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
        print(*run, flush=True)


def show(path: Path) -> None:
    """A line for each game, variant and number of seconds: all seeds together, and each."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    print("| game | settings | checkout | seconds | points a game | each seed | positions |")
    print("|---|---|---|---|---|---|---|")
    kinds = [(row["game"], row["variant"], row["who"], row["seconds"]) for row in rows]
    for kind in sorted(set(kinds), key=kinds.index):
        own = [row for row, other in zip(rows, kinds, strict=True) if other == kind]
        scores = [Score(*row["as_first"]) + Score(*row["as_second"]) for row in own]
        total = sum(scores, Score())
        each = ", ".join(f"{score.rate.value:.3f}" for score in scores)
        points = share(total.rate.value * total.num_games, total.num_games)
        positions = sum(row["num_positions"] for row in own) / len(own)
        print(f"| {' | '.join(map(str, kind))} | {points} | {each} | {positions:,.0f} |")


def main() -> None:
    """Train and judge what is missing in the file, then show it."""
    parser = parser_of(__doc__)
    parser.add_argument("json", type=Path, help="the file of the results, a line each")
    parser.add_argument("--seconds", type=float, nargs="+", default=[15, 30, 60])
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall")
    parser.add_argument("--before", help="a commit, or the folder of another checkout")
    parser.add_argument("--boards", nargs="+", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--variants", nargs="+", default=["default"], choices=list(VARIANTS))
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--games", type=int, default=200, help="of each net (default: 200)")
    parser.add_argument("--simulations", type=int, default=64, help="of each net (default: 64)")
    parser.add_argument("--opponent", default="uct:1000", help="(default: uct:1000)")
    words = parser.parse_args()
    if words.before is None:
        measure(words, {"now": PROJECT})
    else:
        with checkout_of(words.before) as before:
            measure(words, {"before": before, "now": PROJECT})
    show(words.json)


if __name__ == "__main__":
    main()
