"""Round numbers for the axes of charts that are drawn without Matplotlib."""

import math


def step_between(extent: float, most: int) -> float:
    """The smallest of 1, 2, 5, 10, 20, 50, ... (and 0.5, 0.2, ...) that fits at most `most` times.

    >>> step_between(7, 4), step_between(1.0, 4), step_between(230_000, 4), step_between(0, 4)
    (2.0, 0.5, 100000.0, 1.0)
    """
    if extent <= 0:
        return 1.0
    power = math.floor(math.log10(extent / most))
    for digit in (1, 2, 5, 10):
        # Below 1 use a quotient: 3 / 10 is exactly the literal 0.3, but 3 * 0.1 is not.
        step = digit * 10.0**power if power >= 0 else digit / 10.0**-power
        if step * most >= extent:
            return step
    return 10.0 ** (power + 1)


def compact(number: float) -> str:
    """A round number in a few characters.

    >>> [compact(number) for number in (0, 0.05, 2.5, 800, 1_500, 20_000, 2_500_000)]
    ['0', '0.05', '2.5', '800', '1,500', '20k', '2.5M']
    """
    if number >= 1_000_000:
        return f"{number / 1_000_000:g}M"
    if number >= 10_000:
        return f"{number / 1_000:g}k"
    return f"{number:,g}"
