"""Judge an answer: run it on every case, and find the listed mistake that it looks like."""

import ast
import inspect
import linecache
import textwrap
import time
import traceback
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np

from mctslab.course.comparing import (
    Expectation,
    Near,
    OneOf,
    Words,
    alike,
    kind,
    listed,
    plain,
    same,
    shown,
    snapshot,
)
from mctslab.course.mutants import mutants_of
from mctslab.course.question import (
    Case,
    Elsewhere,
    Function,
    Mistake,
    Question,
    is_stub,
    is_unchanged,
)
from mctslab.course.repairs import Repair, Repairs
from mctslab.course.result import Outcome, Result
from mctslab.course.sandbox import Called, InputRequestedError, call
from mctslab.course.symptoms import (
    ENOUGH,
    Seen,
    Symptom,
    constant,
    of_error,
    of_facts,
    of_inputs,
    of_kind,
    of_results,
    parts_of,
    wrong_facts,
)

MISSING: Final = object()
"""Stands for an answer that was not given."""


def judge(question: Question, answer: object = MISSING) -> Result:
    """Judge `answer`, the function that a student wrote; never raises what the answer raises."""
    if (result := _without_running(question, answer)) is not None:
        return result
    assert callable(answer)
    trials: list[Trial] = []
    patience = _Patience(_SECONDS_FOR_ALL)
    for case in (*question.cases(), *question.variations()):
        trial = _try(case, answer, question.seconds)
        if isinstance(trial.called.error, NotImplementedError) or trial.called.value is ...:
            return _not_attempted(question)
        trials.append(trial)
        if trial.called.too_slow:
            break  # the other cases would take as long
        if patience.is_over and not all(trial.is_right for trial in trials):
            break  # it is wrong already, and more inputs would only help to name the mistake
    failed = _first_failed(trials)
    if failed is None:
        message = f"All {len(trials)} inputs gave the expected result."
        right = _result(question, Outcome.RIGHT, message)
        return _with_printed(right, trials[0].called)
    smaller = _smaller(question, answer, failed)
    result = _named(_wrong(question, answer, smaller), question, answer, trials, failed)
    return _with_printed(result, smaller.called)


def _smaller(question: Question, answer: Function, failed: "Trial") -> "Trial":
    """A shorter input with which it fails in the same way, or the same one."""
    if not failed.case.is_random or failed.called.too_slow:
        return failed
    patience = _Patience(_SECONDS_FOR_A_SMALLER)
    best = failed
    for case in question.small_variations():
        if patience.is_over:
            break
        if len(_shown(question, case)) < len(_shown(question, best.case)):
            trial = _try(case, answer, _SECONDS_FOR_A_MISTAKE)
            if not trial.is_right and type(trial.called.error) is type(failed.called.error):
                best = trial
    return best


def _shown(question: Question, case: Case) -> str:
    return case.shown or _written_out(question.model_answer, case.arguments())


def _first_failed(trials: Sequence["Trial"]) -> "Trial | None":
    """The first that is wrong; of those made at random, which come last, the shortest."""
    wrong = [trial for trial in trials if not trial.is_right]
    return min(wrong, key=lambda trial: len(trial.case.shown) * trial.case.is_random, default=None)


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
        one, two = self.called.value, other.called.value
        return same(one, two, _TOLERANCE_FOR_LIKENESS) and alike(one, two)


_TOLERANCE_FOR_LIKENESS: Final = 1e-3
"""The same mistake with a constant rounded differently is the same mistake."""


def _try(case: Case, function: Function, seconds: float) -> Trial:
    called = call(_observe, (case, function), seconds)
    value, changed = called.value or (None, None)
    return Trial(case, replace(called, value=value), changed)


def _observe(case: Case, function: Function) -> tuple[object, Changed | None]:
    """The function's result, and an argument that it changed although it must not.

    Values are made plain here, within the time limit, because they can be of a class of the
    student's own whose `__eq__` or `__repr__` never ends.
    """
    arguments = case.arguments()
    value = case.run(function, *arguments)
    value = plain(listed(value) if _is_several(case.expected) else value)
    if not case.changes_arguments:
        for number, (was, now) in enumerate(zip(case.arguments(), arguments, strict=True)):
            if snapshot(was) != snapshot(now):
                return value, Changed(number, shown(plain(was)), shown(plain(now)))
    return value, None


def _is_several(expected: object) -> bool:
    """Whether a list or pair is expected, which may come out of an iterator."""
    if isinstance(expected, Near):
        return _is_several(expected.numbers)
    if isinstance(expected, OneOf):
        return any(map(_is_several, expected.choices))
    return isinstance(expected, list | tuple)


def _named(
    result: Result, question: Question, answer: Function, trials: Sequence[Trial], failed: Trial
) -> Result:
    """The result with everything known about the mistake, the surest first."""
    with _quietly():
        begins, name, explanation = _diagnosis(question, answer, trials, failed)
    return replace(result, mistake=name, looks_like=begins, explanation=explanation)


def _diagnosis(
    question: Question, answer: Function, trials: Sequence[Trial], failed: Trial
) -> Symptom:
    if found := _listed(question, trials):
        listed = Symptom("This looks like", found.name, found.explanation)
        if found is SAME_FAULT:
            return _with_place(listed, _Mended(question, answer, trials).everything())
        return listed
    if failed.called.too_slow:
        return _NOTHING
    if _differs_every_time(answer, trials, question.seconds):
        is_random = "rng" in inspect.signature(question.model_answer).parameters
        found = UNSEEDED if is_random else AT_RANDOM
        return Symptom("This looks like", found.name, found.explanation)
    seen = _seen(question, trials)
    mended = _Mended(question, answer, trials)
    if failed.has_value and (symptom := constant(seen)):
        # A change of the model answer that gives it would say less.
        place = mended.everything()
        return symptom if place is None or mended.is_guess else _with_place(symptom, place)
    symptom = of_results(seen) if failed.has_value else None
    if failed.called.error is not None:
        symptom = of_error(failed.called.error)
    place = mended.everything()
    known = _Known(question, trials)
    if (place is None or mended.is_guess) and (found := known.reading()):
        return _with_place(Symptom("This could be", found.name, found.explanation), place)
    if place is not None:
        return _with_place(symptom or of_inputs(seen, with_sizes=False), place)
    if failed.has_value and symptom is not None:
        return symptom
    if place := mended.something():
        return _with_place(symptom, place)
    if found := known.pair():
        return Symptom("This could be", found.name, found.explanation)
    written = [trial for trial in trials if not trial.case.is_random]
    if (
        failed in written
        and _is_telling(written, at_least=_MANY_RESULTS)
        and (found := _listed(question, written, _SECONDS_FOR_LESS))
    ):
        return Symptom("This looks like", found.name, found.explanation)
    with_value = [trial for trial in trials if trial.has_value]
    errs = len(with_value) < len(trials)
    if errs and _is_telling(with_value):
        # Of two mistakes, one of which ends in an error, the other is named as well.
        found = _listed(question, with_value, _SECONDS_FOR_LESS)
    if found is not None:
        return Symptom("Elsewhere it looks like", found.name, found.explanation)
    if failed.called.error is not None:
        return symptom or _NOTHING
    return (
        of_inputs(seen)
        or of_kind(seen)
        or of_facts(seen)
        or _new_fault(question, trials)
        or _NOTHING
    )


def _is_telling(trials: Sequence[Trial], at_least: int = ENOUGH) -> bool:
    """Whether so many results are wrong in different ways that a likeness is no coincidence."""
    wrong = [trial for trial in trials if not trial.is_right]
    different = {shown(trial.called.value) if trial.has_value else "" for trial in wrong}
    return len(different) >= at_least


def _new_fault(question: Question, trials: Sequence[Trial]) -> Symptom | None:
    """Of a function to correct: whether its fault is gone, and something else is wrong."""
    if not question.start:
        return None
    given = question.defined_by(question.stub)
    with _quietly():
        before = [_try(trial.case, given, _SECONDS_FOR_A_MISTAKE).is_right for trial in trials]
    if all(trial.is_right for trial, was in zip(trials, before, strict=True) if not was):
        advice = (
            "Your function is right where the given one was wrong, but it breaks something else."
        )
        return Symptom("This is", "a new fault", f"{advice} Compare the two line by line.")
    return None


_NOTHING: Final = Symptom("This looks like", "", "")


def _seen(question: Question, trials: Sequence[Trial]) -> list[Seen]:
    names = inspect.signature(question.model_answer).parameters
    return [
        Seen(
            dict(zip(names, trial.case.arguments(), strict=False)),
            _likeliest(trial.case.expected, trial.called.value),
            trial.called.value,
        )
        for trial in trials
        if trial.has_value
    ]


def _likeliest(expected: object, found: object) -> object:
    """What was expected; of several choices the one that was given, or else the first."""
    if isinstance(expected, dict) and isinstance(found, dict):
        return {key: _likeliest(value, found.get(key)) for key, value in expected.items()}
    if isinstance(expected, OneOf | Near) and expected.agrees_with(found):
        return found
    if isinstance(expected, OneOf):
        alike = [choice for choice in expected.choices if _has_all_of(found, choice)]
        expected = (alike or expected.choices)[0]
    if not isinstance(expected, Near):
        return plain(expected)
    numbers = [each for each in parts_of(found) if isinstance(each, int | float)]
    return _nearest(expected.numbers, numbers, expected.within)


def _nearest(wanted: object, numbers: Sequence[float], within: float) -> object:
    """The expected numbers as the answer has rounded them."""
    if isinstance(wanted, list | tuple):
        return tuple(_nearest(each, numbers, within) for each in wanted)
    assert isinstance(wanted, int | float)
    return next((each for each in numbers if abs(each - wanted) <= within), wanted)


def _has_all_of(found: object, choice: object) -> bool:
    """Whether the numbers of a choice are in the result, in whatever way."""
    numbers = choice.numbers if isinstance(choice, Near) else choice
    within = choice.within if isinstance(choice, Near) else 1e-9
    others = list(parts_of(found))
    return all(
        any(same(number, other, within) for other in others)
        for number in parts_of(plain(numbers))
        if isinstance(number, int | float)
    )


def _differs_every_time(answer: Function, trials: Sequence[Trial], seconds: float) -> bool:
    """Whether the same input with the same seed gives another result, the second time or later."""
    with_value = [trial for trial in trials if trial.has_value and not trial.is_right]
    if any(_differs_by_its_own_account(trial) for trial in with_value):
        return True
    patience = _Patience(_SECONDS_FOR_ALL)
    again = [trial for trial in with_value[:_INPUTS_AGAIN] for _ in range(_TIMES_AGAIN)]
    return any(
        not patience.is_over and not _try(trial.case, answer, seconds).is_like(trial)
        for trial in again
    )


def _differs_by_its_own_account(trial: Trial) -> bool:
    """Whether the input itself was tried twice with one seed, and that is what went wrong."""
    expected, found = trial.case.expected, trial.called.value
    if not isinstance(expected, dict) or not isinstance(found, dict):
        expected, found = {"": expected}, {"": found}
    return any(
        isinstance(fact, Words)
        and fact.startswith("the same")
        and isinstance(found.get(key), Words)
        for key, fact in expected.items()
        if found.get(key) != fact
    )


_TIMES_AGAIN: Final = 3
"""On a small input a random result is often the same by chance."""
_INPUTS_AGAIN: Final = 3


UNSEEDED: Final = Mistake(
    "random numbers from another source",
    "The same input with the same seed gave another result the second time. Draw all random "
    "numbers from the generator `rng` that is passed in.",
)
AT_RANDOM: Final = Mistake(
    "a random choice",
    "The same input gave another result the second time. Nothing in this function may be random: "
    "the same input must always give the same result.",
)


def _listed(
    question: Question, trials: Sequence[Trial], at_most: float | None = None
) -> Mistake | None:
    """The first mistake of the exercise that does the same as the answer in all these trials."""
    seconds = min(question.seconds, _SECONDS_FOR_A_MISTAKE)
    patience = _Patience(at_most or 2 * _SECONDS_FOR_ALL)
    for mistake in question.mistakes:
        if _does_the_same(question.wrong_answer(mistake), trials, seconds):
            return mistake
        if patience.is_over:
            break
    if question.start and _does_the_same(question.defined_by(question.stub), trials, seconds):
        return SAME_FAULT
    returned = inspect.signature(question.model_answer).return_annotation
    if returned is None and _does_the_same(_nothing, trials, seconds):
        return NO_EFFECT
    return None


SAME_FAULT: Final = Mistake(
    "still the same fault",
    "On every input that was tried, it does the same as the function that you started with.",
)


NO_EFFECT: Final = Mistake(
    "nothing changed",
    "Everything is as it was before the call. To compute a number, or to give another value to a "
    "variable, changes nothing outside the function: assign to the node or the dictionary itself, "
    "as in `node.visit_count = ...`.",
)


def _nothing(*_: object) -> None:
    """Do nothing."""


def _does_the_same(wrong: Function, trials: Sequence[Trial], seconds: float) -> bool:
    with _quietly():
        return all(_try(trial.case, wrong, seconds).is_like(trial) for trial in trials)


@contextmanager
def _quietly() -> Iterator[None]:
    """Without warnings: they would be about our own code."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


class _Known:
    """What an answer has in common with functions whose mistake is known."""

    def __init__(self, question: Question, trials: Sequence[Trial]) -> None:
        self._question = question
        self._trials = sorted(trials, key=lambda trial: trial.is_right or not trial.has_value)
        self._patience = _Patience(_SECONDS_FOR_ALL)

    def reading(self) -> Mistake | None:
        """The changes of the model answer that do the same as the answer in all trials.

        Two of them are two readings of one behaviour. Of more than two, none is worth telling; and
        of errors only one, which has to come on just the same inputs.
        """
        found: dict[tuple[str, str], Mistake] = {}
        if not self._has_wrong_value and not self._trials[-1].is_right:
            return None
        most = _MOST_READINGS if self._has_wrong_value else 1
        for mutant in mutants_of(self._question):
            wrong = self._question.wrong_answer(mutant)
            if _does_the_same(wrong, self._trials, _SECONDS_FOR_ONE):
                found[mutant.name, mutant.explanation] = mutant
            if len(found) > most or self._patience.is_over:
                return None
        return _joined(list(found.values()), " or ", " Or: ") if found else None

    @property
    def _has_wrong_value(self) -> bool:
        """Whether there is more to go by than errors, which look alike in many functions."""
        return self._trials[0].has_value and not self._trials[0].is_right

    def pair(self) -> Mistake | None:
        """Two mistakes, each of which shows in some of the trials, and together in all of them."""
        if not self._has_wrong_value:
            return None
        parts: list[tuple[Mistake, frozenset[int]]] = []
        for mistake in (*self._question.mistakes, *mutants_of(self._question)):
            shows_in = self._shows_in(mistake)
            if self._patience.is_over:
                return None
            if shows_in and shows_in not in [other for _, other in parts]:
                parts.append((mistake, shows_in))
        wrong = frozenset(i for i, trial in enumerate(self._trials) if not trial.is_right)
        pairs = [
            (one, other)
            for i, (one, first) in enumerate(parts)
            for other, second in parts[:i]
            if first | second == wrong and one.name != other.name
            if min(len(first - second), len(second - first)) >= ENOUGH
        ]
        return _joined(pairs[0][::-1], " together with ", " And: ") if len(pairs) == 1 else None

    def _shows_in(self, mistake: Mistake) -> frozenset[int]:
        """The trials in which the answer does as the mistake does, if it is right in the others."""
        shows = set()
        function = self._question.wrong_answer(mistake)
        for number, trial in enumerate(self._trials):
            with _quietly():
                wrong = _try(trial.case, function, _SECONDS_FOR_ONE)
            if not wrong.is_right:
                if not wrong.is_like(trial):
                    return frozenset()
                shows.add(number)
        return frozenset(shows)


def _joined(mistakes: Sequence[Mistake], between: str, before: str) -> Mistake:
    """Several mistakes as one."""
    names = dict.fromkeys(each.name for each in mistakes)
    return Mistake(
        between.join(names), before.join(dict.fromkeys(each.explanation for each in mistakes))
    )


class _Mended:
    """What becomes right if the answer is changed at one place, or at two."""

    def __init__(self, question: Question, answer: Function, trials: Sequence[Trial]) -> None:
        self._repairs = Repairs(question, answer)
        self._trials = sorted(trials, key=lambda trial: trial.is_right)
        self._wrong = _wrong_facts(self._trials)
        self._better: list[tuple[int, Repair, frozenset[tuple[int, str]]]] = []
        self._patience = _Patience(_SECONDS_FOR_REPAIRS)
        self.is_guess = False
        """Whether the place that `everything` has found is one where many things can be put in."""

    def everything(self) -> Symptom | None:
        """The place of a fault, or the places of two, without which all results are right."""
        for repair in self._repairs.of_one():
            if self._patience.is_over:
                return None
            wrong = self._still_wrong(repair)
            if not wrong:
                self.is_guess = repair.is_guess
                return _place(repair, _ALL_RIGHT)
            if self._is_better(wrong):
                self._better.append((len(wrong), repair, wrong))
        for _, first, _ in self._best(_MOST_FIRST_REPAIRS):
            for repair in self._repairs.of_one(first):
                if self._patience.is_over:
                    return None
                if not self._still_wrong(repair):
                    return _place(repair, _ALL_RIGHT)
        return None

    def something(self) -> Symptom | None:
        """The place of one of several faults, without which much more is right."""
        for _, repair, wrong in self._best(1):
            if repair.is_guess:
                break
            facts, left = _facts(self._wrong), _facts(wrong)
            gone = {fact for fact in facts - left if self._differ(self._wrong - wrong, fact)}
            if gone and "" not in facts:  # with an error none of the facts is known
                told = " and ".join(f"“{name}”" for name in sorted(gone))
                return _place(repair, f"{told} would be right for every input.")
            before, after = (len({number for number, _ in each}) for each in (self._wrong, wrong))
            is_enough = before - after >= max(_ENOUGH_MENDED, before / 4)
            if is_enough and self._differ(self._wrong - wrong):
                consequence = f"{before - after} of the {before} wrong results would be right."
                return _place(repair, consequence)
        return None

    def _differ(self, mended: frozenset[tuple[int, str]], fact: str = "") -> bool:
        """Whether the results that are right now are so different that it is no coincidence."""
        expected = set()
        for number, name in mended:
            trial = self._trials[number]
            value = _likeliest(trial.case.expected, trial.called.value)
            is_part = isinstance(value, dict) and name == fact
            expected.add(shown(value[name] if is_part else value))  # type: ignore[index]
        return len(expected) >= _MANY_RESULTS

    def _best(self, most: int) -> list[tuple[int, Repair, frozenset[tuple[int, str]]]]:
        return sorted(self._better, key=lambda each: each[0])[:most]

    def _still_wrong(self, repair: Repair) -> frozenset[tuple[int, str]]:
        """What is wrong after a repair; as much as before if it makes another result wrong."""
        wrong: set[tuple[int, str]] = set()
        with _quietly():
            for number, trial in enumerate(self._trials):
                found = _try(trial.case, repair.function, _SECONDS_FOR_ONE)
                here = {(number, fact) for fact in _wrong_facts_of(found)}
                wrong |= here
                helps_little = number == 3 and len(wrong) >= self._before(4)
                if found.called.too_slow or helps_little or self._spoils(here, number):
                    return self._wrong
        return frozenset(wrong)

    def _spoils(self, here: set[tuple[int, str]], number: int) -> bool:
        """Whether an input is wrong that was right, or wrong as a whole that was so in parts."""
        before = {each for each in self._wrong if each[0] == number}
        return (bool(here) and not before) or (number, "") in here - before

    def _is_better(self, wrong: frozenset[tuple[int, str]]) -> bool:
        return len(wrong) < len(self._wrong)

    def _before(self, number: int) -> int:
        """How much is wrong in the first trials of the answer itself."""
        return sum(trial < number for trial, _ in self._wrong)


def _wrong_facts(trials: Sequence[Trial]) -> frozenset[tuple[int, str]]:
    return frozenset(
        (number, fact) for number, trial in enumerate(trials) for fact in _wrong_facts_of(trial)
    )


def _wrong_facts_of(trial: Trial) -> list[str]:
    """The names of the facts that are wrong; an empty one where the result is wrong as a whole."""
    if trial.is_right:
        return []
    if trial.has_value and trial.changed is None:
        found = trial.called.value
        return wrong_facts(_likeliest(trial.case.expected, found), found) or [""]
    return [""]


def _facts(wrong: frozenset[tuple[int, str]]) -> set[str]:
    return {fact for _, fact in wrong}


def _place(repair: Repair, consequence: str) -> Symptom:
    lines = " and ".join(f"`{line}`" for line in repair.lines)
    name = f"the line {lines}" if len(repair.lines) == 1 else f"the lines {lines}"
    described = repair.described[0].upper() + repair.described[1:]
    return Symptom("Look at", name, f"{described}, {consequence}")


_ALL_RIGHT: Final = "every input that was tried gives the expected result."
_MOST_FIRST_REPAIRS: Final = 8


def _with_place(symptom: Symptom | None, place: Symptom | None) -> Symptom:
    if symptom is None or place is None:
        return symptom or place or _NOTHING
    both = f"{symptom.explanation} {place.begins} {place.name}. {place.explanation}"
    return symptom._replace(explanation=both.strip())


_ENOUGH_MENDED: Final = 6
_MANY_RESULTS: Final = 3


class _Patience:
    """A limit on the seconds of work, and a higher one on waiting if the computer is busy.

    What is named depends on the inputs and the changes that there is time for, and should not
    depend on what else runs.
    """

    def __init__(self, seconds: float) -> None:
        self._work = time.process_time() + seconds
        self._wait = time.monotonic() + 10 * seconds

    @property
    def is_over(self) -> bool:
        return time.process_time() > self._work or time.monotonic() > self._wait


_MOST_READINGS: Final = 2
_SECONDS_FOR_ONE: Final = 0.1
"""The time limit for one case with one change."""
_SECONDS_FOR_ALL: Final = 1.2
"""After these seconds no mistake is named, because nobody likes to wait for a check."""
_SECONDS_FOR_REPAIRS: Final = 1.5
_SECONDS_FOR_LESS: Final = 0.5
"""For a likeness in some of the inputs only, which is looked for when nothing else is found."""
_SECONDS_FOR_A_SMALLER: Final = 0.5
_SECONDS_FOR_A_MISTAKE: Final = 0.5
"""The time limit for one case with a listed mistake; only those that never end reach it."""


def _without_running(question: Question, answer: object) -> Result | None:
    """The result if looking at the answer is enough; None if it must be run."""
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
    facts = [("Input", _shown(question, case))]
    if called.too_slow or called.error is not None:
        message = _failure(called, question, answer)
    elif failed.changed is not None:
        names = list(inspect.signature(question.model_answer).parameters)
        name = names[failed.changed.number]
        message = f"It changed its argument {name}, which belongs to the caller. Work on a copy."
        facts += [("Was", failed.changed.was), ("Now", failed.changed.now)]
    else:
        message = _difference(case, called.value, answer)
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
    return f"It is called with {_in_words(list(wanted))}; yours is `{name}({', '.join(found)})`."


def _difference(case: Case, found: object, answer: Function) -> str:
    """The value is not what was expected."""
    expected_kind, found_kind = kind(case.expected), kind(found)
    kinds = {expected_kind, found_kind}
    if len(kinds) == 1 or kinds == {"a list", "a tuple"} or isinstance(case.expected, Expectation):
        return "One input gave a different result from the expected one."
    remedy = "" if found is None and _returns_something(answer) else _REMEDIES.get(found_kind, "")
    if case.use is not None and found is not None:
        return "One input gave a different result from the expected one."
    if case.use is not None:  # what is expected is said of the result, and is not of its type
        return f"The function returned {found_kind}.{remedy}"
    return f"The function returned {found_kind}, but {expected_kind} is expected.{remedy}"


def _returns_something(answer: Function) -> bool:
    """Whether there is a `return` with a value in it, as far as its source is known."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(answer)))
    except (OSError, TypeError, SyntaxError):
        return False
    return any(isinstance(each, ast.Return) and each.value is not None for each in ast.walk(tree))


_REMEDIES: Final[Mapping[str, str]] = {
    "None": " Did you forget `return`?",
    "a generator": " Use `return` instead of `yield`.",
    "a coroutine": " Write `def` without `async`.",
}


def _expected_and_found(expected: object, found: object) -> list[tuple[str, str]]:
    """What was expected and what the function gave; of several facts only those that differ."""
    if isinstance(expected, dict) and isinstance(found, dict):
        wrong = [key for key in found if key not in expected or not same(expected[key], found[key])]
        told = wrong or [key for key in expected if key not in found]
        return [("Expected", _entries(expected, told)), ("Got", _entries(found, told))]
    return [("Expected", shown(expected)), ("Got", shown(found))]


def _entries(facts: dict[Any, object], keys: Sequence[Any]) -> str:
    return "\n".join(f"{key}: {shown(facts[key])}" for key in keys if key in facts) or "nothing"


def _failure(called: Called, question: Question, answer: Function) -> str:
    """The call did not end, or ended with an error."""
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
    return f"It raised {error_in_a_line(error)}{where(error, answer)}."


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


def where(error: BaseException, answer: Function) -> str:
    """The line of the student's code in which it happened, as far as it can be found."""
    if isinstance(answer, Elsewhere):
        return str(getattr(error, "where", ""))
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


def _in_words(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}, in this order" if most else f"one argument, {last}"
