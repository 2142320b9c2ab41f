"""Wrong functions that nobody had to invent: the model answers with one change each."""

import ast
import itertools
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from mctslab.course.checking.changes import Change, changes_of
from mctslab.course.checking.counted import Copy, numbered
from mctslab.course.exercise import Exercise
from tests.course.catalogue import is_noticed

_NEVER: Final = re.compile(
    r"(max|min)\((.*), (.*)\) => \1\(\3, \2\)|(int|float)\((.*)\) => \5"
    r"|int => round|list => sorted|list\[int\] => list|1 - (.*) => \(1 - \6\) \*\* 2"
    r"|-(math|np)\.inf => 1 - (math|np)\.inf"
)
"""What makes no difference in any exercise."""


class Mutant(NamedTuple):
    """A model answer with one change."""

    function: Copy
    text: str
    """The part before and after."""


def noticed_in(exercise: Exercise, step: int = 1) -> dict[str, bool]:
    """The changes of the model answer, or some; whether an input gives a wrong result."""
    some = itertools.islice(mutants_of(exercise), 0, None, step)
    return {mutant.text: is_noticed(mutant.function, exercise.name) for mutant in some}


def mutants_of(exercise: Exercise) -> Iterator[Mutant]:
    """The model answer with another expression at each place, or without one of its steps.

    Another variable, or a step elsewhere, often makes no difference; neither does another order of
    values that are written out.
    """
    tree = numbered(ast.parse(exercise.solution_source))
    (function,) = tree.body
    assert isinstance(function, ast.FunctionDef)
    texts = set()
    for change in changes_of(function):
        is_order = "right order" in change.sentence and "Call" not in ast.dump(change.part)
        is_other = is_order or "the right one here" in change.sentence
        if (isinstance(change.part, ast.stmt) and change.instead) or is_other:
            continue
        text = _text(change)
        if text in texts or _NEVER.fullmatch(text):
            continue
        try:
            copy = Copy(tree, exercise.model_answer.__globals__, change.replaced)
        except Exception:  # what Python does not accept
            continue
        texts.add(text)
        yield Mutant(copy, text)


def _text(change: Change) -> str:
    old, new = ast.unparse(change.part), "; ".join(map(ast.unparse, change.instead))
    return " ".join(f"{old} => {new}".split())
