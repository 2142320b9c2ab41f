"""Instructions of the processor, and NumPy's random numbers, for compiled code.

`np.uint64` has no `bit_count` in Numba, so the compiler is handed the instructions themselves. And
NumPy's generator would be called through a pointer for every draw; written out here, it takes a
third of the time and gives the same numbers. Only generated modules (see `module_builder.py`)
import this file, because it loads Numba.
"""

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core.cgutils import alloca_once_value, for_range, unpack_tuple
from numba.extending import intrinsic

uint64 = np.uint64


def _has_fast_pdep() -> bool:
    """Whether this processor deposits bits quickly: x86 with BMI2, but not AMD's first Zens."""
    slow = ("znver1", "znver2", "bdver4")
    features = llvmlite.binding.get_host_cpu_features()
    return bool(features.get("bmi2")) and llvmlite.binding.get_host_cpu_name() not in slow


def _instruction(name, result):
    """An instruction for a word of 64 bits, by the name of LLVM's builder for it."""
    zero = () if name == "ctpop" else (ir.Constant(ir.IntType(1), 0),)  # a word of 0 is allowed

    @intrinsic
    def instruction(typing_context, bits):
        def build(context, builder, signature, arguments):
            return getattr(builder, name)(arguments[0], *zero)

        return result(types.uint64), build

    return instruction


count_bits = _instruction("ctpop", types.int64)
"""How many bits are ones, 0 to 64, as an int64."""
trailing_zeros = _instruction("cttz", types.uint64)
"""The number of the lowest one, as a uint64; 64 where there is none."""
leading_zeros = _instruction("ctlz", types.uint64)
"""How many zeros stand above the highest one, as a uint64; 64 where there is none."""


@intrinsic
def square_root(typing_context, number):
    """`math.sqrt`, which Numba calls as a function, and so again for every child of a node."""

    def build(context, builder, signature, arguments):
        sqrt = builder.module.declare_intrinsic("llvm.sqrt", [ir.DoubleType()])
        return builder.call(sqrt, arguments)

    return types.float64(types.float64), build


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


@intrinsic
def beyond_runs(typing_context, own, opponent, axes, doublings):
    """`beyond_runs` of `games/reversi.py` on all axes at once, each in a lane of a vector.

    LLVM compiles it to what the processor has: AVX2, NEON, or one lane after the other.
    """

    def build(context, builder, signature, arguments):
        both, either, up, down = builder.and_, builder.or_, builder.shl, builder.lshr
        lanes = ir.VectorType(ir.IntType(64), axes.count)

        def vector_of(words):
            vector = ir.Constant(lanes, ir.Undefined)
            for lane, word in enumerate(words):
                vector = builder.insert_element(vector, word, ir.Constant(ir.IntType(32), lane))
            return vector

        own, opponent = (vector_of([word] * axes.count) for word in arguments[:2])
        rows = [unpack_tuple(builder, axis) for axis in unpack_tuple(builder, arguments[2])]
        step, passable = (vector_of(column) for column in zip(*rows, strict=True))
        through, two_steps = both(opponent, passable), builder.add(step, step)
        pairs = both(through, up(through, step))
        ways = []  # up and down: how to shift, the pairs to pass, where the reached squares are
        for shift, passed in ((up, pairs), (down, down(pairs, step))):
            reached = both(through, shift(own, step))
            reached = either(reached, both(through, shift(reached, step)))
            ways.append((shift, passed, alloca_once_value(builder, reached)))
        with for_range(builder, arguments[3]):
            for shift, passed, place in ways:
                reached = builder.load(place)
                further = both(passed, shift(reached, two_steps))
                builder.store(either(reached, further), place)
        beyond = either(*(shift(builder.load(place), step) for shift, _, place in ways))
        reduce = builder.module.declare_intrinsic(
            f"llvm.vector.reduce.or.v{axes.count}i64", fnty=ir.FunctionType(ir.IntType(64), [lanes])
        )
        return builder.call(reduce, [beyond])

    return types.uint64(types.uint64, types.uint64, axes, types.uint64), build


@intrinsic
def _multiply_high(typing_context, one, other):
    """The upper 64 of the 128 bits of a product."""

    def build(context, builder, signature, arguments):
        wide = ir.IntType(128)
        first, second = (builder.zext(argument, wide) for argument in arguments)
        product = builder.mul(first, second)
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), build


# O'Neill's PCG64 (2014) as NumPy has it: the state, 128 bits, is multiplied and incremented; its
# two halves are put together by exclusive or and rotated by its highest six bits.
_MULTIPLIER_HIGH = uint64(2549297995355413924)
_MULTIPLIER_LOW = uint64(4865540595714422341)
_BITS_OF_A_DRAW = uint64(53)
_NEARLY_ONE = uint64((1 << 53) - (1 << 13))


@njit
def next_53_bits(random_state):
    """The next draw: `Generator.random()` is this many 2**-53.

    `random_state`, uint64 [4], is the state and the increment of a PCG64, each as upper and lower
    half.
    """
    high, low = random_state[0], random_state[1]
    new_low = low * _MULTIPLIER_LOW
    new_high = _multiply_high(low, _MULTIPLIER_LOW) + high * _MULTIPLIER_LOW
    new_high += low * _MULTIPLIER_HIGH
    summed_low = new_low + random_state[3]
    summed_high = new_high + random_state[2] + (uint64(1) if summed_low < new_low else uint64(0))
    random_state[0], random_state[1] = summed_high, summed_low
    mixed, turn = summed_high ^ summed_low, summed_high >> uint64(58)
    rotated = (mixed >> turn) | (mixed << ((uint64(64) - turn) & uint64(63)))
    return rotated >> uint64(11)


@njit
def place_of(drawn, number):
    """`int(rng.random() * number)` of a draw of 53 bits, for numbers below 2**11.

    The product of whole numbers is exact. The product of fractions is rounded, and may be rounded
    up to the next whole number; where that is possible at all, it is computed just so.
    """
    product = drawn * uint64(number)
    if product & ((uint64(1) << _BITS_OF_A_DRAW) - uint64(1)) >= _NEARLY_ONE:
        return np.int64(float(drawn) * 2.0**-53 * number)
    return np.int64(product >> _BITS_OF_A_DRAW)
