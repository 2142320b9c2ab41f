"""Judge an answer: run it on every case, and find out which mistake it looks like."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from mctslab.course import wording
from mctslab.course.comparing import plain, same, shown, snapshot
from mctslab.course.question import Case, Function, Mistake, Question
from mctslab.course.result import Outcome, Result
from mctslab.course.sandbox import Called, call
from mctslab.course.sources import is_stub, is_unchanged

MISSING: Final = object()
"""Stands for an answer that was not given."""


def judge(question: Question, answer: object = MISSING) -> Result:
    """Judge `answer`, the function that a student wrote; never raises what the answer raises."""
    if (result := _without_running(question, answer)) is not None:
        return result
    assert callable(answer)
    trials: list[Trial] = []
    for case in question.cases():
        trial = _try(case, answer, question.seconds)
        if _says_not_written(trial.called):
            return _not_attempted(question)
        trials.append(trial)
        if trial.called.too_slow:
            break  # the other cases would take as long
    failed = next((trial for trial in trials if not trial.is_right), None)
    if failed is None:
        return _with_printed(_right(question, len(trials)), trials[0].called)
    result = _named(_wrong(question, answer, failed), question, answer, trials, failed)
    return _with_printed(result, failed.called)


class Changed(NamedTuple):
    """An argument that was changed, though it still belongs to the caller."""

    number: int
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class Trial:
    """One case, and what a function made of it."""

    case: Case
    called: Called
    changed: Changed | None

    @property
    def has_value(self) -> bool:
        """Whether the function came to its end."""
        return self.called.error is None and not self.called.too_slow

    @property
    def is_right(self) -> bool:
        """Whether it did what was expected."""
        if not self.has_value or self.changed is not None:
            return False
        return same(self.case.expected, self.called.value)

    def is_like(self, other: "Trial") -> bool:
        """Whether two functions did the same on this case."""
        if self.called.too_slow or other.called.too_slow:
            return self.called.too_slow and other.called.too_slow
        if self.called.error is not None or other.called.error is not None:
            return type(self.called.error) is type(other.called.error)
        if (self.changed is None) != (other.changed is None):
            return False
        return same(self.called.value, other.called.value, _TOLERANCE_FOR_LIKENESS)


_TOLERANCE_FOR_LIKENESS: Final = 1e-3
"""The same mistake with a constant rounded otherwise is the same mistake."""


def _try(case: Case, function: Function, seconds: float) -> Trial:
    called = call(_observe, (case, function), seconds)
    value, changed = called.value or (None, None)
    return Trial(case, replace(called, value=value), changed)


def _observe(case: Case, function: Function) -> tuple[object, Changed | None]:
    """What the function gives, and an argument that it changed and must not have.

    Values are made plain right here, where the time limit holds: they may be of a class of the
    student's own, whose `__eq__` or `__repr__` does not come to an end.
    """
    arguments = case.arguments()
    value = plain(case.run(function, *arguments))
    if not case.changes_arguments:
        for number, (was, now) in enumerate(zip(case.arguments(), arguments, strict=True)):
            if snapshot(was) != snapshot(now):
                return value, Changed(number, shown(plain(was)), shown(plain(now)))
    return value, None


def _named(
    result: Result, question: Question, answer: Function, trials: Sequence[Trial], failed: Trial
) -> Result:
    """The result with the mistake that the answer looks like, where it looks like one.

    An answer with two mistakes at once, one of which ends in an error, is told the other as well.
    """
    found, looks_like = _likeliest(question, trials), "This looks like"
    if found is None and _is_other_every_time(answer, failed, question.seconds):
        found = OTHER_CHANCE
    if found is None:
        with_value = [trial for trial in trials if trial.has_value]
        if sum(not trial.is_right for trial in with_value) >= _ENOUGH_TO_NAME:
            found, looks_like = _likeliest(question, with_value), "Elsewhere it looks like"
    if found is None:
        return result
    return replace(result, mistake=found.name, looks_like=looks_like, explanation=found.explanation)


_ENOUGH_TO_NAME: Final = 2


def _is_other_every_time(answer: Function, trial: Trial, seconds: float) -> bool:
    """Whether the same input, with the same seed, gives something else the second time."""
    return trial.has_value and not _try(trial.case, answer, seconds).is_like(trial)


OTHER_CHANCE: Final = Mistake(
    "chance from elsewhere",
    "The same input, with the same seed, gave something else the second time. Draw from the "
    "generator `rng` that is passed in, and from no other.",
)


def _likeliest(question: Question, trials: Sequence[Trial]) -> Mistake | None:
    """The first known mistake that does the same as the answer in all these trials."""
    seconds = min(question.seconds, _SECONDS_FOR_KNOWN_CODE)
    for known in question.mistakes:
        wrong = question.wrong_answer(known)
        with np.errstate(all="ignore"):  # it is not the student whom a warning would help
            if all(_try(trial.case, wrong, seconds).is_like(trial) for trial in trials):
                return known
    return None


_SECONDS_FOR_KNOWN_CODE: Final = 0.5
"""What a case may take with a mistake; only those that never end reach it."""


def _without_running(question: Question, answer: object) -> Result | None:
    """The result where a look at the answer is enough; None where it has to be run."""
    if answer is MISSING or answer is ... or is_stub(answer):
        return _not_attempted(question)
    if question.start and is_unchanged(answer, question.defined_by(question.stub)):
        return _not_attempted(question)
    if not callable(answer):
        return _result(question, Outcome.WRONG, wording.no_function(question.name, answer))
    arguments = question.cases()[0].arguments()
    try:
        inspect.signature(answer).bind(*arguments)
    except TypeError:
        message = wording.wrong_signature(question.model_answer, answer)
        return _result(question, Outcome.WRONG, message)
    except ValueError:  # something built in, which does not tell its signature
        pass
    return None


def _says_not_written(called: Called) -> bool:
    return isinstance(called.error, NotImplementedError) or called.value is ...


def _not_attempted(question: Question) -> Result:
    return _result(question, Outcome.NOT_ATTEMPTED, wording.not_attempted(question.name))


def _right(question: Question, count: int) -> Result:
    return _result(question, Outcome.RIGHT, wording.right(count))


def _wrong(question: Question, answer: Function, failed: Trial) -> Result:
    case, called = failed.case, failed.called
    arguments = case.arguments()
    facts = [("Input", case.shown or wording.written_out(question.model_answer, arguments))]
    if called.too_slow or called.error is not None:
        message = wording.failure(called, question, answer)
    elif failed.changed is not None:
        names = list(inspect.signature(question.model_answer).parameters)
        message = wording.changed_argument(names[failed.changed.number])
        facts += [("Was", failed.changed.was), ("Is now", failed.changed.now)]
    else:
        message = wording.difference(case, called.value)
        facts += wording.expected_and_found(case.expected, called.value)
    return _result(question, Outcome.WRONG, message, facts)


def _with_printed(result: Result, called: Called) -> Result:
    if not called.printed:
        return result
    return replace(result, facts=(*result.facts, ("It printed", wording.printed(called.printed))))


def _result(
    question: Question, outcome: Outcome, message: str, facts: Sequence[tuple[str, str]] = ()
) -> Result:
    return Result(question.name, outcome, message, tuple(facts))
