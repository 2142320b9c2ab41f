"""Catch it: the student writes the test, and it is tried on right and on faulty functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from mctslab.course.checking.judging import MISSING, judge
from mctslab.course.checking.sandbox import Called, call_to_its_end
from mctslab.course.exercise import Exercise
from mctslab.course.prose import prose_of
from mctslab.course.question import Case, Function, Mistake, is_stub
from mctslab.course.result import Cause, Outcome, Result


class Version(NamedTuple):
    """A function that the student's test is tried on."""

    make: Callable[[], Function]
    """Makes it afresh, so that no test can change it for the next one."""
    words: str
    """How it is described to the student."""
    is_right: bool
    about: str
    """What a test of this one must look at."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Catch(Exercise):
    """A test to write: True for every right version of a function, False for each faulty one.

    An error that the test raises on a faulty version has caught it, as in any test.
    """

    versions: Sequence[Version]
    """The right ones first."""

    def slipped(self, is_right: Function) -> Function | None:
        """The first faulty function that a test accepts, for a search to be filmed with.

        None if the test catches them all.
        """
        for version, verdict in zip(self.versions, self._verdicts(is_right), strict=True):
            if verdict is True and not version.is_right:
                return version.make()
        return None

    def _judge(self, answer: object = MISSING) -> Result:
        if not callable(answer) or is_stub(answer):
            return judge(self, answer)
        verdicts = self._verdicts(answer)
        if None in verdicts:  # it fails on right functions, never ends, or returns something else
            return judge(self, answer)
        return self._scored(verdicts)

    def _verdicts(self, is_right: Function) -> list[bool | None]:
        """What a test says of the versions; None where that is neither True nor False."""
        verdicts: list[bool | None] = []
        for version in self.versions:
            called = call_to_its_end(_tested, (version, is_right), self.seconds)
            verdicts.append(_verdict(called, version))
            if verdicts[-1] is None:  # the others would be the same, or take as long
                break
        return verdicts + [None] * (len(self.versions) - len(verdicts))

    def _scored(self, verdicts: Sequence[bool | None]) -> Result:
        """The number of faults that were caught, and of right versions that were accused."""
        pairs = list(zip(self.versions, verdicts, strict=True))
        faults = [verdict for version, verdict in pairs if not version.is_right]
        accused = [version for version, said in pairs if version.is_right and not said]
        missed = [version for version, said in pairs if said and not version.is_right]
        message = f"{len(faults) - len(missed)} of {len(faults)} faults caught; "
        if accused:
            num_right = len(self.versions) - len(faults)
            message += f"{len(accused)} of {num_right} right versions accused."
        else:
            message += "no right version was accused."
        if not accused and not missed:
            return Result(self.name, Outcome.RIGHT, message)
        facts = [("Accused", version.words) for version in accused[:1]]
        if missed:
            film = f"exercises.{self.name}.slipped({self.name})"
            facts += [("Slips through", missed[0].words), ("As a function", film)]
        if known := self._mistake_with(verdicts):
            cause = Cause("This looks like", known.name, known.explanation)
        elif accused:
            cause = Cause("Look at", "the right version that was accused", accused[0].about)
        else:
            cause = Cause("Look at", "the fault that slips through", missed[0].about)
        return Result(
            *(self.name, Outcome.WRONG, message, facts),
            looks_like=cause.begins,
            mistake=cause.name,
            explanation=cause.explanation,
        )

    def _mistake_with(self, verdicts: Sequence[bool | None]) -> Mistake | None:
        """The first known mistake with which a test says the same of every version."""
        wrong = ((known, self.wrong_answer(known)) for known in self.mistakes)
        return next((known for known, test in wrong if self._verdicts(test) == verdicts), None)


def _tested(version: Version, is_right: Function) -> object:
    return is_right(version.make())


def _verdict(called: Called, version: Version) -> bool | None:
    if called.error is not None and not isinstance(called.error, NotImplementedError):
        return None if version.is_right else False
    is_bool = isinstance(called.value, bool | np.bool_)
    return bool(called.value) if is_bool and not called.too_slow else None


def catch(
    of: Exercise, right: Mapping[str, Function], *, about: Mapping[str, str], seconds: float = 2.0
) -> Callable[[Function], Catch]:
    """Turn a right test into the exercise to write it; the docstring is the task.

    Args:
        of: the exercise whose known mistakes are the faults to catch.
        right: right versions besides its model answer, by a description in a few words.
        about: what a test of each version must look at, by the same words.
        seconds: the time limit for one version.
    """
    rights = {"the model answer": of.model_answer, **right}
    versions = [
        *(
            Version(partial(_wrapped, function), words, True, about[words])
            for words, function in rights.items()
        ),
        *(
            Version(partial(of.wrong_answer, each), each.name, False, about[each.name])
            for each in of.mistakes
        ),
    ]

    def made(function: Function) -> Catch:
        cases = partial(_cases, of.name, versions)
        words = prose_of(function)
        return Catch(function, cases=cases, versions=versions, seconds=seconds, **words._asdict())

    return made


def _wrapped(function: Function) -> Function:
    return lambda *given: function(*given)


def _cases(name: str, versions: Sequence[Version]) -> list[Case]:
    """The versions as inputs of the test."""
    return [
        Case(
            partial(_arguments, version),
            version.is_right,
            f"a {'right' if version.is_right else 'faulty'} `{name}`: {version.words}",
            None if version.is_right else _errors_catch,
            about=version.about,
        )
        for version in versions
    ]


def _arguments(version: Version) -> tuple[Function]:
    return (version.make(),)


def _errors_catch(is_right: Function, faulty: Function) -> Any:
    """What a test says of a faulty function."""
    try:
        return is_right(faulty)
    except NotImplementedError:
        raise
    except Exception:
        return False
