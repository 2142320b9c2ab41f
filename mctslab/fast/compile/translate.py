"""From the rules of a game, written for Python's ints, to the same rules for 64 bits.

The text of each function is kept, except for the changes that a compiler needs: every number
becomes a `uint64`, every field of `geometry` becomes a constant, and Python's methods for counting
bits become the processor's instructions. Everything that a function calls or reads gets a unique
name, so that it cannot be confused with something else of the same name. Code whose meaning would
change by compiling is refused: fractions, negative numbers.

The formula of a selection rule is read in the same way, but it computes with any numbers.
"""

import ast
import inspect
import math
import textwrap
import threading
from collections.abc import Callable, Hashable, Iterable
from types import BuiltinFunctionType, CodeType, FunctionType
from typing import Any, Final

from mctslab.games.reversi import beyond_runs
from mctslab.games.rules import Compilable

_ROLES: Final = ("legal_moves", "play", "outcome", "stone_on")
_BIT_METHODS: Final = ("bit_count", "bit_length")
_BUILT_IN: Final = ("bool", "int", "len", "max", "min", "range")
"""The functions that may be called besides one's own."""
_SIGNED: Final = ("int", "len")
"""Those that give a compiler numbers with a sign."""
_PRIMITIVES: Final = (beyond_runs,)
"""Functions that `primitives.py` has under the same name, written for vectors."""
_MANY: Final = 16
"""A table of more numbers than this becomes an array instead of a tuple."""
_READABLE: Final = (int, float, tuple, FunctionType, BuiltinFunctionType)
"""What a function reads from its module."""
_WHAT_A_FUNCTION_DOES: Final = ("co_code", "co_names", "co_varnames", "co_consts")
_PARSING: Final = threading.Lock()


class NotCompilableError(ValueError):
    """A game's rules cannot be compiled; the message says why, in one sentence."""


def rules_text(
    game: Compilable, also: Iterable[Callable[..., Any]] = (), *, has_vectors: bool = True
) -> str:
    """The rules of `game` as source text: constants first, then functions, each with `@njit`.

    Args:
        game: its rules, and the board that they are for.
        also: further functions of a position and the geometry that follow the form of `rules.py`,
            such as the terms of an evaluation; they keep their names in the text.
        has_vectors: whether functions that `primitives.py` has for vectors are left to it.

    Raises:
        NotCompilableError: with the reason.
    """
    primitives = _PRIMITIVES if has_vectors else ()
    text = _Text("rules", _Translator, _constant, game.geometry, primitives)
    roles = [f"{role} = {text.add(function)}" for role, function in _roles(game)]
    roles += [f"{function.__name__} = {text.add(function)}" for function in also]
    lines = [f"{name} = {value}" for name, value in sorted(text.constants.items())]
    return "\n\n\n".join(["\n".join(lines), *text.functions.values(), "\n".join(roles)]) + "\n"


def formula_text(formula: Callable[..., float], name: str) -> str:
    """A plain function of numbers as source text, under `name`, after what it calls or reads.

    Raises:
        NotCompilableError: with the reason.
    """
    text = _Text("formula", _FormulaReader, _number_or_function)
    called = text.add(formula)
    lines = [f"{constant} = {value}" for constant, value in text.constants.items()]
    parts = ["\n".join(lines), *text.functions.values(), f"{name} = {called}"]
    return "\n\n\n".join(parts) + "\n"


def read_by(game: Compilable, *others: Callable[..., Any]) -> tuple[Hashable, ...]:
    """The functions of `game` and `others`, and what they read from their modules.

    It differs if one of them, or something that it calls, was redefined, for example in a notebook.
    """
    waiting: list[Any] = [*(function for _, function in _roles(game)), *others]
    found: list[Hashable] = []
    for value in waiting:
        if not isinstance(value, FunctionType):
            found.append(value)
        elif value.__code__ not in found:
            found.append(value.__code__)
            reads = (value.__globals__.get(name) for name in value.__code__.co_names)
            waiting += (each for each in reads if isinstance(each, _READABLE))
    return tuple(found)


def _roles(game: Compilable) -> list[tuple[str, Callable[..., Any]]]:
    """The functions that are compiled, with the names of their purposes."""
    functions = [(role, getattr(game.rules, role)) for role in _ROLES]
    return [(role, function) for role, function in functions if function is not None]


class _Text:
    """Collects functions, with whatever they call or read, under names that do not clash.

    Args:
        prefix: what the names begin with, so that the engine uses none of them.
        reader: changes the syntax tree of a function.
        constant: `(value, name)`: something that a function reads, as source text.
        geometry: that of the rules.
        primitives: the functions that `primitives.py` has under the same name.
    """

    def __init__(
        self,
        prefix: str,
        reader: "type[_Reader]",
        constant: Callable[[Any, str], str],
        geometry: Any = None,
        primitives: tuple[Callable[..., Any], ...] = (),
    ) -> None:
        self._prefix, self._reader, self._constant = prefix, reader, constant
        self._geometry, self._primitives = geometry, primitives
        self._owners: dict[str, Any] = {}
        self.constants: dict[str, str] = {}
        self.functions: dict[str, str] = {}

    def add(self, function: Callable[..., Any]) -> str:
        """Add `function`, and before it whatever it needs; its name in the text."""
        if not isinstance(function, FunctionType):
            raise NotCompilableError(
                f"{function!r} is not a plain function, and only plain functions are compiled"
            )
        name = self._name_for(function.__name__, function)
        if name in self.functions:
            return name
        self.functions[name] = ""  # reserves its place, even for a function that calls itself
        tree = _syntax_tree(function)
        is_what_runs = _is_text_of(function, tree)
        reader = self._reader(function, tree, self._add_global)
        reader.visit(tree)
        for attribute in sorted(reader.read_from_geometry):
            value = getattr(self._geometry, attribute, None)
            self.constants[f"geometry_{attribute}"] = _constant(value, f"geometry.{attribute}")
        if not is_what_runs:
            raise NotCompilableError(
                f"the file of {function.__name__}() was changed after it had been imported: "
                "restart the kernel"
            )
        tree.name = name
        del self.functions[name]  # so that it comes after what it needs
        self.functions[name] = "@njit\n" + ast.unparse(ast.fix_missing_locations(tree))
        return name

    def _add_global(self, name: str, value: Any) -> str:
        """Add the object that a function finds under `name` in its module; its name in the text."""
        if isinstance(value, FunctionType):
            return value.__name__ if value in self._primitives else self.add(value)
        text = self._constant(value, name)
        name = self._name_for(name, text)
        self.constants[name] = text
        return name

    def _name_for(self, name: str, owner: Any) -> str:
        """A name that is used neither by the engine nor by the rules."""
        name = f"{self._prefix}_{name}"
        while self._owners.setdefault(name, owner) != owner:
            name += "_"
        return name


def parsed(text: str) -> ast.Module:
    """The syntax tree of `text`; in Python 3.11, threads that parse at the same time can fail."""
    with _PARSING:
        return ast.parse(text)


def _syntax_tree(function: FunctionType) -> ast.FunctionDef:
    """The function as it is written in its file.

    Raises:
        NotCompilableError: there is no such text.
    """
    name = function.__name__
    if function.__closure__:
        raise NotCompilableError(f"{name}() reads variables of the function around it")
    if function.__defaults__ or function.__kwdefaults__:
        raise NotCompilableError(f"{name}() has arguments with default values")
    if name == "<lambda>":
        raise NotCompilableError("a lambda is not a plain `def`, and only those are compiled")
    try:
        tree = parsed(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError) as error:
        raise NotCompilableError(f"the text of {name}() was not found ({error})") from error
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef) or definition.decorator_list:
        raise NotCompilableError(f"{name}() is not a plain `def`, and only those are compiled")
    return definition


def _is_text_of(function: FunctionType, definition: ast.FunctionDef) -> bool:
    """Whether the running function has this text; its file could have been changed."""
    running = function.__code__
    # `math.sqrt(x)` is compiled to other bytes where `math` is imported in the same text.
    imports: list[ast.stmt] = [ast.Import([ast.alias(name)]) for name in running.co_names]
    tree = ast.fix_missing_locations(ast.Module([*imports, definition], []))
    texts = [compile(each, "", "exec") for each in (ast.Module([definition], []), tree)]
    return any(
        all(getattr(code, fact) == getattr(running, fact) for fact in _WHAT_A_FUNCTION_DOES)
        for text in texts
        for code in text.co_consts
        if isinstance(code, CodeType)
    )


def _constant(value: Any, name: str) -> str:
    """An int, or a table of ints, as source text of type uint64."""
    if isinstance(value, int):
        if not 0 <= value < 1 << 64:
            raise NotCompilableError(f"{name} does not fit into 64 bits, so the board is too large")
        return f"uint64({int(value)})"
    if not isinstance(value, tuple) or not value:
        raise NotCompilableError(f"{name} is {value!r}: only ints and tables of ints are compiled")
    entries = [_constant(entry, name) for entry in value]
    if isinstance(value[0], tuple) and len(value) * len(value[0]) > _MANY:
        return f"np.array({value!r}, dtype=np.uint64)"
    return f"({', '.join(entries)},)"


def _number_or_function(value: Any, name: str) -> str:
    """A number that a formula reads, or a function of `math`, as source text."""
    if value is math.sqrt:
        return "square_root"
    if value is getattr(math, name, math):
        return f"math.{name}"
    if type(value) not in (bool, float, int) or not math.isfinite(value):
        kind = type(value).__name__
        raise NotCompilableError(f"{name} is a {kind}: a formula reads numbers and functions")
    return repr(value)


class _Reader(ast.NodeTransformer):
    """Gives what one function reads its name in the text, and drops annotations."""

    built_in: tuple[str, ...] = _BUILT_IN

    def __init__(
        self, function: FunctionType, tree: ast.FunctionDef, add_global: Callable[[str, Any], str]
    ) -> None:
        self._function = function
        self._add_global = add_global
        self._own_names = {each.arg for each in ast.walk(tree) if isinstance(each, ast.arg)}
        self._own_names |= {
            each.id
            for each in ast.walk(tree)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        }
        self.read_from_geometry: set[str] = set()

    def _refusal(self, what: str) -> NotCompilableError:
        return NotCompilableError(f"{self._function.__name__}() {what}")

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.args.args = [ast.arg(each.arg) for each in node.args.args]
        node.returns = None
        if ast.get_docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None:
            return ast.Pass()
        return self.generic_visit(ast.Assign([node.target], node.value))

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self._own_names:
            return node
        if node.id in self._function.__globals__:
            name = self._add_global(node.id, self._function.__globals__[node.id])
            return ast.Name(name, ast.Load())
        if node.id not in self.built_in:
            raise self._refusal(
                f"uses {node.id}, and besides functions of your own only "
                f"{', '.join(self.built_in)} are compiled"
            )
        return node


class _FormulaReader(_Reader):
    """Changes one function's syntax tree: what it takes from `math` is named like its own."""

    built_in = (*_BUILT_IN, "abs", "float")

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        is_of_math = isinstance(node.value, ast.Name) and node.value.id == "math"
        if not is_of_math or self._function.__globals__.get("math") is not math:
            return self.generic_visit(node)
        return ast.Name(self._add_global(node.attr, getattr(math, node.attr, None)), ast.Load())


class _Translator(_Reader):
    """Changes one function's syntax tree from Python's ints to 64 bits."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.args.args = [each for each in node.args.args if each.arg != "geometry"]
        return super().visit_FunctionDef(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, float):
            raise self._refusal(f"uses {node.value!r}, and only whole numbers are compiled")
        if type(node.value) is not int:
            return node
        _constant(node.value, str(node.value))  # refuses what does not fit
        return _call("uint64", node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        if isinstance(node.op, ast.Div):
            raise self._refusal("divides by `/`, and only whole numbers are compiled: write `//`")
        if isinstance(node.op, ast.BitAnd):
            node.left, node.right = _as_mask(node.left), _as_mask(node.right)
        return self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        if isinstance(node.op, ast.BitAnd):
            node.value = _as_mask(node.value)
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        if isinstance(node.op, ast.USub):
            raise self._refusal(
                f"uses a number below zero, `{ast.unparse(node)}`, and only `x & -x` is compiled"
            )
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if _is_geometry(node.value):
            self.read_from_geometry.add(node.attr)
            return ast.Name(f"geometry_{node.attr}", ast.Load())
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        node.args = [each for each in node.args if not _is_geometry(each)]
        node.keywords = [each for each in node.keywords if not _is_geometry(each.value)]
        function = node.func
        self.generic_visit(node)
        if isinstance(function, ast.Attribute) and function.attr in _BIT_METHODS:
            return _call(function.attr, function.value)
        if isinstance(function, ast.Name) and function.id in _SIGNED:
            return _call("uint64", node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id == "geometry":
            raise self._refusal(
                "uses `geometry` as a whole, and only its fields (`geometry.size`) and passing it"
                " on are compiled"
            )
        return super().visit_Name(node)


def _as_mask(operand: ast.expr) -> ast.expr:
    """`-x` as 0 - x: combined by `&`, the lower 64 bits are the same."""
    if isinstance(operand, ast.UnaryOp) and isinstance(operand.op, ast.USub):
        return ast.BinOp(ast.Constant(0), ast.Sub(), operand.operand)
    return operand


def _is_geometry(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "geometry"


def _call(name: str, argument: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [argument], [])
