"""Judge an answer: run it on every case, and find the mistake of its list that it looks like."""

import inspect
import linecache
import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np

from mctslab.course.comparing import Expectation, kind, listed, plain, same, shown, snapshot
from mctslab.course.mutants import mutants_of
from mctslab.course.question import Case, Function, Mistake, Question, is_stub, is_unchanged
from mctslab.course.result import Outcome, Result
from mctslab.course.sandbox import Called, InputRequestedError, call

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
        if isinstance(trial.called.error, NotImplementedError) or trial.called.value is ...:
            return _not_attempted(question)
        trials.append(trial)
        if trial.called.too_slow:
            break  # the other cases would take as long
    failed = next((trial for trial in trials if not trial.is_right), None)
    if failed is None:
        message = f"All {len(trials)} inputs gave the expected result."
        right = _result(question, Outcome.RIGHT, message)
        return _with_printed(right, trials[0].called)
    result = _named(_wrong(question, answer, failed), question, answer, trials, failed)
    return _with_printed(result, failed.called)


class Changed(NamedTuple):
    """An argument that was changed, though it still belongs to the caller."""

    number: int
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class Trial:
    """One case, and what a function did with it."""

    case: Case
    called: Called
    changed: Changed | None

    @property
    def has_value(self) -> bool:
        """Whether the function returned."""
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
"""The same mistake with a constant rounded differently is the same mistake."""


def _try(case: Case, function: Function, seconds: float) -> Trial:
    called = call(_observe, (case, function), seconds)
    value, changed = called.value or (None, None)
    return Trial(case, replace(called, value=value), changed)


def _observe(case: Case, function: Function) -> tuple[object, Changed | None]:
    """What the function gives, and an argument that it changed although it must not.

    Values are made plain right here, where the time limit holds: they may be of a class of the
    student's own, whose `__eq__` or `__repr__` does not come to an end.
    """
    arguments = case.arguments()
    value = case.run(function, *arguments)
    value = plain(listed(value) if isinstance(case.expected, list | tuple) else value)
    if not case.changes_arguments:
        for number, (was, now) in enumerate(zip(case.arguments(), arguments, strict=True)):
            if snapshot(was) != snapshot(now):
                return value, Changed(number, shown(plain(was)), shown(plain(now)))
    return value, None


def _named(
    result: Result, question: Question, answer: Function, trials: Sequence[Trial], failed: Trial
) -> Result:
    """The result with the mistake that the answer looks like, where it looks like one.

    If an answer has two mistakes, one of which ends in an error, the other is named as well.
    """
    found, looks_like = _likeliest(question, trials), "This looks like"
    if found is None and _differs_every_time(answer, failed, question.seconds):
        found = UNSEEDED
    if found is None and (found := _unforeseen(question, trials)) is not None:
        looks_like = "This could be"
    if found is None:
        with_value = [trial for trial in trials if trial.has_value]
        if sum(not trial.is_right for trial in with_value) >= _ENOUGH_TO_NAME:
            found, looks_like = _likeliest(question, with_value), "Elsewhere it looks like"
    if found is None:
        return result
    return replace(result, mistake=found.name, looks_like=looks_like, explanation=found.explanation)


_ENOUGH_TO_NAME: Final = 2


def _differs_every_time(answer: Function, trial: Trial, seconds: float) -> bool:
    """Whether the same input with the same seed gives another result, the second time or later."""
    again = (_try(trial.case, answer, seconds) for _ in range(_TIMES_AGAIN))
    return trial.has_value and any(not each.is_like(trial) for each in again)


_TIMES_AGAIN: Final = 3
"""On a small input a random result is often the same by chance."""


UNSEEDED: Final = Mistake(
    "random numbers from elsewhere",
    "The same input with the same seed gave another result the second time. Draw all random "
    "numbers from the generator `rng` that is passed in.",
)


def _likeliest(question: Question, trials: Sequence[Trial]) -> Mistake | None:
    """The first mistake of the exercise that does the same as the answer in all these trials."""
    seconds = min(question.seconds, _SECONDS_FOR_A_MISTAKE)
    for mistake in question.mistakes:
        if _does_the_same(question.wrong_answer(mistake), trials, seconds):
            return mistake
    return None


def _does_the_same(wrong: Function, trials: Sequence[Trial], seconds: float) -> bool:
    with np.errstate(all="ignore"):  # warnings here would be about our own code
        return all(_try(trial.case, wrong, seconds).is_like(trial) for trial in trials)


def _unforeseen(question: Question, trials: Sequence[Trial]) -> Mistake | None:
    """The changes of the model answer that do the same as the answer in all these trials.

    Two of them are two readings of one behaviour. Of more than two, none would be worth telling.
    """
    until = time.monotonic() + _SECONDS_FOR_ALL
    wrong_first = sorted(trials, key=lambda trial: trial.is_right or not trial.has_value)
    if not wrong_first[0].has_value or wrong_first[0].is_right:
        return None  # errors look alike in any function
    found = {}
    for mutant in mutants_of(question):
        if _does_the_same(question.wrong_answer(mutant), wrong_first, _SECONDS_FOR_ONE):
            found[mutant.name, mutant.explanation] = mutant
        if len(found) > _MOST_READINGS or time.monotonic() > until:
            return None
    if not found:
        return None
    return Mistake(
        " or ".join(dict.fromkeys(name for name, _ in found)),
        " Or: ".join(dict.fromkeys(explanation for _, explanation in found)),
    )


_MOST_READINGS: Final = 2
_SECONDS_FOR_ONE: Final = 0.1
"""The time limit for one case with one change."""
_SECONDS_FOR_ALL: Final = 1.5
"""After these nothing is named: nobody likes to wait for a check."""
_SECONDS_FOR_A_MISTAKE: Final = 0.5
"""The time limit for one case with a listed mistake; only those that never end reach it."""


def _without_running(question: Question, answer: object) -> Result | None:
    """The result if a look at the answer is enough; None if it must be run."""
    if answer is MISSING or answer is ... or is_stub(answer):
        return _not_attempted(question)
    if question.start and is_unchanged(answer, question.defined_by(question.stub)):
        return _not_attempted(question)
    if not callable(answer):
        return _result(question, Outcome.WRONG, _no_function(question.name, answer))
    arguments = question.cases()[0].arguments()
    try:
        inspect.signature(answer).bind(*arguments)
    except TypeError:
        message = _wrong_signature(question.model_answer, answer)
        return _result(question, Outcome.WRONG, message)
    except ValueError:  # a built-in without a signature
        pass
    return None


def _not_attempted(question: Question) -> Result:
    name = question.name
    task = "Correct" if question.start else "Write"
    message = f"{task} the function, run its cell, then call `exercises.{name}.check({name})`."
    return _result(question, Outcome.NOT_ATTEMPTED, message)


def _wrong(question: Question, answer: Function, failed: Trial) -> Result:
    case, called = failed.case, failed.called
    arguments = case.arguments()
    facts = [("Input", case.shown or _written_out(question.model_answer, arguments))]
    if called.too_slow or called.error is not None:
        message = _failure(called, question, answer)
    elif failed.changed is not None:
        names = list(inspect.signature(question.model_answer).parameters)
        name = names[failed.changed.number]
        message = f"It changed its argument {name}, which belongs to the caller. Work on a copy."
        facts += [("Was", failed.changed.was), ("Is now", failed.changed.now)]
    else:
        message = _difference(case, called.value)
        facts += _expected_and_found(case.expected, called.value)
    return _result(question, Outcome.WRONG, message, facts)


def _with_printed(result: Result, called: Called) -> Result:
    if not called.printed:
        return result
    return replace(result, facts=(*result.facts, ("It printed", _printed(called.printed))))


def _result(
    question: Question, outcome: Outcome, message: str, facts: Sequence[tuple[str, str]] = ()
) -> Result:
    return Result(question.name, outcome, message, tuple(facts))


# The sentences


def _no_function(name: str, answer: object) -> str:
    """The answer is not a function."""
    found = dict.fromkeys([kind(answer), shown(plain(answer))])  # of None both are the same
    return (
        f"A check takes the function itself: `exercises.{name}.check({name})`, without brackets "
        f"after the function's name. It got {', '.join(found)}."
    )


def _wrong_signature(solution: Function, answer: Function) -> str:
    """The answer cannot be called with the arguments."""
    wanted, found = inspect.signature(solution).parameters, inspect.signature(answer).parameters
    name = getattr(answer, "__name__", "")
    return f"It is called with {_listed(list(wanted))}; yours is `{name}({', '.join(found)})`."


def _difference(case: Case, found: object) -> str:
    """The value is not what was expected."""
    expected_kind, found_kind = kind(case.expected), kind(found)
    if expected_kind == found_kind or isinstance(case.expected, Expectation):
        return "One input gave a different result from the expected one."
    if case.use is not None and found is not None:
        return "One input gave a different result from the expected one."
    remedy = _REMEDIES.get(found_kind, "")
    return f"The function returned {found_kind}, but {expected_kind} is expected.{remedy}"


_REMEDIES: Final[Mapping[str, str]] = {
    "None": " Did you forget `return`?",
    "a generator": " Use `return` instead of `yield`.",
    "a coroutine": " Write `def` without `async`.",
}


def _expected_and_found(expected: object, found: object) -> list[tuple[str, str]]:
    """What was expected and what the function gave; of several facts only those that differ."""
    if isinstance(expected, dict) and isinstance(found, dict) and expected.keys() == found.keys():
        differing = [key for key, value in expected.items() if not same(value, found[key])]
        return [("Expected", _entries(expected, differing)), ("Got", _entries(found, differing))]
    return [("Expected", shown(expected)), ("Got", shown(found))]


def _entries(facts: dict[Any, object], keys: Sequence[Any]) -> str:
    return "\n".join(f"{key}: {shown(facts[key])}" for key in keys)


def _failure(called: Called, question: Question, answer: Function) -> str:
    """The call did not come to an end, or not to a good one."""
    if called.too_slow:
        stuck = " It could not be stopped either, so restart the kernel." if called.stuck else ""
        return (
            f"It was still running after {question.seconds:g} seconds. Is there a loop whose "
            f"condition never becomes false?{stuck}"
        )
    error = called.error
    assert error is not None
    if isinstance(error, RecursionError):
        return "It called itself again and again. It needs a case in which it does not."
    if isinstance(error, SystemExit):
        return "It called exit(). A function gives its answer with return."
    if isinstance(error, InputRequestedError):
        return "It called input(). Everything it needs is in its arguments."
    return f"It raised {error_in_a_line(error)}{_where(error, answer)}."


def error_in_a_line(error: BaseException) -> str:
    """The kind of an error and the first line of what it says."""
    name = type(error).__name__
    try:
        text = str(error).strip().rstrip(".")
    except Exception:  # an exception class of the student's own may fail at this
        text = ""
    if isinstance(error, KeyError):
        text = f"there is no entry {text}"
    first_line = text.splitlines()[0] if text else ""
    return f"{name}: {first_line}" if first_line else name


def _where(error: BaseException, answer: Function) -> str:
    """The line of the student's code in which it happened, as far as it can be found."""
    file = getattr(getattr(answer, "__code__", None), "co_filename", None)
    frames = [
        (frame.f_code.co_filename, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename == file
    ]
    if not frames:
        return ""
    text = linecache.getline(*frames[-1]).strip()
    return f", at the line: `{text}`" if text else f", in line {frames[-1][1]}"


def _written_out(solution: Function, arguments: Sequence[object]) -> str:
    """A call with the names of the parameters: `ucb1(win_rate=0.5, visit_count=1)`."""
    names = inspect.signature(solution).parameters
    words = [f"{name}={shown(plain(value))}" for name, value in zip(names, arguments, strict=True)]
    return f"{solution.__name__}({', '.join(words)})"


def _printed(text: str) -> str:
    """What a function printed, its first lines."""
    lines = text.rstrip().splitlines()
    more = len(lines) - MOST_LINES
    return "\n".join(lines if more <= 0 else [*lines[:MOST_LINES], "..."])


MOST_LINES: Final = 12


def _listed(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}, in this order" if most else f"one argument, {last}"
