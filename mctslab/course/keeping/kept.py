"""The student's functions that have passed their checks, kept as source for later notebooks.

Each is in a file of its own in the folder `mine`, next to the progress file: Python to read and to
run, in which the last definition is the function.
"""

import ast
import linecache
from pathlib import Path
from typing import Any

from mctslab.course.keeping import progress
from mctslab.course.question import Function


def path_of(exercise: str) -> Path:
    """Where the function of an exercise is kept."""
    return progress.file().with_name("mine") / f"{exercise}.py"


def load(exercise: str, source: str) -> Function:
    """Run the source of the function of an exercise; returns the function.

    Raises:
        Exception: whatever running it raises; if it does not end with a function, AttributeError.
    """
    # Tracebacks and `inspect` find the lines under this name; a time of None keeps them there.
    file = f"<{exercise}, {hash(source):x}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(source, file, "exec"), names)
    last: Any = ast.parse(source).body[-1]
    function: Function = names[last.name]
    return function
