"""How large is the house, and how far does one walk in it?

    python -m tests.measure house

prints the lines of each room; the project's files and functions that a search, a click on a board
and a step of self-play pass through; and the public names that nothing outside their room uses.
It runs on older commits, too: `PYTHONPATH=OLDER python -m tests.measure house`.
"""

import argparse
import ast
import json
import re
import sys
from collections.abc import Callable, Iterator, Set
from pathlib import Path
from types import FrameType

import numpy as np

import mctslab
from tests.measure_trips import files_of_a_click

PACKAGE = Path(mctslab.__file__).parent
PROJECT = PACKAGE.parent


# Lines


def count(files: Iterator[Path]) -> tuple[int, int]:
    """How many files there are, and how many lines they have."""
    lines = [len(file.read_text("utf-8").splitlines()) for file in files]
    return len(lines), sum(lines)


def python_files(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*.py") if file.parent.name != "exercises")


def print_lines() -> None:
    rooms = sorted(folder for folder in PACKAGE.iterdir() if (folder / "__init__.py").exists())
    table = [(room.name, *count(python_files(room))) for room in rooms]
    table.append(("beside the rooms", *count(PACKAGE.glob("*.py"))))
    table.append(("all but exercises", *count(python_files(PACKAGE))))
    table.append(("exercises", *count((PACKAGE / "course" / "exercises").glob("*.py"))))
    scripts = (file for end in ("js", "css") for file in PACKAGE.rglob(f"*.{end}"))
    table.append(("JavaScript and CSS", *count(scripts)))
    table.append(("tests", *count((PROJECT / "tests").rglob("*.py"))))
    table.append(("run.py", *count(iter([PROJECT / "run.py"]))))
    print(f"{'room':<20}{'files':>7}{'lines':>8}")
    for name, num_files, num_lines in table:
        print(f"{name:<20}{num_files:>7}{num_lines:>8,}")


# Trips


def trip(function: Callable[[], object]) -> tuple[set[str], set[tuple[str, str]]]:
    """The files, and the functions in them, of the package that a call passes through.

    It is made twice, and looked at the second time: what is loaded or made once does not count.
    """
    function()
    functions: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(str(PACKAGE)):
            functions.add((file.removeprefix(f"{PACKAGE}/"), frame.f_code.co_qualname))

    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(None)
    return {file for file, _ in functions}, functions


def search_trip() -> tuple[set[str], set[tuple[str, str]]]:
    from mctslab import games, search

    state, rng = games.TicTacToe(), np.random.default_rng(1)
    return trip(lambda: search.mcts(state, num_simulations=50, rng=rng))


def self_play_trip() -> tuple[set[str], set[tuple[str, str]]]:
    """A round of self-play, in which each game is brought some moves on."""
    from mctslab import games, net
    from mctslab.net.self_play import SelfPlay

    first_state, inputs = games.Gomoku(size=6, in_a_row=4), net.InputPlanes()
    self_play = SelfPlay(
        first_state,
        net.SelfPlayConfig(num_simulations=4),
        inputs,
        num_games=2,
        rng=np.random.default_rng(1),
    )
    shape = net.NetConfig.for_game(first_state, inputs=inputs, num_filters=8, num_blocks=1)
    inference = net.fastest(net.PolicyValueNet(shape).eval())
    return trip(lambda: self_play.play(inference, 4))


def print_trips() -> None:
    trips: dict[str, Callable[[], tuple[Set[str], Set[object]]]] = {
        "search.mcts": search_trip,
        "a click on a board": files_of_a_click,
        "a round of self-play": self_play_trip,
    }
    print(f"\n{'trip':<22}{'files':>6}{'functions':>11}")
    for name, walk in trips.items():
        files, functions = walk()
        print(f"{name:<22}{len(files):>6}{len(functions):>11}   {', '.join(sorted(files))}")


# Public names


def code_of_notebooks() -> str:
    cells = []
    for file in sorted((PROJECT / "notebooks").rglob("*.ipynb")):
        for cell in json.loads(file.read_text("utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                cells.append("".join(cell["source"]))
    return "\n".join(cells)


def public_names() -> Iterator[tuple[str, str]]:
    """Each room, with each name of its `__all__`."""
    for file in sorted(PACKAGE.glob("*/__init__.py")):
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                for name in ast.literal_eval(node.value):
                    yield file.parent.name, name


def print_unused() -> None:
    """Public names that stand in no notebook, no README, and in no other room."""
    texts = {
        folder.name: "\n".join(file.read_text("utf-8") for file in folder.rglob("*.py"))
        for folder in PACKAGE.iterdir()
        if folder.is_dir()
    }
    outside = code_of_notebooks() + (PROJECT / "README.md").read_text("utf-8")
    outside += "".join(file.read_text("utf-8") for file in PACKAGE.glob("*.py"))
    names = list(public_names())
    only_inside = [
        f"{room}.{name}"
        for room, name in names
        if not re.search(
            rf"\b{name}\b", outside + "".join(texts[each] for each in texts if each != room)
        )
    ]
    in_notebooks = sum(bool(re.search(rf"\b{name}\b", outside)) for _, name in names)
    print(f"\n{len(names)} public names, {in_notebooks} of them in notebooks or README.")
    print(f"{len(only_inside)} that nothing outside their room uses: {', '.join(only_inside)}")


def house() -> None:
    """Lines, trips and names."""
    print_lines()
    print_trips()
    print_unused()


COMMANDS = {"house": house}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.measure", description=__doc__)
    parser.add_argument("command", choices=COMMANDS)
    COMMANDS[parser.parse_args().command]()


if __name__ == "__main__":
    main()
