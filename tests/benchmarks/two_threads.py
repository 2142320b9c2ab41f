"""Two threads that continue one tree: one of them is refused, and no simulation is lost.

python -m tests.benchmarks.two_threads
"""

import argparse

from tests.fast.two_threads import SEARCHES_OF_ONE_TREE, stress


def main() -> None:
    """Print how many searches were refused."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=200)
    times = parser.parse_args().times
    for name in SEARCHES_OF_ONE_TREE:
        print(f"{name}: {stress(name, times)} of {2 * times} refused, nothing lost")


if __name__ == "__main__":
    main()
