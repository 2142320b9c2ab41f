"""What a processor does with 64 bits in one instruction, for compiled code.

`np.uint64` has no `bit_count` in Numba, so the compiler is handed the instructions themselves. Only
generated modules (see `compiling.py`) import this file: it loads Numba.
"""

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

uint64 = np.uint64


def _has_fast_pdep() -> bool:
    """Whether this processor deposits bits quickly: x86 with BMI2, but not AMD's first Zens."""
    slow = ("znver1", "znver2", "bdver4")
    features = llvmlite.binding.get_host_cpu_features()
    return bool(features.get("bmi2")) and llvmlite.binding.get_host_cpu_name() not in slow


@intrinsic
def count_bits(typing_context, bits):
    """How many bits are ones, 0 to 64, as an int64."""

    def build(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), build


@intrinsic
def trailing_zeros(typing_context, bits):
    """The number of the lowest one, as a uint64; 64 where there is none."""

    def build(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), build


@intrinsic
def leading_zeros(typing_context, bits):
    """How many zeros stand above the highest one, as a uint64; 64 where there is none."""

    def build(context, builder, signature, arguments):
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), build


@njit
def bit_count(bits):
    """How many bits are ones, as a uint64."""
    return uint64(count_bits(bits))


@njit
def bit_length(bits):
    """The number of the highest one plus 1, as Python's `int.bit_length`."""
    return uint64(64) - leading_zeros(bits)


if _has_fast_pdep():

    @intrinsic
    def _deposit(typing_context, source, mask):
        """The lowest bits of `source`, laid in order on the ones of `mask`."""

        def build(context, builder, signature, arguments):
            word = ir.IntType(64)
            pdep = builder.module.declare_intrinsic(
                "llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(word, [word, word])
            )
            return builder.call(pdep, arguments)

        return types.uint64(types.uint64, types.uint64), build

    @njit
    def nth_bit(bits, n):
        """The number of the n-th one of `bits`, counted from 0 at the lowest."""
        return trailing_zeros(_deposit(uint64(1) << uint64(n), bits))

else:

    @njit
    def nth_bit(bits, n):
        """The number of the n-th one of `bits`, counted from 0 at the lowest."""
        place = uint64(0)
        width = uint64(32)
        while width:
            below = count_bits(bits & ((uint64(1) << width) - uint64(1)))
            if n >= below:
                n -= below
                bits >>= width
                place += width
            width >>= uint64(1)
        return place
