"""NumPy's source of chance, handed over to the compiled code and back.

The compiled code draws the same numbers by itself (see `primitives.next_53_bits`).
"""

import numpy as np
import numpy.typing as npt


def is_compiled_chance(rng: object) -> bool:
    """Whether the draws are those that the compiled code makes by itself."""
    return type(rng) is np.random.Generator and type(rng.bit_generator) is np.random.PCG64


def chance_of(rng: np.random.Generator) -> npt.NDArray[np.uint64]:
    """State and increment of the PCG64 in `rng`, each as upper and lower half."""
    numbers = rng.bit_generator.state["state"]
    halves = [half for key in ("state", "inc") for half in divmod(numbers[key], 1 << 64)]
    return np.array(halves, dtype=np.uint64)


def set_chance(rng: np.random.Generator, chance: npt.NDArray[np.uint64]) -> None:
    """Let `rng` go on from where the compiled code has come to."""
    state = rng.bit_generator.state
    upper, lower = (int(half) for half in chance[:2])
    state["state"]["state"] = upper << 64 | lower
    rng.bit_generator.state = state
