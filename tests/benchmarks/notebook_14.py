"""The matches of notebook 14's side roads, played again with the nets that mctslab has now.

    python -m tests.benchmarks.notebook_14
    python -m tests.benchmarks.notebook_14 --strength runs/strength

It takes the old results away, runs the cells of the notebooks that play, and notes which nets have
played (`notebooks/more/results/14_nets.json`), so that a test can tell when a net was changed. With
`--strength DIR` the matches against UCT with 10,000 rollouts that `mctslab strength
--results DIR` has played, with its usual seed, are put beside them, for a chart.
Stopped, the command begins again; `--go-on` keeps what is there.
"""

import argparse
import hashlib
import json
import os
import shutil
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell

from mctslab import players
from mctslab.arena.results_file import shorten
from tests.notebooks.reading import PROJECT, read

SIDE_ROADS = PROJECT / "notebooks" / "more"
RESULTS = SIDE_ROADS / "results"
CELLS = {
    "14_strength": ("budgets", "round-robin"),
    "14_two_halves": ("budgets", "halves", "halves-match", "halves-chart", "neither"),
}
"""By notebook, those that play, and those that they need."""
FAMILIES = ("gomoku",)
"""The beginnings of the names of the nets that play in these matches."""
PLAYED = ("14_ages.jsonl", "14_half_*.jsonl")
STRENGTH = "14_strength_{}.jsonl"
NETS = RESULTS / "14_nets.json"


def digests() -> dict[str, str]:
    """What tells the nets that come with mctslab from others of the same names."""
    nets = [each for each in players.shipped_nets() if each.name.startswith(FAMILIES)]
    return {each.name: hashlib.sha256(each.file.read_bytes()).hexdigest()[:16] for each in nets}


def played_files() -> list[Path]:
    """The files of the matches that the notebooks' cells play."""
    return sorted(file for pattern in PLAYED for file in RESULTS.glob(pattern))


def strength_files() -> list[Path]:
    """The files of the matches that were played beside it."""
    return sorted(RESULTS.glob(STRENGTH.format("*")))


def play() -> None:
    """Run the cells that play; a match that is in its file already is not played again."""
    os.chdir(SIDE_ROADS)
    os.environ.pop("MCTSLAB_QUICK", None)
    shell = InteractiveShell.instance()
    for notebook, names in CELLS.items():
        cells = {cell.id: cell.source for cell in read(SIDE_ROADS / f"{notebook}.ipynb").cells}
        for name in names:
            shell.run_cell(cells[name]).raise_error()
            print(f"{notebook}, {name}: done", flush=True)


def name_command(file: Path, command: str) -> None:
    """Say in the first line of a file which command has played its games."""
    header, _, games = file.read_text("utf-8").partition("\n")
    text = json.dumps({**json.loads(header), "command": command}) + "\n" + games
    beside = file.with_name(f".{file.name}.part")
    beside.write_text(text, "utf-8")
    os.replace(beside, file)


def take_strength(folder: Path) -> None:
    """Put what the nets in `folder` played against UCT beside the notebook's own."""
    for file in strength_files():
        file.unlink()
    for file in sorted(folder.glob("*-seed_1--uct_10000.jsonl")):
        copy = RESULTS / STRENGTH.format(file.name.partition("-")[0])
        shutil.copy(file, copy)
        name_command(copy, "python -m mctslab strength, see README.md")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--strength", type=Path, metavar="DIR")
    parser.add_argument("--go-on", action="store_true", help="keep the games that are there")
    arguments = parser.parse_args()
    if not arguments.go_on:
        for file in played_files():
            file.unlink()
    play()
    for file in played_files():
        name_command(file, "python -m tests.benchmarks.notebook_14")
    if arguments.strength:
        take_strength(arguments.strength)
    for file in [*played_files(), *strength_files()]:
        shorten(file)
    NETS.write_text(json.dumps(digests(), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
