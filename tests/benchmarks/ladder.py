"""Play the matches that come with the package: what the ladder shows before it is climbed.

    python -m tests.benchmarks.ladder opponents
    python -m tests.benchmarks.ladder rungs 04 06

`opponents` lets the opponents of a rung play each other, also in Hex if notebook 15 has written
`notebooks/my_hex.py`. `rungs` runs notebooks, all or those with
these numbers, with all exercises solved and at full budget, up to the cell that climbs. Both write
into `mctslab/course/ladder.json`.
"""

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import nbformat
from IPython.core.interactiveshell import InteractiveShell

from mctslab import arena, games
from mctslab.course import climbing
from mctslab.course.keeping import progress
from mctslab.course.notebooks import with_solutions
from mctslab.games import State
from tests.benchmarks.shared import parser_of

PROJECT: Final = Path(__file__).parents[2]
_FILE: Final = PROJECT / "mctslab" / "course" / "ladder.json"

_HEX: Final = PROJECT / "notebooks" / "my_hex.py"


def first_positions() -> Iterator[tuple[str, State, int]]:
    """The name of each game, its first position, and the games between any two opponents."""
    yield "Connect Four", games.ConnectFour(), 2_000
    yield "Reversi", games.Reversi(), 2_000
    yield "Gomoku 9 × 9", games.Gomoku(size=9), 400
    if _HEX.exists():
        yield "Hex", games.make(f"{_HEX}:Hex"), 400


def opponents() -> dict[str, list[list[float]]]:
    """In each game, the opponents' points against each other."""
    tables = {}
    for title, first_state, num_games in first_positions():
        is_wide = len(first_state.legal_actions()) > climbing.MANY_MOVES
        names = climbing.OPPONENTS_OF_MANY_MOVES if is_wide else climbing.OPPONENTS
        played = arena.round_robin(
            first_state, names, num_games=num_games, seed=1, progress=arena.TextProgress()
        )
        tables[title] = [
            [
                float(sum(game.points(name) for game in played.games if {*game.players} == pair))
                if len(pair := {name, other}) == 2
                else 0.0
                for other in names
            ]
            for name in names
        ]
    return tables


def rung(path: Path) -> dict[str, Any]:
    """The rung of a notebook when all its exercises are solved, by its number."""
    notebook = with_solutions(nbformat.read(path, as_version=4))
    with tempfile.TemporaryDirectory() as home:
        os.environ[progress.HOME_VARIABLE] = home
        os.chdir(path.parent)
        shell = InteractiveShell.instance()
        for cell in notebook.cells:
            if cell.cell_type == "code":
                shell.run_cell(cell.source).raise_error()  # type: ignore[no-untyped-call]
                if "course.climb(" in cell.source:
                    break
        return {number: msgspec.to_builtins(each) for number, each in progress.load().rungs.items()}


def main() -> None:
    """Play, and write the file."""
    parser = parser_of(__doc__)
    parser.add_argument("what", choices=("opponents", "rungs"))
    parser.add_argument("numbers", nargs="*", metavar="NN", help="such as 04")
    words = parser.parse_args()
    content = json.loads(_FILE.read_text("utf-8"))
    if words.what == "opponents":
        content["opponents"] = opponents()
    else:
        for path in sorted((PROJECT / "notebooks").glob("[0-9]*.ipynb")):
            is_meant = not words.numbers or path.name[:2] in words.numbers
            if is_meant and "course.climb(" in path.read_text("utf-8"):
                content["rungs"] |= rung(path)
                _write(content)
    _write(content)


def _write(content: dict[str, Any]) -> None:
    _FILE.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
