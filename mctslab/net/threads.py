"""One thread for PyTorch: on several, sums are added up in another order each time."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def one_thread() -> Iterator[None]:
    """Let PyTorch work on one thread, so that results are exact; afterwards it is as before.

    The setting belongs to the whole process.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
