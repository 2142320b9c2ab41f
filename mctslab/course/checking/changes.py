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
import functools
import itertools
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from typing import Any, Final, NamedTuple

from mctslab.course.checking.pairing import (
    MANY,
    Renamed,
    is_same,
    is_set,
    names_in,
    names_of,
    set_in,
    with_fields,
    without_blocks,
    written,
)

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
Does {} let too much in? Is it about two that are equal?
    A <= B => A == B
    A >= B => A == B
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
Is a square missing? {} counts as it is.
    A @ B => (A @ B) ** 2
    abs(A) => (A) ** 2
Is half of a number needed in {}, or its square root?
    math.sqrt(A) => A / 2
    A ** 1 / 2 => A ** (1 / 2)
    A / B ** 1 / 2 => A / B ** (1 / 2)
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
Is an action needed in {}, or its index in a list?
    rng.choice(A) => rng.integers(len(A))
    A.legal_actions() => range(len(A.legal_actions()))
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
Is {} the one that is needed? The variance is the square of the standard deviation.
    np.var np.std
    .var .std
Is {} the number of the node that is needed here? There are N, W, Q and P.
    .visit_count .total_value .mean_value .prior
Is {} the list of the node that is needed here?
    .children .untried_actions
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
    rank: int = 0
    """How much chance there is in its success: RULE, MISSING or FROM_MODEL."""

    @property
    def place(self) -> ast.AST:
        """What to look at."""
        return self.at or self.also or self.part

    @property
    def replaced(self) -> dict[int, Sequence[ast.AST]]:
        """What a copy of the function has in the place of its parts, by their numbers."""
        parts: dict[int, Sequence[ast.AST]] = {self.part.number: self.instead}  # type: ignore[attr-defined]
        if self.also:
            parts[self.also.number] = []  # type: ignore[attr-defined]
        return parts


RULE: Final = 0
MISSING: Final = 1
"""A step of the right answer, or a part with a variable, is added."""
FROM_MODEL: Final = 2
"""An expression of the right answer is put in."""


@functools.lru_cache(maxsize=MANY)
def expression(text: str) -> ast.expr:
    """The tree of an expression, which nobody changes."""
    return ast.parse(text, mode="eval").body


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
_KEPT: Final = ("strict", "keepdims", "dtype")
"""Settings that are left alone."""

Found = Mapping[str, Any]
"""What the letters of a rule stand for."""


def _matches(old: Any, part: Any, found: Found) -> Iterator[Found]:
    """The ways in which a part fits a rule; no letter stands for a part that is not there."""
    if isinstance(old, ast.Name) and len(old.id) == 1 and old.id.isupper():
        if part is None:
            return
        if old.id not in found:
            yield {**found, old.id: part}
        elif is_same(found[old.id], part):
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


def filled(text: str, **parts: ast.AST) -> Any:
    """An expression in which letters stand for these parts."""
    return _filled(expression(text), parts)


# Changes


def changes_of(function: ast.FunctionDef, model: ast.FunctionDef | None = None) -> list[Change]:
    """All changes of a function, the first statement of which is its docstring; small ones first.

    Args:
        function: a function whose parts have numbers.
        model: a right answer, whose steps, numbers and attributes may be missing in it.
    """
    parts = [part for step in function.body[1:] for part in ast.walk(step)]
    kept = {each.value for each in parts if isinstance(each, ast.keyword) and each.arg in _KEPT}
    counted = _counted(parts)
    blocks = [function.body[1:]]
    found: list[Change] = []
    used = Vocabulary(function, model) if model else None
    for part in parts:
        blocks += [getattr(part, name) for name in ("body", "orelse") if _is_block(part, name)]
        is_read = isinstance(getattr(part, "ctx", None), ast.Load | None)
        if isinstance(part, ast.expr) and is_read and part not in kept:
            found += [*_by_rules(part), *_numbers(part, part in counted), *_alike(part)]
            found += used.instead_of(part) if used else []
        elif isinstance(part, ast.stmt):
            found += [*_by_rules(part), *_of_step(part, function.name)]
        elif isinstance(part, ast.comprehension):
            found += [_change(each, ast.Constant(True), _TOO_STRICT) for each in part.ifs]
            found += _of_items(part)
    for block in blocks:
        found += _of_block(block)
        found += used.missing_in(block) if used else []
    return sorted(found, key=_effort)


def _is_block(part: ast.AST, name: str) -> bool:
    return isinstance(part, ast.stmt) and bool(getattr(part, name, None))


def _effort(change: Change) -> tuple[int, int]:
    """How late a change is tried; one that can hide a fault instead of mending it comes later."""
    first_line, *_ = written(change.also or change.part).splitlines()
    later = 15 * bool(change.also) + 40 * (len(change.instead) > 1)
    later += 45 * isinstance(change.part, ast.Constant)
    later += 20 * change.sentence.startswith("Is a square")
    later += 40 * change.sentence.startswith("Is `len`")  # its number is wrong more often
    later += 10 * isinstance(change.part, ast.Compare | ast.BoolOp | ast.Return)
    later += 60 * (change.kind == "A.f => A") - 20 * (change.kind == "1 - A => A")
    later -= 40 * bool(change.at)  # seldom by chance
    later += 40 * (change.kind == "returns => returns[::-1]")
    if change.rank == MISSING and isinstance(change.part, ast.stmt):
        later += 30 + 2 * change.part.col_offset  # it is missing at the end rather than in a loop
    return change.rank, len(first_line) + later


def named(part: ast.AST) -> str:
    """The text of a part for a sentence, if it is short; of a long calculation its end."""
    text, *_ = written(part).splitlines()
    if len(text) > LONGEST and isinstance(part, ast.BinOp):
        text = ast.unparse(ast.BinOp(ast.Name("..."), part.op, part.right))
    return f"`{text}`" if len(text) <= LONGEST else "this expression"


LONGEST: Final = 60


def _change(part: ast.AST, new: ast.AST, sentence: str, rank: int = RULE, kind: str = "") -> Change:
    """A part replaced by another; the sentence has its text."""
    said = sentence.replace("{}", named(part))
    said += hint(part, new) if sentence in _VAGUE else ""
    said = said.replace("? this", "? This")
    return Change(part, [new], said[0].upper() + said[1:], kind=kind or sentence, rank=rank)


def hint(part: ast.AST, new: ast.AST, unknown: Container[str] = ()) -> str:
    """A sentence about what a replacement has in it and the part has not, or the other way round.

    Names that are unknown to the reader are left out, and an operator is only said alone.
    """
    old_words, new_words = _words(part), _words(new)
    more = [word for word in new_words if word not in old_words and word[1:-1] not in unknown]
    signs = [word for word in more if word in _ALL_SIGNS]
    more = [word for word in more if word not in (*signs, *_EMPTY)][:_MOST_WORDS]
    if not more and len(signs) == 1:
        more = signs
    less = [word for word in old_words if word not in (*new_words, *_ALL_SIGNS)][:_MOST_WORDS]
    if more:
        return f" Think of {' and '.join(more)}."
    return f" Can it do without {' and '.join(less)}?" if less else ""


@functools.lru_cache(maxsize=MANY)
def _words(part: ast.AST) -> Sequence[str]:
    """What an expression or a step consists of: functions and attributes, names, operators."""
    ranked: dict[str, int] = {}
    called = {id(each.func) for each in ast.walk(part) if isinstance(each, ast.Call)}
    for each in ast.walk(part):
        brackets = "()" if id(each) in called else ""
        if isinstance(each, ast.Attribute):
            is_module = isinstance(each.value, ast.Name) and each.value.id in _MODULES
            text = ast.unparse(each) if is_module else f".{each.attr}"
            ranked.setdefault(f"`{text}{brackets}`", 0)
        elif isinstance(each, ast.Name) and each.id not in (*_MODULES, "_"):
            ranked.setdefault(f"`{each.id}{brackets}`", 1 - bool(brackets))
        elif type(each) in _SIGNS:
            ranked.setdefault(f"`{_SIGNS[type(each)]}`", 2)
    return sorted(ranked, key=ranked.__getitem__)


_MOST_WORDS: Final = 2
_MODULES: Final = ("math", "np", "search", "torch")
_SIGNS: Final[Mapping[type, str]] = {
    **{ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"},
    **{ast.Pow: "**", ast.BitAnd: "&", ast.BitOr: "|", ast.Invert: "~", ast.LShift: "<<"},
    **{ast.RShift: ">>", ast.USub: "-", ast.And: "and", ast.Or: "or", ast.Not: "not"},
    **{ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="},
    **{ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in", ast.IfExp: "if"},
}
_ALL_SIGNS: Final = tuple(f"`{sign}`" for sign in _SIGNS.values())
_EMPTY: Final = ("`int()`", "`float()`", "`bool()`", "`list()`", "`tuple()`", "`.random()`")
"""Calls that say nothing about what is needed."""


def _by_rules(part: ast.AST) -> Iterator[Change]:
    for rule in _RULES.get(type(part), ()):
        for found in _matches(rule.old, part, {}):
            if rule.kind.endswith("A[1 - B]") and not _can_be_player(found["B"]):
                continue
            kind = rule.kind
            if isinstance(part, ast.Assign):
                if isinstance(part.targets[0], ast.Tuple):
                    continue  # nothing can be added to several at once
                if ast.unparse(part.targets[0]) in ast.unparse(part.value):
                    kind += " where B has A in it"
            yield _change(part, _filled(rule.new, found), rule.sentence, kind=kind)


def _can_be_player(index: ast.expr) -> bool:
    return not isinstance(index, ast.Constant | ast.UnaryOp) or ast.unparse(index) in ("0", "1")


def _alike(part: ast.expr) -> Iterator[Change]:
    """Another name of the same group."""
    text, end = written(part), f".{part.attr}" if isinstance(part, ast.Attribute) else ""
    for names, sentence in _GROUPS:
        for other in names if text in names else ():
            if other[0] != "." and other != text:
                yield _change(part, expression(other), sentence)
        for other in names if end in names else ():
            if other[0] == "." and other != end:
                assert isinstance(part, ast.Attribute)
                yield _change(part, ast.Attribute(part.value, other[1:], part.ctx), sentence)


def _counted(parts: Sequence[ast.AST]) -> set[ast.AST]:
    """What is added to the counter of a loop, such as the 1 of `n += 1` below `while n < 9`."""
    tests = [each.test for each in parts if isinstance(each, ast.While)]
    names = {each.id for test in tests for each in ast.walk(test) if isinstance(each, ast.Name)}
    found: set[ast.AST] = set()
    for step in parts:
        match step:
            case ast.AugAssign(ast.Name(name), _, value) if name in names:
                found.add(value)
            case ast.Assign([ast.Name(name)], ast.BinOp(ast.Name(same), _, value)):
                found |= {value} if name == same and name in names else set()
    return found


def _numbers(part: ast.expr, is_counted: bool) -> Iterator[Change]:
    """Other numbers than one that is written out; a counter takes whole ones only."""
    if not isinstance(part, ast.Constant):
        return
    if isinstance(part.value, bool):
        yield _change(part, ast.Constant(not part.value), "Is {} the right truth value here?")
    elif isinstance(part.value, int | float):
        number = part.value
        others = (0, 1, -1, 2, number * 2, number / 2, *((1.645, 2.576) if number == 1.96 else ()))
        for other in dict.fromkeys((number + 1, number - 1, *others)):
            if other != number and not (is_counted and other % 1):
                yield _change(part, ast.Constant(other), _of_number(number, other))
        endless = (("math.inf", _TOO_SMALL), ("-math.inf", _TOO_LARGE))
        for name, sentence in endless if not is_counted else ():
            yield _change(part, expression(name), sentence)


def _of_number(number: float, other: float) -> str:
    """What to ask about a number where another one is needed."""
    if abs(number - other) == 1:
        return "Is {} off by one here?"
    if number == -other:
        return "Does {} have the wrong sign?"
    return _TOO_SMALL if number < other else _TOO_LARGE


_TOO_SMALL: Final = "Is {} too small a number here?"
_TOO_LARGE: Final = "Is {} too large a number here?"


def _of_items(part: ast.For | ast.comprehension) -> Iterator[Change]:
    """Loops that leave out some of their items."""
    for cut, sentence in (
        ("1:", "Does the first of {} belong in this loop?"),
        (":-1", "Does the last of {} belong in this loop?"),
        ("-1:", "Should only the last of {} count?"),
    ):
        yield _change(part.iter, filled(f"list(A)[{cut}]", A=part.iter), sentence, MISSING)


# Steps


def _of_block(steps: Sequence[ast.stmt]) -> Iterator[Change]:
    """Steps left out, done twice, or done at another place."""
    for at, step in enumerate(steps):
        is_plain = isinstance(step, ast.Assign | ast.AugAssign | ast.Expr)
        if is_plain or isinstance(step, ast.Break | ast.Continue):
            yield Change(step, [], "Is this step one too many?")
        if is_plain:
            yield Change(step, [step, step], "Is this step needed once more?")
        if not is_plain and not isinstance(step, ast.If | ast.Return):
            continue
        for to, other in enumerate(steps):
            if to != at and not isinstance(step, ast.Return):
                early = "late" if to < at else "early"
                pair = [step, other] if to < at else [other, step]
                both = ast.If(ast.Constant(True), pair, [])
                sentence = f"Does this step come too {early}? What must happen before it?"
                yield Change(other, [both], sentence, also=step)
            if isinstance(other, ast.For | ast.While | ast.If) and abs(to - at) == 1:
                into = "under this condition" if isinstance(other, ast.If) else "inside the loop"
                for body in ([step, *other.body], [*other.body, step]):
                    sentence = f"Does this step belong {into} beside it?"
                    yield Change(other, [with_fields(other, body=body)], sentence, also=step)


def _of_step(step: ast.stmt, name: str) -> Iterator[Change]:
    match step:
        case ast.Return(ast.expr() as value):
            yield Change(
                step,
                [ast.Expr(value)],
                "Does this `return` come too early, or return what must not be returned?",
            )
        case ast.Assign([ast.Tuple(targets)], value):
            yield from _kept_apart(step, targets, value)
        case ast.Assign([ast.Subscript(array, ast.Tuple([first, *_]), _) as place], value):
            whole = ast.Assign([ast.Subscript(array, first, ast.Store())], value)
            yield _change(step, whole, f"Is `{ast.unparse(place)}` too small a part of the array?")
            said = f"Is `{ast.unparse(value)}` needed here, or only a 1 as a mark?"
            yield _change(value, ast.Constant(1), said)
        case ast.Expr(ast.Call(func, _, _)) if ast.unparse(func) == name:
            sentence = "What the function finds by calling itself is lost. Is `return` missing?"
            yield Change(step, [ast.Return(step.value)], sentence)
        case ast.If(test, body, orelse):
            always = "Must what stands below this condition always be done?"
            yield Change(step, body, always)
            yield Change(step, orelse, "Must what stands below this condition never be done?")
            last, over = body[-1], "Must the loop end after this line, with a `break`?"
            yield Change(last, [last, ast.Break()], over)
            repeated = ast.While(test, body, [])
            yield Change(step, [repeated], "Must this be repeated, with `while` instead of `if`?")
            yield from _of_test(step)
        case ast.For() | ast.While():
            once = with_fields(step, body=[*step.body, ast.Break()])
            yield Change(step, [once], "Must the loop end after its first round?", rank=MISSING)
            yield from _out_of(step)
            yield from _first_round(step)
            if isinstance(step, ast.While):
                single = ast.If(step.test, step.body, [])
                yield Change(step, [single], "Must this be done once, with `if`, not `while`?")
                yield from _of_test(step)
            else:
                yield from _of_items(step)


def _of_test(step: ast.If | ast.While) -> Iterator[Change]:
    yield _change(step.test, ast.UnaryOp(ast.Not(), step.test), _REVERSED)
    is_none = ast.Compare(step.test, [ast.IsNot()], [ast.Constant(None)])
    if isinstance(step.test, ast.Name | ast.Attribute | ast.Subscript | ast.NamedExpr):
        yield _change(step.test, is_none, _LIKE_NONE)
    for part in ast.walk(step.test):
        if isinstance(part, ast.BoolOp):
            for value in part.values:
                if isinstance(value, ast.Name | ast.Attribute | ast.Call):
                    yield _change(value, ast.UnaryOp(ast.Not(), value), _REVERSED)


_REVERSED: Final = "Is the condition {} the wrong way round?"
_LIKE_NONE: Final = "Can {} be 0, or empty, without being None? Only `is None` tells them apart."
_TOO_STRICT: Final = "Does the condition {} leave out too much?"


def _out_of(loop: ast.For | ast.While) -> Iterator[Change]:
    """A step before or after its loop."""
    for each in loop.body if len(loop.body) > 1 else ():
        if not isinstance(each, ast.For | ast.While | ast.Break | ast.Continue):
            rest = with_fields(loop, body=[other for other in loop.body if other is not each])
            sentence = f"Must {named(each)} be done in every round, or only once?"
            yield Change(loop, [rest, each], sentence.replace("only once", "only after the loop"))
            if not isinstance(each, ast.Return):
                yield Change(loop, [each, rest], sentence)


def _first_round(loop: ast.For | ast.While) -> Iterator[Change]:
    """What is done in a round although only the whole loop decides it."""
    match loop.body[-1]:
        case ast.Return(ast.expr() as value) as returned:
            for known, test in ((False, ast.UnaryOp(ast.Not(), value)), (True, value)):
                if isinstance(value, ast.Call | ast.Compare | ast.BoolOp):
                    decided = ast.If(test, [ast.Return(ast.Constant(known))], [])
                    again = with_fields(loop, body=[*loop.body[:-1], decided])
                    yield Change(loop, [again], _TOO_EARLY, at=returned)
    for number, step in enumerate(loop.body):
        if isinstance(step, ast.If) and (cut := _without_else(step)):
            others, last = cut
            rest = with_fields(loop, body=[*loop.body[:number], others, *loop.body[number + 1 :]])
            if isinstance(last[0], ast.Assign | ast.AugAssign):
                yield Change(loop, [*last, rest], _OVERWRITES, at=last[0])
            yield Change(loop, [rest, *last], _TOO_EARLY, at=last[0])


_TOO_EARLY: Final = "Does one round of the loop decide this, or only all of them?"
_OVERWRITES: Final = "Must this be done in every round? It undoes what an earlier one found."


def _without_else(step: ast.If) -> tuple[ast.If, list[ast.stmt]] | None:
    """A condition without its last `else`, and what stood there."""
    match step.orelse:
        case []:
            return None
        case [ast.If() as other]:
            cut = _without_else(other)
            return (with_fields(step, orelse=[cut[0]]), cut[1]) if cut else None
    return with_fields(step, orelse=[]), step.orelse


def _kept_apart(step: ast.stmt, targets: list[ast.expr], value: ast.expr) -> Iterator[Change]:
    """Several values that are added instead of set."""
    values = value.elts if isinstance(value, ast.Tuple) else []
    if len(values) == len(targets):
        added: list[ast.stmt] = [
            ast.AugAssign(target, ast.Add(), each)  # type: ignore[arg-type]
            for target, each in zip(targets, values, strict=True)
        ]
    else:
        both = ast.Name("_both", ast.Load())
        added = [ast.Assign([ast.Name("_both", ast.Store())], value)]
        for number, target in enumerate(targets):
            item = ast.Subscript(both, ast.Constant(number), ast.Load())
            added.append(ast.AugAssign(target, ast.Add(), item))  # type: ignore[arg-type]
    yield Change(step, added, "Should the old values be lost here, or be added to?")


# What else could have been written


class Vocabulary:
    """The variables and steps that an answer could have used."""

    def __init__(self, function: ast.FunctionDef, model: ast.FunctionDef) -> None:
        own = list(ast.walk(function))
        self._known = set_in(function)
        names = [each for each in own if isinstance(each, ast.Name)]
        parameters = [each.arg for each in function.args.args]
        values = [each.id for each in names if is_set(each) and each.id != "_"]
        self._variables = [*dict.fromkeys([*parameters, *values])]
        reads = {each.id for each in names if not is_set(each)}
        self._unread = [each for each in self._variables if each not in reads]
        attributes = [each for each in own if isinstance(each, ast.Attribute)]
        objects = [each.value for each in attributes] + [
            each.iter for each in own if isinstance(each, ast.For | ast.comprehension)
        ]
        self._objects = {each.id for each in objects if isinstance(each, ast.Name)}
        self._taken_apart = {id(each.value) for each in attributes}
        players = [e for e in attributes if e.attr in ("current_player", "mover")]
        own_names = [expression(e) for e in self._variables if e in ("player", "me", "mover")]
        self._players = {ast.unparse(each): each for each in (*own_names, *players)}
        self._names = names_of(function, model)
        self._unknown = {name for name in self._names if self._names[name] not in self._known}
        steps = [each for each in ast.walk(model) if isinstance(each, ast.stmt)][2:]
        tests = [each.test if isinstance(each, ast.If | ast.While) else None for each in steps]
        self._steps = [
            *zip(map(self._translated, steps), map(self._translated, tests), strict=True)
        ]
        numbers = [each.value for each in ast.walk(model) if isinstance(each, ast.Constant)]
        self._numbers = [each for each in numbers if isinstance(each, int | float)]
        self._calls = [each for each in own if isinstance(each, ast.Expr)][1:]
        self._kept = [pair for each in own for pair in _set_to(each)]

    def instead_of(self, part: ast.expr) -> Iterator[Change]:
        """What else is at hand for a value."""
        match part:
            case ast.Name(name) if name in self._variables:
                if id(part) not in self._taken_apart:
                    yield _change(part, filled("A.copy()", A=part), _CHANGED_AGAIN)
                for other in self._variables:
                    if other != name and (other in self._objects) == (name in self._objects):
                        yield Change(part, [expression(other)], "", rank=MISSING)
            case ast.Constant(int() | float() as number) if not isinstance(number, bool):
                near = int(number) if number >= _LARGE else 0
                others = range(near - _LARGE, near + _LARGE + 1) if near else ()
                for value in dict.fromkeys([*self._numbers, *others]):
                    if value != number:
                        said = _of_number(number, value)
                        yield _change(part, ast.Constant(value), said, MISSING)
            case ast.Attribute(ast.Name(own), attribute, context) if own in self._variables:
                for name in self._variables:
                    if name != own and name in self._objects:
                        new = ast.Attribute(expression(name), attribute, context)
                        yield _change(part, new, _OF_ANOTHER, MISSING)
            case ast.Tuple([first, second]) if _is_minus(first, second):
                for player in self._players.values():
                    turned = filled("(A, -A) if B == 0 else (-A, A)", A=first, B=player)
                    yield _change(part, turned, _FIRST_OF_A_PAIR)
            case ast.Call() | ast.BinOp():
                for target, value in self._kept:
                    if isinstance(target, ast.Name) and value is not part and is_same(value, part):
                        said = f"Must {{}} be worked out again, or is `{target.id}` needed?"
                        yield _change(part, expression(target.id), said)
            case ast.Compare():
                for name, other in itertools.product(
                    sorted(names_in(part) & self._known), self._unread
                ):
                    also = Renamed({name: other}).of(part)
                    said = f"Is {{}} the whole condition? Nothing is done with `{other}`."
                    yield _change(part, ast.BoolOp(ast.And(), [part, also]), said)

    def missing_in(self, block: Sequence[ast.stmt]) -> Iterator[Change]:
        """Steps of the right answer that a block could lack, and other values for its own steps."""
        own_steps = {*map(written, block)}
        for at, own in enumerate(block):
            if isinstance(own, ast.Expr) and isinstance(own.value, ast.Call):
                named_there = names_in(own.value)
                for name in [each for each in self._variables if each in named_there]:
                    kept = ast.Assign([ast.Name(name, ast.Store())], own.value)
                    said = "Is the result of {} lost? `name = ...` keeps it."
                    yield _change(own, kept, said, MISSING)
            for first in _first_values(own):
                for later in _blocks(block[at + 1 :]):
                    again = with_fields(later, body=[first, *later.body])
                    head = ast.unparse(without_blocks(later)).rstrip(":")
                    where = f"in every round of `{head}`"
                    if isinstance(later, ast.If):
                        where = f"under the condition {named(later.test)}"
                    said = f"Must `{ast.unparse(first)}` be done again {where}?"
                    yield Change(later, [again], said, at=own)
            for part in _calculated(own):
                yield from self._longer(part)
        for call in self._calls:
            if written(call) not in own_steps:
                yield from _inserted(block, call, self._known)
        for step, test in self._steps:
            if step and written(step) not in own_steps:
                yield from _inserted(block, step, self._known)
            for own in block if test else ():
                old = getattr(own, "test", getattr(own, "value", None))
                if isinstance(own, ast.If | ast.While) or isinstance(old, ast.Compare):
                    yield _change(old, test, _NOT_THE_CONDITION, MISSING)  # type: ignore[arg-type]

    def _longer(self, part: ast.expr) -> Iterator[Change]:
        """A calculation with one of the variables in addition."""
        numbers = [name for name in self._variables if name not in self._objects]
        for name, text in itertools.product(numbers, ("A * B", "A / B", "A + B", "A - B")):
            new = filled(text, A=part, B=expression(name))
            said = f"Is {{}} all that is needed here? Does `{name}` have its part in it?"
            yield _change(part, new, said, MISSING, kind=f"{said} {text}")
        for player, text in itertools.product(self._players.values(), _SIGNS_OF_PLAYERS):
            yield _change(part, filled(text, A=part, B=player), _WHOSE, MISSING)

    def _translated(self, part: ast.AST | None) -> Any:
        """A part of the right answer with this answer's names, if it has all of them."""
        if part is None or names_in(part) & self._unknown:
            return None
        return Renamed(self._names).of(part)


_SIGNS_OF_PLAYERS: Final = ("A if B == 0 else -A", "-A if B == 0 else A")
_WHOSE: Final = "Whose point of view is {}? Does its sign depend on the player?"
_CHANGED_AGAIN: Final = "Is {} changed again later, so that a copy of it is needed here?"
_NOT_THE_CONDITION: Final = "Is {} the right condition here?"
_LARGE: Final = 8
"""The other numbers up to so far away are tried in the place of one that is not small."""
_OF_ANOTHER: Final = "Is {} that of the right object?"
_FIRST_OF_A_PAIR: Final = "Whose value is the first one of {}? Is it that of player 0 in all cases?"
_VAGUE: Final = (_NOT_THE_CONDITION, _OF_ANOTHER)
"""Questions to which a hint is added."""


def _is_minus(one: ast.expr, other: ast.expr) -> bool:
    """Whether the second of two is minus the first."""
    return ast.unparse(other) == f"-{ast.unparse(one)}"


def _first_values(step: ast.stmt) -> Iterator[ast.stmt]:
    """What a step sets to a value that depends on nothing, such as 0 or an empty list."""
    for target, value in _set_to(step):
        is_first = not names_in(value) and len(ast.unparse(value)) <= _LONGEST_FIRST_VALUE
        if isinstance(target, ast.Name) and is_first:
            yield ast.copy_location(ast.Assign([target], value), step)


_LONGEST_FIRST_VALUE: Final = 30


def _set_to(step: ast.AST) -> list[tuple[ast.expr, ast.expr]]:
    """What a step gives a value to, each with the value."""
    match step:
        case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)) if len(targets) == len(values):
            return list(zip(targets, values, strict=True))
        case ast.Assign(targets, value):
            return [(target, value) for target in targets]
    return []


def _blocks(steps: Sequence[ast.stmt]) -> Iterator[ast.For | ast.While | ast.If]:
    """The loops among these steps, and all loops and conditions within them."""
    for step in steps:
        for part in ast.walk(step):
            if isinstance(part, ast.For | ast.While | ast.If) and not (
                part is step and isinstance(part, ast.If)
            ):
                yield part


def _calculated(step: ast.stmt) -> Iterator[ast.expr]:
    """What is calculated in a step, and the items and summands of it."""
    value = getattr(step, "value", None)
    waiting = [value] if isinstance(step, ast.Assign | ast.AugAssign | ast.Return) else []
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.Tuple):
            waiting += part.elts
        elif isinstance(part, ast.BinOp | ast.Call | ast.Subscript):
            yield part
            if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add | ast.Sub):
                waiting += [part.left, part.right]


def _missing(step: ast.stmt, known: Set[str]) -> tuple[str, str]:
    """What is missing, and what else to say of it.

    It is "" of a step that is not plain, or has names that the reader does not know: nobody could
    tell it from one that only makes up for a fault elsewhere.
    """
    match step:
        case ast.Assign([ast.Name(name)], value) if name not in names_in(value):
            pass  # it would set what is set already
        case ast.Assign([target], _) | ast.AugAssign(target, _, _):
            if names_in(target) <= known:
                return "a step", f", one that changes `{ast.unparse(target)}`"
        case ast.Expr(ast.Call(function, _, _)) if _is_known(function, known):
            return f"a call of `{ast.unparse(function)}`", ""
        case ast.If(test, [ast.Return() | ast.Continue() | ast.Break()], _):
            text = ast.unparse(test)
            if len(text) <= LONGEST and _is_known(test, known):
                return "a case", f": what if `{text}`"
    return "", ""


def _is_known(part: ast.AST, known: Container[str]) -> bool:
    called = {id(each.func) for each in ast.walk(part) if isinstance(each, ast.Call)}
    names = (each for each in ast.walk(part) if isinstance(each, ast.Name))
    return all(each.id in known or id(each) in called or each.id in _MODULES for each in names)


def _inserted(block: Sequence[ast.stmt], new: Any, known: Set[str]) -> Iterator[Change]:
    """A step more, at each place of a block but beside one that sets the same to another value."""
    what, more = _missing(new, known)
    if not what:
        return
    set_here = {ast.unparse(target) for target, _ in _set_to(new)}
    beside = [{ast.unparse(target) for target, _ in _set_to(step)} & set_here for step in block]
    for step, sets_the_same in zip(block, beside, strict=True):
        if not sets_the_same:
            sentence = f"Is {what} missing before this line{more}?"
            yield Change(step, [new, step], sentence, rank=MISSING)
    if not beside[-1] and not isinstance(block[-1], ast.Return | ast.Break | ast.Continue):
        sentence = f"Is {what} missing {_after(block[-1])}{more}?"
        yield Change(block[-1], [block[-1], new], sentence, rank=MISSING)


def _after(step: ast.AST) -> str:
    """Where the next step would be."""
    if isinstance(step, ast.For | ast.While):
        return "after this loop"
    return "after what this condition decides" if isinstance(step, ast.If) else "after this line"
