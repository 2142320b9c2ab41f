"""A table of words and numbers as HTML, for every page that shows one."""

from collections.abc import Iterable, Sequence
from html import escape


def html_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows below a head; the first column names the rows, the others are set to the right."""
    body = "".join(map(_row, rows))
    return f"<table><thead>{_row(head, 'th')}</thead><tbody>{body}</tbody></table>"


def _row(cells: Sequence[str], tag: str = "td") -> str:
    first, *others = (escape(cell) for cell in cells)
    # JupyterLab's own look, for other front ends.
    look = "padding:.5em;text-align"
    numbers = (f'<{tag} style="{look}:right">{other}</{tag}>' for other in others)
    return f'<tr><{tag} style="{look}:left">{first}</{tag}>{"".join(numbers)}</tr>'
