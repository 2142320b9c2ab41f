"""Wrong functions that nobody had to invent: the model answers with one change each."""

import ast
from collections.abc import Iterator
from typing import Final, NamedTuple

from mctslab.course.checking.changes import Change, changes_of
from mctslab.course.checking.counted import Copy, numbered
from mctslab.course.checking.inputs import rounds_of
from mctslab.course.checking.repairs import copy_of
from mctslab.course.checking.trials import try_copy
from mctslab.course.exercise import Exercise

_FEWEST_ROUNDS: Final = 1_000
_TIMES_THE_MODEL: Final = 10
"""What goes around its loops so many times as often as the model answer has no end."""


class Mutant(NamedTuple):
    """A model answer with one change."""

    function: Copy
    text: str
    """The part before and after."""


def noticed_in(exercise: Exercise) -> dict[str, bool]:
    """The changes of the model answer; whether an input of the exercise gives a wrong result."""
    cases = [*exercise.cases(), *exercise.variations()]
    taken = rounds_of(copy_of(exercise, exercise.solution_source), cases)

    def rounds(number: int) -> int:
        return _FEWEST_ROUNDS + _TIMES_THE_MODEL * taken[number]

    def is_wrong(mutant: Mutant) -> bool:
        trials = try_copy(mutant.function, cases, rounds, lambda _, trial: not trial.is_right)
        return not trials[-1].is_right

    return {mutant.text: is_wrong(mutant) for mutant in mutants_of(exercise)}


def mutants_of(exercise: Exercise) -> Iterator[Mutant]:
    """The model answer with another expression at each place, or without one of its steps.

    A step done twice, or elsewhere, often makes no difference; neither does another order of
    values that are written out.
    """
    tree = numbered(ast.parse(exercise.solution_source))
    (function,) = tree.body
    assert isinstance(function, ast.FunctionDef)
    texts = set()
    for change in changes_of(function):
        is_order = "right order" in change.sentence and "Call" not in ast.dump(change.part)
        if (isinstance(change.part, ast.stmt) and change.instead) or change.also or is_order:
            continue
        text = _text(change)
        try:
            copy = Copy(tree, exercise.model_answer.__globals__, change.replaced)
        except Exception:  # what Python does not accept
            continue
        if text not in texts:
            texts.add(text)
            yield Mutant(copy, text)


def _text(change: Change) -> str:
    old, new = ast.unparse(change.part), "; ".join(map(ast.unparse, change.instead))
    return " ".join(f"{old} => {new}".split())
