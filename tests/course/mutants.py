"""Wrong functions that nobody had to invent: the model answers with one change each."""

import ast
import itertools
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from mctslab.course.exercise import Exercise
from tests.course.catalogue import is_noticed
from tests.course.changes import changes_of
from tests.course.counted import Copy, numbered

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

    Another order of values that are written out makes no difference.
    """
    tree = numbered(ast.parse(exercise.solution_source))
    (function,) = tree.body
    assert isinstance(function, ast.FunctionDef)
    texts = set()
    for part, new in changes_of(function):
        if isinstance(new, ast.Tuple | ast.List) and _is_other_order(part, new):
            continue
        text = " ".join(f"{ast.unparse(part)} => {ast.unparse(new) if new else ''}".split())
        if text in texts or _NEVER.fullmatch(text):
            continue
        instead = {part.number: [new] if new else []}
        try:
            copy = Copy(tree, exercise.model_answer.__globals__, instead)
        except Exception:  # what Python does not accept
            continue
        texts.add(text)
        yield Mutant(copy, text)


def _is_other_order(part: ast.AST, new: ast.Tuple | ast.List) -> bool:
    """Whether only the order changed, of values without calls."""
    if not isinstance(part, ast.Tuple | ast.List) or "Call" in ast.dump(part):
        return False
    one, other = ([ast.unparse(each) for each in values.elts] for values in (part, new))
    return sorted(one) == sorted(other)
