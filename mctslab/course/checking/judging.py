"""Judge an answer: run it on every input, and find the cause of what is wrong with it.

A cause is a mistake of the exercise that does what the answer does on every input: first each of
them alone, then two together, one that explains nearly all, and at last what an error means. A
mistake is the model answer with a few edits. It is run on the inputs as an answer is, in one call
with a limit of time.
"""

import dis
import functools
import gc
import inspect
import itertools
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final, NamedTuple

import numpy as np

from mctslab.course.checking import errors
from mctslab.course.checking.cases import (
    Case,
    Function,
    Near,
    OneOf,
    Tally,
    kind,
    listed,
    plain,
    same,
    same_as_plain,
    shown,
    snapshot,
)
from mctslab.course.checking.sandbox import Called, call, check_not_inside
from mctslab.course.prose import Edit, Mistake, code_with, early_returns, source_of, source_with
from mctslab.course.result import BEHAVES, Cause, Outcome, Result, difference, expected_and_found

MISSING: Final = object()
"""Stands for an answer that was not given."""
PLACEHOLDER: Final = "    ...  # your answer goes here"
"""The placeholder for the body that the student will write."""


# What is asked


@dataclass(kw_only=True, repr=False, eq=False)
class Question:
    """Everything that is needed to judge an answer."""

    model_answer: Function = field(kw_only=False)
    """One right answer; its name is the exercise's, its docstring the task."""
    cases: Callable[[], Sequence[Case]] = list
    """Makes the inputs that random ones hardly ever are, the small ones first, because the first
    one that fails is shown. If there are none, a few small random ones take their place."""
    mistakes: Sequence[Mistake] = ()
    """When two of them do the same on every case, the first is named."""
    variation: Callable[[np.random.Generator], Case] | None = None
    """Makes one more random input: longer, deeper, with numbers that nobody would think of."""
    start: tuple[Edit, ...] = ()
    """The changes of the model answer that make the faulty function the student begins with."""
    seconds: float = 2.0
    """The time limit for one case, in seconds."""

    def __post_init__(self) -> None:
        # A check asks for them several times, and with some the package has to search or to play.
        self.cases = functools.cache(functools.partial(self._made, self.cases))

    def _made(self, cases: Callable[[], Sequence[Case]]) -> list[Case]:
        found = cases() or [self._small_variation(0, width) for width in _WIDTHS]
        return [each.with_result(self.model_answer) for each in found]

    def variations(self) -> Sequence[Case]:
        """Inputs made at random, the same ones every time; the model answer has seen them all."""
        return () if self.variation is None else _variations(self.variation, self.model_answer)

    def small_variations(self) -> Iterator[Case]:
        """Inputs made at random from small numbers, the smallest first, without their results."""
        for width, seed in itertools.product(_WIDTHS, range(10)):
            yield self._small_variation(seed, width)

    def _small_variation(self, seed: int, width: int) -> Case:
        assert self.variation is not None
        return replace(self.variation(_Small(seed, width)), is_random=True)

    @property
    def name(self) -> str:
        """The name of the function to write."""
        return self.model_answer.__name__

    @property
    def solution_source(self) -> str:
        """The source of the model answer, as students see it."""
        return "".join(source_of(self.model_answer))

    @property
    def stub(self) -> str:
        """The initial content of the student's cell."""
        if self.start:
            return source_with(self.model_answer, self.start)
        return f"{source_of(self.model_answer)[0]}\n{PLACEHOLDER}"

    def defined_by(self, source: str | CodeType) -> Function:
        """The function that a source text defines, in the model answer's surroundings."""
        names = dict(self.model_answer.__globals__)
        exec(source, names)
        function: Function = names[self.name]
        return function

    def wrong_answer(self, mistake: Mistake) -> Function:
        """A function with the mistake.

        Raises:
            ValueError: the edits do not fit the model answer, or the result is not Python.
        """
        try:
            return self.defined_by(code_with(self.model_answer, mistake.edits))
        except ValueError as error:
            raise ValueError(f"{self.name}, {mistake.name!r}: {error}") from error


NUM_VARIATIONS: Final = 60
_WIDTHS: Final = (1, 2, 3, 5, 8)
"""From how many whole numbers one is drawn for small inputs."""


@functools.cache
def _variations(
    variation: Callable[[np.random.Generator], Case], model_answer: Function
) -> Sequence[Case]:
    made = (variation(np.random.default_rng(seed)) for seed in range(NUM_VARIATIONS))
    return [replace(each.with_result(model_answer), is_random=True) for each in made]


class _Small(np.random.Generator):
    """Of the whole numbers that are asked for it draws only the lowest few."""

    def __init__(self, seed: int, width: int) -> None:
        super().__init__(np.random.PCG64(seed))
        self._width = width

    def integers(self, low: Any, high: Any = None, *others: Any, **named: Any) -> Any:
        """A whole number, as from any generator."""
        if high is None:
            low, high = 0, low
        return super().integers(low, np.minimum(high, low + self._width), *others, **named)


# What a function does


class Changed(NamedTuple):
    """An argument that was changed, though it still belongs to the caller."""

    number: int
    was: str
    now: str


@dataclass(frozen=True)
class Trial:
    """One case, and what a function did with it."""

    case: Case
    called: Called
    changed: Changed | None = None
    seconds: float = 0.0
    """The processor time that it took, where that was measured."""

    @property
    def has_value(self) -> bool:
        """Whether the function returned."""
        return self.called.error is None and not self.called.too_slow

    @functools.cached_property
    def is_right(self) -> bool:
        """Whether it did what was expected."""
        is_done = self.has_value and self.changed is None
        return is_done and same_as_plain(self.case.expected, self.called.value)

    def is_like(self, other: "Trial") -> bool:
        """Whether two functions did the same on this case."""
        if self.called.too_slow or other.called.too_slow:
            return self.called.too_slow and other.called.too_slow
        if self.called.error is not None or other.called.error is not None:
            return errors.kind_of(self.called.error) == errors.kind_of(other.called.error)
        if (self.changed is None) != (other.changed is None):
            return False
        return same(self.called.value, other.called.value, _TOLERANCE_FOR_LIKENESS)


_TOLERANCE_FOR_LIKENESS: Final = 1e-3
"""The same mistake with a constant rounded differently is the same mistake."""


def try_case(case: Case, function: Function, seconds: float) -> Trial:
    """What a function does with a case in at most so many seconds; it never raises."""
    began = time.process_time()
    called = call(_observe, (case, function), seconds)
    value, changed = called.value or (None, None)
    return Trial(case, replace(called, value=value), changed, time.process_time() - began)


def trial_of(case: Case, function: Function) -> Trial:
    """What a function does with a case, without a limit of time."""
    try:
        value, changed = _observe(case, function)
    except Exception as error:
        # Its traceback would keep all that the function had made.
        return Trial(case, Called(error=error.with_traceback(None)))
    return Trial(case, Called(value), changed)


def _observe(case: Case, function: Function) -> tuple[object, Changed | None]:
    """The function's result, and an argument that it changed although it must not.

    Values are made plain here, within the time limit, because they can be of a class of the
    student's own whose `__eq__` or `__repr__` never ends.
    """
    arguments = case.arguments()
    value = case.run(function, *arguments)
    value = plain(listed(value) if _is_several(case.expected) else value)
    if not case.changes_arguments:
        for number, (before, now) in enumerate(zip(case.contents, arguments, strict=True)):
            if before != snapshot(now):
                was = case.arguments()[number]
                return value, Changed(number, shown(plain(was)), shown(plain(now)))
    return value, None


def _is_several(expected: object) -> bool:
    """Whether a list or pair is expected, which may come out of an iterator."""
    if isinstance(expected, Near):
        return _is_several(expected.numbers)
    if isinstance(expected, OneOf):
        return any(map(_is_several, expected.choices))
    return isinstance(expected, list | tuple)


@contextmanager
def quietly() -> Iterator[None]:
    """Without warnings: they would be about our own code."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


# The verdict


def judge(question: Question, answer: object = MISSING) -> Result:
    """Judge `answer`, the function that a student wrote; never raises what the answer raises.

    Raises:
        NestedCallError: the function that is being judged called this.
    """
    check_not_inside()
    if (result := _without_running(question, answer)) is not None:
        return result
    assert callable(answer)
    # The inputs make many trees. A search for garbage in the midst, which looks through all that
    # PyTorch made as well, could take longer than a mistake may.
    gc.freeze()
    try:
        return _judged(question, answer)
    finally:
        gc.unfreeze()


def _judged(question: Question, answer: Function) -> Result:
    trials: list[Trial] = []
    cases = (*question.cases(), *question.variations())
    patience = time.process_time() + _SECONDS_FOR_ALL
    for case in cases:
        trials.append(try_case(case, answer, question.seconds))
        called = trials[-1].called
        if isinstance(called.error, NotImplementedError) or called.value is ...:
            return _not_attempted(question)
        if called.too_slow:
            break  # the other cases would take as long
        if time.process_time() > patience and not all(trial.is_right for trial in trials):
            break  # it is wrong already, and nobody likes to wait for a check
    wrong = [trial for trial in trials if not trial.is_right]
    if wrong:
        result = _told_wrong(question, answer, trials, is_whole=len(trials) == len(cases))
    else:
        result = _all_right(question, answer, trials)
    return replace(result, num_right=len(trials) - len(wrong), num_inputs=len(cases))


_SECONDS_FOR_ALL: Final = 20.0
"""Many times what the inputs take, so that what a check says does not depend on it."""


def _told_wrong(
    question: Question, answer: Function, trials: Sequence[Trial], is_whole: bool
) -> Result:
    """The result where an input went wrong; `is_whole` if all of them were tried."""
    wrong = [trial for trial in trials if not trial.is_right]
    # Those made at random come last, and of them the shortest is told.
    failed = min(wrong, key=lambda trial: len(trial.case.shown) * trial.case.is_random)
    smaller = _smaller(question, answer, failed)
    cause = cause_of(question, answer, trials, is_whole) or errors.of_error(failed.called.error)
    if cause is None and is_whole:
        cause = _of_inputs([trial.case for trial in wrong], smaller.case)
    result = _wrong(question, answer, smaller, trials).with_cause(cause)
    return result.with_printed(smaller.called.printed).fitted()


def _all_right(question: Question, answer: Function, trials: Sequence[Trial]) -> Result:
    """The result where every input gave what was expected, at least the first time."""
    is_random = "rng" in inspect.signature(question.model_answer).parameters
    if is_random and depends_on_chance(answer, trials, question.seconds):
        message = f"All {len(trials)} inputs gave a possible result, but not twice the same."
        return Result(question.name, Outcome.WRONG, message).with_cause(errors.UNSEEDED)
    message = f"All {len(trials)} inputs gave the expected result."
    right = Result(question.name, Outcome.RIGHT, message)
    return right.with_printed(trials[0].called.printed)


def _of_inputs(wrong: Sequence[Case], told: Case) -> Cause | None:
    """What is special about the inputs that go wrong, if each of them has such a sentence."""
    abouts = {case.about for case in wrong}
    if "" in abouts or not told.about:
        return None
    if abouts == {told.about}:
        return Cause("one kind of input goes wrong", told.about, "Only")
    return Cause("the input below", told.about, "Look at")


def _smaller(question: Question, answer: Function, failed: Trial) -> Trial:
    """A shorter input with which it fails in the same way, or the same one."""
    if not failed.case.is_random or failed.called.too_slow:
        return failed
    best = failed
    for case in question.small_variations():
        if len(_shown(question, case)) < len(_shown(question, best.case)):
            told = case.with_result(question.model_answer)
            trial = try_case(told, answer, question.seconds)
            if trial.called.too_slow:
                break
            if not trial.is_right and type(trial.called.error) is type(failed.called.error):
                best = trial
    return best


def _shown(question: Question, case: Case) -> str:
    """The input in words, or the call with the names of the parameters: `ucb1(win_rate=0.5)`."""
    if case.shown:
        return case.shown
    names, values = inspect.signature(question.model_answer).parameters, case.arguments()
    words = [f"{name}={shown(plain(value))}" for name, value in zip(names, values, strict=True)]
    return f"{question.name}({', '.join(words)})"


def _without_running(question: Question, answer: object) -> Result | None:
    """The result if looking at the answer is enough; None if it must be run."""
    if answer is MISSING or answer is ... or is_stub(answer):
        return _not_attempted(question)
    if question.start and is_unchanged(answer, question.defined_by(question.stub)):
        return _not_attempted(question)
    name = question.name
    if not callable(answer):
        found = dict.fromkeys([kind(answer), shown(plain(answer))])  # of None both are the same
        message = (
            f"A check takes the function itself: `exercises.{name}.check({name})`, without "
            f"brackets after the function's name. It got {', '.join(found)}."
        )
        return Result(name, Outcome.WRONG, message)
    try:
        inspect.signature(answer).bind(*question.cases()[0].arguments())
    except TypeError:
        *most, last = inspect.signature(question.model_answer).parameters
        own = (
            f"{getattr(answer, '__name__', '')}({', '.join(inspect.signature(answer).parameters)})"
        )
        wanted = f"{', '.join(most)} and {last}, in this order" if most else f"one argument, {last}"
        return Result(name, Outcome.WRONG, f"It is called with {wanted}; yours is `{own}`.")
    except ValueError:  # a built-in without a signature
        pass
    return None


def _not_attempted(question: Question) -> Result:
    name = question.name
    task = "Correct" if question.start else "Write"
    message = (
        f"{task} the function and run its cell, which ends with `exercises.{name}.check({name})`."
    )
    return Result(name, Outcome.NOT_ATTEMPTED, message)


def _wrong(question: Question, answer: Function, failed: Trial, trials: Sequence[Trial]) -> Result:
    case, called = failed.case, failed.called
    facts = [("Input", _shown(question, case))]
    asked = "Which line of yours makes this result of this input?"
    if called.too_slow:
        message = errors.too_slow(called, question.seconds)
        asked = "Which loop of yours does this input keep going?"
    elif called.error is not None:
        kinds = [type(trial.called.error) for trial in trials]
        often = errors.how_often(kinds.count(type(called.error)) - 1, len(trials) - 1)
        message = f"{errors.raised(called.error, answer)}{often}"
        asked = "Which values do the names in that line have with this input?"
    elif failed.changed is not None:
        name = [*inspect.signature(question.model_answer).parameters][failed.changed.number]
        message = f"It changed its argument {name}, which belongs to the caller."
        facts += [("Was", failed.changed.was), ("Now", failed.changed.now)]
        asked = "Which line of yours changes it?"
    else:
        message = difference(case, called.value, answer)
        if not message:
            wrong = sum(not trial.is_right for trial in trials)
            which = f"{wrong} of {len(trials)}" if wrong < len(trials) else f"All {wrong}"
            message = f"{which} inputs gave a different result from the expected one."
        facts += expected_and_found(case.expected, called.value)
    return Result(question.name, Outcome.WRONG, message, facts, advice=asked)


def is_stub(function: object) -> bool:
    """Whether nothing has been written in the function's body yet.

    >>> def waiting(x: int) -> int: ...
    >>> is_stub(waiting), is_stub(abs), is_stub(lambda x: x)
    (True, False, False)
    """
    if not isinstance(function, FunctionType):
        return False
    constants = set(function.__code__.co_consts) - {function.__doc__, None, ...}
    steps = {instruction.opname for instruction in dis.get_instructions(function)}
    return not constants and steps <= _IDLE


_IDLE: Final = frozenset({"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"})
"""The instructions of a function that does nothing."""


def is_of_the_course(answer: object) -> bool:
    """Whether it is a function of the package, or an exercise itself."""
    code = getattr(answer, "__code__", getattr(type(answer).__call__, "__code__", None))
    return isinstance(code, CodeType) and Path(code.co_filename).is_relative_to(_PACKAGE)


_PACKAGE: Final = Path(__file__).parents[2]


def is_unchanged(function: object, given: Function) -> bool:
    """Whether the function is still the one that the student was given, but for its layout."""
    return isinstance(function, FunctionType) and _essence(function.__code__) == _essence(
        given.__code__
    )


def _essence(code: CodeType) -> tuple[object, ...]:
    """A piece of code without the numbers of its lines."""
    constants = (
        _essence(each) if isinstance(each, CodeType) else (type(each), each)
        for each in code.co_consts
    )
    return code.co_code, code.co_names, code.co_varnames, *constants


# The cause

_SECONDS: Final = 0.8
"""The processor time for all mistakes alone, and the same again for all pairs of them."""
_SECONDS_FOR_A_MISTAKE: Final = 0.1
_TIMES_AS_LONG: Final = 3
"""What takes longer than this and so many times what the answer took counts as without an end."""
_WAITING_COUNTS: Final = 0.25
"""On a busy computer a mistake must not count as without an end, or the cause is not found."""
_SOME: Final = 12
"""The number of inputs that show which mistakes come first in pairs, or explain nearly all."""
_FEWEST_OTHERS: Final = 8
"""The number of inputs whose result must not be the most frequent one, or too many pairs of
mistakes would do the same."""


def cause_of(
    question: Question, answer: Function, trials: Sequence[Trial], is_whole: bool
) -> Cause | None:
    """What is wrong with an answer, as far as it is known.

    Args:
        question: what was asked.
        answer: a wrong answer.
        trials: what it did on all inputs, up to one that it did not end.
        is_whole: whether these are all inputs. Of a few, much can be said by chance.
    """
    failed = next(trial.called for trial in trials if not trial.is_right)
    # Most mistakes differ where the answer is wrong, and inputs made at random take less time.
    telling_first = sorted(
        trials, key=lambda each: (each.called.too_slow, each.is_right, not each.case.is_random)
    )
    known = _known(question)
    if found := _first_alike(question, [*known, *_of_any(question)], telling_first):
        return _told(found, is_whole and not failed.too_slow)  # not all endless answers are alike
    if failed.too_slow:
        return None
    if failed.error is None:
        with_value = [trial for trial in trials if trial.has_value]
        if depends_on_chance(answer, with_value, question.seconds):
            is_random = "rng" in inspect.signature(question.model_answer).parameters
            return errors.UNSEEDED if is_random else errors.AT_RANDOM
    values = Counter(repr(each.called.value) for each in trials if each.has_value)
    if values.total() - max(values.values(), default=0) >= _FEWEST_OTHERS:
        likeness = _likeness(question, known, telling_first[:_SOME])
        if two := _first_alike(question, _pairs(likeness), telling_first):
            return _told(two, is_whole)
        if is_whole and (mostly := _mostly(question, likeness, telling_first)):
            return mostly
    return _of_kind(answer, trials) or errors.of_error(failed.error)


def _of_kind(answer: Function, trials: Sequence[Trial]) -> Cause | None:
    """Where an input goes wrong the result is None, or it is of the same wrong kind everywhere."""
    values = [(each.called.value, each.case) for each in trials if each.has_value]
    wrong = [each for each in trials if not each.is_right]
    is_nothing = all(each.has_value and each.called.value is None for each in wrong)
    if is_nothing and all(case.expected is not None for _, case in values):
        some = f"On {len(wrong)} of {len(trials)} inputs your function behaves as if"
        return errors.NOTHING._replace(begins=some if len(wrong) < len(trials) else BEHAVES)
    own = [(value, case) for value, case in values if case.use is None]
    kinds = {(kind(value), kind(case.expected)) for value, case in own}
    if len(kinds) == 1 and all(difference(case, value, answer) for value, case in own):
        return errors.of_kind(*kinds.pop())
    return None


def _told(mistake: Mistake, is_certain: bool) -> Cause:
    begins = BEHAVES if is_certain else "Your function may behave as if"
    return Cause(mistake.name, mistake.explanation, begins)


def _known(question: Question) -> list[Mistake]:
    """The mistakes of the exercise; one is that the fault is still there that it began with."""
    known = [*question.mistakes]
    if question.start:
        known.append(Mistake(*errors.SAME_FAULT[:2], question.start))
    return known


def _of_any(question: Question) -> Iterator[Mistake]:
    """Mistakes that can be made in many exercises."""
    for edits in early_returns(question.model_answer):
        yield Mistake(*errors.EARLY[:2], edits)
    if inspect.signature(question.model_answer).return_annotation is None:
        yield Mistake(*errors.NO_EFFECT[:2], (Edit("...", "pass"),))


def _likeness(
    question: Question, known: Sequence[Mistake], trials: Sequence[Trial]
) -> dict[Mistake, frozenset[int]]:
    """For each mistake the numbers of the trials in which it does what the answer did."""
    found = dict.fromkeys(known, frozenset[int]())
    until = time.process_time() + _SECONDS / 2
    with quietly():
        for each in known:
            if time.process_time() < until:
                found[each] = _alike(question.wrong_answer(each), trials)
    return found


def _pairs(likeness: Mapping[Mistake, frozenset[int]]) -> Iterator[Mistake]:
    """Two mistakes together.

    Each does what the answer does wherever the other one makes no difference. So those pairs come
    first of which one or the other does so on most inputs.
    """
    pairs = itertools.combinations(likeness, 2)
    for one, other in sorted(pairs, key=lambda two: -len(likeness[two[0]] | likeness[two[1]])):
        if one.name != other.name:
            name = f"(1) {one.name} and (2) {other.name}"
            explanation = f"(1) {one.explanation} (2) {other.explanation}"
            yield Mistake(name, explanation, (*one.edits, *other.edits))


def _first_alike(
    question: Question, mistakes: Iterable[Mistake], trials: Sequence[Trial]
) -> Mistake | None:
    """The first one that does the same as the answer in all these trials, as far as time allows."""
    until = time.process_time() + _SECONDS
    with quietly():
        for mistake in mistakes:
            with suppress(ValueError):  # two that don't fit together
                function = question.wrong_answer(mistake)
                if len(_alike(function, trials, is_all=True)) == len(trials):
                    return mistake
            if time.process_time() > until:
                break
    return None


def _mostly(
    question: Question, likeness: Mapping[Mistake, frozenset[int]], trials: Sequence[Trial]
) -> Cause | None:
    """The mistake that does the same as the answer on nearly all inputs, also the wrong ones."""
    nearest = sorted(likeness, key=lambda each: -len(likeness[each]))[:_NEAREST]
    with quietly():
        found = {each: _alike(question.wrong_answer(each), trials) for each in nearest}
    wrong = frozenset(number for number, trial in enumerate(trials) if not trial.is_right)
    best = max(found, key=lambda each: len(found[each] & wrong), default=None)
    if best is None or len(found[best] & wrong) < _NEARLY_ALL**2 * len(wrong):
        return None
    if len(found[best]) < _NEARLY_ALL * len(trials):
        return None
    on_most = f"On {len(found[best])} of {len(trials)} inputs your function behaves as if"
    return Cause(best.name, best.explanation, on_most)


_NEAREST: Final = 3
_NEARLY_ALL: Final = 0.95
"""Of the inputs; of the wrong results alone a few less."""


def _alike(wrong: Function, trials: Sequence[Trial], is_all: bool = False) -> frozenset[int]:
    """The numbers of the trials in which a function does what the answer did.

    With `is_all` no other trial follows one in which it does not.
    """
    found: list[bool] = []

    def try_each() -> None:
        for trial in trials:
            found.append(trial_of(trial.case, wrong).is_like(trial))
            if is_all and not found[-1]:
                return

    taken = sum(trial.seconds for trial in trials if not trial.called.too_slow)
    limit = _SECONDS_FOR_A_MISTAKE + _TIMES_AS_LONG * taken
    ended = call(try_each, (), limit, _WAITING_COUNTS)
    like = [*found]
    if len(like) < len(trials) and (ended.too_slow or ended.error is not None):
        broken_off = trials[len(like)]
        like.append(Trial(broken_off.case, ended).is_like(broken_off))
    return frozenset(number for number, is_like in enumerate(like) if is_like)


def depends_on_chance(answer: Function, trials: Sequence[Trial], seconds: float) -> bool:
    """Whether the same input with the same seed gives another result, the second time or later."""
    some = sorted(trials, key=lambda trial: (trial.is_right, trial.case.is_random))[:_MOST_AGAIN]
    for trial in some:
        value = trial.called.value
        is_coin = isinstance(value, Tally) and len(value.counts) == 2
        times = max(_MOST_AGAIN // len(some), 1 if trial.is_right and not is_coin else _TIMES_AGAIN)
        for _ in range(times):
            again = try_case(trial.case, answer, seconds)
            if again.has_value and not _is_equal(again.called.value, trial.called.value):
                return True
    return False


_MOST_AGAIN: Final = 12
_TIMES_AGAIN: Final = 3
"""On a small input a random result is often the same by chance, and so is one that is rounded. Even
of a thousand tosses of a coin, twice the same number is heads in one case of fifty."""


def _is_equal(one: object, other: object) -> bool:
    """Whether two results are equal to the last digit; a nan equals a nan."""
    return one == other or (not isinstance(one, Tally) and repr(one) == repr(other))
