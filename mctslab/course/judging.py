"""Judge an answer: run it on every case, and find the mistake that it looks like.

What is said about an answer was tried before: a listed mistake, or two of them, or a change of the
model answer does the same on every input; or with a change in the student's own line every input
gives the expected result.
"""

import ast
import inspect
import itertools
import linecache
import textwrap
import time
import traceback
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from mctslab.course.comparing import (
    MOST_SHOWN,
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
from mctslab.course.counted import Copy, TooManyRoundsError, Work
from mctslab.course.mutants import mutants_of
from mctslab.course.question import Case, Function, Mistake, Question, is_stub, is_unchanged
from mctslab.course.repairs import Repair, Repairs
from mctslab.course.result import Outcome, Result
from mctslab.course.sandbox import Called, InputRequestedError, call
from mctslab.course.symptoms import (
    ENOUGH,
    EVERY_RESULT,
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
    result = _named(_wrong(question, answer, smaller, trials), question, answer, trials, failed)
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
            trial = _try(case, answer, _SECONDS_FOR_A_COPY)
            if trial.called.too_slow:
                break
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
    if failed.has_value and _differs_every_time(answer, trials, question.seconds):
        is_random = "rng" in inspect.signature(question.model_answer).parameters
        found = UNSEEDED if is_random else AT_RANDOM
        return Symptom("This looks like", found.name, found.explanation)
    seen = _seen(question, trials)
    all_ended = len(seen) == len(trials)
    symptom = None
    if failed.called.error is not None:
        symptom = of_error(failed.called.error)
    elif all_ended:  # what is said of every result must be so of every one
        symptom = constant(seen) or of_results(seen)
    mended = _Mended(question, answer, trials)
    place = mended.everything()
    if symptom is not None and symptom.begins == EVERY_RESULT:
        return symptom if mended.is_guess else _with_place(symptom, place)
    if (place is None or mended.is_guess) and (found := _Known(question, trials).reading()):
        return _with_place(Symptom("This could be", found.name, found.explanation), place)
    if place is not None:
        return _with_place(symptom or (of_inputs(seen) if all_ended else None), place)
    if failed.has_value and symptom is not None:
        return symptom
    if two := mended.beside_a_mistake() or _two_listed(question, trials):
        return _with_place(symptom, two) if failed.called.error is not None else two
    return _of_some(question, trials, failed) or symptom or _facts_about(question, trials, seen)


def _of_some(question: Question, trials: Sequence[Trial], failed: Trial) -> Symptom | None:
    """A listed mistake that does the same on a part of the inputs; there is another fault then."""
    with_value = [trial for trial in trials if trial.has_value]
    written = [trial for trial in trials if not trial.case.is_random]
    if len(with_value) < len(trials):
        if _is_telling(with_value) and (found := _listed(question, with_value)):
            return Symptom("Elsewhere it looks like", found.name, found.explanation)
        return None
    is_telling = failed in written and _is_telling(written, at_least=_MANY_RESULTS)
    if is_telling and (found := _listed(question, written)):
        more = "There is another fault as well: some results differ even from that."
        return Symptom("In part this looks like", found.name, f"{found.explanation} {more}")
    return None


def _facts_about(question: Question, trials: Sequence[Trial], seen: Sequence[Seen]) -> Symptom:
    """What can be said where no cause is found."""
    if len(seen) < len(trials):
        return _NOTHING
    facts = of_inputs(seen) or of_kind(seen) or of_facts(seen)
    return facts or _new_fault(question, trials) or _NOTHING


def _is_telling(trials: Sequence[Trial], at_least: int = ENOUGH) -> bool:
    """Whether so many results are wrong in different ways that a likeness is no coincidence."""
    wrong = [trial for trial in trials if not trial.is_right]
    different = {shown(trial.called.value) if trial.has_value else "" for trial in wrong}
    return len(different) >= at_least


def _new_fault(question: Question, trials: Sequence[Trial]) -> Symptom | None:
    """Of a function to correct: whether its fault is gone, and something else is wrong."""
    if not question.start:
        return None
    given = _copy(question, question.stub)
    before = [_try_copy(trial.case, given).is_right for trial in trials]
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
    for trial in [each for each in with_value[:_INPUTS_AGAIN] for _ in range(_TIMES_AGAIN)]:
        if patience.is_over:
            break
        again = _try(trial.case, answer, seconds)
        if again.has_value and not again.is_like(trial):
            return True
    return False


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
    "numbers from the generator `rng` that is passed in, and keep nothing from one call to the "
    "next.",
)
AT_RANDOM: Final = Mistake(
    "a result that is not always the same",
    "The same input gave another result the second time. The result must not depend on random "
    "numbers, on the order of a set, or on anything that is kept from one call to the next.",
)


def _listed(question: Question, trials: Sequence[Trial]) -> Mistake | None:
    """The first mistake of the exercise that does the same as the answer in all these trials."""
    for mistake in question.mistakes:
        if _does_the_same(_copy(question, question.source_with(mistake.edits)), trials):
            return mistake
    if question.start and _does_the_same(_copy(question, question.stub), trials):
        return SAME_FAULT
    returned = inspect.signature(question.model_answer).return_annotation
    if returned is None and _does_the_same(_nothing, trials):
        return NO_EFFECT
    return None


def _two_listed(question: Question, trials: Sequence[Trial]) -> Symptom | None:
    """Two mistakes of the exercise that together do the same as the answer in all trials."""
    if not _is_telling(trials):
        return None
    work = Work(_WORK_FOR_PAIRS)
    for one, other in itertools.combinations(question.mistakes, 2):
        if work.is_over:
            break
        if one.name == other.name or not question.fit_together(one, other):
            continue
        try:
            both = _copy(question, question.source_with((*one.edits, *other.edits)))
        except (ValueError, SyntaxError):
            continue
        work.spend(_WORK_FOR_A_COPY)
        if _does_the_same(both, trials, work):
            found = _joined((one, other), " together with ", " And: ")
            return Symptom("This looks like", found.name, found.explanation)
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


def _copy(question: Question, source: str) -> Copy:
    """A version of the model answer, to be tried."""
    return Copy(source, question.name, question.model_answer.__globals__)


def _try_copy(case: Case, copy: Function, most_rounds: int | None = None) -> Trial:
    """What a copy does; one that is stopped after too many rounds counts as too slow."""
    if isinstance(copy, Copy):
        copy.rounds_left = _MANY_ROUNDS if most_rounds is None else most_rounds
    with _quietly():
        trial = _try(case, copy, _SECONDS_FOR_A_COPY)
    if isinstance(trial.called.error, TooManyRoundsError):
        return replace(trial, called=replace(trial.called, error=None, too_slow=True))
    return trial


def _does_the_same(
    wrong: Function,
    trials: Sequence[Trial],
    work: Work | None = None,
    rounds: Sequence[int] | None = None,
) -> bool:
    for number, trial in enumerate(trials):
        most = None if rounds is None else _FEW_ROUNDS + _TIMES_AS_MANY * rounds[number]
        tried = _try_copy(trial.case, wrong, most)
        if work is not None:
            endless = _WORK_FOR_AN_ENDLESS_COPY if tried.called.too_slow else 0
            work.spend(_WORK_FOR_A_TRY + endless)
        if not tried.is_like(trial):
            return False
    return True


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
        self._work = Work(_WORK_FOR_READINGS)

    def reading(self) -> Mistake | None:
        """The changes of the model answer that do the same as the answer in all trials.

        Two of them are two readings of one behaviour. Of more than two, none is worth telling; and
        of errors only one, which has to come on just the same inputs.
        """
        found: dict[tuple[str, str], Mistake] = {}
        if not self._has_wrong_value and not self._trials[-1].is_right:
            return None
        most = _MOST_READINGS if self._has_wrong_value else 1
        rounds = _rounds(_copy(self._question, self._question.solution_source), self._trials)
        for mutant in mutants_of(self._question):
            self._work.spend(_WORK_FOR_A_COPY)
            wrong = _copy(self._question, self._question.source_with(mutant.edits))
            if _does_the_same(wrong, self._trials, self._work, rounds):
                found[mutant.name, mutant.explanation] = mutant
            if len(found) > most or self._work.is_over:
                return None
        return _joined(list(found.values()), " or ", " Or: ") if found else None

    @property
    def _has_wrong_value(self) -> bool:
        """Whether there is more to go by than errors, which look alike in many functions."""
        return self._trials[0].has_value and not self._trials[0].is_right


def _joined(mistakes: Sequence[Mistake], between: str, before: str) -> Mistake:
    """Several mistakes as one."""
    names = dict.fromkeys(each.name for each in mistakes)
    return Mistake(
        between.join(names), before.join(dict.fromkeys(each.explanation for each in mistakes))
    )


Wrong: TypeAlias = frozenset[tuple[int, str]]
"""What is wrong: the number of a trial, and the name of a fact about its result."""


class _Mended:
    """What becomes right if the answer is changed at one place, or at two."""

    def __init__(
        self,
        question: Question,
        answer: Function,
        trials: Sequence[Trial],
        source: str | None = None,
    ) -> None:
        self._repairs = Repairs(question, answer, source)
        rounds = [0] * len(trials)
        if self._repairs:
            versions = (_copy(question, question.solution_source), self._repairs.unchanged())
            rounds = [
                max(each) for each in zip(*(_rounds(c, trials) for c in versions), strict=True)
            ]
        order = sorted(range(len(trials)), key=lambda i: (trials[i].is_right, rounds[i]))
        self._trials = [trials[i] for i in order]
        self._rounds = [rounds[i] for i in order]
        self._wrong = _wrong_facts(self._trials)
        self._better: list[tuple[int, Repair]] = []
        self._mistakes = [_Remembered(question, mistake) for mistake in question.mistakes]
        self._beside: tuple[Repair, Mistake] | None = None
        self._work = Work(_WORK_FOR_REPAIRS)
        self.is_guess = False
        """Whether the place that `everything` has found is one where many things can be put in."""

    def everything(self) -> Symptom | None:
        """The place of a fault, or the places of two, without which all results are right."""
        for repair in self._repairs.of_one():
            if self._work.is_over:
                return None
            wrong, others = self._left_by(repair, self._mistakes)
            if not wrong:
                self.is_guess = repair.is_guess
                return _place(repair, _ALL_RIGHT)
            if len(wrong) < len(self._wrong):
                self._better.append((len(wrong), repair))
            if others and wrong < self._wrong and self._beside is None:
                self._beside = repair, others[0].mistake
        if self._beside is not None:
            return None
        best = sorted(self._better, key=lambda each: each[0])
        for _, first in best[:_MOST_FIRST_REPAIRS]:
            for repair in self._repairs.of_one(first):
                if self._work.is_over:
                    return None
                if not self._left_by(repair)[0]:
                    return _place(repair, _ALL_RIGHT)
        return None

    def repairs(self) -> Iterator[Repair]:
        """All changes at one place that make every input right, as far as they can be tried."""
        for repair in self._repairs.of_one():
            if self._work.is_over:
                return
            if not repair.is_guess and not self._left_by(repair)[0]:
                yield repair

    def beside_a_mistake(self) -> Symptom | None:
        """A listed mistake, and the place of another fault, without which it is the only one."""
        if self._beside is None:
            return None
        repair, mistake = self._beside
        place = _place(repair, "only the first fault is left.")
        more = f"There is another fault as well. {place.begins} {place.name}. {place.explanation}"
        return Symptom("This looks like", mistake.name, f"{mistake.explanation} {more}")

    def _left_by(
        self, repair: Repair, mistakes: Sequence["_Remembered"] = ()
    ) -> tuple[Wrong, Sequence["_Remembered"]]:
        """What is wrong after a repair, and the listed mistakes that do just the same then.

        As much as before is wrong if the repair helps with none of the first inputs, or makes
        another result wrong.
        """
        self._work.spend(_WORK_FOR_A_COPY)
        wrong: set[tuple[int, str]] = set()
        is_better = True
        for number in range(len(self._trials)):
            found = self._tried(repair, number)
            mistakes = [each for each in mistakes if each.does(found, self._work)]
            here = {(number, fact) for fact in _wrong_facts_of(found)}
            wrong |= here
            helps_little = number == 3 and len(wrong) >= self._before(4)
            if found.called.too_slow or helps_little or self._spoils(here, number):
                is_better = False
            if not is_better and not mistakes:
                break
        return frozenset(wrong) if is_better else self._wrong, mistakes

    def _tried(self, repair: Repair, number: int) -> Trial:
        rounds = self._rounds[number]
        self._work.spend(_WORK_FOR_A_TRY + rounds // _ROUNDS_IN_A_UNIT)
        most = _FEW_ROUNDS + _TIMES_AS_MANY * rounds
        trial = _try_copy(self._trials[number].case, repair.function, most)
        if trial.called.too_slow:
            self._work.spend(_WORK_FOR_AN_ENDLESS_COPY)
        return trial

    def _spoils(self, here: set[tuple[int, str]], number: int) -> bool:
        """Whether an input is wrong that was right, or wrong as a whole that was so in parts."""
        before = {each for each in self._wrong if each[0] == number}
        return (bool(here) and not before) or (number, "") in here - before

    def _before(self, number: int) -> int:
        """How much is wrong in the first trials of the answer itself."""
        return sum(trial < number for trial, _ in self._wrong)


def corrected_lines(question: Question) -> set[int]:
    """The numbers of the lines of a given function in which one change makes every input right."""
    source = question.stub
    lines = source.splitlines()
    given = question.defined_by(source)
    trials = [_try_copy(case, _copy(question, source)) for case in question.cases()]
    mended = _Mended(question, given, trials, source)
    found = {line for repair in mended.repairs() for line in repair.lines}
    return {number for number, line in enumerate(lines, start=1) if line.strip() in found}


class _Remembered:
    """A listed mistake, and what it did on the inputs on which it was tried."""

    def __init__(self, question: Question, mistake: Mistake) -> None:
        self.mistake = mistake
        self._copy = _copy(question, question.source_with(mistake.edits))
        self._trials: dict[int, Trial] = {}
        self._is_endless = False

    def does(self, found: Trial, work: Work) -> bool:
        """Whether it does the same on an input; one that has no end on some is never the same."""
        case = found.case
        if not self._is_endless and id(case) not in self._trials:
            work.spend(_WORK_FOR_A_TRY)
            self._trials[id(case)] = trial = _try_copy(case, self._copy)
            self._is_endless = trial.called.too_slow
        return not self._is_endless and found.is_like(self._trials[id(case)])


def _rounds(copy: Copy, trials: Sequence[Trial]) -> list[int]:
    """How often a function goes around its loops, a measure of the work it takes.

    Where it does not end, which is so in the last trial only, none are counted.
    """
    found = []
    for trial in trials:
        ends = not _try_copy(trial.case, copy).called.too_slow
        found.append(_MANY_ROUNDS - copy.rounds_left if ends else 0)
    return found


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


_MANY_RESULTS: Final = 3


class _Patience:
    """A limit on the seconds that the answer itself takes, and a higher one on waiting."""

    def __init__(self, seconds: float) -> None:
        self._work = time.process_time() + seconds
        self._wait = time.monotonic() + 10 * seconds

    @property
    def is_over(self) -> bool:
        return time.process_time() > self._work or time.monotonic() > self._wait


_SECONDS_FOR_ALL: Final = 2.0
"""After these seconds a wrong answer is run on no more inputs: nobody likes to wait for a check."""
_SECONDS_FOR_A_SMALLER: Final = 1.0
_SECONDS_FOR_A_COPY: Final = 0.3
"""The time limit for one case with a copy; what has no end is stopped by its rounds before."""

_MOST_READINGS: Final = 2
_WORK_FOR_REPAIRS: Final = 25_000
_WORK_FOR_READINGS: Final = 8_000
_WORK_FOR_PAIRS: Final = 6_000
_WORK_FOR_A_TRY: Final = 5
_WORK_FOR_A_COPY: Final = 8
_WORK_FOR_AN_ENDLESS_COPY: Final = 1_000
_ROUNDS_IN_A_UNIT: Final = 20
_MANY_ROUNDS: Final = 100_000
"""A copy of the model answer never goes around its loops so often."""
_FEW_ROUNDS: Final = 2_000
_TIMES_AS_MANY: Final = 4
"""A changed function may go around its loops so much more often than before, or than the model
answer."""


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


def _wrong(question: Question, answer: Function, failed: Trial, trials: Sequence[Trial]) -> Result:
    case, called = failed.case, failed.called
    facts = [("Input", _shown(question, case))]
    if called.too_slow:
        message = _failure(called, question, answer)
    elif called.error is not None:
        same = sum(type(trial.called.error) is type(called.error) for trial in trials)
        often = f" So did {same - 1} of the other {len(trials) - 1} inputs." if same > 1 else ""
        message = f"{_failure(called, question, answer)}{often}"
    elif failed.changed is not None:
        names = list(inspect.signature(question.model_answer).parameters)
        name = names[failed.changed.number]
        message = f"It changed its argument {name}, which belongs to the caller. Work on a copy."
        facts += [("Was", failed.changed.was), ("Now", failed.changed.now)]
    else:
        message = _difference(case, called.value, answer) or _how_many(trials)
        facts += _expected_and_found(case.expected, called.value)
    return _result(question, Outcome.WRONG, message, facts)


def _fitted(facts: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The facts with so many of their lines that the whole answer has at most 15."""
    (input_label, input_text), *others = facts
    shorter = [(label, _first_lines(text, _MOST_LINES_OF_A_VALUE)) for label, text in others]
    left = _MOST_LINES_OF_FACTS - sum(len(text.splitlines()) for _, text in shorter)
    return [(input_label, _first_lines(input_text, left)), *shorter]


def _first_lines(text: str, most: int) -> str:
    lines = [
        line if len(line) <= MOST_SHOWN else f"{line[: MOST_SHOWN - 4]} ..."
        for line in text.rstrip().splitlines()
    ]
    return "\n".join(lines if len(lines) <= most else [*lines[: most - 1], "..."])


_MOST_LINES_OF_FACTS: Final = 13
_MOST_LINES_OF_A_VALUE: Final = 4


def _with_printed(result: Result, called: Called) -> Result:
    facts = [*result.facts]
    if called.printed:
        most = MOST_LINES if result.outcome is Outcome.RIGHT else 2
        facts.append(("It printed", _first_lines(called.printed, most)))
    if result.outcome is Outcome.WRONG:
        facts = _fitted(facts)
    return replace(result, facts=tuple(facts))


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
    """The value is of another kind than expected; empty if it is only another value."""
    expected_kind, found_kind = kind(case.expected), kind(found)
    kinds = {expected_kind, found_kind}
    if len(kinds) == 1 or kinds == {"a list", "a tuple"} or isinstance(case.expected, Expectation):
        return ""
    remedy = "" if found is None and _returns_something(answer) else _REMEDIES.get(found_kind, "")
    if case.use is not None and found is not None:
        return ""
    if case.use is not None:  # what is expected is said of the result, and is not of its type
        return f"The function returned {found_kind}.{remedy}"
    return f"The function returned {found_kind}, but {expected_kind} is expected.{remedy}"


def _how_many(trials: Sequence[Trial]) -> str:
    wrong = sum(not trial.is_right for trial in trials)
    inputs = f"{wrong} of {len(trials)} inputs" if wrong < len(trials) else f"All {wrong} inputs"
    return f"{inputs} gave a different result from the expected one."


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
    """What was expected and what the function gave; of several facts up to three that differ.

    A picture of several lines stands alone.
    """
    if not isinstance(expected, dict) or not isinstance(found, dict):
        return [("Expected", shown(expected)), ("Got", shown(found))]
    wrong = [key for key in found if key not in expected or not same(expected[key], found[key])]
    told = wrong or [key for key in expected if key not in found]
    first, *_ = told
    pictures = [str(facts.get(first, "nothing")) for facts in (expected, found)]
    if any(picture.startswith("\n") for picture in pictures):
        one, other = (picture.strip("\n") for picture in pictures)
        return [(f"Expected {first}", one), (f"Got {first}", other)]
    more = f"\n(and {len(told) - MOST_FACTS} more)" if len(told) > MOST_FACTS else ""
    some = told[:MOST_FACTS]
    return [("Expected", _entries(expected, some) + more), ("Got", _entries(found, some))]


MOST_FACTS: Final = 3


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


MOST_LINES: Final = 12


def _in_words(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}, in this order" if most else f"one argument, {last}"
