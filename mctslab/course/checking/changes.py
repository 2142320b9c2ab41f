"""Small changes of a function, each with a question that leads to what the change mends.

It is a question because only one thing was tried: with the change, the inputs give the expected
result. The fault can often be seen in another line as well.

`TABLE` has the rules. In a rule `old => new` a capital letter is any expression, the same letter
the same one, and `*A` or `**K` any number of them; `A @ B` is a calculation with any operator, and
`A.f` any attribute. After `=>` come the replacements, separated by `;`. A line without `=>` has
names that are mistaken for each other; those with a dot are attributes. Above the rules stands
their question, in which {} is the old part.
"""

import ast
import copy
import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeGuard

TABLE: Final = """
Should {} be a copy? Whatever happens to it, the original stays as it is.
    list(A) => A
    A.copy() => A
    A[:] => A
Is the limit of {} off by one? On which side does it belong when both are equal?
    A < B => A <= B
    A <= B => A < B
    A > B => A >= B
    A >= B => A > B
Is {} off by one?
    A == B => A == B - 1 ; A == B + 1
    A[B] => A[B - 1] ; A[B + 1]
Is the condition {} the wrong way round?
    A < B => A > B ; A >= B
    A <= B => A > B ; A >= B
    A > B => A < B ; A <= B
    A >= B => A < B ; A <= B
    A == B => A != B
    A != B => A == B
    A is B => A is not B
    A is not B => A is B
    A in B => A not in B
    A not in B => A in B
    not A => A
    A and B => not A and B ; A and not B
    A or B => not A or B ; A or not B
    B if A else C => C if A else B
Are `and` and `or` confused in {}?
    A and B => A or B
    A or B => A and B
Is there a condition too many in {}?
    A and B => A ; B
    A or B => A ; B
    B if A else C => B ; C
Does a 0, or something empty, count like None in {}? Only `is None` tells them apart.
    A or B => A if A is not None else B
    not A => A is None
    B if A else C => B if A is not None else C
Does {} have the wrong sign?
    -A => A
    (-A, -B) => (A, B)
    math.inf => -math.inf
    returns[A] => -returns[A]
    A.returns()[B] => -A.returns()[B]
    A.mean_value => -A.mean_value
Are a plus and a minus confused in {}?
    A + B => A - B
    A - B => A + B
Are the two parts of {} the wrong way round?
    A - B => B - A
    A / B => B / A
    A // B => B // A
    A ** B => B ** A
    returns => returns[::-1]
Does {} belong to the right player? Whose point of view is needed here?
    A.current_player => 1 - A.current_player
    A.mover => 1 - A.mover
    A[B] => A[1 - B]
    1 - A => A
    .current_player .mover
Are brackets missing in {}, or in the wrong place? In which order is it worked out?
    A * (B + C) => A * B + C
    A / (B + C) => A / B + C
    A * (B - C) => A * B - C
    A / (B - C) => A / B - C
    (A + B) / C => A + B / C
    (A - B) / C => A - B / C
    A * B + C => A * (B + C)
    A / B + C => A / (B + C)
    A * B - C => A * (B - C)
    A / B - C => A / (B - C)
    A + B / C => (A + B) / C
    A - B / C => (A - B) / C
    A + B * C => (A + B) * C
    A - B * C => (A - B) * C
    A / B / C => A / (B / C)
    A / B * C => A / (B * C)
    A / B * C * D => A / (B * C * D)
    A ** B / C => A ** (B / C)
    F(A @ B) => F(A) @ B ; A @ F(B)
    F(A) @ B => F(A @ B)
    A * F(B) / C => A * F(B / C)
    A * (B + C) => B + A * C
    F(G(A)) => G(F(A))
Should {} be rounded? `/` keeps the fraction, `//` drops it.
    A / B => A // B
    A // B => A / B
Is a product needed in {}, or a quotient?
    A * B => A / B
    A / B => A * B
Does {} have a part too many?
    A @ B => A ; B
    F(A, *B) => A
    F(A, **K) => A
    A.f(*B, **K) => A
    A[B] => A
    A.f => A
Are the arguments of {} in the right order?
    F(*A, B, C, *D, **K) => F(*A, C, B, *D, **K)
Is there an argument too many in {}, or does one lack its `key=`?
    F(*A, B, **K) => F(*A, **K)
    F(*A, key=B) => F(*A)
    search.ucb1() => search.ucb1(0.0)
{} is a function: brackets after its name call it.
    A.f => A.f()
Are the values in {} in the right order?
    (*A, B, C, *D) => (*A, C, B, *D)
    [*A, B, C, *D] => [*A, C, B, *D]
Does {} begin and end at the right place?
    A[1:] => A[:-1] ; A
    A[:-1] => A[1:] ; A
    A[B:-1] => A[B:]
    range(*A, B) => range(*A, B + 1) ; range(*A, B - 1)
Should {} be drawn at random, and from this?
    rng.choice(A) => A[0] ; A[-1]
    search.uniform(A, *B) => A.legal_actions()[0]
Is the largest needed in {}, or the smallest?
    max min
    np.argmax np.argmin
Is {} the function that is needed here?
    sum len max
    any all
    list set sorted
    int math.ceil math.floor round
    math.log math.log10 math.log2 math.sqrt
    np.log np.log10 np.sqrt
    np.mean np.sum np.median
    .mean .sum .amax
    .softmax .log_softmax
Is {} the number of the node that is needed here? There are N, W, Q and P.
    .visit_count .total_value .mean_value .prior
Are rows and columns confused in {}?
    .rows .cols
Should the old value be lost here? {} overwrites it.
    A = B => A += B ; A |= B
Should what was there before count as well in {}, and with which sign?
    A += B => A = B ; A -= B
    A -= B => A = B ; A += B
Does the result have the wrong sign? Whose point of view is it?
    return A => return -A
Is the result counted from the wrong side, or from the wrong end of its scale?
    return A => return 1 - A
    -A => 1 - A
"""


class Change(NamedTuple):
    """A part of a function, and what replaces it."""

    part: ast.AST
    instead: Sequence[ast.AST]
    """For an expression one; for a statement none, one, or several."""
    sentence: str
    """A question about the part, to be asked if this change mends it."""
    also: ast.stmt | None = None
    """A statement that is removed as well."""
    at: ast.stmt | None = None
    """The statement to look at, if it is another one."""
    kind: str = ""
    """The same for changes by the same rule."""

    @property
    def place(self) -> Any:
        """What to look at."""
        return self.at or self.also or self.part

    @property
    def replaced(self) -> dict[int, Sequence[ast.AST]]:
        """What a copy of the function has in the place of its parts, by their numbers."""
        parts: dict[int, Sequence[ast.AST]] = {self.part.number: self.instead}  # type: ignore[attr-defined]
        if self.also:
            parts[self.also.number] = []  # type: ignore[attr-defined]
        return parts


# Rules


class Rule(NamedTuple):
    """One line of the table with one replacement."""

    old: ast.AST
    new: ast.AST
    sentence: str
    kind: str
    """Its text."""


class Group(NamedTuple):
    """Names that are mistaken for each other."""

    names: Sequence[str]
    sentence: str


def _pattern(text: str) -> ast.AST:
    (step,) = ast.parse(text).body
    return step.value if isinstance(step, ast.Expr) else step


def _table() -> tuple[Mapping[type, Sequence[Rule]], Sequence[Group]]:
    """The rules by the type of their old part, and the groups."""
    rules: dict[type, list[Rule]] = {}
    groups, sentence = [], ""
    for line in TABLE.strip().splitlines():
        old, _, new = line.strip().partition(" => ")
        if not line.startswith(" "):
            sentence = line
        elif not new:
            groups.append(Group(tuple(old.split()), sentence))
        for each in new.split(" ; ") if new else ():
            pattern = _pattern(old)
            rules.setdefault(type(pattern), []).append(
                Rule(pattern, _pattern(each), sentence, f"{old} => {each}")
            )
    return rules, groups


_RULES, _GROUPS = _table()

Found = Mapping[str, Any]
"""What the letters of a rule stand for."""


def _matches(old: Any, part: Any, found: Found) -> Iterator[Found]:
    """The ways in which a part fits a rule; no letter stands for a part that is not there."""
    if isinstance(old, ast.Name) and len(old.id) == 1 and old.id.isupper():
        if part is None:
            return
        if old.id not in found:
            yield {**found, old.id: part}
        elif _is_same(found[old.id], part):
            yield found
    elif isinstance(old, list):
        yield from _lists_match(old, part, found)
    elif isinstance(old, ast.MatMult) and isinstance(part, ast.operator):
        yield {**found, "@": part}
    elif type(old) is not type(part):
        return
    elif isinstance(old, ast.Attribute) and old.attr == "f":
        yield from _matches(old.value, part.value, {**found, ".f": part.attr})
    elif isinstance(old, ast.AST):
        ways: list[Found] = [found]
        for name in old._fields:
            if name not in ("ctx", "kind", "type_comment"):
                one, other = getattr(old, name), getattr(part, name)
                ways = [more for way in ways for more in _matches(one, other, way)]
        yield from ways
    elif old == part:
        yield found


def _lists_match(old: list[Any], parts: list[Any], found: Found) -> Iterator[Found]:
    if not old:
        if not parts:
            yield found
        return
    name = _many(old[0])
    if not name and parts:
        for way in _matches(old[0], parts[0], found):
            yield from _lists_match(old[1:], parts[1:], way)
    for number in range(len(parts) + 1) if name else ():
        yield from _lists_match(old[1:], parts[number:], {**found, name: parts[:number]})


def _many(old: Any) -> str:
    """The letter after the stars of `*A` or `**K`."""
    if isinstance(old, ast.Starred) or (isinstance(old, ast.keyword) and old.arg is None):
        return "*" + ast.unparse(old.value)
    return ""


def _filled(new: Any, found: Found) -> Any:
    """A rule's replacement, with the parts that its letters stand for."""
    if isinstance(new, ast.Name) and new.id in found:
        return found[new.id]
    if isinstance(new, ast.MatMult):
        return found["@"]
    if isinstance(new, list):
        many = [found[_many(each)] if _many(each) else [_filled(each, found)] for each in new]
        return list(itertools.chain(*many))
    if not isinstance(new, ast.AST):
        return found[".f"] if new == "f" else new
    return type(new)(**{name: _filled(value, found) for name, value in ast.iter_fields(new)})


def _name(text: str) -> ast.expr:
    """A name, with what stands before its dot."""
    return ast.parse(text, mode="eval").body


# Changes


def changes_of(function: ast.FunctionDef) -> list[Change]:
    """All changes by the rules and of the order of steps, small ones first.

    Args:
        function: a function whose parts have numbers; its first statement is its docstring.
    """
    found: list[Change] = []
    for part in _values_read(function):
        found += [*_by_rules(part), *_numbers(part), *_alike(part)]
    for step in _parts(function):
        if isinstance(step, ast.stmt):
            found += [*_by_rules(step), *_of_step(step, function.name)]
        elif isinstance(step, ast.comprehension):
            found += [_change(each, ast.Constant(True), _TOO_STRICT) for each in step.ifs]
    for block in _blocks(function):
        found += _of_block(block)
    return sorted(found, key=_effort)


def changes_with(function: ast.FunctionDef, model: ast.FunctionDef) -> list[Change]:
    """Changes that put in another variable, or a number or a step of the right answer.

    They are many, and some only make up for a fault elsewhere, so they are tried after the others.
    """
    variables, found = _set_in(function), list[Change]()
    numbers: dict[Any, None] = dict.fromkeys(e.value for e in ast.walk(model) if _is_number(e))
    for part in _values_read(function):
        if isinstance(part, ast.Name) and part.id in variables:
            for name in sorted(variables - {part.id, "_"}):
                kind = f"{part.id} => {name}"
                found.append(_change(part, _name(name), "Is {} the right one here?", kind))
        elif _is_number(part):
            found += [_other_number(part, each) for each in numbers if each != part.value]
    return sorted([*found, *_missing_in(function, model)], key=_effort)


def _parts(function: ast.FunctionDef) -> list[ast.AST]:
    return [part for step in function.body[1:] for part in ast.walk(step)]


def _values_read(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """The expressions whose value is used, but for settings that are left alone."""
    parts = _parts(function)
    kept = {each.value for each in parts if isinstance(each, ast.keyword) and each.arg in _KEPT}
    for part in parts:
        is_read = isinstance(getattr(part, "ctx", None), ast.Load | None)
        if isinstance(part, ast.expr) and is_read and part not in kept:
            yield part


_KEPT: Final = ("strict", "keepdims", "dtype")


def _blocks(function: ast.FunctionDef) -> Iterator[list[ast.stmt]]:
    """The steps of the function, and those below each loop and condition."""
    yield function.body[1:]
    for part in _parts(function):
        if isinstance(part, ast.stmt):
            yield from filter(None, (getattr(part, name, None) for name in ("body", "orelse")))


def _effort(change: Change) -> int:
    """How late a change is tried; one that can hide a fault instead of mending it comes later."""
    first_line, *_ = written(change.also or change.part).splitlines()
    later = 15 * bool(change.also) + 40 * (len(change.instead) > 1)
    later += 45 * isinstance(change.part, ast.Constant)
    later += 10 * isinstance(change.part, ast.Compare | ast.BoolOp | ast.Return)
    later += _LATER.get(change.kind, 0)
    if change.kind.startswith(_MISSING):
        later += 2 * change.part.col_offset  # type: ignore[attr-defined]  # seldom in a loop
    return len(first_line) + later


_LATER: Final[Mapping[str, int]] = {
    "A.f => A": 60,
    "returns => returns[::-1]": 40,
    "1 - A => A": -20,
    "A[B] => A[B - 1]": 40,
    "A[B] => A[B + 1]": 40,
}


def named(part: ast.AST) -> str:
    """The text of a part for a sentence, if it is short; of a long calculation its end."""
    text, *_ = written(part).splitlines()
    if len(text) > LONGEST and isinstance(part, ast.BinOp):
        text = ast.unparse(ast.BinOp(ast.Name("..."), part.op, part.right))
    return f"`{text}`" if len(text) <= LONGEST else "this expression"


LONGEST: Final = 60


def _change(part: ast.AST, new: ast.AST, sentence: str, kind: str = "") -> Change:
    """A part replaced by another; the sentence has its text."""
    said = sentence.replace("{}", named(part)).replace("? this", "? This")
    return Change(part, [new], said[0].upper() + said[1:], kind=kind or sentence)


def _by_rules(part: ast.AST) -> Iterator[Change]:
    for rule in _RULES.get(type(part), ()):
        for found in _matches(rule.old, part, {}):
            if isinstance(part, ast.Subscript) and not _is_sensible(rule, part.slice):
                continue
            if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Tuple):
                continue  # nothing can be added to several at once
            yield _change(part, _filled(rule.new, found), rule.sentence, rule.kind)


def _is_sensible(rule: Rule, index: ast.expr) -> bool:
    """Whether a rule of `A[B]` fits an index; other numbers are tried without a rule."""
    if isinstance(index, ast.Constant | ast.UnaryOp):
        return "1" not in rule.kind or (
            rule.kind.endswith("A[1 - B]") and ast.unparse(index) in ("0", "1")
        )
    return True


def _alike(part: ast.expr) -> Iterator[Change]:
    """Another name of the same group."""
    text, end = written(part), f".{part.attr}" if isinstance(part, ast.Attribute) else ""
    for names, sentence in _GROUPS:
        for other in names if text in names else ():
            if other[0] != "." and other != text:
                yield _change(part, _name(other), sentence)
        for other in names if end in names else ():
            if other[0] == "." and other != end:
                assert isinstance(part, ast.Attribute)
                yield _change(part, ast.Attribute(part.value, other[1:], part.ctx), sentence)


def _numbers(part: ast.expr) -> Iterator[Change]:
    """Other numbers than one that is written out."""
    if isinstance(part, ast.Constant) and isinstance(part.value, bool):
        yield _change(part, ast.Constant(not part.value), "Is {} the right truth value here?")
    elif _is_number(part):
        number: Any = part.value
        for other in (number + 1, number - 1, 0, 1, -1, 2, number * 2, number / 2):
            if other != number:
                yield _other_number(part, other)
        for name, sentence in (("math.inf", _TOO_SMALL), ("-math.inf", _TOO_LARGE)):
            yield _change(part, _name(name), sentence)


def _is_number(part: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(part, ast.Constant) and type(part.value) in (int, float)


def _other_number(part: ast.Constant, other: float) -> Change:
    """One number in the place of another."""
    number: Any = part.value
    said = _TOO_SMALL if number < other else _TOO_LARGE
    if abs(number - other) == 1:
        said = "Is {} off by one here?"
    elif number == -other:
        said = "Does {} have the wrong sign?"
    return _change(part, ast.Constant(other), said)


_TOO_SMALL: Final = "Is {} too small a number here?"
_TOO_LARGE: Final = "Is {} too large a number here?"


# Steps


def _of_block(steps: Sequence[ast.stmt]) -> Iterator[Change]:
    """Steps left out, or done at another place."""
    for at, step in enumerate(steps):
        is_plain = isinstance(step, ast.Assign | ast.AugAssign | ast.Expr)
        if is_plain or isinstance(step, ast.Break | ast.Continue):
            yield Change(step, [], "Is this step one too many?")
        if not is_plain and not isinstance(step, ast.If):
            continue
        for to, other in enumerate(steps):
            if to != at:
                early = "late" if to < at else "early"
                pair = [step, other] if to < at else [other, step]
                both = ast.If(ast.Constant(True), pair, [])
                sentence = f"Does this step come too {early}? What must happen before it?"
                yield Change(other, [both], sentence, also=step)
        for later in _within(steps[at + 1 :]) if is_plain else ():
            where = f"under `{_head(later)}`"
            if isinstance(later, ast.For | ast.While):
                where = f"in every round of `{_head(later)}`"
            sentence = f"Does this step belong {where}?"
            again = _with_fields(later, body=[step, *later.body])
            also = None if isinstance(step, ast.Assign) else step
            yield Change(later, [again], sentence, also=also, at=step)


def _within(steps: Sequence[ast.stmt]) -> Iterator[ast.For | ast.While | ast.If]:
    """All loops and conditions in these steps."""
    for step in steps:
        for part in ast.walk(step):
            if isinstance(part, ast.For | ast.While | ast.If):
                yield part


def _of_step(step: ast.stmt, name: str) -> Iterator[Change]:
    match step:
        case ast.Return(ast.expr() as value):
            sentence = "Does this `return` come too early, or return what must not be returned?"
            yield Change(step, [ast.Expr(value)], sentence)
        case ast.Expr(ast.Call(func, _, _)) if ast.unparse(func) == name:
            sentence = "What the function finds by calling itself is lost. Is `return` missing?"
            yield Change(step, [ast.Return(step.value)], sentence)
        case ast.If(test, body, orelse):
            yield _change(test, ast.UnaryOp(ast.Not(), test), _REVERSED)
            yield Change(step, body, "Must what stands below this condition always be done?")
            yield Change(step, orelse, "Must what stands below this condition never be done?")
            over = "Must the loop end after this line, with a `break`?"
            yield Change(body[-1], [body[-1], ast.Break()], over)
            again = "Must this be repeated, with `while` instead of `if`?"
            yield Change(step, [ast.While(test, body, [])], again)
        case ast.While(test, body):
            yield _change(test, ast.UnaryOp(ast.Not(), test), _REVERSED)
            once = "Must this be done once, with `if`, not `while`?"
            yield Change(step, [ast.If(test, body, [])], once)
            yield from _out_of(step)
        case ast.For():
            yield from _out_of(step)


_REVERSED: Final = "Is the condition {} the wrong way round?"
_TOO_STRICT: Final = "Does the condition {} leave out too much?"


def _out_of(loop: ast.For | ast.While) -> Iterator[Change]:
    """A step before or after its loop."""
    for each in loop.body if len(loop.body) > 1 else ():
        if not isinstance(each, ast.For | ast.While | ast.Break | ast.Continue):
            rest = _with_fields(loop, body=[other for other in loop.body if other is not each])
            sentence = f"Must {named(each)} be done in every round, or only"
            yield Change(loop, [rest, each], f"{sentence} after the loop?")
            if not isinstance(each, ast.Return):
                yield Change(loop, [each, rest], f"{sentence} once?")


# Steps of the right answer


def _missing_in(function: ast.FunctionDef, model: ast.FunctionDef) -> Iterator[Change]:
    """Steps of the right answer, each added at each place."""
    names = _names_of(model, function)
    unknown = {names.get(each, each) for each in _set_in(model)} - _set_in(function)
    parts = list(ast.walk(function))
    own = {written(each) for each in parts if isinstance(each, ast.stmt)}
    tests = [each.test for each in parts if isinstance(each, ast.If)]
    for theirs in ast.walk(model):
        if isinstance(theirs, ast.stmt) and not isinstance(theirs, ast.FunctionDef):
            step = _Renamed(names).of(theirs)
            question = _question(step, tests)
            if question and not _names_in(step) & unknown and written(step) not in own:
                for block in _blocks(function):
                    yield from _inserted(block, step, question)


def _names_of(model: ast.FunctionDef, function: ast.FunctionDef) -> Mapping[str, str]:
    """The answer's names for those of the right one: of parameters, and of the same values."""
    parameters = zip(model.args.args, function.args.args, strict=False)
    names = {theirs.arg: own.arg for theirs, own in parameters}
    own_names = {written(value): name for name, value in _values_in(function)}
    for name, value in _values_in(model):
        same = own_names.get(written(_Renamed(names).of(ast.Expr(value))))
        if same is not None:
            names.setdefault(name, same)
    return names


def _values_in(function: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """The names that get a value, each with that or with what a loop goes through."""
    for part in ast.walk(function):
        match part:
            case ast.Assign([ast.Name(name)], value) | ast.For(ast.Name(name), value):
                yield name, value


class _Renamed(ast.NodeTransformer):
    """A copy with other names."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def of(self, step: ast.stmt) -> Any:
        """A copy of a statement."""
        (copied,) = ast.parse(ast.unparse(step)).body
        return self.visit(copied)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """With the other name."""
        return ast.Name(self._names.get(node.id, node.id), node.ctx)


def _question(step: ast.stmt, tests: Sequence[ast.expr]) -> str:
    """What to ask if a step is missing, {} being the place.

    It is "" of a step that is not plain: nobody could tell it from one that only makes up for a
    fault elsewhere, such as a case that the answer has in another form.

    Args:
        step: a step of the right answer.
        tests: the conditions of the answer.
    """
    match step:
        case ast.Assign([ast.Attribute() | ast.Subscript() as target]) | ast.AugAssign(target):
            return f"Is a step missing {{}} that changes `{ast.unparse(target)}`?"
        case ast.Expr(ast.Call(function)):
            return f"Is a call of `{ast.unparse(function)}` missing {{}}?"
        case ast.If(test, [ast.Return() | ast.Continue() | ast.Break()]):
            if any(_is_same(test, each) for each in tests):
                return f"Is the right thing done in the case `{ast.unparse(test)}`?"
            if not any(_names_in(test) == _names_in(each) for each in tests):
                return f"Is the case `{ast.unparse(test)}` missing {{}}?"
    return ""


def _inserted(block: Sequence[ast.stmt], new: ast.stmt, question: str) -> Iterator[Change]:
    """A step more, at each place of a block."""
    kind = f"{_MISSING}: {written(new)}"
    for step in block:
        said = question.replace("{}", "before this line")
        yield Change(step, [new, step], said, kind=kind)
    if not isinstance(block[-1], ast.Return | ast.Break | ast.Continue):
        is_loop = isinstance(block[-1], ast.For | ast.While)
        said = question.replace("{}", "after this loop" if is_loop else "after this step")
        yield Change(block[-1], [block[-1], new], said, kind=kind)


_MISSING: Final = "a step of the right answer"


# Parts of a tree


_MANY: Final = 10_000
"""Of this many parts the texts are kept, because many changes ask for the same ones."""


def _head(step: ast.stmt) -> str:
    """The line of a loop or a condition."""
    first, *_ = written(step).splitlines()
    return first.removesuffix(":")


@functools.lru_cache(maxsize=_MANY)
def written(part: ast.AST) -> str:
    """The text of a part."""
    is_step = isinstance(part, ast.stmt)  # for it Python asks where it is
    return ast.unparse(ast.fix_missing_locations(part) if is_step else part)


def _is_same(one: ast.AST, other: ast.AST) -> bool:
    """Whether two parts are written alike."""
    return written(one) == written(other)


def _set_in(function: ast.FunctionDef) -> set[str]:
    """All names to which a function gives a value, and its parameters."""
    parts = list(ast.walk(function))
    parameters = {part.arg for part in parts if isinstance(part, ast.arg)}
    names = {part for part in parts if isinstance(part, ast.Name)}
    return parameters | {each.id for each in names if isinstance(each.ctx, ast.Store)}


@functools.lru_cache(maxsize=_MANY)
def _names_in(part: ast.AST) -> frozenset[str]:
    """All names in a part."""
    return frozenset(each.id for each in ast.walk(part) if isinstance(each, ast.Name))


def _with_fields(part: Any, **fields: Any) -> Any:
    """A statement with other parts."""
    made = copy.copy(part)
    vars(made).pop("number", None)  # it is another part now
    vars(made).update(fields)
    return made
