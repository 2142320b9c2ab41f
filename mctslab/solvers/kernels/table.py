"""The slots of a transposition table, by Fibonacci hashing (Knuth 1973)."""

from mctslab.fast.compile.primitives import trailing_zeros, uint64

FACTOR, OTHER_FACTOR = uint64(0x9E3779B97F4A7C15), uint64(0xC2B2AE3D27D4EB4F)


def slot_of(key, num_slots):
    """The slot of a key in a table of `num_slots`, a power of two.

    The upper bits of the product depend on all bits of the key, the lower ones only on lower ones.
    """
    return (key * FACTOR) >> (uint64(64) - trailing_zeros(uint64(num_slots)))


def slot_of_folded(mixed, num_slots):
    """The slot of a position of two boards: `mixed` is made of their products with two factors.

    The upper half is combined with the lower one before the last product, because only upper bits
    of a product depend on all bits of its factors.
    """
    return slot_of(mixed ^ (mixed >> uint64(32)), num_slots)
