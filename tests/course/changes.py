"""Small changes of a function: another expression at a place, or without one of its steps.

`TABLE` has the rules. In `old => new` a capital letter is any expression, the same letter the same
one; `A @ B` is a calculation with any operator, and `A.f` any attribute. After `=>` come the
replacements, separated by `;`. A line without `=>` has names that are mistaken for each other.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

TABLE: Final = """
list(A) => A
A.copy() => A
A[:] => A
A < B => A <= B
A <= B => A < B
A > B => A >= B
A >= B => A > B
A == B => A == B - 1 ; A == B + 1
range(A) => range(A + 1) ; range(A - 1)
range(A, B) => range(A, B + 1) ; range(A, B - 1)
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
A and B => A or B
A or B => A and B
A and B => A ; B
A or B => A ; B
B if A else C => B ; C
A or B => A if A is not None else B
not A => A is None
B if A else C => B if A is not None else C
-A => A
(-A, -B) => (A, B)
returns[A] => -returns[A]
A.returns()[B] => -A.returns()[B]
A.mean_value => -A.mean_value
A + B => A - B
A - B => A + B
A - B => B - A
A / B => B / A
A // B => B // A
A ** B => B ** A
A.current_player => 1 - A.current_player ; A.mover
A.mover => 1 - A.mover ; A.current_player
A[B] => A[1 - B]
1 - A => A
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
A / B => A // B
A // B => A / B
A * B => A / B
A / B => A * B
A.default_rng() => rng
A.default_rng(B) => rng
A @ B => A ; B
F(A) => A
F(A, B) => F(A) ; A
F(A, key=B) => F(A)
A.f() => A
A.f(B) => A
A[B] => A
F(A, B) => F(B, A)
F(A, B, C) => F(A, C, B) ; F(B, A, C)
(A, B) => (B, A)
(A, B, C) => (A, C, B) ; (B, A, C)
[A, B] => [B, A]
A.f => A.f()
A[1:] => A[:-1] ; A
A[:-1] => A[1:] ; A
rng.choice(A) => A[0] ; A[-1]
max min
np.argmax np.argmin
any all
sum len max
int math.ceil math.floor round
math.log math.log10 math.log2 math.sqrt
np.log np.log10 np.sqrt
np.mean np.sum np.median
"""


class Change(NamedTuple):
    """A part of a function, and what replaces it."""

    part: Any
    """It has a number; see `counted.numbered`."""
    instead: ast.AST | None
    """Another expression; None where a step is left out."""


def changes_of(function: ast.FunctionDef) -> Iterator[Change]:
    """All changes of a function.

    Args:
        function: a function whose parts have numbers; its first statement is its docstring.
    """
    parts = [part for step in function.body[1:] for part in ast.walk(step)]
    variables = _variables(function)
    kept = {part.value for part in parts if isinstance(part, ast.keyword) and part.arg == "strict"}
    for part in parts:
        if isinstance(part, _STEPS) or (isinstance(part, ast.If) and not part.orelse):
            yield Change(part, None)
        elif isinstance(part, ast.comprehension):
            yield from (Change(each, ast.Constant(True)) for each in part.ifs)
        elif isinstance(part, ast.expr) and part not in kept and _is_read(part):
            yield from (Change(part, new) for new in _others(part, variables))


_STEPS: Final = ast.Assign | ast.AugAssign | ast.Expr | ast.Break | ast.Continue


def _is_read(part: ast.expr) -> bool:
    return isinstance(getattr(part, "ctx", _READ), ast.Load)


_READ: Final = ast.Load()


def _variables(function: ast.FunctionDef) -> set[str]:
    """All names to which a function gives a value, and its parameters."""
    parts = list(ast.walk(function))
    names = {part for part in parts if isinstance(part, ast.Name)}
    parameters = {part.arg for part in parts if isinstance(part, ast.arg)}
    return parameters | {each.id for each in names if isinstance(each.ctx, ast.Store)}


def _others(part: ast.expr, variables: set[str]) -> Iterator[ast.AST]:
    """The expressions that can replace one: by the rules, another name, or another number."""
    for old, new in _RULES.get(type(part), ()):
        found: dict[str, Any] = {}
        if _fits(old, part, found):
            filled = _filled(new, found)
            if not isinstance(filled, ast.Name) or filled.id in variables:
                yield filled
    text = ast.unparse(part)
    for names in _NAMES:
        yield from (_pattern(name) for name in names if text in names and name != text)
    if isinstance(part, ast.Constant) and isinstance(part.value, bool):
        yield ast.Constant(not part.value)
    elif isinstance(part, ast.Constant) and isinstance(part.value, int | float):
        number = part.value
        for other in dict.fromkeys((number + 1, number - 1, 0, 1, -1, 2, number * 2, number / 2)):
            if other != number:
                yield ast.Constant(other)


def _table() -> tuple[Mapping[type, Sequence[tuple[ast.AST, ast.AST]]], Sequence[Sequence[str]]]:
    """The rules, each its old and its new part, by the type of the old one; and the names."""
    rules: dict[type, list[tuple[ast.AST, ast.AST]]] = {}
    names = []
    for line in TABLE.strip().splitlines():
        old, arrow, new = line.partition(" => ")
        if not arrow:
            names.append(old.split())
        for each in new.split(" ; ") if arrow else ():
            pattern = _pattern(old)
            rules.setdefault(type(pattern), []).append((pattern, _pattern(each)))
    return rules, names


def _pattern(text: str) -> ast.AST:
    return ast.parse(text, mode="eval").body


_RULES, _NAMES = _table()


def _fits(old: Any, part: Any, found: dict[str, Any]) -> bool:
    """Whether a part fits a rule; `found` gets what its letters stand for."""
    if isinstance(old, ast.Name) and len(old.id) == 1 and old.id.isupper():
        return part is not None and ast.unparse(found.setdefault(old.id, part)) == ast.unparse(part)
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
