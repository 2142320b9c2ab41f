"""The inputs on which copies of a function are tried, and what that costs."""

import ast
import functools
import math
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from mctslab.course.checking.counted import MANY_ROUNDS, Copy, TooManyRoundsError, Work
from mctslab.course.checking.sandbox import call, settle
from mctslab.course.checking.trials import Trial, observe, quietly, trial_of, try_copy
from mctslab.course.question import Case, Question


class Costs:
    """What the model answer costs on each input; it is run when its costs are read.

    Args:
        question: that of the model answer.
        cases: the inputs.
    """

    def __init__(self, question: Question, cases: Sequence[Case]) -> None:
        self._right = Copy(ast.parse(question.solution_source), question.model_answer.__globals__)
        self.cases = cases
        self._rounds: dict[int, int] = {}

    def rounds_on(self, case: Case) -> int:
        """How often it goes around its loops on one of the inputs."""
        if id(case) not in self._rounds:
            with quietly():
                trial_of(case, self._right, MANY_ROUNDS)
            self._rounds[id(case)] = MANY_ROUNDS - self._right.rounds_left
        return self._rounds[id(case)]

    def most_rounds_on(self, case: Case) -> int:
        """What goes around its loops more often there has no end."""
        return _SOME_ROUNDS + _TIMES_AS_MANY_AGAIN * self.rounds_on(case)

    @functools.cached_property
    def rounds(self) -> Sequence[int]:
        """The rounds on all inputs."""
        return [self.rounds_on(case) for case in self.cases]

    @functools.cached_property
    def calls(self) -> Sequence[int]:
        """The calls on all inputs."""
        return calls_of(self._right, self.cases, self.rounds)


_SOME_ROUNDS: Final = 1_000
_TIMES_AS_MANY_AGAIN: Final = 40
"""A move that is counted again and again takes 33 times the rounds of the right answer."""


class Inputs:
    """The inputs, those first that an answer got wrong, and of these the ones that cost least.

    Wrong results of each kind come early.

    Args:
        trials: what the answer did on all inputs.
        costs: what a right one costs there.
        answer: a copy of the answer, if it can be copied.
    """

    def __init__(self, trials: Sequence[Trial], costs: Costs, answer: Copy | None = None) -> None:
        cases = [trial.case for trial in trials]
        own_rounds = rounds_of(answer, cases) if answer else costs.rounds
        has_end = not any(trial.called.too_slow for trial in trials)
        own_calls = calls_of(answer, cases, own_rounds) if answer and has_end else costs.calls
        rounds = [max(pair) for pair in zip(costs.rounds, own_rounds, strict=True)]
        calls = [max(pair) for pair in zip(costs.calls, own_calls, strict=True)]
        order = sorted(range(len(trials)), key=lambda i: (trials[i].is_right, rounds[i]))
        alike: Counter[object] = Counter()
        turns = {}
        for i in order:
            kind = trials[i].wrong_facts, repr(trials[i].called.value)
            turns[i] = alike[kind]
            alike[kind] += 1
        order.sort(key=lambda i: (trials[i].is_right, turns[i], rounds[i]))
        self.trials: Sequence[Trial] = [trials[i] for i in order]
        self._rounds = [rounds[i] for i in order]
        self._calls = [calls[i] for i in order]

    def run(self, copy: Copy, is_enough: Callable[[int, Trial], bool], work: Work) -> list[Trial]:
        """What a copy does on the inputs, in their order, until one is enough."""
        most = [_FEW_ROUNDS + _TIMES_AS_MANY * rounds for rounds in self._rounds]
        cases = [trial.case for trial in self.trials]
        trials = try_copy(copy, cases, most.__getitem__, is_enough)
        for number, trial in enumerate(trials):
            rounds, calls = self._rounds[number], self._calls[number]
            if trial.called.too_slow:
                rounds, calls = most[number], _MANY_TIMES * calls
            work.spend(_WORK_FOR_A_TRY + rounds // _ROUNDS_A_UNIT + calls // _CALLS_A_UNIT)
        if trials[-1].called.too_slow and copy.rounds_left >= 0:
            work.spend_all()  # a loop in a function that it calls, which took seconds
        return trials


_WORK_FOR_A_TRY: Final = 60
_CALLS_A_UNIT: Final = 2
_ROUNDS_A_UNIT: Final = 4
_MANY_TIMES: Final = 8
"""Of a copy without an end: so many times the calls of a right function."""
_FEW_ROUNDS: Final = 300
_TIMES_AS_MANY: Final = 4
"""A changed function may go around its loops so much more often than before, or than the model
answer."""


def rounds_of(copy: Copy, cases: Sequence[Case]) -> list[int]:
    """How often a copy goes around its loops, or is called, on each case up to one without end."""
    taken: list[int] = []

    def note(number: int, trial: Trial) -> bool:
        if number == len(taken):  # where the computer is busy, it is asked twice
            taken.append(0 if trial.called.too_slow else MANY_ROUNDS - copy.rounds_left)
        return trial.called.too_slow

    try_copy(copy, cases, lambda _: MANY_ROUNDS, note)
    return [*taken, *[0] * (len(cases) - len(taken))]


def calls_of(copy: Copy, cases: Sequence[Case], rounds: Sequence[int]) -> list[int]:
    """How many functions are called to make each case and to run a copy on it.

    Unlike seconds, they are the same every time. A call of an array's function counts as several.
    Counting takes long, so it begins with the cases whose rounds are neither many nor few, and
    after many calls those of the other ones are estimated from their rounds.
    """
    taken: dict[int, int] = {}
    by_rounds = sorted(range(len(cases)), key=rounds.__getitem__)
    places = sorted(range(len(cases)), key=lambda place: abs(2 * place - len(cases)))

    def run() -> None:
        for number in (by_rounds[place] for place in places):
            if sum(taken.values()) > _MOST_COUNTED:
                break
            events: Counter[bool] = Counter()

            def count(_: object, event: str, called: Any, events: Counter[bool] = events) -> None:
                if event == "c_call":
                    events[_is_of_an_array(called)] += 1
                elif event == "call":
                    events[False] += 1

            copy.rounds_left = MANY_ROUNDS
            sys.setprofile(count)
            with suppress(Exception, TooManyRoundsError):
                observe(cases[number], copy)
            sys.setprofile(None)
            taken[number] = events[False] + _AS_MANY * events[True]

    settle()
    with quietly():
        call(run, (), _SECONDS_FOR_A_COPY)
    estimate = _by_rounds([(rounds[number], calls) for number, calls in taken.items()])
    return [taken.get(number, estimate(own)) for number, own in enumerate(rounds)]


def _by_rounds(counted: Sequence[tuple[int, int]]) -> Callable[[int], int]:
    """The calls of a case by its rounds: a power of these, fitted to those that were counted."""
    pairs = [(math.log(1 + rounds), math.log(1 + calls)) for rounds, calls in counted]
    if len({rounds for rounds, _ in pairs}) < 2:
        mean = sum(calls for _, calls in counted) // max(1, len(counted))
        return lambda _: mean
    fitted = statistics.linear_regression(*zip(*pairs, strict=True))
    slope = min(1.0, max(0.0, fitted.slope))
    height = statistics.fmean(calls - slope * rounds for rounds, calls in pairs)
    return lambda rounds: int(math.exp(height) * (1 + rounds) ** slope)


def _is_of_an_array(called: Any) -> bool:
    """Whether a function written in C belongs to PyTorch or NumPy."""
    owner = getattr(called, "__self__", None)
    kind = owner if isinstance(owner, type) else type(owner)
    return kind.__module__.startswith(("torch", "numpy"))


_AS_MANY: Final = 24
_MOST_COUNTED: Final = 80_000
_SECONDS_FOR_A_COPY: Final = 30.0
"""Many times what a copy takes."""
