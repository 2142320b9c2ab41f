"""Where in a student's own code the fault is: the line at which one change makes all inputs right.

The answer itself is changed in small ways (`changes.py`) and tried on the inputs. The student is
told the line and a question about it, not the change. So this works for an answer in any style,
and what it says has been tried, also on inputs that are drawn for this only.
"""

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any, Final

from mctslab.course.checking.changes import Change, changes_of, written
from mctslab.course.checking.counted import MANY_ROUNDS, WORK_FOR_A_COPY, Copy, Work, numbered
from mctslab.course.checking.inputs import Costs, Inputs
from mctslab.course.checking.trials import Trial, try_copy
from mctslab.course.question import Function, Question
from mctslab.course.result import Cause


def of_own_lines(
    question: Question, answer: Function, trials: Sequence[Trial], costs: Costs
) -> Cause | None:
    """One change of an answer, or the same one at several places, with which all is right.

    There is none of an answer whose source is not known, that is no plain function, or that does
    more than calculate; and none without inputs that can be drawn for this only.

    Args:
        question: what is asked.
        answer: the student's function.
        trials: what it did on all inputs.
        costs: what the right answer costs there.
    """
    tree = _tree_of(answer)
    if tree is None or question.variation is None:
        return None
    (function,) = tree.body
    assert isinstance(function, ast.FunctionDef)
    surroundings = answer.__globals__  # a name missing here is missing in a copy, too
    inputs = Inputs(trials, costs, Copy(tree, surroundings))
    found: list[tuple[Sequence[Change], Copy]] = []
    work = Work(_WORK)
    for changes in _in_turn(changes_of(function)):
        if work.is_over or (found and len(changes) > 1):
            break
        copy = _copy(tree, surroundings, changes, work)
        if copy is not None and inputs.are_right(copy, work):
            if not found:
                work = Work(_WORK_FOR_OTHERS)
            found.append((changes, copy))
    right_answer = ast.unparse(ast.parse(question.solution_source))
    for changes, copy in sorted(found, key=lambda each: _distrust(each[0][0], right_answer)):
        if _is_right_on_others(question, copy, costs):
            return _told(changes, answer, len(trials))
    return None


_WORK: Final = 900_000
"""In units of about a microsecond."""
_WORK_FOR_OTHERS: Final = 200_000


def _tree_of(answer: Function) -> ast.Module | None:
    """A function's tree with numbers, if it can safely be changed and run."""
    if not isinstance(answer, FunctionType) or answer.__closure__:
        return None
    try:
        tree = ast.parse(_source_of(answer))
    except (OSError, TypeError, SyntaxError):
        return None
    function = tree.body[0]
    if not isinstance(function, ast.FunctionDef) or function.decorator_list:
        return None
    if any(isinstance(part, ast.Name) and part.id in _UNSAFE for part in ast.walk(tree)):
        return None
    if ast.get_docstring(function) is None:  # the changes leave the first statement alone
        function.body.insert(0, ast.Expr(ast.Constant(""), lineno=1, col_offset=0))
    return numbered(tree)


_UNSAFE: Final = (
    *("open", "exec", "eval", "compile", "__import__", "globals", "setattr", "delattr"),
    *("os", "sys", "io", "shutil", "subprocess", "pathlib", "Path", "tempfile", "socket"),
    *("threading", "Thread", "concurrent", "ThreadPoolExecutor"),
)
"""With one of these names a changed copy could do more than give another result."""


def _source_of(answer: Function) -> str:
    return textwrap.dedent(inspect.getsource(answer))


def _in_turn(changes: Sequence[Change]) -> Iterator[Sequence[Change]]:
    """Each change, and then the same one at all places where it can be made."""
    alike: dict[tuple[str, ...], list[Change]] = {}
    for change in changes:
        yield [change]
        if isinstance(change.part, ast.expr):
            texts = tuple(map(written, (change.part, *change.instead)))
            alike.setdefault(texts, []).append(change)
    for several in alike.values():
        places = {change.part.number: change for change in several}
        if len(places) > 1:
            yield list(places.values())


def _copy(
    tree: ast.Module, surroundings: Mapping[str, Any], changes: Sequence[Change], work: Work
) -> Copy | None:
    """A copy with changes; None if it is no Python, such as a `break` outside a loop."""
    work.spend(WORK_FOR_A_COPY)
    instead: dict[int, Sequence[ast.AST]] = {}
    for change in changes:
        instead |= change.replaced
    try:
        return Copy(tree, surroundings, instead)
    except Exception:
        return None


def _distrust(change: Change, right_answer: str) -> tuple[bool, bool]:
    """What tells a change that could only make up for a fault at another line.

    It has no part of a right answer, or makes sure that a condition never holds.
    """
    has_it = all(written(each) in right_answer for each in change.instead)
    return not has_it, bool(change.instead)


def _is_right_on_others(question: Question, copy: Copy, costs: Costs) -> bool:
    """Whether all is right on inputs that are drawn for this; fewer where each takes long."""
    work = costs.work_of(sum(costs.rounds) // len(costs.rounds))
    cases = question.more_variations(max(_FEWEST, min(_MOST, _WORK_FOR_CASES // work)))
    trials = try_copy(copy, cases, lambda _: MANY_ROUNDS, lambda _, trial: not trial.is_right)
    return trials[-1].is_right


_FEWEST: Final = 10
_MOST: Final = 100
_WORK_FOR_CASES: Final = 30_000


def _told(changes: Sequence[Change], answer: Function, number: int) -> Cause:
    """The line that was changed, as the student wrote it, and what to ask about it."""
    lines = _source_of(answer).splitlines()
    places = dict.fromkeys(f"`{lines[each.place.lineno - 1].strip()}`" for each in changes)
    where, there = f"the line {''.join(places)}", "a change there"
    if len(places) > 1:
        where, there = f"the lines {' and '.join(places)}", "the same change at each of them"
    seen = f"With {there}, all {number} inputs give the expected result."
    return Cause("Look at", where, f"{seen} {changes[0].sentence}")
