"""The result of a check."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from typing import Final, NamedTuple

MIME_TYPE: Final = "application/vnd.mctslab.result+json"
"""Under which a notebook stores an outcome and the name of the mistake."""


class Outcome(StrEnum):
    """The three answers of a check, and one to the guess of a line in the bug museum."""

    NOT_ATTEMPTED = "not attempted"
    FOUND = "found"
    WRONG = "wrong"
    RIGHT = "right"


class Cause(NamedTuple):
    """A sentence about a wrong answer, in three parts."""

    begins: str
    """`Your function behaves as if`."""
    name: str
    """`the logarithm were missing`."""
    explanation: str
    """What is wrong with that."""


@dataclass(frozen=True, slots=True)
class Result:
    """An outcome with its reasons; printed it is text, as the last line of a cell it is a box."""

    exercise: str
    outcome: Outcome
    message: str
    """The message, in a sentence or two."""
    facts: Sequence[tuple[str, str]] = ()
    """Label and text: the input, what was expected, what the function gave."""
    mistake: str = ""
    """The name of the mistake that the answer looks like; empty if there is none."""
    looks_like: str = "Your function behaves as if"
    """How the sentence with its name begins."""
    explanation: str = ""
    """What is wrong with that."""
    advice: str = ""
    """What to do next."""
    notes: Sequence[str] = ()
    """Further remarks for the student, for example about the progress file."""
    num_right: int = 0
    """The inputs that gave the expected result, as far as the answer was run."""
    num_inputs: int = 0

    def __str__(self) -> str:
        lines = [f"{_SIGNS[self.outcome]} {self.exercise}: {self.outcome}. {self.message}"]
        if self.mistake:  # the cause stands first, with what to do next
            name = f"{self.looks_like} {self.mistake}."
            lines.append(" ".join(["  " + name, *self._then()]))
        width = max([12, *(len(label) + 2 for label, _ in self.facts)])
        for label, text in self.facts:
            first, *rest = text.splitlines() or [""]
            lines.append(f"    {label + ':':<{width}}{first}")
            lines += [" " * (4 + width) + line for line in rest]
        lines += [f"  {text}" for text in self._after_the_facts()]
        return "\n".join(lines)

    def _then(self) -> list[str]:
        """What follows the name of a mistake."""
        return [text for text in (self.explanation, self.advice) if text]

    def _after_the_facts(self) -> list[str]:
        return [text for text in ("" if self.mistake else self.advice, *self.notes) if text]

    def __repr__(self) -> str:
        return str(self)

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> dict[str, object]:
        """What a report on a class reads, beside the text and the box."""
        return {MIME_TYPE: {"outcome": self.outcome, "mistake": self.mistake}}

    def _repr_html_(self) -> str:
        color = _COLORS[self.outcome]
        name = f"<code>{escape(self.exercise)}</code>"
        verdict = f'<strong style="color:{color}">{_SIGNS[self.outcome]} {self.outcome}</strong>'
        parts = [f'<p style="margin:0">{verdict} {name}: {_inline(self.message)}</p>']
        if self.mistake:
            parts.append(
                f'<p style="margin:6px 0 0">{self.looks_like} '
                f"<strong>{_inline(self.mistake)}</strong>. {_inline(' '.join(self._then()))}</p>"
            )
        if self.facts:
            rows = "".join(_row(label, text) for label, text in self.facts)
            parts.append(
                f'<table style="border-collapse:collapse;margin:6px 0;background:none">'
                f"<tbody>{rows}</tbody></table>"
            )
        parts += [
            f'<p style="margin:6px 0 0">{_inline(text)}</p>' for text in self._after_the_facts()
        ]
        return (
            f'<div role="status" style="border-left:4px solid {color};padding:4px 12px;'
            f'color:var(--jp-ui-font-color1,inherit);max-width:56em;overflow-x:auto">'
            f"{''.join(parts)}</div>"
        )


# The sign and the word say the same as the colour. These three have a contrast of 4.5 or, for the
# large border, 3 on a white page and on JupyterLab's dark one.
_SIGNS: Final[Mapping[Outcome, str]] = {
    Outcome.NOT_ATTEMPTED: "○",
    Outcome.FOUND: "✓",
    Outcome.WRONG: "✗",
    Outcome.RIGHT: "✓",
}
_COLORS: Final[Mapping[Outcome, str]] = {
    Outcome.NOT_ATTEMPTED: "var(--jp-ui-font-color2,#767676)",
    Outcome.WRONG: "#c85200",
    Outcome.FOUND: "#008a63",
    Outcome.RIGHT: "#008a63",
}


def _inline(text: str) -> str:
    """The text as HTML, with `code` for text in backquotes."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _row(label: str, text: str) -> str:
    cell = "border:none;padding:1px 12px 1px 0;text-align:left;vertical-align:top;background:none"
    # JupyterLab would break lines inside a word; where there is no room for one, the table scrolls.
    style = "word-break:normal;overflow-wrap:normal"
    content = f'<code style="{style}">{escape(text)}</code>'
    if "\n" in text:
        content = f'<pre style="margin:0;padding:0;background:none;{style}">{escape(text)}</pre>'
    return (
        f'<tr style="background:none"><th scope="row" style="{cell};font-weight:normal">'
        f'{escape(label)}</th><td style="{cell}">{content}</td></tr>'
    )
