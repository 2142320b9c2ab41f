"""Answers that people who had not seen the checks invented, wrong ones and odd right ones.

A file for each notebook; before each answer stands what is wrong or unusual about it. They are for
measuring (`python -m tests.measure answers`): who improves a check by them invents new ones first.
The right answers after `# ours:` were written by the authors of the checks.
"""

import ast
import functools
import linecache
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any, Final, NamedTuple

import torch  # noqa: F401  # some answers use it, and loading it takes longer than they may

from mctslab.course.exercise import Exercise
from mctslab.course.exercises import all_exercises
from mctslab.course.outline import PROJECT_FOLDER, Cell, cells_of, exercise_of, paths


class Answer(NamedTuple):
    """What somebody might write."""

    exercise: Exercise
    is_right: bool
    why: str
    """What is wrong with it, or unusual about it."""
    source: str


def answers_to(exercise: Exercise) -> Iterator[Answer]:
    """The answers to an exercise."""
    text = (Path(__file__).parent / "answers" / f"{exercise.notebook}.txt").read_text("utf-8")
    (own,) = re.findall(rf"(?sm)^#### {exercise.name}\n(.*?)(?=^####|\Z)", text)
    for kind, why, source in re.findall(_ANSWER, own):
        yield Answer(exercise, kind != "wrong", why, source)


_ANSWER: Final = r"(?sm)^# (right|ours|wrong): ([^\n]*)\n(.*?)(?=^# (?:right|ours|wrong): |\Z)"


def function_of(answer: Answer) -> Callable[..., Any]:
    """The function, with what its notebook and that one's side roads import and define."""
    names = dict(_surroundings(answer.exercise.name))
    file = f"<{answer.exercise.name}: {answer.why}>"
    linecache.cache[file] = (len(answer.source), None, answer.source.splitlines(True), file)
    exec(compile(answer.source, file, "exec"), names)
    function: Callable[..., Any] = names[answer.exercise.name]
    return function


@functools.cache
def _surroundings(name: str) -> dict[str, Any]:
    exercise = all_exercises()[name]
    names = {"math": math} | exercise.model_answer.__globals__
    exec(_given_in(exercise.notebook), names)
    return names


@functools.cache
def _given_in(notebook: str) -> CodeType:
    """All imports and plain functions of a notebook and its side roads, but for exercises.

    An exercise may move from the one to the other, and the answers to it stay the same.
    """
    own = (path for path in paths(PROJECT_FOLDER) if path.name[:2] == notebook)
    cells = (cell for path in own for cell in cells_of(path))
    sources = ["".join(cell["source"]) for cell in cells if _is_given(cell)]
    statements = [each for source in sources for each in ast.parse(source).body]
    imported = [each for each in statements if isinstance(each, ast.Import | ast.ImportFrom)]
    defined = [each for each in statements if _is_plain(each)]
    return compile(ast.Module([*imported, *defined], []), f"<{notebook}>", "exec")


def _is_given(cell: Cell) -> bool:
    is_python = not "".join(cell["source"]).startswith("%%")
    return cell["cell_type"] == "code" and is_python and exercise_of(cell) is None


def _is_plain(statement: ast.stmt) -> bool:
    """Whether it defines a function that needs nothing to be defined."""
    if not isinstance(statement, ast.FunctionDef) or statement.decorator_list:
        return False
    defaults = [*statement.args.defaults, *statement.args.kw_defaults]
    return all(isinstance(each, ast.Constant) for each in defaults)
