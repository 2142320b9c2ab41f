"""Where in a student's own code the fault is: the line at which one change makes all inputs right.

The answer itself is changed in small ways (`changes.py`) and tried on the inputs. The student is
told the line, what a change there was seen to do, and a question about it, and not the change. So
this works for an answer in any style, and what it says has been tried.
"""

import ast
import inspect
import itertools
import operator
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Final, NamedTuple

from mctslab.course.checking.alignment import Alignment
from mctslab.course.checking.changes import FROM_MODEL, MISSING, RULE, Change, changes_of
from mctslab.course.checking.counted import Copy, Work, numbered
from mctslab.course.checking.trials import Trial, calls_of, rounds_of, try_copy
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
    def is_sure(self) -> bool:
        """Whether it can be believed although it does not make everything right.

        A change that only switches a step or a condition off, or takes it elsewhere, cannot.
        """
        return all(
            each.rank == MISSING
            or (each.rank < MISSING and each.instead and not isinstance(each.part, _COMPOUND))
            for each in self.changes
        )

    @property
    def place(self) -> str:
        """Ends the sentence "Look at ..."."""
        lines = " and ".join(f"`{line}`" for line in self.lines)
        return f"the line {lines}" if len(self.lines) == 1 else f"the lines {lines}"

    @property
    def questions(self) -> str:
        """What to ask about these lines."""
        return " ".join(dict.fromkeys(change.sentence for change in self.changes))


class _Better(NamedTuple):
    """A repair that helps, what it does on the inputs, and the facts that it leaves wrong."""

    repair: Repair
    trials: Sequence[Trial]
    left: Sequence[frozenset[str]]

    def num_wrong(self) -> int:
        """How much it leaves wrong."""
        return sum(map(len, self.left))


class Repairs:
    """What becomes right if an answer is changed in one place, or in two.

    There are no repairs of an answer whose source is not known, that is no plain function, or that
    does more than calculate.

    Args:
        question: what is asked.
        answer: the student's function.
        trials: what it did on all inputs.
        source: its text; by default that of its file.
    """

    def __init__(
        self,
        question: Question,
        answer: Function,
        trials: Sequence[Trial],
        source: str | None = None,
    ) -> None:
        self._globals: Mapping[str, object] = getattr(answer, "__globals__", {})
        self._lines, self._tree = _source_of(answer, source)
        self._changes: list[Change] = []
        self._work, self._work_of_steps = Work(_WORK), Work(_WORK_OF_STEPS)
        self._better: list[_Better] = []
        if self._tree is not None:
            (function,), (model,) = self._tree.body, ast.parse(question.solution_source).body
            assert isinstance(function, ast.FunctionDef)
            assert isinstance(model, ast.FunctionDef)
            self._changes = changes_of(function, model)
            self._alignment = Alignment(function, model)
            self._globals = {**question.model_answer.__globals__, **self._globals}
            versions = (
                Copy(self._tree, self._globals),
                Copy(ast.parse(question.solution_source), question.model_answer.__globals__),
            )
            cases = [trial.case for trial in trials]
            rounds = [
                max(pair) for pair in zip(*(rounds_of(v, cases) for v in versions), strict=True)
            ]
            order = sorted(range(len(trials)), key=lambda i: (trials[i].is_right, rounds[i]))
            self._trials = [trials[i] for i in order]
            self._rounds = [rounds[i] for i in order]
            calls = calls_of(question.model_answer, cases)
            self._calls = [calls[i] for i in order]
            self._wrong = [trial.wrong_facts for trial in self._trials]

    def one(self, highest_rank: int = FROM_MODEL) -> Iterator[Repair]:
        """Those that make every input right, by changes up to a rank."""
        for repair in self._with_one_more():
            if repair.rank > highest_rank:
                return
            trials = self._after(repair)
            if all(trial.is_right for trial in trials):
                yield repair
            elif repair.rank < FROM_MODEL:
                self._note(repair, trials)

    def _note(self, repair: Repair, trials: Sequence[Trial]) -> None:
        left = [trial.wrong_facts for trial in trials]
        if trials is not self._trials and _is_better(left, self._wrong):
            self._better.append(_Better(repair, trials, left))

    def aligned(self, number: int) -> Repair | None:
        """Changes of this number of steps, taken from the right answer, with which all is right."""
        if self._tree is None:
            return None
        work = self._work_of_steps
        for chosen in self._alignment.sets(number):
            if work.is_over:
                break
            trials = self._whole(self._aligned(chosen, self._is_useless(), work))
            if all(trial.is_right for trial in trials):
                needed = self._needed(chosen, work)
                return self._repair([self._refined(each, needed, work) for each in needed])
            if number == 1:
                self._note(self._repair(chosen), trials)
        return None

    def _aligned(
        self, chosen: Sequence[Change], is_enough: Callable[[int, Trial], bool], work: Work
    ) -> Sequence[Trial]:
        return self._run(self._alignment.with_changes(chosen), _parts_of(chosen), is_enough, work)

    def _needed(self, chosen: Sequence[Change], work: Work) -> Sequence[Change]:
        """Those of some changes without which not all inputs are right."""
        for change in chosen:
            others = [each for each in chosen if each is not change]
            if self._are_right(self._aligned(others, _is_wrong, work)):
                return self._needed(others, work)
        return chosen

    def _refined(self, change: Change, chosen: Sequence[Change], work: Work) -> Change:
        """A change of the table that does as much at the same place, so that it can be named."""
        others = [each for each in chosen if each is not change]
        tree = self._alignment.with_changes(others)
        for other in self._changes if change.rank != MISSING and change.instead else []:
            if other.rank == RULE and not other.also and _overlap(change, other):
                instead = {**_parts_of(others), other.part.number: other.instead}  # type: ignore[attr-defined]
                if self._are_right(self._run(tree, instead, _is_wrong, work)):
                    return other
        return change

    def _are_right(self, trials: Sequence[Trial]) -> bool:
        return len(trials) == len(self._trials) and trials[-1].is_right

    def two(self) -> Repair | None:
        """Two changes that make every input right, the first of which alone makes more so.

        It is asked for when there is none of one change.
        """
        for first in sorted(self._better, key=_Better.num_wrong)[:_MOST_FIRST_REPAIRS]:
            for repair in self._with_one_more(first.repair):
                if repair.rank < FROM_MODEL and all(each.is_right for each in self._after(repair)):
                    return repair
        return None

    def _best_sure(self) -> list[_Better]:
        sure = [each for each in self._better if each.repair.is_sure]
        return sorted(sure, key=_Better.num_wrong)[:_MOST_FIRST_REPAIRS]

    def first(self) -> tuple[Repair, int, int] | None:
        """One that makes many more inputs right and none wrong; and how many were and are right."""
        for repair, _, left in self._best_sure():
            before, now = (sum(map(operator.not_, facts)) for facts in (self._wrong, left))
            is_number = any(isinstance(each.part, ast.Constant) for each in repair.changes)
            share = _NEARLY_ALL if is_number else _MANY
            if now - before >= share * (len(left) - before):
                return repair, before, now
        return None

    def _with_one_more(self, first: Repair | None = None) -> Iterator[Repair]:
        """All repairs of one change, or of one more; small ones first, and the same everywhere."""
        before = first.changes if first else ()
        taken = {number for each in before for number in _numbers_in(each.part)}
        seen: set[tuple[object, ...]] = set()
        for _, of_a_rank in itertools.groupby(self._changes, key=lambda change: change.rank):
            groups: dict[tuple[str, ...], list[Change]] = {}
            for change in of_a_rank:
                if self._work.is_over:
                    return
                texts = tuple(map(ast.unparse, (change.part, *change.instead)))
                key = (change.part.number, *texts, change.also and change.also.number)  # type: ignore[attr-defined]
                if key not in seen and taken.isdisjoint(_numbers_in(change.part)):
                    seen.add(key)
                    groups.setdefault(texts, []).append(change)
                    groups.setdefault((change.kind,), []).append(change)
                    yield self._repair([*before, change])
            for group in () if before else groups.values():
                if len(apart := _apart(group)) > 1:
                    yield self._repair(apart)

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
            instead[change.part.number] = change.instead  # type: ignore[attr-defined]
            if change.also:
                instead[change.also.number] = []  # type: ignore[attr-defined]
        return self._run(self._tree, instead, is_enough, self._work)

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
        most = [_FEW_ROUNDS + _TIMES_AS_MANY * rounds for rounds in self._rounds]
        trials = try_copy(copy, [trial.case for trial in self._trials], most.__getitem__, is_enough)
        for number, trial in enumerate(trials):
            rounds, calls = self._rounds[number], self._calls[number] // _CALLS_A_ROUND
            if trial.called.too_slow:
                rounds, calls = most[number], _MANY_TIMES * calls
            work.spend(_WORK_FOR_A_TRY + rounds + calls)
        if trials[-1].called.too_slow and copy.rounds_left >= 0:
            work.spend(_WORK)  # a loop in a function that it calls, which took seconds
        return trials


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


def _is_better(left: Sequence[frozenset[str]], before: Sequence[frozenset[str]]) -> bool:
    return any(facts < others for facts, others in zip(left, before, strict=True))


_COMPOUND: Final = (ast.If, ast.For, ast.While)
_MANY: Final = 0.4
_NEARLY_ALL: Final = 0.75
"""Another number can make something right by chance."""
_FIRST_INPUTS: Final = 8
"""A change that helps with none of the inputs up to this number is given up."""
_MOST_FIRST_REPAIRS: Final = 8
_WORK: Final = 1_800_000
"""In rounds, which take about a microsecond each."""
_WORK_OF_STEPS: Final = 800_000
_WORK_FOR_A_COPY: Final = 400
_WORK_FOR_A_TRY: Final = 50
_CALLS_A_ROUND: Final = 5
_MANY_TIMES: Final = 50
"""Of a copy without an end: so many times the calls of a right function."""
_FEW_ROUNDS: Final = 300
_TIMES_AS_MANY: Final = 4
"""A changed function may go around its loops so much more often than before, or than the model
answer."""


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
