"""A piece of prose or code to show in a cell."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, repr=False)
class Text:
    """Markdown: JupyterLab renders it, `print` shows it as it is."""

    markdown: str

    def __str__(self) -> str:
        return self.markdown

    def __repr__(self) -> str:
        return self.markdown

    def _repr_markdown_(self) -> str:
        return self.markdown
