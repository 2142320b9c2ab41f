"""The content of an exercise: inputs with their expected results, and mistakes that people make."""

import ast
import dis
import functools
import inspect
import itertools
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import CodeType, FunctionType
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from mctslab.course.checking.comparing import Near, listed, plain, snapshot

Function: TypeAlias = Callable[..., Any]
"""A student's function."""


FROM_MODEL: Final = object()
"""Stands for the model answer's result; `Near(FROM_MODEL, 1e-5)` for numbers near those in it."""


@dataclass(frozen=True)
class Case:
    """One input, and the result of a correct function.

    What is expected was worked out by hand, follows from theory, or is what the model answer
    returns. A test holds all of them against right answers that others wrote.
    """

    arguments: Callable[[], tuple[Any, ...]]
    """Makes the arguments; every call gets its own."""
    expected: Any = FROM_MODEL
    """Compared by `comparing.same` with what `use` returns."""
    shown: str = ""
    """The input in words; when empty, the call is written out with its arguments."""
    use: Callable[..., Any] | None = None
    """`use(function, *arguments)` calls the function, once or often, and returns the value to
    compare; without it, this is the result of one call."""
    changes_arguments: bool = False
    """Whether changing an argument is what the function is for."""
    is_random: bool = False
    """Whether it was made at random, and may be large."""
    is_lazy: bool = False
    """Whether `use` gets an iterator as it is, because it looks at what happens between items."""
    about: str = ""
    """What this input has that random ones hardly have, and what a right answer does there."""

    @functools.cached_property
    def contents(self) -> Sequence[object]:
        """The visible content of each argument, as it is made."""
        return [snapshot(argument) for argument in self.arguments()]

    def run(self, function: Function, *arguments: Any) -> Any:
        """Use `function` on the arguments; returns the value that is compared with the expected
        one."""
        if self.use is None:
            return function(*arguments)
        if self.is_lazy:
            return self.use(function, *arguments)
        # A list that is made item by item is as good as any.
        return self.use(lambda *given: listed(function(*given)), *arguments)

    def with_about(self, about: str) -> "Case":
        """The same input with a sentence about it."""
        return replace(self, about=about)


def case(*arguments: Any, expected: Any = FROM_MODEL, shown: str = "") -> Case:
    """The case of a plain call with arguments that cannot be changed."""
    return Case(lambda: arguments, expected, shown)


class Edit(NamedTuple):
    """A change of the model answer."""

    old: str
    """A piece of a line, or whole lines without their common indentation. A line `...` stands for
    any number of lines; alone it stands for the whole body."""
    new: str
    """The replacement; if it is empty, the line is removed."""

    def place(self, source: str) -> tuple[int, int]:
        """Where `old` begins and ends in `source`.

        Raises:
            ValueError: it is not there, or more than once.
        """
        found = [match.span("old") for match in re.finditer(self._pattern(), source)]
        if len(found) != 1:
            raise ValueError(
                f"{self.old!r} occurs {len(found)} times in the right answer, not once"
            )
        return found[0]

    def _pattern(self) -> str:
        """A regular expression for `old`, where `...` at the end reaches to the end."""
        if self.old == "...":
            return r"(?s)(?<=\n    )(?P<old>\S.*)"
        first, *others = self.old.splitlines()
        if not others:
            return f"(?P<old>{re.escape(first)})"
        lines = [r"\n(?P=indent)" + re.escape(line) for line in others]
        between = [r"(?:\n.*)*?" if line == "..." else lines[i] for i, line in enumerate(others)]
        end = r"(?:\n.*)*$" if others[-1] == "..." else r"(?=\n|$)"
        pattern = re.escape(first) + "".join(between)
        return rf"(?<=\n)(?P<indent> *)(?P<old>{pattern}{end})"


def edited(source: str, edits: Sequence[Edit]) -> str:
    """The source of a function's body after these edits, each of them applied to the original
    source.

    >>> print(edited("\\n    return m - n", [Edit("m", "n"), Edit("- n", "- m")]).strip())
    return n - m

    Raises:
        ValueError: an edit does not fit.
    """
    for (start, end), new in sorted((edit.place(source), edit.new) for edit in edits)[::-1]:
        line = source[source.rfind("\n", 0, start) + 1 : start]
        indent = line[: len(line) - len(line.lstrip())]
        before, after = source[:start], source[end:]
        if not new and before.endswith("\n" + indent) and after[:1] in ("", "\n"):
            before = before.removesuffix("\n" + indent)
        source = before + textwrap.indent(new, indent).removeprefix(indent) + after
    return source


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake that people really make."""

    name: str
    """Ends the sentence "Your function behaves as if ...": `the logarithm were missing`."""
    explanation: str
    """What is wrong with it, and why, for someone who has just made it."""
    edits: tuple[Edit, ...] = ()
    """The changes that turn the model answer into one with the mistake."""


def edits_in(text: str) -> tuple[Edit, ...]:
    """The edits that a text describes.

    `old => new` is an edit of a piece of a line. An edit of whole lines is written as in a diff:
    `- ` before each old line, `+ ` before each new one; a `+` alone ends an edit that only removes
    lines, where another one follows.

    >>> edits_in("a => b")
    (Edit(old='a', new='b'),)

    Raises:
        ValueError: a line is not an edit.
    """
    edits: list[tuple[list[str], list[str]]] = []
    for line in text.splitlines():
        old, arrow, new = line.partition(" =>")
        if arrow:
            edits.append(([old], [new.removeprefix(" ")]))
        elif line.startswith("-"):
            if not edits or edits[-1][1]:
                edits.append(([], []))
            edits[-1][0].append(line[2:])
        elif line.startswith("+") and edits:
            edits[-1][1].append(line[2:])
        elif line.strip():
            raise ValueError(
                f"{line!r} is not an edit, which is `old => new`, or `- old` and then `+ new`"
            )
    return tuple(Edit("\n".join(old), "\n".join(new)) for old, new in edits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Everything that is needed to judge an answer."""

    model_answer: Function = field(kw_only=False)
    """One right answer; its name is the exercise's, its docstring the task."""
    cases: Callable[[], Sequence[Case]]
    """Makes the inputs that random ones hardly ever are, the small ones first, because the first
    one that fails is shown. If there are none, a few small random ones take their place."""
    mistakes: Sequence[Mistake]
    """When two of them do the same on every case, the first is named."""
    variation: Callable[[np.random.Generator], Case] | None = None
    """Makes one more random input: longer, deeper, with numbers that nobody would think of."""
    start: Sequence[Edit] = ()
    """The changes of the model answer that make the faulty function the student begins with."""
    seconds: float = 2.0
    """The time limit for one case, in seconds."""

    def __post_init__(self) -> None:
        # A check asks for them several times, and with some the package has to search or to play.
        cases, model_answer = self.cases, self.model_answer

        @functools.cache
        def made() -> list[Case]:
            written = [_with_result(each, model_answer) for each in cases()]
            small = (self._small_variation(0, width) for width in _WIDTHS)
            return written or [_with_result(each, model_answer) for each in small]

        object.__setattr__(self, "cases", made)

    @property
    def name(self) -> str:
        """The name of the function to write."""
        return self.model_answer.__name__

    def variations(self) -> list[Case]:
        """Inputs made at random, the same ones every time; the model answer has seen them all."""
        return [] if self.variation is None else [*_variations(self.variation, self.model_answer)]

    def small_variations(self) -> Iterator[Case]:
        """Inputs made at random from small numbers, the smallest first, without their results."""
        for width in _WIDTHS:
            for seed in range(10):
                yield self._small_variation(seed, width)

    def _small_variation(self, seed: int, width: int) -> Case:
        assert self.variation is not None
        return replace(self.variation(_Small(seed, width)), is_random=True)

    def with_result(self, case: Case) -> Case:
        """An input with what the model answer makes of it."""
        return _with_result(case, self.model_answer)

    @property
    def solution_source(self) -> str:
        """The source of the model answer, as students see it."""
        return "".join(self._source)

    @property
    def stub(self) -> str:
        """The initial content of the student's cell."""
        if self.start:
            return self.source_with(self.start)
        head, _ = self._source
        return f"{head}\n{PLACEHOLDER}"

    @property
    def _source(self) -> tuple[str, str]:
        return source_of(self.model_answer, self.name)

    def source_with(self, edits: Sequence[Edit]) -> str:
        """The source of the model answer after these edits.

        Raises:
            ValueError: an edit does not fit.
        """
        head, body = self._source
        return head + edited(body, edits)

    def fit_together(self, one: "Mistake", other: "Mistake") -> bool:
        """Whether two mistakes change different parts of the model answer."""
        _, body = self._source
        places = sorted(edit.place(body) for edit in (*one.edits, *other.edits))
        return all(end <= start for (_, end), (start, _) in itertools.pairwise(places))

    def defined_by(self, source: str) -> Function:
        """The function that a source text defines, in the model answer's surroundings."""
        names = dict(self.model_answer.__globals__)
        exec(source, names)
        function: Function = names[self.name]
        return function

    def wrong_answer(self, mistake: Mistake) -> Function:
        """A function with the mistake.

        Raises:
            ValueError: the edits do not fit the model answer, or the result is not Python.
        """
        try:
            return self.defined_by(self.source_with(mistake.edits))
        except (ValueError, SyntaxError) as error:
            raise ValueError(f"{self.name}, {mistake.name!r}: {error}") from error

    def with_early_returns(self) -> Iterator[Function]:
        """The model answer, in each of its loops once with a `break`, or all that follows, at the
        end of the body."""
        for number, (_, after) in enumerate(_loops_in(self.solution_source)):
            for follows in ([ast.Break()], after):
                tree = ast.parse(self.solution_source)
                loop, _ = _loops_in(tree)[number]
                loop.body += follows
                yield self.defined_by(ast.unparse(tree))


def _loops_in(source: str | ast.Module) -> list[tuple[ast.For | ast.While, list[ast.stmt]]]:
    """Each loop, with the statements that follow it in its block and leave the function."""
    tree = ast.parse(source) if isinstance(source, str) else source
    bodies = [getattr(part, "body", None) for part in ast.walk(tree)]
    blocks = [body for body in bodies if isinstance(body, list)]
    found = []
    for block in blocks:
        for place, part in enumerate(block):
            if isinstance(part, ast.For | ast.While):
                after = block[place + 1 :]
                is_last = any(isinstance(each, ast.Return) for each in after)
                found.append((part, after if is_last else [ast.Return()]))
    return found


NUM_VARIATIONS: Final = 60
_WIDTHS: Final = (1, 2, 3, 5, 8)
"""From how many whole numbers one is drawn for small inputs."""


@functools.cache
def _variations(
    variation: Callable[[np.random.Generator], Case], model_answer: Function
) -> Sequence[Case]:
    seeds = range(NUM_VARIATIONS)
    return [_made(variation(np.random.default_rng(seed)), model_answer) for seed in seeds]


def _made(case: Case, model_answer: Function) -> Case:
    """An input made at random, with what the model answer makes of it."""
    return replace(_with_result(case, model_answer), is_random=True)


def _with_result(case: Case, model_answer: Function) -> Case:
    """An input with its result."""
    wanted = case.expected
    is_near = isinstance(wanted, Near) and wanted.numbers is FROM_MODEL
    if wanted is not FROM_MODEL and not is_near:
        return case
    found = plain(case.run(model_answer, *case.arguments()))
    return replace(case, expected=_near(found, wanted.within) if is_near else found)


def _near(found: object, within: float) -> object:
    """The numbers of a result or of its facts within a tolerance; words as they are."""
    if isinstance(found, dict):
        return {key: _near(value, within) for key, value in found.items()}
    return found if isinstance(found, str) else Near(found, within)


class _Small(np.random.Generator):
    """Of the whole numbers that are asked for it draws only the lowest few."""

    def __init__(self, seed: int, width: int) -> None:
        super().__init__(np.random.PCG64(seed))
        self._width = width

    def integers(self, low: Any, high: Any = None, *others: Any, **named: Any) -> Any:
        """A whole number, as from any generator."""
        if high is None:
            low, high = 0, low
        return super().integers(low, np.minimum(high, low + self._width), *others, **named)


PLACEHOLDER: Final = "    ...  # your answer goes here"
"""The placeholder for the body that the student will write."""


@functools.cache
def source_of(function: Callable[..., Any], name: str) -> tuple[str, str]:
    """The source of a function that has a docstring, as a student sees it, under this name.

    Returns:
        The signature and the docstring, and the rest: without decorators and types.
    """
    lines = textwrap.dedent(inspect.getsource(function)).splitlines()
    definition = ast.parse("\n".join(lines)).body[0]
    assert isinstance(definition, ast.FunctionDef)
    docstring = definition.body[0]
    assert docstring.end_lineno is not None
    for part in ast.walk(definition):
        if isinstance(part, ast.arg):
            part.annotation = None
        elif isinstance(part, ast.AnnAssign) and part.value is not None:
            line = lines[part.lineno - 1]
            assigned = f"{ast.unparse(part.target)} = {line[part.value.col_offset :]}"
            lines[part.lineno - 1] = line[: part.col_offset] + assigned
        elif isinstance(part, ast.FunctionDef) and part is not definition and part.returns:
            head = lines[part.lineno - 1][: part.returns.col_offset]
            lines[part.lineno - 1] = f"{head.removesuffix(' -> ')}:"
    first = f"def {name}({ast.unparse(definition.args)}):"
    head = "\n".join([first, *lines[docstring.lineno - 1 : docstring.end_lineno]])
    return head, "\n".join(["", *lines[docstring.end_lineno :]])


def is_stub(function: object) -> bool:
    """Whether nothing has been written in the function's body yet.

    >>> def waiting(x: int) -> int: ...
    >>> is_stub(waiting), is_stub(abs), is_stub(lambda x: x)
    (True, False, False)
    """
    if not isinstance(function, FunctionType):
        return False
    constants = set(function.__code__.co_consts) - {function.__doc__, None, ...}
    steps = {instruction.opname for instruction in dis.get_instructions(function)}
    return not constants and steps <= _IDLE


_IDLE: Final = frozenset({"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"})
"""The instructions of a function that does nothing."""


def is_unchanged(function: object, given: Function) -> bool:
    """Whether the function is still the one that the student was given, but for its layout."""
    if not isinstance(function, FunctionType):
        return False
    return _essence(function.__code__) == _essence(given.__code__)


def _essence(code: CodeType) -> tuple[object, ...]:
    """A piece of code without the numbers of its lines."""
    constants = (
        _essence(each) if isinstance(each, CodeType) else (type(each), each)
        for each in code.co_consts
    )
    return code.co_code, code.co_names, code.co_varnames, *constants
