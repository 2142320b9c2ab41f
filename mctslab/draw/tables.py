"""A table of words and numbers, as a page shows it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mctslab.boards.tables import html_table


@dataclass(frozen=True, slots=True)
class Table:
    """Rows below a head; as the last line of a cell it shows itself."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def _repr_html_(self) -> str:
        return html_table(self.head, self.rows)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """A table whose first column names the rows; the other columns are set to the right.

    Negative numbers get the sign that charts have.

    Args:
        head: The heads of the columns, at least one.
        rows: The cells of each row, as many as the head has.

    Raises:
        ValueError: a row has more or fewer cells than the head.
    """
    texts = tuple(tuple(re.sub(r"^-(?=[.\d])", "−", str(cell)) for cell in row) for row in rows)
    for row in texts:
        if len(row) != len(head):
            raise ValueError(f"The head has {len(head)} cells and the row {row} has {len(row)}.")
    return Table(tuple(head), texts)
