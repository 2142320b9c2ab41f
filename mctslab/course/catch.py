"""Catch it: the student writes the test, and it is tried on right and on faulty functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

from mctslab.course.checking.judging import MISSING, judge
from mctslab.course.checking.trials import try_case
from mctslab.course.exercise import Exercise
from mctslab.course.prose import prose_of
from mctslab.course.question import Case, Function, Mistake, is_stub
from mctslab.course.result import Outcome, Result


class Version(NamedTuple):
    """A function that the student's test is tried on."""

    make: Callable[[], Function]
    """Makes it afresh, so that no test can change it for the next one."""
    words: str
    """How it is described to the student."""
    is_right: bool
    about: str = ""
    """What is wrong with it."""

    def case(self, name: str) -> Case:
        """The version of the function `name` as an input of the test."""
        return Case(
            lambda: (self.make(),),
            self.is_right,
            f"a {'right' if self.is_right else 'faulty'} `{name}`: {self.words}",
            None if self.is_right else _errors_catch,
        )


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
        verdicts: list[bool | None] = [None]
        if callable(answer) and not is_stub(answer):
            verdicts = self._verdicts(answer)
        if None in verdicts:  # it fails on right functions, never ends, or returns something else
            return judge(self, answer)
        return self._scored(verdicts)

    def _verdicts(self, is_right: Function) -> list[bool | None]:
        """What a test says of the versions; None where that is neither True nor False."""
        verdicts: list[bool | None] = []
        for case in self.cases():
            value = try_case(case, is_right, self.seconds).called.value
            verdicts.append(value if isinstance(value, bool) else None)
            if verdicts[-1] is None:  # the others would be the same, or take as long
                break
        return verdicts + [None] * (len(self.versions) - len(verdicts))

    def _scored(self, verdicts: Sequence[bool | None]) -> Result:
        """The number of faults that were caught, and of right versions that were accused."""
        pairs = zip(self.versions, verdicts, strict=True)
        wrong = [version for version, said in pairs if said != version.is_right]
        accused = [each for each in wrong if each.is_right]
        missed = [each for each in wrong if not each.is_right]
        num_right = sum(each.is_right for each in self.versions)
        num_faults = len(self.versions) - num_right
        message = f"{num_faults - len(missed)} of {num_faults} faults caught; "
        if accused:
            message += f"{len(accused)} of {num_right} right versions accused."
        else:
            message += "no right version was accused."
        if not wrong:
            return Result(self.name, Outcome.RIGHT, message)
        facts = [("Accused", each.words) for each in accused[:1]]
        if missed:
            film = f"exercises.{self.name}.slipped({self.name})"
            facts += [("Slips through", missed[0].words), ("As a function", film)]
        if known := self._mistake_with(verdicts):
            cause = (known.name, "This looks like", known.explanation)
        elif accused:
            cause = ("the right version that was accused", "Look at", _ACCUSED)
        else:
            cause = ("the fault that slips through", "Look at", missed[0].about)
        return Result(self.name, Outcome.WRONG, message, facts, *cause)

    def _mistake_with(self, verdicts: Sequence[bool | None]) -> Mistake | None:
        """The first known mistake with which a test says the same of every version."""
        wrong = ((known, self.wrong_answer(known)) for known in self.mistakes)
        return next((known for known, test in wrong if self._verdicts(test) == verdicts), None)


def catch(
    of: Exercise, right: Mapping[str, Function], *, seconds: float = 2.0
) -> Callable[[Function], Catch]:
    """Turn a right test into the exercise to write it; the docstring is the task.

    Args:
        of: the exercise whose known mistakes are the faults to catch.
        right: right versions besides its model answer, by a description in a few words.
        seconds: the time limit for one version.
    """
    rights = {"the model answer": of.model_answer, **right}
    versions = [
        *(Version(partial(partial, each), name, True) for name, each in rights.items()),
        *(
            Version(partial(of.wrong_answer, each), each.name, False, each.explanation)
            for each in of.mistakes
        ),
    ]

    def made(function: Function) -> Catch:
        return Catch(
            function,
            cases=lambda: [version.case(of.name) for version in versions],
            versions=versions,
            seconds=seconds,
            **prose_of(function),
        )

    return made


_ACCUSED: Final = (
    "Your test rejects a function that is right. Does it compare something that a right function "
    "can do in another way?"
)


def _errors_catch(is_right: Function, faulty: Function) -> Any:
    """What a test says of a faulty function."""
    try:
        return is_right(faulty)
    except Exception:
        return False
