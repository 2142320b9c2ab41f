"""Judge an answer: run it on every case, and say what is wrong with it."""

import ast
import gc
import inspect
import itertools
import linecache
import re
import sys
import textwrap
import threading
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

from mctslab.course.checking.comparing import Expectation, kind, plain, same, shown
from mctslab.course.checking.diagnosis import BEHAVES, UNSEEDED, cause_of, depends_on_chance
from mctslab.course.checking.sandbox import Called, InputRequestedError, check_not_inside
from mctslab.course.checking.trials import Trial, try_case
from mctslab.course.question import Case, Function, Question, is_stub, is_unchanged
from mctslab.course.result import Cause, Outcome, Result
from mctslab.search.interrupts import interrupted_after

MISSING: Final = object()
"""Stands for an answer that was not given."""


def judge(question: Question, answer: object = MISSING) -> Result:
    """Judge `answer`, the function that a student wrote; never raises what the answer raises.

    One check at a time, for two would restore each other's settings of PyTorch.

    Raises:
        NestedCallError: the function that is being judged called this.
    """
    check_not_inside()
    with _ONE_AT_A_TIME, _one_thread(), _nothing_else_collected():
        return _judged(question, answer)


_ONE_AT_A_TIME: Final = threading.RLock()


@contextmanager
def _one_thread() -> Iterator[None]:
    """PyTorch with a single thread, if it is loaded: for small arrays several only cost time."""
    torch: Any = sys.modules.get("torch")
    if torch is None:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def _nothing_else_collected() -> Iterator[None]:
    """Keep the garbage collector away from older objects, such as all that PyTorch made.

    The inputs make many trees, so it would run often, and look through all of these again.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _judged(question: Question, answer: object) -> Result:
    if (result := _without_running(question, answer)) is not None:
        return result
    assert callable(answer)
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
    num_right = sum(trial.is_right for trial in trials)
    failed = _first_failed(trials)
    if failed is None:
        result = _all_right(question, answer, trials)
        return replace(result, num_right=num_right, num_inputs=len(cases))
    smaller = _smaller(question, answer, failed)
    result = _wrong(question, answer, smaller, trials)
    cause = cause_of(question, answer, trials)
    if cause is None and len(trials) == len(cases):
        cause = _of_inputs([trial.case for trial in trials if not trial.is_right], smaller.case)
    cause = cause or Cause(BEHAVES, "", "")
    result = replace(
        result,
        looks_like=cause.begins,
        mistake=cause.name,
        explanation=cause.explanation,
        num_right=num_right,
        num_inputs=len(cases),
    )
    return _with_printed(result, smaller.called)


def _all_right(question: Question, answer: Function, trials: Sequence[Trial]) -> Result:
    """The result where every input gave what was expected, at least the first time."""
    is_random = "rng" in inspect.signature(question.model_answer).parameters
    if is_random and depends_on_chance(answer, trials, question.seconds):
        message = f"All {len(trials)} inputs gave a possible result, but not twice the same."
        return replace(
            _result(question, Outcome.WRONG, message),
            looks_like=BEHAVES,
            mistake=UNSEEDED.name,
            explanation=UNSEEDED.explanation,
        )
    message = f"All {len(trials)} inputs gave the expected result."
    return _with_printed(_result(question, Outcome.RIGHT, message), trials[0].called)


_SECONDS_FOR_ALL: Final = 20.0
"""Many times what the inputs take, so that what a check says does not depend on it."""


def _first_failed(trials: Sequence[Trial]) -> Trial | None:
    """The first that is wrong; of those made at random, which come last, the shortest."""
    wrong = [trial for trial in trials if not trial.is_right]
    return min(wrong, key=lambda trial: len(trial.case.shown) * trial.case.is_random, default=None)


def _of_inputs(wrong: Sequence[Case], told: Case) -> Cause | None:
    """What is special about the inputs that go wrong, if each of them has such a sentence."""
    abouts = {case.about for case in wrong}
    if "" in abouts or not told.about:
        return None
    if abouts == {told.about}:
        return Cause("Only", "one kind of input goes wrong", told.about)
    return Cause("Look at", "the input below", told.about)


def _smaller(question: Question, answer: Function, failed: Trial) -> Trial:
    """A shorter input with which it fails in the same way, or the same one."""
    if not failed.case.is_random or failed.called.too_slow:
        return failed
    best = failed
    for case in question.small_variations():
        if len(_shown(question, case)) < len(_shown(question, best.case)):
            trial = try_case(question.with_result(case), answer, question.seconds)
            if trial.called.too_slow:
                break
            if not trial.is_right and type(trial.called.error) is type(failed.called.error):
                best = trial
    return best


def _shown(question: Question, case: Case) -> str:
    return case.shown or _written_out(question.model_answer, case.arguments())


def _without_running(question: Question, answer: object) -> Result | None:
    """The result if looking at the answer is enough; None if it must be run."""
    if answer is MISSING or answer is ... or is_stub(answer):
        return _not_attempted(question)
    if question.start and is_unchanged(answer, question.defined_by(question.stub)):
        return _not_attempted(question)
    if not callable(answer):
        return _result(question, Outcome.WRONG, _no_function(question.name, answer))
    with interrupted_after("the preparation of the check"):  # it can import PyTorch
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
    message = (
        f"{task} the function and run its cell, which ends with `exercises.{name}.check({name})`."
    )
    return _result(question, Outcome.NOT_ATTEMPTED, message)


def _wrong(question: Question, answer: Function, failed: Trial, trials: Sequence[Trial]) -> Result:
    case, called = failed.case, failed.called
    facts = [("Input", _shown(question, case))]
    asked = "Which line of yours makes this result of this input?"
    if called.too_slow:
        message = _failure(called, question, answer)
        asked = "Which loop of yours does this input keep going?"
    elif called.error is not None:
        same = sum(type(trial.called.error) is type(called.error) for trial in trials)
        others = len(trials) - 1
        which = f"{same - 1} of the {others} other inputs"
        if same > others:
            which = "the other input" if others == 1 else f"all {others} other inputs"
        often = f" The same happened with {which}." if same > 1 else ""
        message = f"{_failure(called, question, answer)}{often}"
        asked = "Which values do the names in that line have with this input?"
    elif failed.changed is not None:
        names = list(inspect.signature(question.model_answer).parameters)
        name = names[failed.changed.number]
        message = f"It changed its argument {name}, which belongs to the caller."
        facts += [("Was", failed.changed.was), ("Now", failed.changed.now)]
        asked = "Which line of yours changes it?"
    else:
        message = _difference(case, called.value, answer) or _how_many(trials)
        facts += _expected_and_found(case.expected, called.value)
    legend = [words for sign, words in _LEGENDS.items() if re.search(sign, str(facts))]
    result = _result(question, Outcome.WRONG, message, facts)
    return replace(result, advice=asked, notes=legend[:1])


_LEGENDS: Final[Mapping[str, str]] = {
    r"player \d to move": (
        "The game is written as a tree: each line is the position after a move, below the one "
        "before it. A number is an end, and what it is worth to player 0."
    ),
    "by depth": (
        "The tree is written depth by depth: first the root, then its children, then theirs."
    ),
    r"N=\d": (
        "The tree is written with a node in each line, below its parent: N is its number of "
        "visits, Q its mean value for the player who chose it."
    ),
}
"""How to read what an input or a result contains, by a sign of it."""


def _fitted(facts: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The facts with so many of their lines that the whole answer has at most 12."""
    (input_label, input_text), *others = facts
    needed = len(_first_lines(input_text, _MOST_LINES_OF_FACTS).splitlines())
    for most in (_MOST_LINES_OF_A_VALUE, _MOST_LINES_OF_A_VALUE - 1):
        shorter = [(label, _first_lines(text, most)) for label, text in others]
        left = _MOST_LINES_OF_FACTS - sum(len(text.splitlines()) for _, text in shorter)
        if needed <= left:
            break
    return [(input_label, _first_lines(input_text, left)), *shorter]


def _first_lines(text: str, most: int) -> str:
    wrapped = (
        textwrap.wrap(line, _LONGEST_LINE, subsequent_indent="  ") or [""]
        for line in text.rstrip().splitlines()
    )
    lines = list(itertools.chain(*wrapped))
    return "\n".join(lines if len(lines) <= most else [*lines[: most - 1], "..."])


_LONGEST_LINE: Final = 86
_MOST_LINES_OF_FACTS: Final = 9
_MOST_LINES_OF_A_VALUE: Final = 3


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
    return f"The function returned {found_kind}, but here {expected_kind} is expected.{remedy}"


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
    """What was expected and what the function gave; of several facts up to two that differ.

    A picture of several lines stands alone.
    """
    if not isinstance(expected, dict) or not isinstance(found, dict):
        return [("Expected", shown(expected)), ("Got", shown(found))]
    shared = expected.keys() & found.keys()
    right = {key for key in shared if same(expected[key], found[key])}
    lacking, wrong = ([key for key in facts if key not in right] for facts in (expected, found))
    first, *_ = wrong or lacking
    pictures = [str(facts.get(first, "nothing")) for facts in (expected, found)]
    if any(picture.startswith("\n") for picture in pictures):
        one, other = (picture.strip("\n") for picture in pictures)
        return [(f"Expected {first}", one), (f"Got {first}", other)]
    more = f"\n(and {len(lacking) - MOST_FACTS} more)" if len(lacking) > MOST_FACTS else ""
    return [
        ("Expected", _entries(expected, lacking[:MOST_FACTS]) + more),
        ("Got", _entries(found, wrong[:MOST_FACTS])),
    ]


MOST_FACTS: Final = 2


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
