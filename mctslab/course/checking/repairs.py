"""Where in a student's own code the fault is: the line at which one change makes all inputs right.

The answer itself is changed in small ways (`changes.py`) and tried on the inputs. The student is
told the line, what a change there was seen to do, and a question about it, and not the change. So
this works for an answer in any style, and what it says has been tried. Of two faults each must
make something right alone: a change that needs the other one only makes up for it.
"""

import ast
import functools
import inspect
import itertools
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any, Final, NamedTuple

from mctslab.course.checking.changes import Change, changes_of, changes_with, written
from mctslab.course.checking.counted import MANY_ROUNDS, WORK_FOR_A_COPY, Copy, Work, numbered
from mctslab.course.checking.inputs import Costs, Inputs
from mctslab.course.checking.trials import Trial, try_copy
from mctslab.course.question import Case, Function, Question


class Repair(NamedTuple):
    """An answer with changes."""

    place: str
    """Ends the sentence "Look at ..."."""
    explanation: str
    """What was seen to happen with the changes, and what to ask about these lines."""


class Tried(NamedTuple):
    """Some changes, and what is wrong with them."""

    changes: Sequence[Change]
    wrong: Sequence[frozenset[str]]
    """The wrong facts of each input."""

    @property
    def num_wrong(self) -> int:
        """On how many inputs something is wrong."""
        return sum(map(bool, self.wrong))

    @property
    def line(self) -> int:
        """That of the first change."""
        return int(self.changes[0].place.lineno)

    def overlaps(self, other: "Tried") -> bool:
        """Whether a part of one is within a part of the other."""
        pairs = itertools.product(self.changes, other.changes)
        return any(_overlap(one.part, two.part) for one, two in pairs)


class Repairs:
    """What becomes right if an answer is changed in a few places.

    There are no repairs of an answer whose source is not known, that is no plain function, or that
    does more than calculate; and none without inputs that are drawn for this only, on which
    whatever is told also holds.

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
        self._question = question
        self._globals: Mapping[str, object] = getattr(answer, "__globals__", {})
        self._lines, self._tree = _source_of(answer, source)
        if question.variation is None and source is None:
            self._tree = None
        self._changes: Sequence[Change] = []
        self._more_changes: Sequence[Change] = []
        self._helpful: list[Tried] = []
        self._work = Work(_WORK)
        if self._tree is not None:
            (function,), (model,) = self._tree.body, ast.parse(question.solution_source).body
            assert isinstance(function, ast.FunctionDef)
            assert isinstance(model, ast.FunctionDef)
            self._changes = changes_of(function)
            self._more_changes = changes_with(function, model)
            self._right_answer = written(model)
            self._globals = {**question.model_answer.__globals__, **self._globals}
            self._inputs = Inputs(trials, costs, Copy(self._tree, self._globals))
            self._wrong = [trial.wrong_facts for trial in self._inputs.trials]
            self._costs = costs

    def by_rules(self) -> Iterator[Sequence[Change]]:
        """Changes by one rule each, with which every input is right."""
        for changes in self._in_turn(self._changes):
            if (tried := self._tried(changes)) and not tried.num_wrong:
                yield changes

    def alone(self) -> Repair | None:
        """One change, or the same one at several places, with which all is right.

        Of several the one is told that changes what the right answer does in another way.
        """
        for changes_tried, amount in ((self._changes, _WORK), (self._more_changes, _WORK_OF_MORE)):
            self._work = Work(amount)
            found: list[Sequence[Change]] = []
            for changes in self._in_turn(changes_tried):
                if found and (len(changes) > 1 or self._work.is_over):
                    break
                if (tried := self._tried(changes)) and not tried.num_wrong:
                    if not found:
                        self._work = Work(_WORK_FOR_OTHERS)
                    found.append(changes)
            for changes in sorted(found, key=self._distrust):
                if self._holds(changes):
                    return self._told(self._without_condition(changes))
        return None

    def _without_condition(self, changes: Sequence[Change]) -> Sequence[Change]:
        """A condition left out, if that mends as much as a change within its test.

        The change could only make sure that it never holds.
        """
        for other in self._changes:
            step = other.part
            if not isinstance(step, ast.If) or other.instead != step.orelse:
                continue
            is_within = _overlap(changes[0].part, step.test)
            if is_within and self._are_right([other]) and self._holds([other]):
                return [other]
        return changes

    def _distrust(self, changes: Sequence[Change]) -> tuple[bool, bool]:
        """What tells a change that only makes up for a fault at another line."""
        change = changes[0]
        has_it = all(written(each) in self._right_answer for each in change.instead)
        return not has_it, change.sentence.startswith(_OF_THE_RESULT)

    def two(self) -> Repair | None:
        """Two changes each of which makes more right, and both together everything."""
        self._work = Work(_WORK_OF_PAIRS)
        helpful = self._sorted_out()
        pairs = itertools.combinations(helpful, 2)
        for one, other in sorted(pairs, key=lambda pair: pair[0].num_wrong + pair[1].num_wrong):
            if self._work.is_over:
                return None
            if not one.overlaps(other) and self._are_right([*one.changes, *other.changes]):
                changes = sorted([*one.changes, *other.changes], key=lambda e: e.place.lineno)
                if self._holds(changes):
                    return self._told(changes)
        return None

    def _sorted_out(self) -> list[Tried]:
        """The helpful changes, the best first; of those alike at a line only one."""
        kinds: dict[object, Tried] = {}

        for each in sorted(self._helpful, key=lambda tried: self._distrust(tried.changes)):
            kinds.setdefault((each.line, tuple(each.wrong)), each)
        return sorted(kinds.values(), key=lambda tried: tried.num_wrong)

    def _are_right(self, changes: Sequence[Change]) -> bool:
        trials = self._run(changes, lambda _, trial: not trial.is_right)
        return len(trials) == len(self._wrong) and trials[-1].is_right

    def _holds(self, changes: Sequence[Change]) -> bool:
        """Whether all is right on other inputs as well."""
        if (copy := self._copy(changes)) is None:
            return False
        trials = try_copy(copy, self._fresh, lambda _: MANY_ROUNDS, lambda _, t: not t.is_right)
        return not trials or trials[-1].is_right

    @functools.cached_property
    def _fresh(self) -> Sequence[Case]:
        """Inputs that are drawn for this only; fewer where the right answer takes long."""
        work = self._costs.work_of(sum(self._costs.rounds) // len(self._costs.rounds))
        number = max(_FEWEST_FRESH, min(_MOST_FRESH, _WORK_FOR_FRESH // work))
        return self._question.more_variations(number)

    def _in_turn(self, changes: Sequence[Change]) -> Iterator[Sequence[Change]]:
        """These changes one after the other, and then the same at several places."""
        seen: set[tuple[object, ...]] = set()
        groups: dict[tuple[str, ...], list[Change]] = {}
        for change in changes:
            if self._work.is_over:
                return
            texts = tuple(map(written, (change.part, *change.instead)))
            key = (change.part.number, *texts, change.also and change.also.number)  # type: ignore[attr-defined]
            if key not in seen:
                seen.add(key)
                groups.setdefault(texts, []).append(change)
                groups.setdefault((change.kind,), []).append(change)
                yield [change]
        for group in sorted(groups.values(), key=len):
            apart = _apart(group)
            some = itertools.combinations(apart, 2) if 2 < len(apart) <= _MOST_ALIKE else ()
            for several in (*some, apart):  # as few as will do
                if len(several) > 1 and not self._work.is_over:
                    yield several

    def _tried(self, changes: Sequence[Change]) -> Tried | None:
        """What changes make of the inputs, if they make something right and nothing wrong."""
        trials = self._run(changes, self._is_useless())
        wrong = [trial.wrong_facts for trial in trials]
        pairs = [*zip(wrong, self._wrong, strict=False)]
        is_whole = len(wrong) == len(self._wrong) and not any(_spoils(*pair) for pair in pairs)
        if not is_whole or not any(_helps(*pair) for pair in pairs):
            return None
        self._helpful.append(Tried(changes, wrong))
        return self._helpful[-1]

    def _is_useless(self) -> Callable[[int, Trial], bool]:
        """Whether a change makes something wrong or endless, or nothing right for too long."""
        helps = False

        def is_useless(number: int, trial: Trial) -> bool:
            nonlocal helps
            pair = trial.wrong_facts, self._wrong[number]
            helps |= _helps(*pair)
            is_endless = trial.called.too_slow and not self._inputs.trials[number].called.too_slow
            return is_endless or _spoils(*pair) or (number >= _FIRST_INPUTS and not helps)

        return is_useless

    def _run(
        self, changes: Sequence[Change], is_enough: Callable[[int, Trial], bool]
    ) -> Sequence[Trial]:
        """What the answer with changes does on the inputs, in order, until one is enough."""
        copy = self._copy(changes)
        return self._inputs.run(copy, is_enough, self._work) if copy else []

    def _copy(self, changes: Sequence[Change]) -> Copy | None:
        """The answer with changes; None if it is no Python, such as a `break` outside a loop."""
        assert self._tree is not None
        self._work.spend(WORK_FOR_A_COPY)
        instead: dict[int, Sequence[ast.AST]] = {}
        for change in changes:
            instead |= change.replaced
        try:
            return Copy(self._tree, self._globals, instead)
        except Exception:
            return None

    def _told(self, changes: Sequence[Change]) -> Repair:
        """A repair with the lines that were changed, as the student wrote them."""
        places = [*dict.fromkeys(self._quoted(change.place) for change in changes)]
        number = len(self._wrong)
        there = "a change there" if len(changes) == 1 else "changes there"
        if changes[0].kind and len({change.kind for change in changes}) == 1 < len(places):
            there = "the same change at each of them"
        elif len(places) > 1:
            there = "a change in both" if len(places) == 2 else "a change in each"
        seen = f"With {there}, all {number} inputs give the expected result."
        lines = "the line" if len(places) == 1 else "the lines"
        explanation = " ".join([seen, *self._questions(changes)])
        return Repair(f"{lines} {' and '.join(places)}", explanation)

    def _questions(self, changes: Sequence[Change]) -> Sequence[str]:
        """What to ask about the lines; of several lines only about those with one question."""
        by_line: dict[int, dict[str, None]] = {}
        for change in changes:
            line = change.place.lineno
            by_line.setdefault(line, {})[change.sentence] = None
        several = len(by_line) > 1
        asked = [each for each in by_line.values() if not several or len(each) == 1]
        return [*filter(None, dict.fromkeys(itertools.chain(*asked)))]

    def _quoted(self, part: ast.AST) -> str:
        """The first line of a step, and how many belong to it as well."""
        assert self._tree is not None
        first, last = _lines_of(self._tree, part)
        text = f"`{self._lines[first - 1].strip()}`"
        more = "the line" if last == first + 1 else f"the {last - first} lines"
        return text if last <= first else f"{text} with {more} below that belong to it"


def copy_of(question: Question, source: str) -> Copy:
    """A version of the model answer, to be tried."""
    return Copy(ast.parse(source), question.model_answer.__globals__)


def _numbers_in(part: ast.AST) -> Iterator[int]:
    return (each.number for each in ast.walk(part) if isinstance(each, ast.expr | ast.stmt))  # type: ignore[union-attr]


def _overlap(one: Any, other: Any) -> bool:
    """Whether one part is within the other."""
    inner, outer = sorted((one, other), key=lambda part: part.last - part.number)
    return bool(outer.number <= inner.number <= outer.last)


def _apart(changes: Sequence[Change]) -> list[Change]:
    """Those changes that are not within each other, the small ones."""
    found: dict[int, Change] = {}
    for change in changes:
        numbers = [*_numbers_in(change.part)]
        is_small = isinstance(change.part, ast.expr | ast.Assign | ast.AugAssign)
        if is_small and not change.also and found.keys().isdisjoint(numbers):
            found |= dict.fromkeys(numbers, change)
    return list({id(change): change for change in found.values()}.values())


def _helps(now: frozenset[str], before: frozenset[str]) -> bool:
    """Whether a result is right, at least in parts, that was not."""
    return (before == _AS_A_WHOLE != now) or (len(now) < len(before) and now != _AS_A_WHOLE)


def _spoils(now: frozenset[str], before: frozenset[str]) -> bool:
    """Whether a result is wrong that was right, or wrong as a whole that was so in parts."""
    return (bool(now) and not before) or (now == _AS_A_WHOLE != before)


_AS_A_WHOLE: Final = frozenset([""])


def _lines_of(tree: ast.AST, part: Any) -> tuple[int, int]:
    """The first and the last line of the step in which a part stands, without those below it."""
    steps: list[Any] = [each for each in ast.walk(tree) if isinstance(each, ast.stmt)]
    step = max((e for e in steps if e.number <= part.number <= e.last), key=lambda e: e.number)
    head = getattr(step, "iter", getattr(step, "test", step))
    if isinstance(step, ast.FunctionDef):
        return step.lineno, step.lineno
    return step.lineno, head.end_lineno


_FIRST_INPUTS: Final = 3
"""A change that helps with none of the inputs up to this number is given up."""
_MOST_ALIKE: Final = 4
"""Of so many changes by one rule, two are tried as well as all of them."""
_FEWEST_FRESH: Final = 10
_MOST_FRESH: Final = 100
_WORK_FOR_FRESH: Final = 30_000
_WORK: Final = 750_000
"""In units of about a microsecond."""
_WORK_OF_MORE: Final = 400_000
_WORK_FOR_OTHERS: Final = 200_000
_WORK_OF_PAIRS: Final = 300_000
_OF_THE_RESULT: Final = ("Does the result have", "Is the result counted", "Is `return")


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
