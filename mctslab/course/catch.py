"""Catch it: the student writes the test, and it is tried on correct and on faulty functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from mctslab.course.checking.cases import Case, Function
from mctslab.course.checking.judging import is_stub, judge, try_case
from mctslab.course.exercise import Exercise
from mctslab.course.prose import Mistake, prose_of
from mctslab.course.result import Outcome, Result

_ACCUSED = (
    "Your test rejects a function that is correct. Does it compare something that a correct "
    "function can do in another way?"
)


class Version(NamedTuple):
    """A function that the student's test is tried on."""

    make: Callable[[], Function]
    """Makes it afresh, so that no test can change it for the next one."""
    words: str
    """How it is described to the student."""
    is_right: bool
    about: str
    """What to look at if a test is wrong about it."""

    def case(self, name: str) -> Case:
        """The version of the function `name` as an input of the test."""
        kind = "correct" if self.is_right else "faulty"
        use = None if self.is_right else _errors_catch
        return Case(lambda: (self.make(),), self.is_right, f"a {kind} `{name}`: {self.words}", use)


@dataclass(kw_only=True, repr=False, eq=False)
class Catch(Exercise):
    """A test to write: True for every correct version of a function, False for each faulty one.

    An error that the test raises on a faulty version has caught it, as in any test.
    """

    versions: Sequence[Version]
    """The correct ones first."""

    def slipped(self, is_right: Function) -> Function | None:
        """The first faulty function that a test accepts, for a search to be filmed with.

        None if the test catches them all.
        """
        said = zip(self.versions, self._verdicts(is_right), strict=False)
        missed = (version for version, verdict in said if verdict is True and not version.is_right)
        found = next(missed, None)
        return None if found is None else found.make()

    def _judge(self, answer: Any) -> Result:
        verdicts = self._verdicts(answer) if callable(answer) and not is_stub(answer) else [None]
        if None in verdicts:  # it fails on correct functions, never ends, or returns something else
            return judge(self, answer)
        pairs = zip(self.versions, verdicts, strict=True)
        wrong = [version for version, verdict in pairs if verdict != version.is_right]
        accused = [version for version in wrong if version.is_right]
        missed = [version for version in wrong if not version.is_right]
        num_right = sum(version.is_right for version in self.versions)
        num_faults = len(self.versions) - num_right
        message = f"{num_faults - len(missed)} of {num_faults} faults caught; " + (
            f"{len(accused)} of {num_right} correct versions accused."
            if accused
            else "no correct version was accused."
        )
        if not wrong:
            return Result(self.name, Outcome.RIGHT, message)
        facts = [("Accused", version.words) for version in accused[:1]]
        if missed:
            film = f"exercises.{self.name}.slipped({self.name})"
            facts += [("Slips through", missed[0].words), ("As a function", film)]
        which = "correct version that was accused" if accused else "fault that slips through"
        cause = (f"the {which}", "Look at", wrong[0].about)
        for known in self.mistakes:
            if self._verdicts(self.wrong_answer(known)) == verdicts:
                cause = (known.name, "Your test behaves as if", known.explanation)
                break
        else:
            if len(accused) == num_right and 2 * len(missed) > num_faults:
                cause = (
                    "True and False were the wrong way round",
                    "Your test behaves as if",
                    _INVERTED,
                )
        result = Result(self.name, Outcome.WRONG, message, facts, *cause)
        caught = 0 if accused else num_faults - len(missed)
        return replace(result, num_right=caught, num_inputs=num_faults)

    def _verdicts(self, is_right: Function) -> list[bool | None]:
        """What a test says of the versions; None, the last one, where it is not True or False."""
        verdicts: list[bool | None] = []
        for case in self.cases():
            value = try_case(case, is_right, self.seconds).called.value
            verdicts.append(value if isinstance(value, bool) else None)
            if verdicts[-1] is None:  # the others would be the same, or take as long
                break
        return verdicts


def catch(
    of: Exercise, right: Mapping[str, Function], points: int = 1
) -> Callable[[Function], Catch]:
    """Turn a right test into the exercise to write it; the docstring is the task.

    Args:
        of: the exercise whose known mistakes are the faults to catch, each in its first way.
        right: correct versions besides its model answer, by a description in a few words.
        points: what nbgrader gives for it.
    """
    rights = {"the model answer": of.model_answer, **right}
    faults: dict[str, Mistake] = {}
    for known in of.mistakes:
        faults.setdefault(known.name, known)
    versions = [
        *(Version(partial(partial, each), name, True, _ACCUSED) for name, each in rights.items()),
        *(
            Version(partial(of.wrong_answer, each), each.name, False, each.explanation)
            for each in faults.values()
        ),
    ]

    def made(function: Function) -> Catch:
        return Catch(
            function,
            cases=lambda: [version.case(of.name) for version in versions],
            versions=versions,
            points=points,
            **prose_of(function),
        )

    return made


def _errors_catch(is_right: Function, faulty: Function) -> Any:
    """What a test says of a faulty function."""
    try:
        return is_right(faulty)
    except Exception:
        return False


_INVERTED = (
    "Your test accepts most faulty functions and rejects every correct one. It returns True if the "
    "function is correct, and False if something in it is wrong."
)
