"""Files that are there whole or not at all."""

import os
import threading
from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """Write a file beside, then put it in the place of the old one in one step.

    Raises:
        OSError: it cannot be written; the old file is untouched.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.tmp")
    try:
        beside.write_text(text, "utf-8", newline="\n")
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
