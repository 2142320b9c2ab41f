"""Answers that do the same as a right one with a small change of its lines, in any style.

It can have a mistake of the exercise as well. What is told was tried on every input.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from mctslab.course.checking.changes import LONGEST, Change, changes_of, named, written
from mctslab.course.checking.counted import WORK_FOR_A_COPY, Copy, Work, numbered
from mctslab.course.checking.inputs import Inputs
from mctslab.course.question import Mistake, Question
from mctslab.course.result import Cause


def of_variant(question: Question, likely: Sequence[Mistake], inputs: Inputs) -> Cause | None:
    """A right answer with one change, or a listed mistake with one, that does the same.

    There is none of an answer whose results are nearly all alike: too much does the same.

    Args:
        question: what is asked.
        likely: its mistakes, in the order in which they are tried.
        inputs: what the answer did.
    """
    results = Counter(repr(each.called.value) for each in inputs.trials if each.has_value)
    if results.total() - max(results.values(), default=0) < _FEWEST_OTHERS:
        return None
    work = Work(_WORK)
    for mistake in (None, *likely):
        for change, copy in _changed(question, mistake, work):
            if inputs.has_same(copy, work):
                return _told(mistake, change)
    return None


_FEWEST_OTHERS: Final = 8
_WORK: Final = 500_000
"""In units of about a microsecond."""


def _changed(
    question: Question, mistake: Mistake | None, work: Work
) -> Iterator[tuple[Change, Copy]]:
    """The right answer with a mistake, or without one, and with each change that can be named."""
    tree = numbered(ast.parse(question.source_with(mistake.edits if mistake else ())))
    (function,) = tree.body
    assert isinstance(function, ast.FunctionDef)
    right = ast.unparse(ast.parse(question.solution_source))
    for change in changes_of(function):
        if work.is_over:
            return
        if _can_be_named(change) and written(change.part) in right:
            work.spend(WORK_FOR_A_COPY)
            try:
                yield change, Copy(tree, question.model_answer.__globals__, change.replaced)
            except Exception:  # what Python does not accept, such as a `break` outside a loop
                continue


def _can_be_named(change: Change) -> bool:
    """Whether a reader can see from the part alone what was changed."""
    is_part = isinstance(change.part, ast.expr) and not isinstance(change.part, _NUMBERS)
    return is_part and all(len(written(e)) <= LONGEST for e in (change.part, *change.instead))


_NUMBERS: Final = (ast.Constant, ast.UnaryOp)
"""Of these nobody can tell where they stand."""


def _told(mistake: Mistake | None, change: Change) -> Cause:
    if mistake is not None:
        said = f"{mistake.explanation} There is another fault, too."
        return Cause("The results are the same as with", mistake.name, said)
    where = f"{named(change.instead[0])} instead of {named(change.part)}"
    said = "Yours can look different, but on every input it does the same."
    return Cause("The results are those of our solution with", where, said)
