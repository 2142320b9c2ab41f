"""The steps and the names of an answer beside those of the right one."""

import ast
import copy
import functools
import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeGuard

MANY: Final = 10_000
"""Of this many parts the texts are kept, because many changes ask for the same ones."""


def names_of(function: ast.FunctionDef, model: ast.FunctionDef) -> Mapping[str, str]:
    """For each name that the right answer sets the answer's own that stands where it stands.

    What has none keeps its name, or gets one that the answer does not use.
    """
    parameters = dict(zip(_parameters(model), _parameters(function), strict=False))
    pairs = _pairs(_steps(function), _steps(model), parameters)
    theirs, own = set_in(model), set_in(function)
    votes = Counter(vote for pair in pairs for vote in _votes(*pair))
    names, taken = dict(parameters), set(parameters.values())
    for (their, mine), _ in votes.most_common():
        if their in theirs and mine in own and their not in names and mine not in taken:
            names[their] = mine
            taken.add(mine)
    for their in sorted(theirs - names.keys()):
        names[their] = their if their not in own & taken else f"{their}_"
    return names


def _parameters(function: ast.FunctionDef) -> list[str]:
    return [each.arg for each in function.args.args]


def _steps(function: ast.FunctionDef) -> list[ast.stmt]:
    """All steps in the order of the lines, each without what stands below it."""
    parts = [part for part in ast.walk(function) if isinstance(part, ast.stmt)]
    return [*map(without_blocks, sorted(parts, key=lambda part: part.lineno))]


def _pairs(
    own: Sequence[ast.stmt], theirs: Sequence[ast.stmt], names: Mapping[str, str]
) -> Sequence[tuple[ast.stmt, ast.stmt]]:
    """The steps in pairs, both in their order, so that the pairs are as alike as they can be."""
    Way = tuple[float, list[tuple[ast.stmt, ast.stmt]]]
    best: dict[tuple[int, int], Way] = {}
    words = [words_of(step, names) for step in theirs]
    for i, j in itertools.product(range(len(own), -1, -1), range(len(theirs), -1, -1)):
        ways: list[Way] = [best[at] for at in ((i + 1, j), (i, j + 1)) if at in best]
        if i < len(own) and j < len(theirs) and (alike := _likeness(own[i], theirs[j], words[j])):
            score, pairs = best[i + 1, j + 1]
            ways.append((score + alike, [(own[i], theirs[j]), *pairs]))
        best[i, j] = max(ways, key=lambda way: way[0], default=(0.0, []))
    return best[0, 0][1]


COMPOUND: Final = (ast.If, ast.For, ast.While)


def _likeness(own: ast.stmt, theirs: ast.stmt, words: Counter[str]) -> float:
    """How much two steps have in common; 0 if they are no pair.

    Args:
        own: a step of the answer.
        theirs: one of the right answer.
        words: what is in the latter.
    """
    if type(own) is not type(theirs):
        is_plain = not isinstance(own, COMPOUND) and not isinstance(theirs, COMPOUND)
        return 0.1 if is_plain and {type(own), type(theirs)} <= _ALIKE else 0.0
    one = words_in(own)
    return 0.2 + (one & words).total() / max(1, (one | words).total())


_ALIKE: Final = frozenset({ast.Assign, ast.AugAssign, ast.Expr, ast.Return})


def words_of(part: ast.AST, names: Mapping[str, str]) -> Counter[str]:
    """The names, attributes and numbers in a part, and the kinds of its other parts."""
    found: Counter[str] = Counter()
    for each in ast.walk(part):
        if isinstance(each, ast.Name):
            found[names.get(each.id, each.id)] += 1
        elif isinstance(each, ast.Attribute):  # one that gets a value says most of a step
            found[each.attr] += 3 if isinstance(each.ctx, ast.Store) else 1
        elif isinstance(each, ast.Constant):
            found[repr(each.value)] += 1
        elif isinstance(each, ast.operator | ast.cmpop | ast.unaryop | ast.stmt):
            found[type(each).__name__] += 1
    return found


@functools.lru_cache(maxsize=MANY)
def words_in(part: ast.AST) -> Counter[str]:
    """The same with its own names."""
    return words_of(part, {})


def without(helpers: set[str], steps: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    """The steps with the values of variables that the answer does without in their place."""
    values: dict[str, ast.expr] = {}
    number = Counter(e.id for step in steps for e in ast.walk(step) if is_set(e))

    def block(steps: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
        for step in steps:
            match step:
                case ast.Assign([ast.Name(name)], ast.List() | ast.Dict()):
                    pass  # it is filled from here on
                case ast.Assign([ast.Name(name)], value) if name in helpers and number[name] == 1:
                    values[name] = _Put(values).visit(copy.deepcopy(value))
                    continue
                case ast.If() | ast.For() | ast.While():
                    step = with_fields(step, body=[*block(step.body)], orelse=[*block(step.orelse)])
            yield _Put(values).visit(copy.deepcopy(step))

    return [*block(steps)]


class _Put(ast.NodeTransformer):
    """Puts values in the place of names."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Its value, if there is one."""
        return self._values.get(node.id, node)


def without_blocks(step: ast.stmt) -> ast.stmt:
    """What a loop or a condition is without what stands below it; any other step as it is."""
    if isinstance(step, ast.FunctionDef):
        return with_fields(step, body=[])  # type: ignore[no-any-return]
    return with_fields(step, body=[], orelse=[]) if isinstance(step, COMPOUND) else step


def set_in(function: ast.FunctionDef) -> set[str]:
    """All names to which a function gives a value, and its parameters."""
    parts = list(ast.walk(function))
    parameters = {part.arg for part in parts if isinstance(part, ast.arg)}
    return parameters | {part.id for part in parts if isinstance(part, ast.Name) and is_set(part)}


@functools.lru_cache(maxsize=MANY)
def names_in(part: ast.AST) -> frozenset[str]:
    """All names in a part."""
    return frozenset(each.id for each in ast.walk(part) if isinstance(each, ast.Name))


def is_same(one: ast.AST, other: ast.AST) -> bool:
    """Whether two parts are written alike."""
    return dumped(one) == dumped(other)


@functools.lru_cache(maxsize=MANY)
def dumped(part: ast.AST) -> str:
    """All that a part consists of, but for the places."""
    return ast.dump(part)


@functools.lru_cache(maxsize=MANY)
def written(part: ast.AST) -> str:
    """The text of a part."""
    is_step = isinstance(part, ast.stmt)  # for it Python asks where it is
    return ast.unparse(ast.fix_missing_locations(part) if is_step else part)


def is_set(part: ast.AST) -> TypeGuard[ast.Name]:
    """Whether it is a name that gets a value."""
    return isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)


def _votes(own: Any, theirs: Any) -> Iterator[tuple[str, str]]:
    """Names that stand at the same place in two parts."""
    if isinstance(own, list) and isinstance(theirs, list):
        for one, other in zip(own, theirs, strict=False):
            yield from _votes(one, other)
    elif isinstance(own, ast.AST) and type(own) is type(theirs):
        if isinstance(own, ast.Name) and isinstance(theirs, ast.Name):
            yield from [(theirs.id, own.id)] * (3 if is_set(own) else 1)
        elif isinstance(own, ast.arg) and isinstance(theirs, ast.arg):
            yield theirs.arg, own.arg
        for name in own._fields:
            yield from _votes(getattr(own, name, None), getattr(theirs, name, None))


class Renamed(ast.NodeTransformer):
    """A copy with other names."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def of(self, part: ast.AST) -> Any:
        """A copy of a statement or an expression."""
        (step,) = ast.parse(ast.unparse(part)).body
        copied: Any = self.visit(step)
        return copied.value if isinstance(part, ast.expr) else copied

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """With the other name."""
        return ast.copy_location(ast.Name(self._names.get(node.id, node.id), node.ctx), node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """A parameter of a function within it."""
        return ast.copy_location(ast.arg(self._names.get(node.arg, node.arg)), node)


def with_fields(part: Any, **fields: Any) -> Any:
    """A statement with other parts."""
    made = copy.copy(part)
    vars(made).pop("number", None)  # it is another part now
    vars(made).update(fields)
    return made
