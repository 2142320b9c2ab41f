"""The cause of a fault: a mistake of the exercise that does what the answer does on every input.

First each of them alone, then two together, and at last what an error means. A mistake is the model
answer with a few edits. It is run on the inputs as an answer is, in one call with a limit of time.
"""

import inspect
import itertools
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import FunctionType
from typing import Final

from mctslab.course.checking.comparing import Tally
from mctslab.course.checking.errors import of_error
from mctslab.course.checking.relations import of_results
from mctslab.course.checking.sandbox import call
from mctslab.course.checking.trials import Trial, quietly, trial_of, try_case
from mctslab.course.question import Function, Mistake, Question
from mctslab.course.result import Cause

SAME_FAULT: Final = Mistake(
    "the fault that you started with were still there",
    "Where the results are wrong, they are the same as with the function that you started with.",
)
NO_EFFECT: Final = Mistake(
    "it changed nothing",
    "Everything is as it was before the call. To compute a number, or to give another value to a "
    "variable, changes nothing outside the function: assign to the node or the dictionary itself, "
    "as in `node.visit_count = ...`.",
)
UNSEEDED: Final = Mistake(
    "its random numbers came from another source",
    "The same input with the same seed gave another result the second time. Draw all random "
    "numbers from the generator `rng` that is passed in, and keep nothing from one call to the "
    "next.",
)
AT_RANDOM: Final = Mistake(
    "its result depended on more than its arguments",
    "The same input gave another result the second time. The result must not depend on random "
    "numbers, on the order of a set, or on anything that is kept from one call to the next.",
)
EARLY: Final = Mistake(
    "its loop ended after the first round",
    "Is there a `return`, a `break` or a result inside of the loop that belongs after it? What has "
    "less indentation than the loop's body follows after all of its rounds.",
)
SHARED_DEFAULT: Final = Mistake(
    "all calls shared one default value",
    "The default value of a parameter is made once, together with the function. What one call puts "
    "into it is still there in the next one. Write `=None`, and make a new one in the function.",
)


_SECONDS: Final = 0.8
"""The processor time for all mistakes alone, and the same again for all pairs of them."""
_SECONDS_FOR_A_MISTAKE: Final = 0.1
_TIMES_AS_LONG: Final = 3
"""What takes longer than this and so many times what the answer took counts as without an end."""
_WAITING_COUNTS: Final = 0.25
"""On a busy computer a mistake must not count as without an end, or the cause is not found."""
_SOME: Final = 12
"""The number of inputs that show which pairs of mistakes are tried first."""
_FEWEST_OTHERS: Final = 8
"""The number of inputs whose result must not be the most frequent one, or too many pairs of
mistakes would do the same."""


def cause_of(question: Question, answer: Function, trials: Sequence[Trial]) -> Cause | None:
    """What is wrong with an answer, as far as it is known.

    Args:
        question: what was asked.
        answer: a wrong answer.
        trials: what it did on all inputs, up to one that it did not end.
    """
    failed = next(trial.called for trial in trials if not trial.is_right)
    # Most mistakes differ where the answer is wrong, and inputs made at random take less time.
    telling_first = sorted(
        trials, key=lambda each: (each.called.too_slow, each.is_right, not each.case.is_random)
    )
    is_whole = len(trials) == len(question.cases()) + len(question.variations())
    if found := _first_alike(_alone(question), telling_first):
        # Of a few inputs much can be said by chance, and not all endless answers are alike.
        return _told(found, is_whole and not failed.too_slow)
    if failed.too_slow:
        return None
    if failed.error is None:
        with_value = [trial for trial in trials if trial.has_value]
        before = _kept_in_defaults(answer)
        if depends_on_chance(answer, with_value, question.seconds):
            if _kept_in_defaults(answer) != before:
                return _told(SHARED_DEFAULT)
            is_random = "rng" in inspect.signature(question.model_answer).parameters
            return _told(UNSEEDED if is_random else AT_RANDOM)
    if is_whole and (whole := of_results(trials)):
        return _told(whole)
    results = Counter(repr(each.called.value) for each in trials if each.has_value)
    likeness = _likeness(question, telling_first[:_SOME])
    many_others = results.total() - max(results.values(), default=0) >= _FEWEST_OTHERS
    if many_others:
        if two := _first_alike(_pairs(question, likeness), telling_first):
            return _told(two, is_whole)
        if is_whole and (mostly := _mostly(question, likeness, telling_first)):
            return mostly
    return of_error(failed.error)


def _told(mistake: Mistake, is_certain: bool = True) -> Cause:
    return Cause(
        BEHAVES if is_certain else "Your function may behave as if",
        mistake.name,
        mistake.explanation,
    )


BEHAVES: Final = "Your function behaves as if"
"""Begins the sentence that the name of a mistake ends."""


def _alone(question: Question) -> Iterator[tuple[Mistake, Function]]:
    """Each mistake that is known, with a function that makes it."""
    for mistake in question.mistakes:
        yield mistake, question.wrong_answer(mistake)
    if question.start:
        yield SAME_FAULT, question.defined_by(question.stub)
    for function in question.with_early_returns():
        yield EARLY, function
    if inspect.signature(question.model_answer).return_annotation is None:
        yield NO_EFFECT, lambda *_: None


def _likeness(question: Question, trials: Sequence[Trial]) -> dict[Mistake, int]:
    """For each mistake the trials in which it does what the answer did, as bits.

    One of the mistakes is that the fault of the function is still there with which the student
    began.
    """
    single = list(question.mistakes)
    if question.start:
        single.append(replace(SAME_FAULT, edits=tuple(question.start)))
    found = dict.fromkeys(single, 0)
    until = time.process_time() + _SECONDS / 2
    with quietly():
        for each in single:
            if time.process_time() < until:
                alike = _alike(question.wrong_answer(each), trials)
                found[each] = sum(1 << number for number in alike)
    return found


def _pairs(
    question: Question, likeness: Mapping[Mistake, int]
) -> Iterator[tuple[Mistake, Function]]:
    """Two mistakes of the exercise together, with a function that makes both.

    Each does what the answer does wherever the other one makes no difference. So those pairs come
    first of which one or the other does so on most inputs.
    """
    pairs = itertools.combinations(likeness, 2)
    for one, other in sorted(
        pairs, key=lambda pair: -(likeness[pair[0]] | likeness[pair[1]]).bit_count()
    ):
        if one.name == other.name or not question.fit_together(one, other):
            continue
        name = f"(1) {one.name} and (2) {other.name}"
        explanation = f"(1) {one.explanation} (2) {other.explanation}"
        both = Mistake(name, explanation, (*one.edits, *other.edits))
        try:
            function = question.wrong_answer(both)
        except ValueError:  # the two together are no Python
            continue
        yield both, function


def _mostly(
    question: Question, likeness: Mapping[Mistake, int], trials: Sequence[Trial]
) -> Cause | None:
    """The mistake that does the same as the answer on nearly all inputs, also the wrong ones."""
    wrong = frozenset(number for number, trial in enumerate(trials) if not trial.is_right)
    nearest = sorted(likeness, key=lambda each: -likeness[each].bit_count())[:_NEAREST]
    found: dict[Mistake, frozenset[int]] = {}
    with quietly():
        for each in nearest:
            found[each] = _alike(question.wrong_answer(each), trials)
    best = max(found, key=lambda each: len(found[each] & wrong), default=None)
    if best is None or len(found[best] & wrong) < _NEARLY_ALL**2 * len(wrong):
        return None
    if len(found[best]) < _NEARLY_ALL * len(trials):
        return None
    on_most = f"On {len(found[best])} of {len(trials)} inputs your function behaves as if"
    return Cause(on_most, best.name, best.explanation)


_NEAREST: Final = 3
_NEARLY_ALL: Final = 0.95
"""Of the inputs; of the wrong results alone a few less."""


def _first_alike(
    mistakes: Iterator[tuple[Mistake, Function]], trials: Sequence[Trial]
) -> Mistake | None:
    """The first one that does the same as the answer in all these trials, as far as time allows."""
    until = time.process_time() + _SECONDS
    with quietly():
        for mistake, function in mistakes:
            if len(_alike(function, trials, is_all=True)) == len(trials):
                return mistake
            if time.process_time() > until:
                break
    return None


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


def _kept_in_defaults(answer: Function) -> list[int]:
    """How many items the lists, dictionaries and sets have that are default values."""
    values = answer.__defaults__ or () if isinstance(answer, FunctionType) else ()
    return [len(value) for value in values if type(value) in (list, dict, set)]


_MOST_AGAIN: Final = 12
_TIMES_AGAIN: Final = 3
"""On a small input a random result is often the same by chance, and so is one that is rounded. Even
of a thousand tosses of a coin, twice the same number is heads in one case of fifty."""


def _is_equal(one: object, other: object) -> bool:
    """Whether two results are equal to the last digit; a nan equals a nan."""
    return one == other or (not isinstance(one, Tally) and repr(one) == repr(other))
