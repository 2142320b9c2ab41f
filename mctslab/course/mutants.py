"""Faults that nobody had to invent: the right answer, changed in the ways in which people go wrong.

A limit off by one, a sign, a step left out, the other player: each change has a sentence that says
how the function then behaves. If an answer does not look like any known mistake, judging compares
it with these; and a test checks that the inputs of an exercise notice every change.
"""

import ast
import copy
import functools
import inspect
import itertools
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeGuard

from mctslab.course.question import Edit, Function, Mistake, Question


def mutants_of(question: Question) -> Sequence[Mistake]:
    """The model answer with one change each, no two of them with the same text."""
    return _mutants(question.model_answer, question.solution_source)


@functools.cache
def _mutants(model_answer: Function, source: str) -> Sequence[Mistake]:
    tree = ast.parse(source)
    number_parts(tree)
    (function,) = tree.body
    assert isinstance(function, ast.FunctionDef)
    kinds = {
        name: str(parameter.annotation)
        for name, parameter in inspect.signature(model_answer).parameters.items()
    }
    found = {_body(tree): Mistake("the right answer itself", "")}
    changes = list(changes_of(function, kinds))
    for together in ([change] for change in changes), everywhere(changes), _smallest(changes):
        for group in together:
            body = _body(changed_tree(tree, group))
            sentence = f"This behaves as if {group[0].sentence}"
            found.setdefault(body, Mistake(group[0].name, sentence, (Edit("...", body),)))
    return list(found.values())[1:]


def number_parts(tree: ast.Module) -> None:
    """Give every part of a tree a number, which a copy of it has, too."""
    for number, part in enumerate(ast.walk(tree)):
        part.number = number  # type: ignore[attr-defined]


class Change(NamedTuple):
    """A part of a function, and what replaces it."""

    part: ast.AST
    instead: Sequence[ast.AST]
    """For an expression one; for a statement none, one, or several."""
    name: str
    """Ends the sentence "This looks like ..."."""
    sentence: str
    """Ends the sentence "This behaves as if ..."."""
    also: ast.stmt | None = None
    """A statement that is removed as well."""


def everywhere(changes: Sequence[Change], *, by_name: bool = True) -> Iterator[Sequence[Change]]:
    """The same change of an expression at all places with the same text.

    Args:
        changes: single ones.
        by_name: whether changes with different names are different.
    """
    groups: dict[tuple[str, ...], dict[int, Change]] = {}
    for change in changes:
        if isinstance(change.part, ast.expr):
            key = (ast.unparse(change.part), *map(ast.unparse, change.instead))
            key += (change.name,) if by_name else ()
            groups.setdefault(key, {})[change.part.number] = change  # type: ignore[attr-defined]
    return (list(group.values()) for group in groups.values() if len(group) > 1)


def _smallest(changes: Sequence[Change]) -> Iterator[Sequence[Change]]:
    """The smallest instead of the largest, together with the initial value."""
    group = [
        change._replace(sentence="it looked for the smallest instead of the largest.")
        for change in changes
        if change.name == "`min` instead of `max`"
        or (change.name == "a sign forgotten" and ast.unparse(change.part) == "-math.inf")
    ]
    if len(group) > 1:
        yield group


class _Changing:
    """Copies what has a change below it; all other parts are shared with the tree."""

    def __init__(self, changes: Sequence[Change]) -> None:
        self._instead = {each.part.number: each.instead for each in changes}  # type: ignore[attr-defined]
        self._instead |= {each.also.number: [] for each in changes if each.also}  # type: ignore[attr-defined]
        for new in (part for parts in self._instead.values() for part in parts):
            ast.fix_missing_locations(new)

    def visit(self, node: ast.AST) -> Any:
        instead = self._instead.get(getattr(node, "number", None))
        if instead is None:
            return self._copied(node)
        return instead[0] if isinstance(node, ast.expr) else list(instead)

    def _copied(self, node: ast.AST) -> ast.AST:
        changed = {}
        for name, old in ast.iter_fields(node):
            if isinstance(old, ast.AST):
                new = self.visit(old)
            elif isinstance(old, list) and old and isinstance(old[0], ast.AST):
                new = self._visited(old)
            else:
                continue
            if new is not old:
                changed[name] = new
        if not changed:
            return node
        copied = copy.copy(node)
        vars(copied).update(changed)
        if isinstance(copied, ast.For | ast.While | ast.If) and not copied.body:
            copied.body = [ast.copy_location(ast.Pass(), copied)]
        return copied

    def _visited(self, parts: list[ast.AST]) -> list[ast.AST]:
        visited = [self.visit(part) for part in parts]
        if all(new is old for new, old in zip(visited, parts, strict=True)):
            return parts
        return [each for new in visited for each in (new if isinstance(new, list) else [new])]


def changed_tree(tree: ast.Module, changes: Sequence[Change]) -> ast.Module:
    """The tree, whose parts have numbers, with some changes; `tree` itself stays as it is."""
    changed = _Changing(changes).visit(tree)
    assert isinstance(changed, ast.Module)
    return changed


def _body(tree: ast.Module) -> str:
    """The text of a function without its head."""
    (function,) = tree.body
    assert isinstance(function, ast.FunctionDef)
    return "\n".join(map(ast.unparse, function.body[1:]))


def changes_of(function: ast.FunctionDef, kinds: Mapping[str, str]) -> Iterator[Change]:
    """All changes of a function, the first statement of which is its docstring.

    Args:
        function: a function whose parts have numbers.
        kinds: the type of each parameter.
    """
    words = _Words(function, kinds)
    parts = [part for statement in function.body[1:] for part in ast.walk(statement)]
    settings = {
        part.value for part in parts if isinstance(part, ast.keyword) and part.arg in _SETTINGS
    }
    rows = {
        number: row
        for row in parts
        if isinstance(row, ast.Tuple) and len(row.elts) > 2
        for number in row.elts
        if all(isinstance(each, ast.Constant) for each in row.elts)
    }
    for part in parts:
        if part in rows:
            yield from _number_in_a_row(part, rows[part], words)
        elif part not in settings:
            for rule in _RULES.get(type(part), ()):
                yield from rule(part, words)
        for name in ("body", "orelse"):
            if isinstance(steps := getattr(part, name, None), list):
                yield from _neighbours(steps)
    yield from _neighbours(function.body[1:])


_SETTINGS: Final = ("strict", "keepdims")


class _Words:
    """The names for parts of a model answer in sentences for someone who has not seen it."""

    def __init__(self, function: ast.FunctionDef, kinds: Mapping[str, str]) -> None:
        self.function = function.name
        self.kinds = kinds
        """The type of each parameter."""
        self._own = {
            *(each.arg for each in ast.walk(function) if isinstance(each, ast.arg)),
            *(each.id for each in ast.walk(function) if _is_set(each)),
        }.difference(kinds)

    def __call__(self, part: ast.AST, otherwise: str) -> str:
        """The text of a part if the task contains all of its names, otherwise `otherwise`."""
        text = ast.unparse(part)
        return otherwise if _names(part) & self._own or len(text) > _LONGEST else f"`{text}`"


_LONGEST: Final = 50


def _is_set(part: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)


# Conditions


def _comparison(part: ast.Compare, words: _Words) -> Iterator[Change]:
    (right, *others), (operator, *_) = part.comparators, map(type, part.ops)
    if others:
        return
    if other := _WITH_THE_BORDER.get(operator):
        yield Change(
            part,
            [ast.Compare(part.left, [other()], [right])],
            "a limit that is off by one",
            f"the limit itself were on the other side: check what happens if "
            f"{words(part.left, 'one number')} is exactly {words(right, 'the other one')}.",
        )
    for table in (_OPPOSITE, _REVERSED):
        if other := table.get(operator):
            changed = ast.Compare(part.left, [other()], [right])
            yield Change(part, [changed], *_the_wrong_way_round(words(part, "")))


_WITH_THE_BORDER: Final[Mapping[type, type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
_OPPOSITE: Final[Mapping[type, type[ast.cmpop]]] = {
    **{ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt},
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In},
}


_REVERSED: Final[Mapping[type, type[ast.cmpop]]] = {
    **{ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
}


def _the_wrong_way_round(condition: str) -> tuple[str, str]:
    which = f"the condition {condition}" if condition else "a condition"
    return "a condition that is reversed", f"{which} were reversed."


def _negation(part: ast.UnaryOp, words: _Words) -> Iterator[Change]:
    if isinstance(part.op, ast.Not):
        yield Change(part, [part.operand], *_the_wrong_way_round(words(part, "")))
    elif not isinstance(part.operand, ast.Constant):
        described = words(part.operand, "a value")
        sentence = f"{described} counted with the opposite sign."
        yield Change(part, [part.operand], "a sign forgotten", sentence)
        if ast.unparse(part) == "-math.inf":
            sentence = "the largest value started at 0, which no negative number can exceed."
            yield Change(part, [ast.Constant(0)], "a largest value that starts at 0", sentence)
        else:
            sentence = f"{described} counted as 0, where it should count with the opposite sign."
            yield Change(part, [ast.Constant(0)], "0 instead of the opposite", sentence)


def _test(part: ast.expr, words: _Words) -> Iterator[Change]:
    """The negation of a condition that is a single name or call."""
    if isinstance(part, ast.Name | ast.Attribute | ast.Call):
        negated = ast.UnaryOp(ast.Not(), part)
        yield Change(part, [negated], *_the_wrong_way_round(words(part, "")))


def _parity(part: ast.Compare, words: _Words) -> Iterator[Change]:
    """The player by the number of plies."""
    if "depth" in words.kinds and ast.unparse(part.left).endswith("current_player"):
        for rest in (0, 1):
            sentence = "the depth decided whose turn it is, but turns don't have to alternate."
            changed = expression(f"depth % 2 == {rest}")
            yield Change(part, [changed], "a turn taken from the depth", sentence)


def _and_or(part: ast.BoolOp, words: _Words) -> Iterator[Change]:
    for value in part.values:
        yield from _test(value, words)
    is_and = isinstance(part.op, ast.And)
    yield Change(
        part,
        [ast.BoolOp(ast.Or() if is_and else ast.And(), part.values)],
        "`and` and `or` swapped",
        "one of two conditions were enough, where both must hold."
        if is_and
        else "two conditions had to hold, where one of them is enough.",
    )
    for value in part.values:
        others = [each for each in part.values if each is not value]
        rest = others[0] if len(others) == 1 else ast.BoolOp(part.op, others)
        yield Change(part, [rest], *_ignored(words(value, "one of the conditions")))


def _ignored(condition: str) -> tuple[str, str]:
    return "a condition that is ignored", f"{condition} made no difference."


# Formulas


def _formula(part: ast.BinOp, words: _Words) -> Iterator[Change]:
    left, right = part.left, part.right
    for other, name, sentence in _OPERATORS.get(type(part.op), ()):
        described = words(right, "a part of the sum")
        yield Change(part, [ast.BinOp(left, other(), right)], name, sentence.format(described))
    if isinstance(part.op, ast.Sub | ast.Div | ast.FloorDiv | ast.Pow):
        described = words(part, f"a {_EXCHANGED[type(part.op)]}")
        name = f"a {_EXCHANGED[type(part.op)]} that is reversed"
        sentence = f"the two parts of {described} were swapped."
        yield Change(part, [ast.BinOp(right, part.op, left)], name, sentence)
    yield from _brackets(part, words)
    if ast.unparse(part) == "total_value / visit_count":
        yield from _other_scale(part)
    for kept, dropped in ((left, right), (right, left)):
        sentence = f"{words(dropped, 'a part')} were left out of the formula."
        yield Change(part, [kept], "a part of the formula left out", sentence)


def _brackets(part: ast.BinOp, words: _Words) -> Iterator[Change]:
    """Without the brackets around a sum that is multiplied or divided."""
    if not isinstance(part.op, ast.Mult | ast.Div):
        return
    for side in (part.left, part.right):
        if isinstance(side, ast.BinOp) and isinstance(side.op, ast.Add | ast.Sub):
            if side is part.right:
                changed = ast.BinOp(ast.BinOp(part.left, part.op, side.left), side.op, side.right)
            else:
                changed = ast.BinOp(side.left, side.op, ast.BinOp(side.right, part.op, part.right))
            sentence = f"there were no brackets around {words(side, 'a sum')}."
            yield Change(part, [changed], "missing brackets", sentence)


_OPERATORS: Final[Mapping[type, Sequence[tuple[type[ast.operator], str, str]]]] = {
    ast.Add: [(ast.Sub, "a minus instead of a plus", "{} were subtracted instead of added.")],
    ast.Sub: [(ast.Add, "a plus instead of a minus", "{} were added instead of subtracted.")],
    ast.Div: [
        (ast.FloorDiv, "a quotient that is rounded", "`//` replaced `/`, which drops the fraction.")
    ],
    ast.FloorDiv: [(ast.Div, "a quotient that is not rounded", "`/` replaced `//`.")],
}
_EXCHANGED: Final[Mapping[type, str]] = {
    ast.Sub: "difference",
    ast.Div: "quotient",
    ast.FloorDiv: "quotient",
    ast.Pow: "power",
}


def _number(part: ast.Constant, _words: _Words) -> Iterator[Change]:
    value = part.value
    if isinstance(value, bool):
        sentence = f"it used {not value} where it needs {value}."
        yield Change(part, [ast.Constant(not value)], f"{not value} instead of {value}", sentence)
    elif isinstance(value, int | float) and abs(value) <= sys.float_info.max:
        others = [value + 1, value - 1]
        if isinstance(value, float):
            others += [value * 2, value / 2, *([round(value)] if round(value) != value else [])]
            others += [1.645, 2.576] if value == 1.96 else []
        for other in others:
            sentence = f"{other:g} were used instead of {value:g}."
            yield Change(part, [ast.Constant(other)], f"{other:g} instead of {value:g}", sentence)


def _number_in_a_row(part: ast.expr, row: ast.Tuple, words: _Words) -> Iterator[Change]:
    """In a table of numbers the student may have written another one."""
    sentence = f"the numbers {ast.unparse(row)} were missing, or wrong."
    assert isinstance(part, ast.Constant)
    for change in _number(part, words):
        yield change._replace(name="a row of numbers that is wrong", sentence=sentence)


# Values


def _argument(part: ast.Name, words: _Words) -> Iterator[Change]:
    kind = words.kinds.get(part.id)
    if kind is None or _is_set(part):
        return
    for other in words.kinds:
        if other != part.id and words.kinds[other] == kind:
            name = f"`{other}` instead of `{part.id}`"
            sentence = f"it used `{other}` instead of `{part.id}`."
            yield Change(part, [ast.Name(other)], name, sentence)
    if kind == "float":
        changed = ast.BinOp(ast.Constant(1), ast.Div(), part)
        sentence = f"it used 1 / `{part.id}` instead of `{part.id}`."
        yield Change(part, [changed], f"1 / {part.id} instead of {part.id}", sentence)
    if _A_NUMBER_OF.search(part.id):
        for number, which in ((1, "larger"), (-1, "smaller")):
            changed = ast.BinOp(part, ast.Add(), ast.Constant(number))
            sentence = f"`{part.id}` were {which} by one."
            yield Change(part, [changed], f"`{part.id}` {which} by one", sentence)


_A_NUMBER_OF: Final = re.compile("num|count|depth|ply|plies|visits")


def _tuple(part: ast.Tuple, _words: _Words) -> Iterator[Change]:
    """Swap neighbours, but not in lists of numbers or of lists."""
    if isinstance(part.ctx, ast.Load) and not all(map(_is_data, part.elts)):
        for values in neighbours_swapped(part.elts):
            is_axis = any(isinstance(value, ast.Slice) for value in values)
            name = "the other axis" if is_axis else "two values swapped"
            described = "the axes of a board" if is_axis else "two neighbouring values"
            yield Change(part, [ast.Tuple(values)], name, f"{described} were swapped.")


def neighbours_swapped(values: Sequence[ast.expr]) -> Iterator[list[ast.expr]]:
    """The values in other orders: each time one has changed places with the next."""
    for at in range(len(values) - 1):
        yield [*values[:at], values[at + 1], values[at], *values[at + 2 :]]


def _is_data(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant | ast.Tuple)


def _turned_round(part: ast.Name, words: _Words) -> Iterator[Change]:
    kind = words.kinds.get(part.id, _PAIR)
    if part.id == "returns" and kind == _PAIR and not _is_set(part):
        turned = expression("returns[::-1]")
        sentence = "the two parts of `returns` were swapped."
        yield Change(part, [turned], "a reversed pair", sentence)


_PAIR: Final = "tuple[float, float]"


def _other_player(part: ast.Attribute | ast.Subscript, _words: _Words) -> Iterator[Change]:
    other: ast.expr
    if isinstance(part, ast.Attribute):
        is_player = part.attr in ("current_player", "mover")
        other = _one_minus(part)
    else:
        is_player = "returns" in ast.unparse(part.value) and not isinstance(
            part.slice, ast.Constant
        )
        other = ast.Subscript(part.value, _one_minus(part.slice))
    if not is_player or not isinstance(part.ctx, ast.Load):
        return
    sentence = "it used the other player's point of view."
    yield Change(part, [other], "the other player's point of view", sentence)
    if isinstance(part, ast.Subscript):
        yield from _other_scale(part)


def _other_scale(part: ast.expr) -> Iterator[Change]:
    rate = expression(f"(1 + {ast.unparse(part)}) / 2")
    sentence = "a loss counted 0, a draw 0.5 and a win 1. Here they count -1, 0 and 1."
    yield Change(part, [rate], "the scale from 0 to 1", sentence)


def _one_minus(value: ast.expr) -> ast.BinOp:
    return ast.BinOp(ast.Constant(1), ast.Sub(), value)


def _cut(part: ast.Subscript, words: _Words) -> Iterator[Change]:
    """An item that is left out at one end of a list."""
    whole, own = words(part.value, "a list"), ast.unparse(part.slice)
    if own not in ("1:", ":-1"):
        return
    is_first = own == "1:"
    which, other, last = ("first", ":-1", "last") if is_first else ("last", "1:", "first")
    sentence = f"the {which} one of {whole} were not left out."
    yield Change(part, [part.value], f"the {which} one too many", sentence)
    sentence = f"the {last} one of {whole} were left out, where the {which} one has to be."
    changed = expression(f"{ast.unparse(part.value)}[{other}]")
    yield Change(part, [changed], "the wrong end of a list left out", sentence)


def _exchanged(part: ast.Call, _words: _Words) -> Iterator[Change]:
    if ast.unparse(part.func) in ("max", "min"):
        return
    for arguments in neighbours_swapped(part.args):
        changed = ast.Call(part.func, arguments, part.keywords)
        sentence = f"two arguments of {_short(part)} were swapped."
        yield Change(part, [changed], "two arguments swapped", sentence)


def _key(part: ast.Call, _words: _Words) -> Iterator[Change]:
    if ast.unparse(part.func) in ("max", "min") and [each.arg for each in part.keywords] == ["key"]:
        changed = ast.Call(part.func, part.args, [])
        name = "a comparison without `key=`"
        sentence = (
            "the items themselves were compared, not the value that counts: `key=` is missing."
        )
        yield Change(part, [changed], name, sentence)


def _other_function(part: ast.Call, _words: _Words) -> Iterator[Change]:
    function: ast.expr
    if other := _OTHER_FUNCTIONS.get(ast.unparse(part.func)):
        function = expression(other)
    elif isinstance(part.func, ast.Attribute) and part.func.attr in _OTHER_METHODS:
        other = _OTHER_METHODS[part.func.attr]
        function = ast.Attribute(part.func.value, other)
    else:
        return
    name = f"`{other}` instead of {_short(part)}"
    sentence = f"`{other}` were used instead of {_short(part)}."
    yield Change(part, [ast.Call(function, part.args, part.keywords)], name, sentence)


def _call_left_out(part: ast.Call, _words: _Words) -> Iterator[Change]:
    if part.args and not part.keywords and ast.unparse(part.func) not in _NO_DIFFERENCE:
        sentence = f"{_short(part)} were left out, and its argument were used unchanged."
        yield Change(part, [part.args[0]], f"{_short(part)} left out", sentence)


def _root(part: ast.Call, _words: _Words) -> Iterator[Change]:
    if ast.unparse(part.func) not in ("math.sqrt", "np.sqrt"):
        return
    (value,) = part.args
    half = ast.BinOp(value, ast.Div(), ast.Constant(2))
    sentence = "half of the number were taken: `x ** 1 / 2` means (x ** 1) / 2. Write `x ** 0.5`."
    yield Change(part, [half], "half instead of the square root", sentence)
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Div | ast.Mult):
        for first, which in ((True, "first"), (False, "second")):
            parts = (value.left, value.right) if first else (value.right, value.left)
            root = ast.Call(part.func, [parts[0]], [])
            sides = (root, value.right) if first else (value.left, root)
            changed = ast.BinOp(sides[0], value.op, sides[1])
            sentence = f"the root were taken of the {which} part only, not of the whole."
            yield Change(part, [changed], "a root that covers only a part", sentence)


def _rule_of_selection(part: ast.Call, _words: _Words) -> Iterator[Change]:
    if ast.unparse(part) in ("search.ucb1()", "search.puct()"):
        changed = ast.Call(part.func, [ast.Constant(0.0)], [])
        sentence = "c were 0, so that rarely tried moves get no bonus."
        yield Change(part, [changed], "a selection without a bonus", sentence)


def _recursion(part: ast.Call, words: _Words) -> Iterator[Change]:
    if ast.unparse(part.func) == words.function:
        fewer = ast.Call(part.func, part.args[:-1], part.keywords)
        last = words(part.args[-1], "the last argument")
        sentence = f"{last}, as it is now, were not passed on when the function calls itself."
        yield Change(part, [fewer], "an argument that is not passed on", sentence)


def _range(part: ast.Call, _words: _Words) -> Iterator[Change]:
    if ast.unparse(part.func) == "range":
        for number, described in ((1, "too many"), (-1, "too few")):
            end = ast.BinOp(part.args[-1], ast.Add(), ast.Constant(number))
            changed = ast.Call(part.func, [*part.args[:-1], end], [])
            yield Change(part, [changed], f"one {described}", f"a loop ran one round {described}.")


def _draw(part: ast.Call, _words: _Words) -> Iterator[Change]:
    if ast.unparse(part.func) == "search.uniform":
        taken = expression(f"{ast.unparse(part.args[0])}.legal_actions()[0]")
        sentence = "nothing were drawn at random, but the first legal action always taken."
        yield Change(part, [taken], "always the first one", sentence)
    if ast.unparse(part.func) == "rng.choice" and len(part.args) == 1:
        for number, described in ((0, "first"), (-1, "last")):
            taken = ast.Subscript(part.args[0], ast.Constant(number))
            sentence = f"nothing were drawn at random, but the {described} one always taken."
            yield Change(part, [taken], f"always the {described} one", sentence)
        length = ast.Call(ast.Name("len"), [part.args[0]], [])
        place = ast.Call(expression("rng.integers"), [length], [])
        yield Change(part, [place], *_A_PLACE)


_A_PLACE: Final = (
    "an index of a list instead of the item there",
    "an index of the list were used instead of the action at that index.",
)


def _short(part: ast.Call) -> str:
    return f"`{ast.unparse(part.func).rpartition('.')[2]}`"


_OTHER_FUNCTIONS: Final[Mapping[str, str]] = {
    **{"max": "min", "min": "max", "any": "all", "all": "any"},
    **{"math.log": "math.log10", "np.log": "np.log10", "math.ceil": "math.floor"},
    **{"math.floor": "math.ceil", "np.mean": "np.sum", "np.sum": "np.mean"},
    **{"np.var": "np.std", "np.std": "np.var"},
}
_OTHER_METHODS: Final[Mapping[str, str]] = {"mean": "sum", "sum": "mean"}
_NO_DIFFERENCE: Final = ("int", "float", "list", "range", "zip", "max", "min")
"""A check accepts any kind of number and list; without the others, the rest makes no sense."""


def expression(text: str) -> ast.expr:
    """The tree of an expression."""
    return ast.parse(text, mode="eval").body


def _conditional(part: ast.IfExp, words: _Words) -> Iterator[Change]:
    yield from _test(part.test, words)
    for kept in (part.body, part.orelse):
        yield Change(part, [kept], *_ignored(words(part.test, "a condition")))


# Loops


def _iterable(part: ast.For | ast.comprehension, words: _Words) -> Iterator[Change]:
    for cut, which in (("[1:]", "first"), ("[:-1]", "last")):
        shorter = expression(f"list({ast.unparse(part.iter)}){cut}")
        described = words(part.iter, "its items")
        sentence = f"the loop left out the {which} of {described}."
        yield Change(part.iter, [shorter], f"the {which} one left out", sentence)
    only = expression(f"list({ast.unparse(part.iter)})[-1:]")
    sentence = f"only the last of {words(part.iter, 'its items')} counted."
    yield Change(part.iter, [only], "only the last one", sentence)


def _places(part: ast.For | ast.comprehension, _words: _Words) -> Iterator[Change]:
    if ast.unparse(part.iter).endswith("legal_actions()"):
        places = expression(f"range(len({ast.unparse(part.iter)}))")
        yield Change(part.iter, [places], *_A_PLACE)


def _ends(part: ast.For | ast.comprehension, _words: _Words) -> Iterator[Change]:
    """Leave out the moves that end the game."""
    iterated, move = ast.unparse(part.iter), ast.unparse(part.target)
    if iterated.endswith(".legal_actions()"):
        state = iterated.removesuffix(".legal_actions()")
        going_on = f"[{move} for {move} in {iterated} if not {state}.child({move}).is_terminal]"
        sentence = "the moves that end the game were left out."
        yield Change(
            part.iter, [expression(going_on)], "moves left out that end the game", sentence
        )


def _filter(part: ast.comprehension, words: _Words) -> Iterator[Change]:
    for condition in part.ifs:
        described = words(condition, "a condition in the loop")
        yield Change(condition, [ast.Constant(True)], *_ignored(described))


def _out_of_the_loop(part: ast.For | ast.While, words: _Words) -> Iterator[Change]:
    """A step that is done once instead of in every round."""
    for step in part.body if len(part.body) > 1 else ():
        if not isinstance(step, ast.Assign | ast.AugAssign | ast.Expr):
            continue
        rest = copy.copy(part)
        rest.body = [each for each in part.body if each is not step]
        value = step.value if isinstance(step, ast.Expr) else _target(step)
        described = words(value, "a step")
        done = "done" if isinstance(step, ast.Expr) else "changed"
        sentence = f"{described} were {done} once, {{}} the loop, instead of in each of its rounds."
        yield Change(part, [rest, step], "a step outside its loop", sentence.format("after"))
        yield Change(part, [step, rest], "a step outside its loop", sentence.format("before"))


def _target(step: ast.Assign | ast.AugAssign) -> ast.expr:
    return step.target if isinstance(step, ast.AugAssign) else step.targets[0]


def _loop(part: ast.For | ast.While, _words: _Words) -> Iterator[Change]:
    once = copy.copy(part)
    once.body = [*part.body, ast.Break()]
    sentence = "the loop ended after its first round. Is a `return` or `break` indented too far?"
    yield Change(part, [once], "a loop of one round", sentence)
    if isinstance(part, ast.While) and ast.unparse(part.test) != "True":
        stop = ast.If(ast.UnaryOp(ast.Not(), part.test), [ast.Break()], [])
        for rounds, described in ((2, "two"), (100, "a hundred")):
            limit = expression(f"range({rounds})")
            limited = ast.For(ast.Name("_", ast.Store()), limit, [stop, *part.body], [])
            sentence = f"the loop ended after {described} rounds."
            yield Change(part, [limited], f"a loop of {described} rounds", sentence)
    if isinstance(part, ast.While) and ast.unparse(part.test).endswith(" is not None"):
        name = ast.unparse(part.test).removesuffix(" is not None")
        before = ast.While(expression(f"{name}.parent is not None"), part.body, [])
        sentence = "the loop ended before it reached the root."
        yield Change(part, [before], "the root left out", sentence)


# Statements


def _neighbours(steps: Sequence[ast.stmt]) -> Iterator[Change]:
    """Two steps in the wrong order, although one of them needs the result of the other."""
    for one, other in itertools.pairwise(steps):
        if _set_by(one) & _names(other) or _set_by(other) & _names(one):
            both = ast.If(ast.Constant(True), [other, one], [])
            sentence = "two steps were done in the wrong order: which of them comes first?"
            yield Change(one, [both], "two steps swapped", sentence, also=other)


def _names(part: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(part) if isinstance(each, ast.Name)}


def _set_by(step: ast.stmt) -> set[str]:
    targets = step.targets if isinstance(step, ast.Assign) else []
    return {each.id for target in targets for each in ast.walk(target) if _is_set(each)}


def _branch(part: ast.If, words: _Words) -> Iterator[Change]:
    if isinstance(part.body[-1], ast.Break) and "current_player" not in ast.unparse(part.test):
        for player in (0, 1):
            test = ast.BoolOp(
                ast.And(), [part.test, expression(f"state.current_player == {player}")]
            )
            sentence = f"{words(part.test, 'a condition')} only counted for player {player}."
            changed = ast.If(test, part.body, part.orelse)
            yield Change(part, [changed], "a condition for one player only", sentence)
    yield from _test(part.test, words)
    described = words(part.test, "one of the conditions")
    yield Change(part, part.orelse, "a case left out", f"{described} were never true.")
    yield Change(part, part.body, "a condition that is ignored", f"{described} were always true.")


def _return(part: ast.Return, words: _Words) -> Iterator[Change]:
    value = part.value
    if value is None or (isinstance(value, ast.Constant) and value.value is None):
        return
    sentence = "a `return` were missing, so that the value is computed and then lost."
    yield Change(part, [ast.Expr(value)], "a `return` left out", sentence)
    if isinstance(value, ast.Name) and value.id not in words.kinds:
        for other in words.kinds:
            described = f"`{other}` instead of the result"
            yield Change(value, [ast.Name(other)], described, f"it returned `{other}`.")
    if not isinstance(value, ast.Constant | ast.Tuple):
        opposite = ast.Return(ast.UnaryOp(ast.USub(), value))
        described = words(value, "the result")
        sentence = f"{described} had the opposite sign. Whose point of view is it?"
        yield Change(part, [opposite], "the opposite sign", sentence)
        sentence = f"it returned 1 minus {described}."
        yield Change(part, [ast.Return(_one_minus(value))], "1 minus the result", sentence)


def _addition(part: ast.AugAssign, words: _Words) -> Iterator[Change]:
    described = words(part.value, "the new part")
    sentence = (
        f"{words(part.target, 'a running value')} were set to {described} instead of changed by it."
    )
    yield Change(
        part, [ast.Assign([part.target], part.value)], "a value that is overwritten", sentence
    )
    if isinstance(part.op, ast.Add) and "children" not in ast.unparse(part.value):
        yield Change(part, [part, part], "a step done twice", f"{described} were counted twice.")
    if isinstance(part.op, ast.Add) and "returns[" in ast.unparse(part.value):
        gain = ast.Call(ast.Name("max"), [ast.Constant(0), part.value], [])
        changed = ast.AugAssign(part.target, part.op, gain)
        sentence = f"{described} counted only if it is positive."
        yield Change(part, [changed], "losses that are not counted", sentence)
    if isinstance(part.op, ast.Add | ast.Sub):
        other = ast.Sub() if isinstance(part.op, ast.Add) else ast.Add()
        sentence = f"{described} counted with the opposite sign."
        changed = ast.AugAssign(part.target, other, part.value)
        yield Change(part, [changed], "a wrong sign", sentence)


def _step(part: ast.stmt, words: _Words) -> Iterator[Change]:
    if isinstance(part, ast.Expr):
        described = f"{words(part, 'a step')} were left out."
        twice = f"{words(part, 'a step')} were done twice."
        yield Change(part, [part, part], "a step done twice", twice)
    else:
        assert isinstance(part, ast.Assign | ast.AugAssign)
        described = f"{words(_target(part), 'a value')} were never set."
        if ast.unparse(part.value).startswith("search.expand("):
            twice = f"{words(part.value, 'a step')} were done twice."
            yield Change(part, [part, part], "a step done twice", twice)
    yield Change(part, [], "a step left out", described)


_RULES: Final[Mapping[type, Sequence[Callable[[Any, _Words], Iterator[Change]]]]] = {
    ast.Compare: [_comparison, _parity],
    ast.UnaryOp: [_negation],
    ast.BoolOp: [_and_or],
    ast.BinOp: [_formula],
    ast.Constant: [_number],
    ast.Name: [_argument, _turned_round],
    ast.Attribute: [_other_player],
    ast.Subscript: [_other_player, _cut],
    ast.Tuple: [_tuple],
    ast.Call: [
        *(_exchanged, _key, _other_function, _call_left_out, _root, _recursion, _range, _draw),
        _rule_of_selection,
    ],
    ast.IfExp: [_conditional],
    ast.comprehension: [_iterable, _places, _ends, _filter],
    ast.For: [_iterable, _places, _ends, _loop, _out_of_the_loop],
    ast.While: [_loop, _out_of_the_loop],
    ast.If: [_branch],
    ast.Return: [_return],
    ast.AugAssign: [_addition, _step],
    ast.Assign: [_step],
    ast.Expr: [_step],
}
