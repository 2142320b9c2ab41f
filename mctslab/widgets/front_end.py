"""The browser's half of a widget, put together from the files of `static/`.

A widget's script has to be one module, and a page loads it without any server to fetch others
from. So what several widgets share stands in files of its own, and the parts are joined here. The
last part of a script ends with `export default { render }`.
"""

from pathlib import Path
from typing import Final

STATIC: Final = Path(__file__).parent / "static"


def joined(*names: str) -> str:
    """The text of the files `names` of `static/`, one after the other."""
    return "\n".join((STATIC / name).read_text(encoding="utf-8") for name in names)
