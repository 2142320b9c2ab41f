"""Where in a student's own code the fault is: the line at which one change makes all inputs right.

The answer itself is changed in small ways (`changes.py`) and tried on the inputs. The student is
told the line, what a change there was seen to do, and a question about it, and not the change. So
this works for an answer in any style, and what it says has been tried.
"""

import ast
import inspect
import itertools
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Final, NamedTuple

from mctslab.course.checking.alignment import Alignment
from mctslab.course.checking.changes import MISSING, RULE, Change, changes_of
from mctslab.course.checking.counted import Copy, Work, numbered
from mctslab.course.checking.inputs import Costs, Inputs
from mctslab.course.checking.trials import Trial
from mctslab.course.question import Function, Question


class Repair(NamedTuple):
    """An answer with changes."""

    changes: Sequence[Change]
    lines: Sequence[str]
    """The lines that were changed, as the student wrote them."""

    @property
    def rank(self) -> int:
        """The highest of its changes."""
        return max(change.rank for change in self.changes)

    @property
    def place(self) -> str:
        """Ends the sentence "Look at ..."."""
        lines = " and ".join(f"`{line}`" for line in self.lines)
        return f"the line {lines}" if len(self.lines) == 1 else f"the lines {lines}"

    @property
    def questions(self) -> str:
        """What to ask about these lines."""
        return " ".join(dict.fromkeys(change.sentence for change in self.changes))


class Repairs:
    """What becomes right if an answer is changed in a few places.

    There are no repairs of an answer whose source is not known, that is no plain function, or that
    does more than calculate.

    Args:
        question: what is asked.
        answer: the student's function.
        trials: what it did on all inputs.
        costs: what the right answer costs there.
        source: its text; by default that of its file.
    """

    def __init__(
        self,
        question: Question,
        answer: Function,
        trials: Sequence[Trial],
        costs: Costs,
        source: str | None = None,
    ) -> None:
        self._globals: Mapping[str, object] = getattr(answer, "__globals__", {})
        self._lines, self._tree = _source_of(answer, source)
        self._changes: list[Change] = []
        self._work, self._work_at_hand = Work(_WORK), Work(_WORK_AT_HAND)
        self._work_of_steps = Work(_WORK_OF_STEPS)
        if self._tree is not None:
            (function,), (model,) = self._tree.body, ast.parse(question.solution_source).body
            assert isinstance(function, ast.FunctionDef)
            assert isinstance(model, ast.FunctionDef)
            self._changes = changes_of(function, model)
            self._alignments = (
                Alignment(function, model),
                Alignment(function, model, written_out=True),
            )
            self._globals = {**question.model_answer.__globals__, **self._globals}
            self._inputs = Inputs(trials, costs, Copy(self._tree, self._globals))
            self._trials = self._inputs.trials
            self._wrong = [trial.wrong_facts for trial in self._trials]

    def one(self, lowest_rank: int, highest_rank: int) -> Iterator[Repair]:
        """Those that make every input right, by changes of some ranks."""
        for repair in self._of_ranks(lowest_rank, highest_rank):
            if all(trial.is_right for trial in self._after(repair)):
                yield repair

    def aligned(self, number: int, *, written_out: bool = False) -> Repair | None:
        """Changes of this number of steps, taken from the right answer, with which all is right.

        They can be taken from the right answer with its variables written out.
        """
        if self._tree is None:
            return None
        alignment = self._alignments[written_out]
        for chosen in alignment.sets(number):
            if self._work_of_steps.is_over:
                return None
            trials = self._whole(self._aligned(alignment, chosen, self._is_useless()))
            if all(trial.is_right for trial in trials):
                needed = self._needed(alignment, chosen)
                return self._repair([self._refined(alignment, e, needed) for e in needed])
        return None

    def _aligned(
        self,
        alignment: Alignment,
        chosen: Sequence[Change],
        is_enough: Callable[[int, Trial], bool],
    ) -> Sequence[Trial]:
        tree = alignment.with_changes(chosen)
        return self._run(tree, _parts_of(chosen), is_enough, self._work_of_steps)

    def _needed(self, alignment: Alignment, chosen: Sequence[Change]) -> Sequence[Change]:
        """Those of some changes without which not all inputs are right."""
        for change in chosen:
            others = [each for each in chosen if each is not change]
            if self._are_right(self._aligned(alignment, others, _is_wrong)):
                return self._needed(alignment, others)
        return chosen

    def _refined(self, alignment: Alignment, change: Change, chosen: Sequence[Change]) -> Change:
        """A change of the table that does as much at the same place, so that it can be named."""
        others = [each for each in chosen if each is not change]
        tree, work = alignment.with_changes(others), self._work_of_steps
        for other in self._changes if change.rank != MISSING and change.instead else []:
            if other.rank == RULE and not other.also and _overlap(change, other):
                instead = _parts_of(others) | other.replaced
                if self._are_right(self._run(tree, instead, _is_wrong, work)):
                    return other
        return change

    def _are_right(self, trials: Sequence[Trial]) -> bool:
        return len(trials) == len(self._trials) and trials[-1].is_right

    def _of_ranks(self, lowest_rank: int, highest_rank: int) -> Iterator[Repair]:
        """All repairs by one rule; small ones first, and the same everywhere."""
        seen: set[tuple[object, ...]] = set()
        changes = [each for each in self._changes if lowest_rank <= each.rank <= highest_rank]
        for _, of_a_rank in itertools.groupby(changes, key=lambda change: change.rank):
            groups: dict[tuple[str, ...], list[Change]] = {}
            for change in of_a_rank:
                if self._work_for(change.rank).is_over:
                    return
                texts = tuple(map(ast.unparse, (change.part, *change.instead)))
                key = (change.part.number, *texts, change.also and change.also.number)  # type: ignore[attr-defined]
                if key not in seen:
                    seen.add(key)
                    groups.setdefault(texts, []).append(change)
                    groups.setdefault((change.kind,), []).append(change)
                    yield self._repair([change])
            for group in groups.values():
                if len(apart := _apart(group)) > 1:
                    yield self._repair(apart)

    def _work_for(self, rank: int) -> Work:
        """What may be spent on changes of a rank: the many of the higher ones have their own."""
        return self._work if rank <= MISSING else self._work_at_hand

    def _repair(self, changes: Sequence[Change]) -> Repair:
        lines = [self._lines[(each.also or each.part).lineno - 1].strip() for each in changes]  # type: ignore[attr-defined]
        return Repair(changes, list(dict.fromkeys(lines)))

    def _after(self, repair: Repair) -> Sequence[Trial]:
        """What a repair makes of the inputs; as before if it helps with none of the first ones."""
        return self._whole(self._tried(repair, self._is_useless()))

    def _is_spoilt(self, number: int, trial: Trial) -> bool:
        """Whether a change makes something wrong."""
        return _spoils(trial.wrong_facts, self._wrong[number])

    def _is_useless(self) -> Callable[[int, Trial], bool]:
        """Whether a change makes something wrong, or nothing right for too long."""
        helps = False

        def is_useless(number: int, trial: Trial) -> bool:
            nonlocal helps
            helps |= trial.wrong_facts < self._wrong[number]
            is_late = number >= _FIRST_INPUTS and not helps
            return is_late or self._is_spoilt(number, trial)

        return is_useless

    def _whole(self, trials: Sequence[Trial]) -> Sequence[Trial]:
        """The trials of a change; those without it if it was given up."""
        pairs = zip(trials, self._wrong, strict=False)
        if len(trials) < len(self._trials) or any(_spoils(t.wrong_facts, b) for t, b in pairs):
            return self._trials
        return trials

    def _tried(self, repair: Repair, is_enough: Callable[[int, Trial], bool]) -> Sequence[Trial]:
        """What the repaired answer does on the inputs, in order, until one is enough."""
        assert self._tree is not None
        instead: dict[int, Sequence[ast.AST]] = {}
        for change in repair.changes:
            instead |= change.replaced
        return self._run(self._tree, instead, is_enough, self._work_for(repair.rank))

    def _run(
        self,
        tree: ast.Module,
        instead: Mapping[int, Sequence[ast.AST]],
        is_enough: Callable[[int, Trial], bool],
        work: Work,
    ) -> Sequence[Trial]:
        work.spend(_WORK_FOR_A_COPY)
        try:
            copy = Copy(tree, self._globals, instead)
        except Exception:  # what Python does not accept, such as a `break` outside a loop
            return []
        return self._inputs.run(copy, is_enough, work)


def copy_of(question: Question, source: str) -> Copy:
    """A version of the model answer, to be tried."""
    return Copy(ast.parse(source), question.model_answer.__globals__)


def _numbers_in(part: ast.AST) -> Iterator[int]:
    return (each.number for each in ast.walk(part) if isinstance(each, ast.expr | ast.stmt))  # type: ignore[union-attr]


def _is_wrong(_: int, trial: Trial) -> bool:
    return not trial.is_right


def _parts_of(chosen: Sequence[Change]) -> dict[int, Sequence[ast.AST]]:
    """What replaces the expressions among the changes of an alignment."""
    return {
        each.part.number: each.instead  # type: ignore[attr-defined]
        for each in chosen
        if isinstance(each.part, ast.expr)
    }


def _overlap(one: Change, other: Change) -> bool:
    """Whether the part of one change is within that of the other."""
    (first, last), (begin, end) = (
        (each.part.number, each.part.last)  # type: ignore[attr-defined]
        for each in (one, other)
    )
    return bool(first <= begin <= end <= last or begin <= first <= last <= end)


def _apart(changes: Sequence[Change]) -> list[Change]:
    """Those changes of expressions that are not within each other, the small ones."""
    found: dict[int, Change] = {}
    for change in changes:
        numbers = [*_numbers_in(change.part)]
        if isinstance(change.part, ast.expr) and found.keys().isdisjoint(numbers):
            found |= dict.fromkeys(numbers, change)
    return list({id(change): change for change in found.values()}.values())


def _spoils(facts: frozenset[str], before: frozenset[str]) -> bool:
    """Whether a result is wrong that was right, or wrong as a whole that was so in parts."""
    return (bool(facts) and not before) or "" in facts - before


_FIRST_INPUTS: Final = 8
"""A change that helps with none of the inputs up to this number is given up."""
_WORK: Final = 900_000
"""In units of about a microsecond."""
_WORK_AT_HAND: Final = 500_000
_WORK_OF_STEPS: Final = 600_000
_WORK_FOR_A_COPY: Final = 400


def _source_of(answer: Function, source: str | None) -> tuple[list[str], ast.Module | None]:
    """The lines of a function, and its tree with numbers, if it can safely be changed and run."""
    if not isinstance(answer, FunctionType) or answer.__closure__:
        return [], None
    try:
        lines = textwrap.dedent(source or inspect.getsource(answer)).splitlines()
        tree = ast.parse("\n".join(lines))
    except (OSError, TypeError, SyntaxError):
        return [], None
    function = tree.body[0]
    if not isinstance(function, ast.FunctionDef) or function.decorator_list:
        return [], None
    if any(isinstance(part, ast.Name) and part.id in _UNSAFE for part in ast.walk(tree)):
        return [], None
    if ast.get_docstring(function) is None:  # the changes leave the first statement alone
        function.body.insert(0, ast.Expr(ast.Constant(""), lineno=1, col_offset=0))
    return lines, numbered(tree)


_UNSAFE: Final = (
    *("open", "exec", "eval", "compile", "__import__", "globals", "setattr", "delattr"),
    *("os", "sys", "io", "shutil", "subprocess", "pathlib", "Path", "tempfile", "socket"),
    *("threading", "Thread", "concurrent", "ThreadPoolExecutor"),
)
"""With one of these names a changed copy could do more than give another result."""
