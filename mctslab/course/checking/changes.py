"""Small changes of a function, each with a question that leads to what the change mends.

It is a question because only one thing was tried: with the change, the inputs give the expected
result. The fault can often be seen in another line as well.

`TABLE` has the rules. In `old => new` a capital letter is any expression, the same letter the same
one; `A @ B` is a calculation with any operator, and `A.f` any attribute. After `=>` come the
replacements, separated by `;`. A line without `=>` has names that are mistaken for each other.
Above the rules stands their question, in which {} is the old part.
"""

import ast
import copy
import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

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
    range(A) => range(A + 1) ; range(A - 1)
    range(A, B) => range(A, B + 1) ; range(A, B - 1)
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
Does {} belong to the right player? Whose point of view is needed here?
    A.current_player => 1 - A.current_player ; A.mover
    A.mover => 1 - A.mover ; A.current_player
    A[B] => A[1 - B]
    1 - A => A
Are brackets missing in {}, or in the wrong place? In which order is it worked out?
    A * (B + C) => A * B + C
    A * (B - C) => A * B - C
    A / (B @ C) => A / B @ C
    (A + B) / C => A + B / C
    (A - B) / C => A - B / C
    A * B + C => A * (B + C)
    A * B - C => A * (B - C)
    A / B @ C => A / (B @ C)
    A + B / C => (A + B) / C
    A - B / C => (A - B) / C
    A + B * C => (A + B) * C
    A - B * C => (A - B) * C
    F(A @ B) => F(A) @ B ; A @ F(B)
    F(A) @ B => F(A @ B)
Should {} be rounded? `/` keeps the fraction, `//` drops it.
    A / B => A // B
    A // B => A / B
Is a product needed in {}, or a quotient?
    A * B => A / B
    A / B => A * B
Does {} draw other random numbers than those of `rng`, which is passed in?
    A.default_rng() => rng
    A.default_rng(B) => rng
Does {} have a part too many?
    A @ B => A ; B
    F(A) => A
    F(A, B) => F(A) ; A
    F(A, key=B) => F(A)
    A.f() => A
    A.f(B) => A
    A[B] => A
Are the arguments of {} in the right order?
    F(A, B) => F(B, A)
    F(A, B, C) => F(A, C, B) ; F(B, A, C)
Are the values in {} in the right order?
    (A, B) => (B, A)
    (A, B, C) => (A, C, B) ; (B, A, C)
    [A, B] => [B, A]
{} is a function: brackets after its name call it.
    A.f => A.f()
Does {} begin and end at the right place?
    A[1:] => A[:-1] ; A
    A[:-1] => A[1:] ; A
Should {} be drawn at random, and from this?
    rng.choice(A) => A[0] ; A[-1]
Is the largest needed in {}, or the smallest?
    max min
    np.argmax np.argmin
Is {} the function that is needed here?
    any all
    sum len max
    int math.ceil math.floor round
    math.log math.log10 math.log2 math.sqrt
    np.log np.log10 np.sqrt
    np.mean np.sum np.median
Should the old value be lost here? {} overwrites it.
    A = B => A += B ; A |= B
Should what was there before count as well in {}, and with which sign?
    A += B => A = B ; A -= B
    A -= B => A = B ; A += B
Does the result have the wrong sign, or is it seen from the wrong side?
    return A => return -A ; return 1 - A
"""


class Change(NamedTuple):
    """A part of a function, and what replaces it."""

    part: Any
    """It has a number; see `counted.numbered`."""
    instead: Sequence[ast.AST]
    """For an expression one; for a statement none, one, or several."""
    sentence: str
    """A question about the part, to be asked if this change mends it."""
    moved: ast.stmt | None = None
    """A statement that is now within `instead`, and no longer where it was."""

    @property
    def place(self) -> Any:
        """What to look at."""
        return self.moved or self.part

    @property
    def replaced(self) -> dict[int, Sequence[ast.AST]]:
        """What a copy of the function has in the place of its parts, by their numbers."""
        moved: Any = self.moved
        return {self.part.number: self.instead} | ({moved.number: []} if moved else {})


def changes_of(function: ast.FunctionDef) -> list[Change]:
    """All changes of a function, small ones first.

    Args:
        function: a function whose parts have numbers; its first statement is its docstring.
    """
    parts = [part for step in function.body[1:] for part in ast.walk(step)]
    variables = _variables(function)
    divisors = {part.right for part in parts if isinstance(part, ast.BinOp) and _divides(part.op)}
    kept = {part.value for part in parts if isinstance(part, ast.keyword) and part.arg == "strict"}
    found: list[Change] = []
    for part in parts:
        if isinstance(part, ast.stmt):
            found += [*_by_rules(part, variables), *_of_step(part, function.name)]
        elif isinstance(part, ast.comprehension):
            found += [_change(each, ast.Constant(True), _TOO_STRICT) for each in part.ifs]
        elif isinstance(part, ast.expr) and part not in kept and _is_read(part):
            found += [*_by_rules(part, variables), *_of_value(part, variables, part in divisors)]
    for steps in (function.body[1:], *(getattr(part, "body", None) for part in parts)):
        if isinstance(steps, list):
            found += _of_block(steps)
    return sorted(found, key=_effort)


def _is_read(part: ast.expr) -> bool:
    return isinstance(getattr(part, "ctx", _READ), ast.Load)


def _divides(operator: ast.operator) -> bool:
    return isinstance(operator, ast.Div | ast.FloorDiv | ast.Mod)


_READ: Final = ast.Load()
_TOO_STRICT: Final = "Does the condition {} leave out too much?"


def _variables(function: ast.FunctionDef) -> set[str]:
    """All names to which a function gives a value, and its parameters."""
    parts = list(ast.walk(function))
    names = {part for part in parts if isinstance(part, ast.Name)}
    parameters = {part.arg for part in parts if isinstance(part, ast.arg)}
    return parameters | {each.id for each in names if isinstance(each.ctx, ast.Store)}


def _effort(change: Change) -> int:
    """How late a change is tried; one that can hide a fault instead of mending it comes later."""
    if isinstance(change.part, ast.If) and not change.instead:
        return 0  # all that makes sure that it never holds would do as well
    first_line, *_ = written(change.place).splitlines()
    later = 45 if isinstance(change.part, ast.Constant | ast.Name) else 0
    later += 10 * isinstance(change.part, ast.Compare | ast.BoolOp | ast.Return)
    later += 15 * (change.moved is not None)
    return len(first_line) + later


# Rules


class _Rule(NamedTuple):
    """One line of the table with one replacement."""

    old: ast.AST
    new: ast.AST
    sentence: str


class _Names(NamedTuple):
    """Names that are mistaken for each other."""

    names: Sequence[str]
    sentence: str


def _table() -> tuple[Mapping[type, Sequence[_Rule]], Sequence[_Names]]:
    """The rules by the type of their old part, and the names."""
    rules: dict[type, list[_Rule]] = {}
    names, sentence = [], ""
    for line in TABLE.strip().splitlines():
        old, arrow, new = line.strip().partition(" => ")
        if not line.startswith(" "):
            sentence = line
        elif not arrow:
            names.append(_Names(old.split(), sentence))
        for each in new.split(" ; ") if arrow else ():
            pattern = _pattern(old)
            rules.setdefault(type(pattern), []).append(_Rule(pattern, _pattern(each), sentence))
    return rules, names


def _pattern(text: str) -> ast.AST:
    (step,) = ast.parse(text).body
    return step.value if isinstance(step, ast.Expr) else step


_RULES, _NAMES = _table()


def _by_rules(part: ast.AST, variables: set[str]) -> Iterator[Change]:
    for rule in _RULES.get(type(part), ()):
        found: dict[str, Any] = {}
        if _fits(rule.old, part, found):
            new = _filled(rule.new, found)
            if not isinstance(new, ast.Name) or new.id in variables:
                yield _change(part, new, rule.sentence)


def _fits(old: Any, part: Any, found: dict[str, Any]) -> bool:
    """Whether a part fits a rule; `found` gets what its letters stand for."""
    if isinstance(old, ast.Name) and len(old.id) == 1 and old.id.isupper():
        return part is not None and written(found.setdefault(old.id, part)) == written(part)
    if isinstance(old, list):
        is_list = isinstance(part, list) and len(part) == len(old)
        return is_list and all(_fits(*each, found) for each in zip(old, part, strict=True))
    if isinstance(old, ast.MatMult) and isinstance(part, ast.operator):
        found["@"] = part
        return True
    if type(old) is not type(part):
        return False
    if not isinstance(old, ast.AST):
        return bool(old == part)
    if isinstance(old, ast.Attribute) and old.attr == "f":
        found["f"] = part.attr
        return _fits(old.value, part.value, found)
    fields = [name for name in old._fields if name not in ("ctx", "kind", "type_comment")]
    return all(_fits(getattr(old, name), getattr(part, name), found) for name in fields)


def _filled(new: Any, found: Mapping[str, Any]) -> Any:
    """A rule's replacement, with the parts that its letters stand for."""
    if isinstance(new, list):
        return [_filled(each, found) for each in new]
    if isinstance(new, ast.MatMult):
        return found["@"]
    if not isinstance(new, ast.AST):
        return found["f"] if new == "f" else new
    if isinstance(new, ast.Name) and new.id in found:
        return found[new.id]
    return type(new)(**{name: _filled(value, found) for name, value in ast.iter_fields(new)})


# Values


def _of_value(part: ast.expr, variables: set[str], is_divisor: bool) -> Iterator[Change]:
    """Another name or another number."""
    text = written(part)
    for names, sentence in _NAMES:
        for name in names if text in names else ():
            if name != text:
                yield _change(part, _pattern(name), sentence)
    if isinstance(part, ast.Name) and part.id in variables:
        for variable in sorted(variables - {part.id, "_"}):
            yield _change(part, ast.Name(variable, _READ), "Is {} the right one here?")
    elif isinstance(part, ast.Constant) and isinstance(part.value, bool):
        yield _change(part, ast.Constant(not part.value), "Is {} the right truth value here?")
    elif isinstance(part, ast.Constant) and isinstance(part.value, int | float):
        number = part.value
        for other in dict.fromkeys((number + 1, number - 1, 0, 1, -1, 2, number * 2, number / 2)):
            if other != number:
                sentence = _of_number(number, other, is_divisor)
                yield _change(part, ast.Constant(other), sentence)


def _of_number(number: float, other: float, is_divisor: bool) -> str:
    if is_divisor:
        return "Is {} the right number to divide by?"
    if abs(number - other) == 1:
        return "Is {} off by one here?"
    if number == -other:
        return "Does {} have the wrong sign?"
    size = "small" if number < other else "large"
    return f"Is {{}} too {size} a number here?"


# Steps


def _of_step(step: ast.stmt, name: str) -> Iterator[Change]:
    """A condition, a loop or a `return` in another form."""
    match step:
        case ast.Return(ast.expr() as value):
            sentence = "Does this `return` come too early, or return what must not be returned?"
            yield Change(step, [ast.Expr(value)], sentence)
        case ast.Expr(ast.Call(ast.Name(called))) if called == name:
            sentence = "What the function finds by calling itself is lost. Is `return` missing?"
            yield Change(step, [ast.Return(step.value)], sentence)
        case ast.If(test, body, orelse):
            yield Change(step, body, "Must what stands below this condition always be done?")
            yield Change(step, orelse, "Must what stands below this condition never be done?")
            again = "Must this be repeated, with `while` instead of `if`?"
            yield Change(step, [ast.While(test, body, [])], again)
        case ast.While(test, body):
            once = "Must this be done once, with `if`, not `while`?"
            yield Change(step, [ast.If(test, body, [])], once)


def _of_block(steps: Sequence[ast.stmt]) -> Iterator[Change]:
    """Steps left out, at another place, or in a loop or condition below them or no longer."""
    for at, step in enumerate(steps):
        if isinstance(step, ast.For | ast.While):
            yield from _out_of(step)
        is_plain = isinstance(step, ast.Assign | ast.AugAssign | ast.Expr)
        if is_plain or isinstance(step, ast.Break | ast.Continue):
            yield Change(step, [], "Is this step one too many?")
        for to, other in enumerate(steps) if is_plain or isinstance(step, ast.If) else ():
            if to == at:
                continue
            pair, when, next_to = [other, step], "early", "before"
            if to < at:
                pair, when, next_to = [step, other], "late", "after"
            sentence = f"Does this step come too {when}? What must happen {next_to} it?"
            # In a condition, because what replaces a part can contain the part only as a whole.
            yield Change(other, [ast.If(ast.Constant(True), pair, [])], sentence, step)
            if is_plain and to > at and isinstance(other, ast.For | ast.While):
                sentence = f"Does this step belong in every round of `{_head(other)}`?"
                yield Change(other, [_with_body(other, [step, *other.body])], sentence, step)


def _out_of(loop: ast.For | ast.While) -> Iterator[Change]:
    """A step before or after its loop."""
    for step in loop.body if len(loop.body) > 1 else ():
        if not isinstance(step, ast.For | ast.While | ast.Break | ast.Continue):
            rest = _with_body(loop, [each for each in loop.body if each is not step])
            sentence = f"Must {_quoted(step)} be done in every round of the loop, or only"
            yield Change(loop, [rest, step], f"{sentence} after it?")
            yield Change(loop, [step, rest], f"{sentence} once before it?")


def _with_body(loop: ast.For | ast.While, body: list[ast.stmt]) -> ast.stmt:
    """A loop with other steps."""
    made = copy.copy(loop)
    vars(made).pop("number", None)  # it is another part now
    made.body = body
    return made


# Texts


def _change(part: ast.AST, new: ast.AST, sentence: str) -> Change:
    """A part replaced by another; the sentence has its text."""
    said = sentence.replace("{}", _quoted(part)).replace("? this", "? This")
    return Change(part, [new], said[0].upper() + said[1:])


def _quoted(part: ast.AST) -> str:
    """The text of a part for a sentence, if it is short."""
    text, *_ = written(part).splitlines()
    return f"`{text}`" if len(text) <= _LONGEST else "this expression"


_LONGEST: Final = 60


def _head(step: ast.stmt) -> str:
    """The line of a loop or a condition."""
    first, *_ = written(step).splitlines()
    return first.removesuffix(":")


@functools.lru_cache(maxsize=10_000)
def written(part: ast.AST) -> str:
    """The text of a part; it is kept, because many changes ask for the same one."""
    is_step = isinstance(part, ast.stmt)  # for it Python asks where it is
    return ast.unparse(ast.fix_missing_locations(part) if is_step else part)
