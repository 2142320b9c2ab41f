"""From the rules of a game, written for Python's ints, to the same rules for 64 bits.

The text of each function is kept as it is, but for what a compiler needs: every number becomes a
`uint64`, what is read from `geometry` becomes a constant, and Python's methods for counting bits
become the processor's instructions.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any, Final

from mctslab.games.rules import Compilable

_BIT_METHODS: Final = ("bit_count", "bit_length")
_MANY: Final = 16
"""A table of more numbers than this becomes an array instead of a tuple."""


class NotCompilableError(ValueError):
    """A game's rules cannot be compiled; the message says why, in one sentence."""


def rules_text(game: Compilable) -> str:
    """The rules of `game` as source text: constants first, then functions, each with `@njit`.

    Raises:
        NotCompilableError: with the reason.
    """
    constants: dict[str, str] = {}
    functions: dict[str, str] = {}
    for role in ("legal_moves", "play", "outcome"):
        function = getattr(game.rules, role)
        _translate(function, game.geometry, constants, functions)
        if function.__name__ != role:
            functions[role] = f"{role} = {function.__name__}"
    lines = [f"{name} = {value}" for name, value in sorted(constants.items())]
    return "\n".join(lines) + "\n\n\n" + "\n\n\n".join(functions.values()) + "\n"


def _translate(
    function: Callable[..., Any],
    geometry: Any,
    constants: dict[str, str],
    functions: dict[str, str],
) -> None:
    """Add `function`, and before it whatever it calls or reads, to what is collected."""
    if not isinstance(function, FunctionType):
        raise NotCompilableError(f"{function!r} is no plain function, and only those are compiled")
    name = function.__name__
    if name in functions:
        return
    functions[name] = ""  # holds its place, also against a function that calls itself
    tree = _syntax_tree(function)
    translator = _Translator(name)
    translator.visit(tree)
    for attribute in sorted(translator.read_from_geometry):
        value = getattr(geometry, attribute, None)
        constants[f"geometry_{attribute}"] = _constant(value, f"geometry.{attribute}")
    for other, value in _globals_of(function):
        if isinstance(value, FunctionType):
            _translate(value, geometry, constants, functions)
        else:
            constants[other] = _constant(value, other)
    del functions[name]  # so that it comes after what it needs
    functions[name] = "@njit\n" + ast.unparse(ast.fix_missing_locations(tree))


def _syntax_tree(function: FunctionType) -> ast.FunctionDef:
    """The function as it is written in its file.

    Raises:
        NotCompilableError: there is no such text, or it is not what runs.
    """
    name = function.__name__
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError) as error:
        raise NotCompilableError(f"the text of {name}() was not found ({error})") from error
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef) or definition.decorator_list:
        raise NotCompilableError(f"{name}() is not a plain `def`, and only those are compiled")
    written = next(
        code for code in compile(tree, "", "exec").co_consts if isinstance(code, CodeType)
    )
    if written.co_code != function.__code__.co_code or not _same(written, function.__code__):
        raise NotCompilableError(
            f"the file of {name}() was changed after it had been imported: restart the kernel"
        )
    return definition


def _same(one: CodeType, other: CodeType) -> bool:
    return one.co_names == other.co_names and one.co_consts == other.co_consts


def _globals_of(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The functions, numbers and tables of its module that `function` names."""
    for name in function.__code__.co_names:
        if name in function.__globals__:
            yield name, function.__globals__[name]


def _constant(value: Any, name: str) -> str:
    """An int, or a table of ints, as source text of type uint64."""
    if isinstance(value, int):
        if not 0 <= value < 1 << 64:
            raise NotCompilableError(f"{name} does not fit into 64 bits, so the board is too big")
        return f"uint64({int(value)})"
    if not isinstance(value, tuple) or not value:
        raise NotCompilableError(f"{name} is {value!r}: only ints and tables of ints are compiled")
    entries = [_constant(entry, name) for entry in value]
    if isinstance(value[0], tuple) and len(value) * len(value[0]) > _MANY:
        return f"np.array({value!r}, dtype=np.uint64)"
    return f"({', '.join(entries)},)"


class _Translator(ast.NodeTransformer):
    """Changes one function's syntax tree; see the top of this file."""

    def __init__(self, function_name: str) -> None:
        self._function_name = function_name
        self.read_from_geometry: set[str] = set()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.args.args = [ast.arg(each.arg) for each in node.args.args if each.arg != "geometry"]
        node.returns = None
        if ast.get_docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None:
            return ast.Pass()
        return self.generic_visit(ast.Assign([node.target], node.value))

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return _call("uint64", node) if type(node.value) is int else node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.USub):
            return ast.BinOp(_call("uint64", ast.Constant(0)), ast.Sub(), node.operand)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id == "geometry":
            self.read_from_geometry.add(node.attr)
            return ast.Name(f"geometry_{node.attr}", ast.Load())
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        node.args = [each for each in node.args if not _is_geometry(each)]
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr in _BIT_METHODS:
            return _call(function.attr, function.value)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id == "geometry":
            raise NotCompilableError(
                f"{self._function_name}() uses `geometry` as a whole, and only its fields "
                "(`geometry.size`) and handing it on are compiled"
            )
        return node


def _is_geometry(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "geometry"


def _call(name: str, argument: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [argument], [])
