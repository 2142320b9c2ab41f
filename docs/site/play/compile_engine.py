"""Compile the search of one game, and its rules, to an object file for WebAssembly.

usage: python compile_engine.py SOURCE OBJECT

Numba translates the same text as for this computer, but without any special instructions, to LLVM's
language, and LLVM to WebAssembly with memory64, in which a pointer has 64 bits as it has here.
`engine.js` calls it.
"""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import llvmlite.binding as llvm
import numpy as np
from numba import typeof, types
from numba.core import compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

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
        _INTS, _BITS, _BITS, _BITS, _INT, _REAL, _REALS, _REALS, _INTS, _BITS, _INT, _BOOL,
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


def object_of(source: str) -> bytes:
    """The object file of an engine; `source` is the text that Numba compiles."""
    # What the text imports may not use this processor's own instructions.
    llvm.get_host_cpu_features = llvm.FeatureMap
    module = ModuleType("mctslab_page")
    vars(module)["IS_KEPT"] = False
    exec(source, module.__dict__)
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    triple = "wasm64-unknown-unknown"
    target = llvm.Target.from_triple(triple).create_target_machine(
        opt=3, features="+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
    )
    nodes = typeof(np.zeros(1, node_record(module.NUM_KEPT_WORDS)))
    linked = llvm.parse_assembly("")
    for name, types_of_arguments in SIGNATURES.items():
        if name == "search":
            types_of_arguments = (nodes, *types_of_arguments)
        part = _compiled(getattr(module, name).py_func, types_of_arguments, name)
        part.triple, part.data_layout = triple, str(target.target_data)
        linked.link_in(part)
    for variable in linked.global_variables:
        if variable.linkage == llvm.Linkage.common:  # WebAssembly has no such symbols
            variable.linkage = llvm.Linkage.weak_odr
    return bytes(target.emit_object(linked))


def _compiled(function: Any, types_of_arguments: tuple[Any, ...], name: str) -> llvm.ModuleRef:
    """A function and all that it calls, in LLVM's language; it is called `engine_NAME`."""
    flags = compiler.Flags()
    flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.nrt, flags.error_model = True, "numpy"
    compiled = compiler.compile_extra(
        cpu_target.typing_context,
        cpu_target.target_context.with_aot_codegen(name),
        function,
        types_of_arguments,
        None,
        flags,
        {},
    )
    with global_compiler_lock:
        module = llvm.parse_bitcode(compiled.library.emit_bitcode())
    module.get_function(compiled.fndesc.llvm_func_name).name = f"engine_{name}"
    return module


def main() -> None:
    """Compile the first file into the second."""
    source, compiled = map(Path, sys.argv[1:])
    compiled.write_bytes(object_of(source.read_text("utf-8")))


if __name__ == "__main__":
    main()
