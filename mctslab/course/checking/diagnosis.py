"""The cause of a mistake: what is named was tried on every input.

First the exercise's own mistakes: one that does the same as the answer on every input is it. Then
changes of the answer's own lines, after which every input is right. Then two mistakes together, and
at last what an error means.
"""

import ast
import inspect
import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Final

from mctslab.course.checking.comparing import Tally
from mctslab.course.checking.counted import WORK_FOR_A_COPY, Copy, Work
from mctslab.course.checking.errors import of_error
from mctslab.course.checking.inputs import Costs, Inputs
from mctslab.course.checking.repairs import of_own_lines
from mctslab.course.checking.sandbox import Called
from mctslab.course.checking.trials import Trial, try_case, try_copy
from mctslab.course.question import Function, Mistake, Question
from mctslab.course.result import Cause

SAME_FAULT: Final = Mistake(
    "the same fault",
    "Where the results are wrong, they are the same as with the function that you started with.",
)
NO_EFFECT: Final = Mistake(
    "a function that changes nothing",
    "Everything is as it was before the call. To compute a number, or to give another value to a "
    "variable, changes nothing outside the function: assign to the node or the dictionary itself, "
    "as in `node.visit_count = ...`.",
)
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
SHARED_DEFAULT: Final = Mistake(
    "a default value that all calls share",
    "The default value of a parameter is made once, together with the function. What one call puts "
    "into it is still there in the next one. Write `=None`, and make a new one in the function.",
)


def cause_of(question: Question, answer: Function, trials: Sequence[Trial]) -> Cause | None:
    """What is wrong with an answer, as far as it is known.

    Args:
        question: what was asked.
        answer: a wrong answer.
        trials: what it did on all inputs, up to one that it did not end.
    """
    costs = Costs(question, (*question.cases(), *question.variations()))
    failed = next(trial.called for trial in trials if not trial.is_right)
    if failed.too_slow:
        return _of_endless(question, answer, trials, costs)
    # Most mistakes differ where the answer is wrong, and inputs made at random take less time.
    telling_first = sorted(trials, key=lambda trial: (trial.is_right, not trial.case.is_random))
    is_whole = len(trials) == len(costs.cases)  # of a few inputs much can be said by chance
    if found := _listed(question, telling_first, costs):
        return _of_mistake(found, is_whole)
    if failed.error is None:
        with_value = [trial for trial in trials if trial.has_value]
        before = _kept_in_defaults(answer)
        if depends_on_chance(answer, with_value, question.seconds):
            if _kept_in_defaults(answer) != before:
                return _of_mistake(SHARED_DEFAULT)
            is_random = "rng" in inspect.signature(question.model_answer).parameters
            return _of_mistake(UNSEEDED if is_random else AT_RANDOM)
    if cause := of_own_lines(question, answer, trials, costs):
        return cause
    inputs = Inputs(trials, costs)
    if two := _two_of_them(question, _likeness(question, inputs), inputs):
        return _of_mistake(two, is_whole)
    return of_error(failed.error)


def _of_endless(
    question: Question, answer: Function, trials: Sequence[Trial], costs: Costs
) -> Cause | None:
    """What is wrong with an answer without an end.

    It is only said what its mistake could be, since not all endless answers are alike. Where it
    was not run, it counts as without an end.
    """
    not_tried = [Trial(case, Called(too_slow=True)) for case in costs.cases[len(trials) :]]
    if cause := of_own_lines(question, answer, [*trials, *not_tried], costs):
        return cause
    found = _listed(question, trials, costs)
    return _of_mistake(found, is_certain=False) if found else None


def _of_mistake(mistake: Mistake, is_certain: bool = True) -> Cause:
    if mistake is SAME_FAULT:
        begins = "This still looks like"
    elif mistake in (NO_EFFECT, UNSEEDED, AT_RANDOM, SHARED_DEFAULT):
        begins = "This looks like"
    else:
        begins = "The results are the same as with" if is_certain else "This could be"
    return Cause(begins, mistake.name, mistake.explanation)


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


def copy_of(question: Question, source: str) -> Copy:
    """A version of the model answer, to be tried."""
    return Copy(ast.parse(source), question.model_answer.__globals__)


def _listed(question: Question, trials: Sequence[Trial], costs: Costs) -> Mistake | None:
    """The first mistake of the exercise that does the same as the answer in all these trials."""
    for mistake in question.mistakes:
        if _does_the_same(copy_of(question, question.source_with(mistake.edits)), trials, costs):
            return mistake
    if question.start and _does_the_same(copy_of(question, question.stub), trials, costs):
        return SAME_FAULT
    returned = inspect.signature(question.model_answer).return_annotation
    if returned is None and _does_the_same(lambda *_: None, trials, costs):
        return NO_EFFECT
    return None


def _does_the_same(wrong: Function, trials: Sequence[Trial], costs: Costs) -> bool:
    cases = [trial.case for trial in trials]
    found = try_copy(
        wrong,
        cases,
        lambda number: costs.most_rounds_on(cases[number]),
        lambda number, trial: not trial.is_like(trials[number]),
    )
    return len(found) == len(trials) and found[-1].is_like(trials[-1])


def _likeness(question: Question, inputs: Inputs) -> dict[Mistake, frozenset[int]]:
    """The mistakes of the exercise, each with the numbers of the inputs on which it does the same.

    The inputs are some that can tell much. The most alike mistakes come first. One of them is that
    the fault of the function is still there with which the student began.
    """
    found: dict[Mistake, frozenset[int]] = {}
    work = Work(_WORK_FOR_LIKENESS)
    for mistake in (*question.mistakes, *_left_in(question)):
        copy = copy_of(question, question.source_with(mistake.edits))
        tried = [] if work.is_over else inputs.run(copy, lambda number, _: number >= _SOME, work)
        pairs = enumerate(zip(tried, inputs.trials, strict=False))
        found[mistake] = frozenset(number for number, (one, other) in pairs if one.is_like(other))
    return dict(sorted(found.items(), key=lambda each: -len(each[1])))


def _left_in(question: Question) -> Sequence[Mistake]:
    if not question.start:
        return []
    name = "the fault of the function that you started with"
    return [Mistake(name, "It is still there.", tuple(question.start))]


_SOME: Final = 10
_WORK_FOR_LIKENESS: Final = 1_200_000
"""In units of about a microsecond."""
_WORK_FOR_PAIRS: Final = 1_200_000
_FEWEST_OTHERS: Final = 8
"""The number of inputs whose result must not be the most frequent one."""


def _two_of_them(
    question: Question, likely: Mapping[Mistake, frozenset[int]], inputs: Inputs
) -> Mistake | None:
    """Two mistakes of the exercise that do together what the answer does.

    Each does so alone wherever the other one makes no difference. So those pairs come first of
    which one or the other does so on most inputs. Where the results are nearly all alike, or all
    are errors, too many pairs would do the same.
    """
    results = Counter(repr(each.called.value) for each in inputs.trials if each.has_value)
    if results.total() - max(results.values(), default=0) < _FEWEST_OTHERS:
        return None
    pairs = itertools.combinations(likely, 2)
    work = Work(_WORK_FOR_PAIRS)
    for pair in sorted(pairs, key=lambda pair: -len(likely[pair[0]] | likely[pair[1]])):
        if work.is_over:
            return None
        one, other = pair
        if one.name == other.name or not question.fit_together(one, other):
            continue
        work.spend(WORK_FOR_A_COPY)
        try:
            both = copy_of(question, question.source_with((*one.edits, *other.edits)))
        except (ValueError, SyntaxError):
            continue
        if inputs.has_same(both, work):
            one, other = sorted(pair, key=[*question.mistakes, *pair].index)
            name = f"(1) {one.name} and (2) {other.name}"
            return Mistake(name, f"(1) {one.explanation} (2) {other.explanation}")
    return None
