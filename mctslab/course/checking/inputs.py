"""The inputs on which copies of a function are tried, and what that costs."""

import ast
import functools
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from mctslab.course.checking.counted import MANY_ROUNDS, Copy, TooManyRoundsError, Work
from mctslab.course.checking.sandbox import call
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

    def work_of(self, rounds: int) -> int:
        """What it takes to make an input and go around loops so often on it, in units of `Work`.

        It is a line through what some of the inputs take.
        """
        height, slope = self._work
        return int(height + slope * rounds)

    @functools.cached_property
    def _work(self) -> tuple[float, float]:
        by_rounds = sorted(self.cases, key=self.rounds_on)
        some = by_rounds[:: max(1, len(by_rounds) // _MOST_COUNTED)]
        calls = list[int]()

        def count() -> None:
            for case in some:
                if sum(calls) < _MANY_CALLS:
                    calls.append(_calls_of(self._right, case))

        with quietly():
            call(count, (), _SECONDS_TO_COUNT)
        rounds = [self.rounds_on(case) for case in some[: len(calls)]]
        slope = 0.0
        if len(set(rounds)) > 1:
            slope = max(0.0, statistics.linear_regression(rounds, calls).slope)
        height = max(0.0, statistics.fmean(calls) - slope * statistics.fmean(rounds))
        return _WORK_FOR_A_TRY + height / _CALLS_A_UNIT, 1 / _ROUNDS_A_UNIT + slope / _CALLS_A_UNIT


def _calls_of(copy: Copy, case: Case) -> int:
    """How many functions are called to make a case and to run a copy on it.

    Unlike seconds, they are the same every time. A call of an array's function counts as several.
    """
    calls = 0

    def count(_: object, event: str, called: Any) -> None:
        nonlocal calls
        if event in ("call", "c_call"):
            calls += _AS_MANY if event == "c_call" and _is_of_an_array(called) else 1

    copy.rounds_left = MANY_ROUNDS
    sys.setprofile(count)
    with suppress(Exception, TooManyRoundsError):
        observe(case, copy)
    sys.setprofile(None)
    return calls


def _is_of_an_array(called: Any) -> bool:
    """Whether a function written in C belongs to PyTorch or NumPy."""
    owner = getattr(called, "__self__", None)
    kind = owner if isinstance(owner, type) else type(owner)
    return kind.__module__.startswith(("torch", "numpy"))


_AS_MANY: Final = 24
_WORK_FOR_A_TRY: Final = 60
_MOST_COUNTED: Final = 7
_MANY_CALLS: Final = 20_000
_SECONDS_TO_COUNT: Final = 30.0
"""Many times what it takes."""
_CALLS_A_UNIT: Final = 2
_ROUNDS_A_UNIT: Final = 4
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
        rounds = [max(pair) for pair in zip(costs.rounds, own_rounds, strict=True)]
        order = sorted(range(len(trials)), key=lambda i: (trials[i].is_right, rounds[i]))
        alike: Counter[str] = Counter()
        turns = {}
        for i in order:
            result = repr(trials[i].called.value)
            turns[i] = alike[result]
            alike[result] += 1
        order.sort(key=lambda i: (trials[i].is_right, turns[i], rounds[i]))
        self.trials: Sequence[Trial] = [trials[i] for i in order]
        self._rounds = [rounds[i] for i in order]
        self._most_rounds = [_FEW_ROUNDS + _TIMES_AS_MANY * each for each in self._rounds]
        if answer is None:  # how often it goes around its loops is not known
            self._most_rounds = [costs.most_rounds_on(each.case) for each in self.trials]
        self._costs = costs

    def run(self, copy: Copy, is_enough: Callable[[int, Trial], bool], work: Work) -> list[Trial]:
        """What a copy does on the inputs, in their order, until one is enough."""
        cases = [trial.case for trial in self.trials]
        trials = try_copy(copy, cases, self._most_rounds.__getitem__, is_enough)
        for number, trial in enumerate(trials):
            times = _MANY_TIMES if trial.called.too_slow else 1
            work.spend(times * self._costs.work_of(self._rounds[number]))
        if trials[-1].called.too_slow and copy.rounds_left >= 0:
            work.spend_all()  # a loop in a function that it calls, which took seconds
        return trials

    def has_same(self, copy: Copy, work: Work) -> bool:
        """Whether a copy does on every input what the answer did."""
        return self._are_all(copy, lambda number, trial: trial.is_like(self.trials[number]), work)

    def are_right(self, copy: Copy, work: Work) -> bool:
        """Whether a copy does on every input what was expected."""
        return self._are_all(copy, lambda _, trial: trial.is_right, work)

    def _are_all(self, copy: Copy, fits: Callable[[int, Trial], bool], work: Work) -> bool:
        found = self.run(copy, lambda number, trial: not fits(number, trial), work)
        return len(found) == len(self.trials) and fits(len(found) - 1, found[-1])


_MANY_TIMES: Final = 8
"""Of a copy without an end: so many times the work of a right function."""
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
