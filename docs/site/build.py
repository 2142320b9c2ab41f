#!/usr/bin/env python3
"""Build the book: a folder of static files that any web server serves, also offline.

    python3 run.py site [--out build/site] [--only 03_selection ...]

The notebooks are run once, and again only when something changes that they depend on.
"""

import argparse
import os
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import nbformat
from front_page import front_page
from nbclient.exceptions import CellExecutionError
from pages import (
    NOTEBOOKS,
    api_index,
    api_pages,
    exercise_index,
    exercise_page,
    exercises_of,
    glossary_page,
    museum_page,
    notebook_page,
)
from play.build import GAMES
from play.build import build as build_play
from running import HERE, PROJECT, Executed, run_all
from sphinx.cmd.build import main as sphinx
from widgets_on_page import FOLDER, Widgets

from mctslab import games
from mctslab.course.exercises import all_exercises
from mctslab.course.outline import is_side_road, paths, place_of, title_of

BUILD = PROJECT / "build"
MARK = ".mctslab-site"
"""An empty file in every folder that was written here, which can therefore be replaced."""


def main() -> int:
    """Build the book as the command line says; returns 0 if that went well."""
    parser = argparse.ArgumentParser(description="Build the book as a folder of static files.")
    parser.add_argument("--out", type=Path, default=BUILD / "site", help="the folder to write")
    parser.add_argument(
        "--only", nargs="+", metavar="NAME", help="only these notebooks, such as 03_selection"
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="run the notebooks with the small budgets of the tests; each page says so",
    )
    arguments = parser.parse_args()
    out = arguments.out.resolve()
    if not can_be_replaced(out):
        parser.error(f"{out} was not written by this command; name another folder, or delete it")
    wanted = arguments.only
    all_notebooks = paths(PROJECT / "notebooks")
    chosen = [path for path in all_notebooks if wanted is None or path.stem in wanted]
    if not chosen:
        parser.error(f"there is no notebook {' or '.join(wanted)}")
    start = time.monotonic()
    try:
        status = build(out, chosen, is_quick=arguments.quick, is_whole=wanted is None)
    except CellExecutionError as error:
        print(f"The book was not built, because a cell failed.\n{error}", file=sys.stderr)
        return 1
    if status == 0:
        seconds = time.monotonic() - start
        print(f"The book is in {arguments.out}; it took {seconds:.0f} s. To read it:")
        print(f"  python3 -m http.server --directory {arguments.out}")
    return status


def can_be_replaced(out: Path) -> bool:
    """Whether nothing is lost with this folder: it is not there, is empty, or was written here."""
    return not out.exists() or (out.is_dir() and ((out / MARK).exists() or not any(out.iterdir())))


def build(out: Path, notebooks: Sequence[Path], *, is_quick: bool, is_whole: bool) -> int:
    """Write the book to `out`, which is replaced; returns Sphinx's exit status."""
    print("Running the notebooks that have changed", flush=True)
    cores = os.cpu_count() or 1
    executed = list(run_all(notebooks, BUILD / "site-cache", at_once=cores, is_quick=is_quick))
    source = BUILD / "site-source"
    widgets = Widgets({games.make(name).title: name for name in GAMES})
    write_sources(source, executed, widgets, is_quick=is_quick)
    print("Writing the pages", flush=True)
    fresh = BUILD / "site-pages" / "new"  # myst-nb writes beside it, too
    shutil.rmtree(fresh, ignore_errors=True)
    options = ["-q", "-W", "--keep-going", "-j", "auto", "-c", str(HERE)]
    if not is_whole:  # a link can lead to a notebook that was left out
        options += ["-D", "suppress_warnings=myst.xref_missing,ref.python"]
    status = sphinx([*options, "-d", str(BUILD / "site-doctrees"), str(source), str(fresh)])
    if status != 0:
        return status
    for each in executed:
        shutil.copyfile(each.path, fresh / NOTEBOOKS / place_of(each.path))
    (fresh / FOLDER).mkdir(exist_ok=True)
    for name, content in widgets.files.items():
        (fresh / FOLDER / name).write_bytes(content)
    build_play(fresh)
    (fresh / ".nojekyll").touch()  # GitHub Pages leaves out names with an underscore without it
    (fresh / MARK).touch()
    shutil.rmtree(out, ignore_errors=True)
    shutil.move(fresh, out)
    return 0


# Sources


def write_sources(
    source: Path, executed: Sequence[Executed], widgets: Widgets, *, is_quick: bool
) -> None:
    """Write the pages for Sphinx, and collect the files of their widgets."""
    pages = {"index.md": front_page(executed, widgets)}
    for each in executed:  # whose outputs are changed to those of a page
        made = notebook_page(each, widgets, is_quick=is_quick)
        pages[f"{NOTEBOOKS}/{place_of(each.path)}"] = nbformat.writes(made)
    titles = {
        each.path.name: f"{each.path.name[:2]} · {title_of(each.notebook.cells)}"
        for each in executed
        if not is_side_road(each.path)
    }
    where = exercises_of(executed)
    exercises = all_exercises()
    for name, place in where.items():
        pages[f"exercises/{name}.md"] = exercise_page(exercises[name], place)
    pages["exercises/index.md"] = exercise_index(where)
    pages["museum.md"] = museum_page(where)
    pages["glossary.md"] = glossary_page(titles)
    pages["docs/stuck.md"] = (PROJECT / "docs" / "stuck.md").read_text("utf-8")
    api = api_pages(executed)
    pages |= {f"api/{name}.rst": text for name, text in api.items()}
    pages["api/index.md"] = api_index(list(api))
    write_if_changed(source, pages)


def write_if_changed(folder: Path, texts: dict[str, str]) -> None:
    """Make `folder` hold exactly these files; Sphinx reads again only those that have changed."""
    for name, text in texts.items():
        file = folder / name
        if not file.exists() or file.read_text("utf-8") != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
    for file in folder.rglob("*"):
        if file.is_file() and file.relative_to(folder).as_posix() not in texts:
            file.unlink()


if __name__ == "__main__":
    sys.exit(main())
