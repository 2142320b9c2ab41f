"""Where in a student's own code the fault is: the place at which one change mends it.

The answer itself is changed in the ways in which `mutants` changes the right one, and in a few
more. If it then gives the expected result for every input, the fault is where the change was made.
The student is told the place, and not the change. So this works for an answer in any style, and
what it says is always true.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any, Final, NamedTuple

from mctslab.course.counted import Copy
from mctslab.course.mutants import (
    Change,
    changed_tree,
    changes_of,
    everywhere,
    expression,
    neighbours_swapped,
    number_parts,
)
from mctslab.course.question import Function, Question


class Repair(NamedTuple):
    """A changed copy of an answer."""

    function: Function
    lines: Sequence[str]
    """The lines that were changed, as the student wrote them."""
    described: str
    """Begins a sentence: `With another number instead of 0`."""
    changes: Sequence[Change]
    is_guess: bool
    """Whether it puts in one of many things at hand, so that some success can be chance."""


class Repairs:
    """All copies of an answer with one change; the smallest changes come first.

    The source is that of the answer's file, unless one is given. There are no copies of an answer
    whose source is not known, that is no plain function, or that does more than calculate.
    """

    def __init__(self, question: Question, answer: Function, source: str | None = None) -> None:
        self._answer = answer
        self._lines, self._tree = _source_of(answer, source)
        self._changes: list[Change] = []
        if self._tree is not None:
            model = inspect.signature(question.model_answer).parameters.values()
            (function,) = self._tree.body
            assert isinstance(function, ast.FunctionDef)
            names = [each.arg for each in function.args.args]
            kinds = {
                name: str(parameter.annotation)
                for name, parameter in zip(names, model, strict=False)
            }
            found = [
                *changes_of(function, kinds),
                *_more_changes(function, ast.parse(question.solution_source)),
            ]
            given = question.cases()[0].arguments()
            if any(isinstance(value, int) and value > _LARGE for value in given):
                # A shift by a set of squares would need more memory than there is.
                steps = _steps_of_shifts(function)
                found = [each for each in found if not _can_be_huge(each, steps)]
            self._changes = sorted(found, key=_effort)

    def __bool__(self) -> bool:
        return bool(self._changes)

    def unchanged(self) -> Copy:
        """A copy without any change."""
        assert self._tree is not None
        return Copy(ast.unparse(self._tree), self._tree.body[0].name, self._answer.__globals__)  # type: ignore[attr-defined]

    def of_one(self, after: Repair | None = None) -> Iterator[Repair]:
        """Those with one change, or with one more change after another repair."""
        before = after.changes if after else ()
        taken = {part.number for each in before for part in ast.walk(each.part)}  # type: ignore[attr-defined]
        texts: set[str] = set()
        for change in self._changes:
            if taken.isdisjoint(part.number for part in ast.walk(change.part)):  # type: ignore[attr-defined]
                yield from self._made([*before, change], texts)
        if not before:
            for group in everywhere(self._changes, by_name=False):
                yield from self._made(group, texts)

    def _made(self, changes: Sequence[Change], texts: set[str]) -> Iterator[Repair]:
        assert self._tree is not None
        tree = changed_tree(self._tree, changes)
        text = ast.unparse(tree)
        if text in texts:
            return
        texts.add(text)
        try:
            name = tree.body[0].name  # type: ignore[attr-defined]
            function = Copy(text, name, self._answer.__globals__)
        except (SyntaxError, ValueError, RecursionError):
            return  # such as a `break` outside a loop
        lines = dict.fromkeys(self._line(each.also or each.part) for each in changes)
        described = [*dict.fromkeys(map(_described, changes))]
        is_guess = any(words.startswith(_AT_HAND) for words in described)
        in_words = ", and ".join(described)
        if any(words.startswith(_SOMETHING_ELSE) for words in described):
            in_words = f"with a change in {'this line' if len(lines) == 1 else 'these lines'} alone"
        yield Repair(function, list(lines), in_words, changes, is_guess)

    def _line(self, part: ast.AST) -> str:
        return self._lines[part.lineno - 1].strip()  # type: ignore[attr-defined]


def _effort(change: Change) -> int:
    """How much a change concerns; another order or other brackets are soon tried."""
    name = _NAMES.get(change.name, change.name)
    length = len(ast.unparse(change.also or change.part))
    if name.startswith(_SOON):
        return 0
    return length + _LATE if name.endswith("at another place") else length


_SOON: Final = ("with other brackets", "with {} in another order", "with more than just")
_SOMETHING_ELSE: Final = "with something else"
_AT_HAND: Final = ("with another variable", _SOMETHING_ELSE, "with more than just")
_LATE: Final = 15
"""A step at another place may hide a fault instead of mending it."""
_LARGE: Final = 10**6


def _can_be_huge(change: Change, steps: set[str]) -> bool:
    """Whether it puts in a variable, an expression, a power, or a shift by another step."""
    new = change.instead[0] if change.instead else None
    is_power = isinstance(new, ast.BinOp) and isinstance(new.op, ast.Pow)
    is_shift = any(not _steps_of_shifts(each) <= steps for each in change.instead)
    return is_power or is_shift or isinstance(new, ast.Name) or change.name.startswith(_AT_HAND)


def _steps_of_shifts(part: ast.AST) -> set[str]:
    """By what is shifted to the left, except for plain numbers."""
    shifts = [each for each in ast.walk(part) if isinstance(each, ast.BinOp | ast.AugAssign)]
    steps = [
        each.right if isinstance(each, ast.BinOp) else each.value
        for each in shifts
        if isinstance(each.op, ast.LShift)
    ]
    return {ast.unparse(step) for step in steps if not isinstance(step, ast.Constant)}


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
    number_parts(tree)
    return lines, tree


_UNSAFE: Final = (
    *("open", "exec", "eval", "compile", "__import__", "globals", "setattr", "delattr"),
    *("os", "sys", "io", "shutil", "subprocess", "pathlib", "Path", "tempfile", "socket"),
)
"""With one of these names a changed copy could do more than give another result."""


# What is said of a change


def _described(change: Change) -> str:
    """The change in words that leave finding it to the student."""
    part, instead = change.part, change.instead
    name = _NAMES.get(change.name, change.name)
    if name.startswith(("with ", "without ")):
        return name.format(_text(part))
    if isinstance(part, ast.stmt):
        if not instead:
            return "without this step"
        same = [ast.unparse(each) for each in instead]
        return "with a step more" if ast.unparse(part) in same else "with another step here"
    other = instead[0]
    if isinstance(part, ast.Constant) and isinstance(other, ast.Constant):
        return f"with another value instead of {_text(part)}"
    if isinstance(part, ast.Name) and isinstance(other, ast.Name):
        return f"with another variable instead of {_text(part)}"
    if isinstance(part, ast.Compare):
        return f"with another condition instead of {_text(part)}"
    texts = {ast.unparse(each) for each in ast.walk(part) if isinstance(each, ast.expr)}
    if ast.unparse(other) in texts:
        return f"with only a part of {_text(part)}"
    if ast.unparse(part) in ast.unparse(other):
        return f"with more than just {_text(part)}"
    return f"with something else instead of {_text(part)}"


_NAMES: Final[Mapping[str, str]] = {
    "missing brackets": "with other brackets in {}",
    "two arguments swapped": "with the arguments of {} in another order",
    "two values swapped": "with {} in another order",
}


def _text(part: ast.AST) -> str:
    text, *_ = ast.unparse(part).splitlines()
    return f"`{text}`" if len(text) <= _LONGEST else "this expression"


_LONGEST: Final = 60


def _literal(part: ast.AST) -> str:
    """The text of a part in a name, in which other braces are a place to fill."""
    return _text(part).replace("{", "{{").replace("}", "}}")


# More changes


def _more_changes(function: ast.FunctionDef, model: ast.Module) -> Iterator[Change]:
    """Those that lead from a wrong answer to a right one, but not the other way."""
    parts = [part for step in function.body[1:] for part in ast.walk(step)]
    words = _Vocabulary(function, parts, model)
    for part in parts:
        for class_, rules in _RULES.items():
            if isinstance(part, class_):
                for rule in rules:
                    yield from rule(part, words)
        for name in ("body", "orelse"):
            if isinstance(steps := getattr(part, name, None), list):
                yield from _moved(steps)
    yield from _moved(function.body[1:])


class _Vocabulary:
    """The names and numbers that an answer could have used."""

    def __init__(
        self, function: ast.FunctionDef, parts: Sequence[ast.AST], model: ast.Module
    ) -> None:
        self.name = function.name
        self.parameters = [each.arg for each in function.args.args]
        stored = [
            each.id
            for each in parts
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        ]
        self.variables = list(dict.fromkeys([*self.parameters, *stored]))
        self.conditions = {
            ast.unparse(each.targets[0])
            for each in parts
            if isinstance(each, ast.Assign) and _is_condition(each.value)
        }
        own = {ast.unparse(each.func) for each in parts if isinstance(each, ast.Call)}
        self._called = {id(each.func) for each in parts if isinstance(each, ast.Call)}
        models = [each for each in ast.walk(model.body[0]) if isinstance(each, ast.Call)]
        called = [*(ast.unparse(each.func) for each in models), "math.sqrt"]
        self.functions = [
            name for name in dict.fromkeys(called) if name in _OF_ONE_NUMBER and name not in own
        ]
        numbers = [
            each.value
            for each in ast.walk(model.body[0])
            if isinstance(each, ast.Constant)
            and isinstance(each.value, int | float)
            and not isinstance(each.value, bool)
        ]
        self.numbers = list(dict.fromkeys([*numbers, 0, 1, -1, 2]))
        self.expressions = _texts(parts, self.is_value)
        self.properties = [
            text.partition(".")[2]
            for text in _texts(ast.walk(model.body[0]), lambda _: True)
            if text.replace(".", "").isidentifier()
        ]

    def is_value(self, part: ast.expr) -> bool:
        """Whether it is read, and neither a function nor a module."""
        if not isinstance(getattr(part, "ctx", ast.Load()), ast.Load) or id(part) in self._called:
            return False
        first: ast.AST = part
        while isinstance(first, ast.Attribute):
            first = first.value
        return not isinstance(first, ast.Name) or first.id in self.variables


def _is_condition(part: ast.expr) -> bool:
    is_not = isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not)
    is_bool = isinstance(part, ast.Constant) and isinstance(part.value, bool)
    return is_not or is_bool or isinstance(part, ast.Compare | ast.BoolOp)


def _texts(parts: Iterable[ast.AST], is_value: Callable[[ast.expr], bool]) -> list[str]:
    """Properties and results of calls that are read."""
    found = [
        ast.unparse(part)
        for part in parts
        if isinstance(part, ast.Attribute | ast.Call)
        and isinstance(getattr(part, "ctx", ast.Load()), ast.Load)
        and is_value(part)
    ]
    return list(dict.fromkeys(text for text in found if len(text) <= _LONGEST))


_OF_ONE_NUMBER: Final = (
    *("math.log", "math.sqrt", "math.ceil", "np.log", "np.sqrt", "abs", "int", "len", "sum", "set"),
)


def _name(part: ast.Name, words: _Vocabulary) -> Iterator[Change]:
    if words.is_value(part):
        for other in words.variables:
            if other != part.id:
                yield Change(part, [ast.Name(other)], "", "")
        yield Change(part, [ast.BinOp(part, ast.Pow(), ast.Constant(2))], "", "")


def _number(part: ast.Constant, words: _Vocabulary) -> Iterator[Change]:
    if isinstance(part.value, int | float) and not isinstance(part.value, bool):
        for number in words.numbers:
            if number != part.value:
                yield Change(part, [ast.Constant(number)], "", "")
        if part.value >= _A_LIMIT:
            yield Change(part, [ast.Constant(_NO_LIMIT)], "", "")
        for name in words.variables:
            yield Change(part, [ast.Name(name)], "with something else instead of {}", "")


_A_LIMIT: Final = 10
_NO_LIMIT: Final = 1_000
"""As a number of rounds it is as good as none."""


def _beside(part: ast.expr, words: _Vocabulary) -> Iterator[Change]:
    """One more or less than a number, and the rest up to 1."""
    if words.is_value(part):
        one = ast.Constant(1)
        for operator in (ast.Add(), ast.Sub()):
            yield Change(part, [ast.BinOp(part, operator, one)], "", "")
        yield Change(part, [ast.BinOp(one, ast.Sub(), part)], "", "")


def _function_around(part: ast.expr, words: _Vocabulary) -> Iterator[Change]:
    if words.is_value(part):
        for name in words.functions:
            call = ast.Call(expression(name), [part], [])
            yield Change(part, [call], "with another function around {}", "")


def _attribute(part: ast.Attribute, words: _Vocabulary) -> Iterator[Change]:
    if words.is_value(part):
        yield Change(part, [part.value], "", "")
        for group in _RELATED:
            for other in group if part.attr in group else ():
                if other != part.attr:
                    instead = ast.Attribute(part.value, other, part.ctx)
                    yield Change(part, [instead], "with another property than {}", "")
        yield from _property(part, _names_in(part), words)
    if words.is_value(part) and part.attr in _METHODS:
        yield Change(part, [ast.Call(part, [], [])], "with brackets after {}", "")
    yield from _other_expression(part, words)


def _other_expression(part: ast.expr, words: _Vocabulary) -> Iterator[Change]:
    """Another property or result of a call that the answer uses elsewhere."""
    if words.is_value(part):
        for text in words.expressions:
            if text != ast.unparse(part):
                yield Change(part, [expression(text)], "with something else instead of {}", "")


def _property(part: ast.expr, names: Iterable[str], words: _Vocabulary) -> Iterator[Change]:
    """A property that the right answer reads, of a variable of the student's."""
    for name in names:
        for text in words.properties if name in words.variables else ():  # a class is no variable
            other = expression(f"{name}.{text}")
            yield Change(part, [other], "with something else instead of {}", "")


def _names_in(part: ast.AST) -> list[str]:
    return list(dict.fromkeys(each.id for each in ast.walk(part) if isinstance(each, ast.Name)))


_RELATED: Final = (
    ("current_player", "mover"),
    ("visit_count", "total_value", "mean_value", "prior"),
    ("children", "untried_actions"),
    ("rows", "cols"),
)
_METHODS: Final = ("legal_actions", "returns", "robust_child", "values", "keys", "items", "relu")


def _call(part: ast.Call, words: _Vocabulary) -> Iterator[Change]:
    if isinstance(part.func, ast.Attribute):
        yield Change(part, [part.func.value], "", "")
        for other in _OTHER_METHODS.get(part.func.attr, ()):
            changed_method = ast.Call(
                ast.Attribute(part.func.value, other), part.args, part.keywords
            )
            yield Change(part, [changed_method], "with another function than {}", "")
    if isinstance(part.func, ast.Name) and part.func.id == words.name:
        missing = [ast.Name(name) for name in words.parameters[len(part.args) :]]
        if missing and not part.keywords:
            longer = ast.Call(part.func, [*part.args, *missing], [])
            yield Change(part, [longer], "with all arguments in {}", "")
    yield from _other_expression(part, words)
    if ast.unparse(part.func) == "range" and len(part.args) == 1:
        for number in words.numbers:
            if number > 1:
                steps = [ast.Constant(0), part.args[0], ast.Constant(number)]
                longer_steps = ast.Call(part.func, steps, [])
                yield Change(part, [longer_steps], "with another range than {}", "")
    for other in _OTHERS.get(ast.unparse(part.func), ()):
        instead = ast.Call(expression(other), part.args[:1], [])
        yield Change(part, [instead], "with another function than {}", "")
    if len(part.args) != 1:
        return
    (argument,) = part.args
    if isinstance(argument, ast.BinOp):
        for left, right in (
            (ast.Call(part.func, [argument.left], part.keywords), argument.right),
            (argument.left, ast.Call(part.func, [argument.right], part.keywords)),
        ):
            changed = ast.BinOp(left, argument.op, right)
            yield Change(part, [changed], "with other brackets in {}", "")
    if isinstance(argument, ast.Call) and len(argument.args) == 1:
        inner = ast.Call(part.func, argument.args, part.keywords)
        changed_call = ast.Call(argument.func, [inner], argument.keywords)
        yield Change(part, [changed_call], "with {} in another order", "")


_OTHER_METHODS: Final[Mapping[str, Sequence[str]]] = {
    "softmax": ("log_softmax",),
    "mean": ("sum",),
    "sum": ("mean",),
    "std": ("var",),
    "var": ("std",),
    "median": ("mean",),
}
_OTHERS: Final[Mapping[str, Sequence[str]]] = {
    "max": ("sum", "min", "len"),
    "min": ("sum", "max", "len"),
    "int": ("math.ceil",),
    "round": ("math.ceil", "math.floor"),
    "math.floor": ("math.ceil",),
    "abs": ("np.square",),
    "list": ("set",),
    "sorted": ("list",),
}


def _operation(part: ast.BinOp, _words: _Vocabulary) -> Iterator[Change]:
    """Other brackets: a + b / c read as (a + b) / c, and f(a) / b as f(a / b)."""
    left, right = part.left, part.right
    yield Change(part, [ast.BinOp(part, ast.Pow(), ast.Constant(2))], "", "")
    if isinstance(part.op, ast.Add):
        yield Change(part, [ast.BinOp(right, part.op, left)], "with {} in another order", "")
    if isinstance(right, ast.BinOp):
        inner = ast.BinOp(left, part.op, right.left)
        changed = ast.BinOp(inner, right.op, right.right)
        yield Change(part, [changed], "with other brackets in {}", "")
    if isinstance(left, ast.BinOp):
        inner = ast.BinOp(left.right, part.op, right)
        changed = ast.BinOp(left.left, left.op, inner)
        yield Change(part, [changed], "with other brackets in {}", "")
    if isinstance(left, ast.Call) and len(left.args) == 1:
        changed_call = ast.Call(left.func, [ast.BinOp(left.args[0], part.op, right)], left.keywords)
        yield Change(part, [changed_call], "with other brackets in {}", "")


def _item(part: ast.Subscript, words: _Vocabulary) -> Iterator[Change]:
    if isinstance(part.ctx, ast.Load):
        yield Change(part, [part.value], "", "")
        yield from _property(part.slice, words.variables, words)


def _order(part: ast.Tuple | ast.List, _words: _Vocabulary) -> Iterator[Change]:
    for values in neighbours_swapped(part.elts):
        if isinstance(part, ast.Tuple):
            instead: ast.expr = ast.Tuple(values, part.ctx)
        else:
            instead = ast.List(values, part.ctx)
        yield Change(part, [instead], "with {} in another order", "")


def _truth(part: ast.If | ast.While | ast.IfExp, words: _Vocabulary) -> Iterator[Change]:
    """A number that can be 0 used as a condition."""
    is_value = isinstance(part.test, ast.Name | ast.Attribute | ast.Subscript | ast.NamedExpr)
    if is_value and ast.unparse(part.test) not in words.conditions:
        test = ast.Compare(part.test, [ast.IsNot()], [ast.Constant(None)])
        yield Change(part.test, [test], "with a comparison instead of {} alone", "")


def _either(part: ast.BoolOp, _words: _Vocabulary) -> Iterator[Change]:
    if isinstance(part.op, ast.Or) and len(part.values) == 2:
        first, second = part.values
        test = ast.Compare(first, [ast.IsNot()], [ast.Constant(None)])
        instead = ast.IfExp(test, first, second)
        yield Change(part, [instead], "with a comparison with None instead of `or` in {}", "")


def _assignment(part: ast.Assign, words: _Vocabulary) -> Iterator[Change]:
    target = part.targets[0]
    yield from _property(part.value, _names_in(part), words)
    for lowest_or_highest in ("-math.inf", "math.inf"):
        if (start := _like(part.value, lowest_or_highest)) is not None:
            yield Change(part.value, [start], "with another value instead of {}", "")
    if len(part.targets) == 1 and isinstance(target, ast.Name | ast.Attribute | ast.Subscript):
        added = ast.AugAssign(target, ast.Add(), part.value)
        yield Change(part, [added], "with `+=` instead of `=`", "")


def _like(part: ast.expr, text: str) -> ast.expr | None:
    """This text instead of a number, or instead of each number in a tuple."""
    if isinstance(part, ast.Constant) and isinstance(part.value, int | float):
        return expression(text)
    if isinstance(part, ast.Tuple):
        numbers = [number for each in part.elts if (number := _like(each, text)) is not None]
        if len(numbers) == len(part.elts):
            return ast.Tuple(numbers, part.ctx)
    return None


def _thrown_away(part: ast.Expr, words: _Vocabulary) -> Iterator[Change]:
    """What the function finds where it calls itself, and does not use."""
    if isinstance(part.value, ast.Call) and ast.unparse(part.value.func) == words.name:
        yield Change(part, [ast.Return(part.value)], "with `return` before {}", "")


def _returned(part: ast.Return, words: _Vocabulary) -> Iterator[Change]:
    """An index where the item there is needed."""
    if (value := part.value) is not None:
        for name in words.variables:
            item = ast.Subscript(ast.Name(name), value)
            yield Change(value, [item], "with more than just {}", "")


def _if(part: ast.If, _words: _Vocabulary) -> Iterator[Change]:
    yield Change(part, [ast.While(part.test, part.body, [])], "with `while` instead of `if`", "")
    yield Change(part, part.body, "without this condition", "")
    yield Change(part, part.orelse, "", "")


def _moved(steps: Sequence[ast.stmt]) -> Iterator[Change]:
    """A step at another place of its block, or in or out of the loop beside it."""
    for at, step in enumerate(steps):
        if isinstance(step, ast.Assign | ast.AugAssign | ast.Expr | ast.If):
            name = f"with {_literal(step)} at another place"
            for to, other in enumerate(steps):
                if to != at:
                    pair = [step, other] if to < at else [other, step]
                    yield Change(other, [ast.If(ast.Constant(True), pair, [])], name, "", step)
                if isinstance(other, ast.For | ast.While | ast.If) and abs(to - at) == 1:
                    for body in ([step, *other.body], [*other.body, step]):
                        yield Change(other, [_with_body(other, body)], name, "", step)
        if isinstance(step, ast.For | ast.While | ast.If):
            last = step.body[-1]
            if len(step.body) > 1 and not isinstance(last, ast.For | ast.While):
                shorter = _with_body(step, step.body[:-1])
                name = f"with {_literal(last)} outside of the loop or condition"
                yield Change(step, [shorter, last], name, "")


def _with_body(part: ast.stmt, body: list[ast.stmt]) -> ast.stmt:
    fields = {name: getattr(part, name) for name in part._fields} | {"body": body}
    return type(part)(**fields)


_RULES: Final[Mapping[type, Sequence[Callable[[Any, _Vocabulary], Iterator[Change]]]]] = {
    ast.Name: [_name, _beside, _function_around],
    ast.Constant: [_number],
    ast.Attribute: [_attribute, _beside, _function_around],
    ast.Subscript: [_item, _beside],
    ast.Call: [_call, _beside],
    ast.BinOp: [_operation, _function_around],
    ast.Tuple: [_order],
    ast.List: [_order],
    ast.If: [_truth, _if],
    ast.While: [_truth],
    ast.IfExp: [_truth],
    ast.BoolOp: [_either],
    ast.Assign: [_assignment],
    ast.Return: [_returned],
    ast.Expr: [_thrown_away],
}
