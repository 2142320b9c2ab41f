"""The matches of notebook 14's side roads, played again with the nets that mctslab has now.

    python -m tests.benchmarks.notebook_14

It takes the old results away, runs the cells of the notebooks that play, lets every net of Gomoku
play against UCT with 10,000 rollouts, for a chart, and notes which nets have played
(`notebooks/more/results/14_nets.json`), so that a test can tell when a net was changed.
Stopped, the command begins again; `--go-on` keeps what is there.
"""

import hashlib
import json
import os
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell

from mctslab import arena, players
from mctslab.players.shipped import ShippedNet
from mctslab.typed import write_whole
from tests.benchmarks.shared import parser_of
from tests.notebooks.reading import PROJECT, read

SIDE_ROADS = PROJECT / "notebooks" / "more"
RESULTS = SIDE_ROADS / "results"
CELLS = {
    "14_strength": ("budgets", "round-robin"),
    "14_two_halves": ("budgets", "halves", "halves-match", "halves-chart", "neither"),
}
"""By notebook, those that play, and those that they need."""
PLAYED = ("14_ages.jsonl", "14_half_*.jsonl")
STRENGTH = "14_strength_{}.jsonl"
NETS = RESULTS / "14_nets.json"
SIMULATIONS = {6: 200}
"""Of a net, by the size of its board; 400 on others."""
NUM_GAMES = {6: 200, 15: 40}
"""Against UCT, by the size of the board; 100 on others."""


def nets() -> list[ShippedNet]:
    """The nets that play in these matches."""
    return [each for each in players.shipped_nets() if each.name.startswith("gomoku")]


def digests() -> dict[str, str]:
    """What tells the nets that come with mctslab from others of the same names."""
    return {each.name: hashlib.sha256(each.file.read_bytes()).hexdigest()[:16] for each in nets()}


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


def name_command(file: Path) -> None:
    """Say in the first line of a file that this program has played its games."""
    header, _, games = file.read_text("utf-8").partition("\n")
    command = {"command": "python -m tests.benchmarks.notebook_14"}
    text = json.dumps({**json.loads(header), **command}) + "\n" + games
    write_whole(file, text)


def play_uct() -> None:
    """Let each net of Gomoku play against UCT with 10,000 rollouts."""
    for each in nets():
        size = each.game_options["size"]
        simulations, num_games = SIMULATIONS.get(size, 400), NUM_GAMES.get(size, 100)
        arena.match(
            each.game,
            f"net:{each.name}:{simulations}",
            "uct:10000",
            game_options=each.game_options,
            num_games=num_games,
            seed=1,
            opening_plies=2,
            processes=2,
            file=RESULTS / STRENGTH.format(each.name),
            progress=arena.TextProgress(),
        )


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--go-on", action="store_true", help="keep the games that are there")
    arguments = parser.parse_args()
    if not arguments.go_on:
        for file in [*played_files(), *strength_files()]:
            file.unlink()
    play()
    for file in played_files():
        name_command(file)
    play_uct()
    NETS.write_text(json.dumps(digests(), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
