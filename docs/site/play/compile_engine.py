"""Compile the search of one game, and its rules, to an object file for WebAssembly.

usage: NUMBA_CPU_NAME=generic NUMBA_CPU_FEATURES= python compile_engine.py SOURCE OBJECT

Numba compiles the same text as for this computer, but for a processor without any special
instructions. The result is in LLVM's language, and LLVM translates it to WebAssembly with memory64,
in which a pointer has 64 bits as it has here. `engine.js` calls it.
"""

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import njit, typeof, types
from numba.core import compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from mctslab.fast.nodes import PUCT_NODE, make_walks, node_record
from mctslab.games import TicTacToe

_GUIDED_NODES: Final = typeof(np.zeros(1, PUCT_NODE))
_BITS, _INTS, _SQUARES = types.uint64[::1], types.int64[::1], types.float32[::1]
_REALS: Final = types.float64[::1]
_INT, _REAL, _BOOL = types.int64, types.float64, types.boolean
_RULE: Final = types.Tuple((_REAL, _REAL, _BOOL))
_WALKS: Final = typeof(make_walks(1, TicTacToe().compilable()))  # the same for all games
_PLANES: Final = types.float32[:, ::1]
SIGNATURES: Final[dict[str, tuple[Any, ...]]] = {
    "search": (
        _INTS, _BITS, _BITS, _BITS, _INT, _INT, _BOOL, _REAL,
        _REALS, _REALS, _INTS, _BITS, _INT, _BOOL,
    ),
    "list_moves": (_BITS, _BITS, _INTS),
    "fill_logs": (_REALS,),
    "make_move": (_BITS, _BITS, _INT),
    "find_outcome": (_BITS, _BITS),
    "read_stones": (_BITS, _BITS, _INTS, _PLANES),
    "draw_move": (_BITS, _BITS, _BITS, _BITS),
    "walk_to_leaf": (_GUIDED_NODES, _BITS, _BITS, _RULE, _WALKS, _INT, _INTS, _PLANES),
    "judge_leaf": (_GUIDED_NODES, _INTS, _WALKS, _SQUARES, _REAL, _INTS),
}  # fmt: skip
"""The functions that `engine.js` calls, with the types of their arguments. The first argument of
`search`, the nodes, is not listed, because their record depends on the game."""

_COUNT_DOWN: Final = "llvm.x86.atomic.sub.cc.i64"
_COUNTING_DOWN: Final = """
define internal i8 @count_down(ptr %place, i64 %step, i32 %condition) {
  %before = load i64, ptr %place
  %after = sub i64 %before, %step
  store i64 %after, ptr %place
  %is_zero = icmp eq i64 %after, 0
  %result = zext i1 %is_zero to i8
  ret i8 %result
}
"""


@intrinsic
def hide(typing_context: Any, number: Any) -> Any:
    """The same number, but LLVM does not see that it is the same."""

    def build(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        return builder.asm(ir.FunctionType(word, [word]), "", "=r,0", arguments, False)

    return types.uint64(types.uint64), build


def _replace_primitives() -> None:
    """Write two functions of `primitives.py` in another way, with the same results.

    WebAssembly multiplies 64 bits, and LLVM would call a function for a product of 128, which it
    would recognise below without `hide`. And branches that are hard to foresee cost more there.
    """
    llvm.get_host_cpu_features = dict  # nor may it use this processor's own instructions
    from mctslab.fast.compile import primitives

    count_bits, hidden, uint64, int64 = primitives.count_bits, hide, np.uint64, np.int64

    @njit
    def multiply_high(one: Any, other: Any) -> Any:
        mask, half = uint64(0xFFFFFFFF), uint64(32)
        low, high = hidden(one & mask), hidden(one >> half)
        other_low, other_high = hidden(other & mask), hidden(other >> half)
        middle = high * other_low + (low * other_low >> half)
        other_middle = low * other_high + (middle & mask)
        return high * other_high + (middle >> half) + (other_middle >> half)

    @njit
    def nth_bit(bits: Any, n: Any) -> Any:
        place, left, width = uint64(0), int64(n), uint64(32)
        while width:
            below = count_bits(bits & ((uint64(1) << width) - uint64(1)))
            is_above = int64(left >= below)
            left -= below & -is_above
            step = uint64(is_above) * width
            bits >>= step
            place += step
            width >>= uint64(1)
        return place

    primitives._multiply_high, primitives.nth_bit = multiply_high, nth_bit


def object_of(source: str) -> bytes:
    """The object file of an engine; `source` is the text that Numba compiles."""
    _replace_primitives()
    module = ModuleType("mctslab_page")
    exec(source.replace(", cache=True", ""), module.__dict__)
    linked: llvm.ModuleRef | None = None
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple("wasm64-unknown-unknown").create_target_machine(
        opt=3, features="+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
    )
    nodes = typeof(np.zeros(1, node_record(module.NUM_KEPT_WORDS)))
    for name, types_of_arguments in SIGNATURES.items():
        function = getattr(module, name).py_func
        if name == "search":
            types_of_arguments = (nodes, *types_of_arguments)
        for_webassembly = _retargeted(_llvm_text(function, types_of_arguments, name), target)
        part = llvm.parse_assembly(for_webassembly)
        if linked is None:
            linked = part
        else:
            linked.link_in(part)
    assert linked is not None
    return bytes(target.emit_object(linked))


def _llvm_text(function: Any, types_of_arguments: tuple[Any, ...], name: str) -> str:
    """A function and all that it calls, in LLVM's language; it is called `engine_NAME`."""
    flags = compiler.Flags()
    flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.nrt, flags.error_model = True, "numpy"
    compiled = compiler.compile_extra(
        cpu_target.typing_context,
        cpu_target.target_context,
        function,
        types_of_arguments,
        None,
        flags,
        {},
    )
    with global_compiler_lock:
        compiled.library.finalize()
    text = str(compiled.library.get_llvm_str())
    return text.replace(compiled.fndesc.mangled_name, f"engine_{name}")


def _retargeted(text: str, target: llvm.TargetMachine) -> str:
    """The same text, without what it says about this computer."""
    text = re.sub(r'target triple = ".*"', 'target triple = "wasm64-unknown-unknown"', text)
    text = re.sub(r'target datalayout = ".*"', f'target datalayout = "{target.target_data}"', text)
    text = re.sub(r'"target-(cpu|features)"="[^"]*"', "", text)
    text = text.replace("= common ", "= weak_odr ")
    if _COUNT_DOWN in text:  # how an x86 counts down the references to an array
        text = re.sub(rf"declare i8 @{re.escape(_COUNT_DOWN)}\(.*", _COUNTING_DOWN, text)
        text = text.replace(_COUNT_DOWN, "count_down")
    return text


def main() -> None:
    """Compile the first file into the second."""
    source, compiled = map(Path, sys.argv[1:])
    compiled.write_bytes(object_of(source.read_text("utf-8")))


if __name__ == "__main__":
    main()
