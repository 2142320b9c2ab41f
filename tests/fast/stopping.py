"""A search that runs in one thread and is stopped from another."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Answer = TypeVar("Answer")


def stopped_from_here(search: Callable[[Callable[[], bool]], Answer]) -> Answer:
    """What `search(stop)` returns or raises that is stopped as soon as it has asked once."""
    searches, is_over = threading.Event(), threading.Event()

    def stop() -> bool:
        searches.set()
        return is_over.is_set()

    threads = ThreadPoolExecutor(1)
    try:
        answer = threads.submit(search, stop)
        assert searches.wait(60)
        is_over.set()
        return answer.result(60)
    finally:
        threads.shutdown(wait=False)
