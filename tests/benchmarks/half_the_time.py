"""Is a net as strong after half the time? Default settings, two checkouts in turn, wall time.

    python -m tests.benchmarks.half_the_time runs/halves --before ../before --json halves.jsonl

Each run is the command `train` with the default settings of its own checkout, from random weights,
on all cores of this machine. It is stopped when the iterations in its log add up to its seconds, so
that imports and the first compile do not count. Afterwards the nets of both checkouts play UCT with
1,000 rollouts, always by this checkout's search: 64 simulations a move by plain PUCT, 200 games
that begin with two random plies. Nothing else should run on the machine.

The same command continues wherever it was stopped.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mctslab import games
from mctslab.net.checkpoint import load_checkpoint
from mctslab.net.evaluation import net_mover, opponent_mover, play_match
from mctslab.net.run_folder import CHECKPOINT
from tests.benchmarks.shared import parser_of, share

GAMES: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "gomoku6": ("gomoku", {"size": 6, "in_a_row": 4}),
    "connect_four": ("connect_four", {}),
    "reversi6": ("reversi", {"size": 6}),
}


def main() -> None:
    """Train and judge what is missing in the file, then show it."""
    parser = parser_of(__doc__)
    parser.add_argument("folder", type=Path, help="for the runs")
    parser.add_argument("--before", type=Path, required=True, help="the other checkout")
    parser.add_argument("--json", type=Path, required=True, help="the results, a line each")
    parser.add_argument("--seconds", type=float, default=60.0, help="of this one; twice for it")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    options = parser.parse_args()
    lines = options.json.read_text("utf-8").splitlines() if options.json.exists() else []
    done = {(each["game"], each["seed"], each["who"]) for each in map(json.loads, lines)}
    checkouts = {"before": (options.before, 2.0), "now": (Path.cwd(), 1.0)}
    for seed in options.seeds:
        for name in GAMES:
            for who, (checkout, factor) in checkouts.items():
                if (name, seed, who) in done:
                    continue
                folder = options.folder / f"{name}_{seed}_{who}"
                log = trained(checkout, folder, name, seed, factor * options.seconds)
                line = {"game": name, "seed": seed, "who": who, **log, **judged(folder, name)}
                with options.json.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")
    show(options.json)


def trained(checkout: Path, folder: Path, name: str, seed: int, seconds: float) -> dict[str, float]:
    """Let a checkout train for some seconds of iterations; how far it came."""
    folder.mkdir(parents=True, exist_ok=True)
    game, game_options = GAMES[name]
    entries = ", ".join(f"{key} = {value}" for key, value in game_options.items())
    settings = folder / "settings.toml"
    settings.write_text(
        f'game = "{game}"\ngame_options = {{ {entries} }}\nseed = {seed}\n', "utf-8"
    )
    command = [sys.executable, "-m", "mctslab", "train", str(settings.resolve())]
    process = subprocess.Popen(
        [*command, "--out", str(folder.resolve())],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout.resolve())},
        stdout=subprocess.DEVNULL,
    )
    while process.poll() is None and (log := log_of(folder))["seconds"] < seconds:
        time.sleep(0.1)
    while process.poll() is None:  # older programs sometimes lost an interrupt
        process.send_signal(signal.SIGINT)
        time.sleep(2.0)
    return log_of(folder) if process.returncode else log


def log_of(folder: Path) -> dict[str, float]:
    """The seconds, iterations and positions in the log of a run."""
    file = folder / "log.jsonl"
    text = file.read_text("utf-8") if file.exists() else ""
    rows = [json.loads(line) for line in text.split("\n")[:-1]]
    return {
        "seconds": sum(row["seconds"] for row in rows),
        "iterations": len(rows),
        "positions": rows[-1]["num_positions"] if rows else 0,
    }


def judged(folder: Path, name: str) -> dict[str, float]:
    """The points of a run's net against UCT."""
    game, game_options = GAMES[name]
    net = load_checkpoint(folder / CHECKPOINT).net
    scores = play_match(
        games.make(game, **game_options),
        net_mover(net, 64),
        opponent_mover("uct:1000", np.random.default_rng([1, 1])),
        num_games=200,
        opening_plies=2,
        rng=np.random.default_rng([1, 0]),
    )
    score = scores[0] + scores[1]
    return {"points": score.rate.value * score.num_games, "games": score.num_games}


def show(path: Path) -> None:
    """A line for each game and checkout: all seeds together, and each."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    print("| game | | points a game, all seeds | each seed | positions a second |")
    print("|---|---|---|---|---|")
    for name in GAMES:
        for who in ("before", "now"):
            own = [row for row in rows if (row["game"], row["who"]) == (name, who)]
            if own:
                points, number = (sum(row[key] for row in own) for key in ("points", "games"))
                each = ", ".join(f"{row['points'] / row['games']:.3f}" for row in own)
                rate = sum(row["positions"] for row in own) / sum(row["seconds"] for row in own)
                print(f"| {name} | {who} | {share(points, number)} | {each} | {rate:,.0f} |")


if __name__ == "__main__":
    main()
