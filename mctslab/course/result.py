"""The result of a check, and how it is told: in words, and as a box in a notebook."""

import ast
import inspect
import itertools
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from html import escape
from typing import Any, Final, NamedTuple

from mctslab.course.checking.cases import Case, Expectation, Function, kind, same, shown

MIME_TYPE: Final = "application/vnd.mctslab.result+json"
"""Under which a notebook stores an outcome and the name of the mistake."""


class Outcome(StrEnum):
    """The three answers of a check, and one to the guess of a line in the bug museum."""

    NOT_ATTEMPTED = "not attempted"
    FOUND = "found"
    WRONG = "wrong"
    RIGHT = "right"


BEHAVES: Final = "Your function behaves as if"


class Cause(NamedTuple):
    """What is wrong with an answer, as a sentence and its reason."""

    name: str
    """Ends the sentence: `the logarithm were missing`."""
    explanation: str
    """What is wrong with that."""
    begins: str = BEHAVES
    """How the sentence begins."""


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
    looks_like: str = BEHAVES
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

    def with_cause(self, cause: Cause | None) -> "Result":
        """The result with what is wrong, if that is known."""
        if cause is None:
            return self
        name, explanation, begins = cause
        return replace(self, mistake=name, explanation=explanation, looks_like=begins)

    def with_printed(self, text: str) -> "Result":
        """The result with what the function has printed, if it has."""
        most = 12 if self.outcome is Outcome.RIGHT else 2
        printed = [("It printed", _first_lines(text, most))] if text else []
        return replace(self, facts=(*self.facts, *printed))

    def fitted(self) -> "Result":
        """With so many lines of the facts that all has at most 12, and how to read them."""
        (input_label, input_text), *others = self.facts
        needed = len(_first_lines(input_text, _MOST_LINES_OF_FACTS).splitlines())
        for most in (_MOST_LINES_OF_A_VALUE, _MOST_LINES_OF_A_VALUE - 1):
            shorter = [(label, _first_lines(text, most)) for label, text in others]
            left = _MOST_LINES_OF_FACTS - sum(len(text.splitlines()) for _, text in shorter)
            if needed <= left:
                break
        legend = [words for sign, words in _LEGENDS.items() if re.search(sign, str(self.facts))]
        facts = ((input_label, _first_lines(input_text, left)), *shorter)
        return replace(self, facts=facts, notes=legend[:1])

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
    Outcome.WRONG: "var(--mctslab-wrong,#c85200)",
    Outcome.FOUND: "var(--mctslab-right,#008a63)",
    Outcome.RIGHT: "var(--mctslab-right,#008a63)",
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


# How it is told


_LEGENDS: Final[Mapping[str, str]] = {
    r"player \d to move": (
        "The game is written as a tree: each line is the position after a move, below the one "
        "before it. A number is an end, and what it is worth to player 0."
    ),
    "by depth": (
        "The tree is written depth by depth: first the root, then its children, then theirs."
    ),
    r"N=\d": (
        "The tree is written with a node in each line, below its parent: N is its number of "
        "visits, Q its mean value for the player who chose it."
    ),
}
"""How to read what an input or a result contains, by a sign of it."""


def _first_lines(text: str, most: int) -> str:
    wrapped = (
        textwrap.wrap(line, _LONGEST_LINE, subsequent_indent="  ") or [""]
        for line in text.rstrip().splitlines()
    )
    lines = list(itertools.chain(*wrapped))
    return "\n".join(lines if len(lines) <= most else [*lines[: most - 1], "..."])


_LONGEST_LINE: Final = 86
_MOST_LINES_OF_FACTS: Final = 9
_MOST_LINES_OF_A_VALUE: Final = 3


def difference(case: Case, found: object, answer: Function) -> str:
    """The value is of another kind than expected; empty if it is only another value."""
    expected_kind, found_kind = kind(case.expected), kind(found)
    kinds = {expected_kind, found_kind}
    if len(kinds) == 1 or kinds == {"a list", "a tuple"} or isinstance(case.expected, Expectation):
        return ""
    remedy = "" if found is None and _returns_something(answer) else _REMEDIES.get(found_kind, "")
    if case.use is not None and found is not None:
        return ""
    if case.use is not None:  # what is expected is said of the result, and is not of its type
        return f"The function returned {found_kind}.{remedy}"
    return f"The function returned {found_kind}, but here {expected_kind} is expected.{remedy}"


def _returns_something(answer: Function) -> bool:
    """Whether there is a `return` with a value in it, as far as its source is known."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(answer)))
    except (OSError, TypeError, SyntaxError):
        return False
    return any(isinstance(each, ast.Return) and each.value is not None for each in ast.walk(tree))


_REMEDIES: Final[Mapping[str, str]] = {
    "None": " Did you forget `return`?",
    "a generator": " Use `return` instead of `yield`.",
}


def expected_and_found(expected: object, found: object) -> list[tuple[str, str]]:
    """What was expected and what the function gave; of several facts up to two that differ.

    A picture of several lines stands alone.
    """
    if not isinstance(expected, dict) or not isinstance(found, dict):
        return [("Expected", shown(expected)), ("Got", shown(found))]
    shared = expected.keys() & found.keys()
    right = {key for key in shared if same(expected[key], found[key])}
    lacking, wrong = ([key for key in facts if key not in right] for facts in (expected, found))
    first, *_ = wrong or lacking
    pictures = [str(facts.get(first, "nothing")) for facts in (expected, found)]
    if any(picture.startswith("\n") for picture in pictures):
        one, other = (picture.strip("\n") for picture in pictures)
        return [(f"Expected {first}", one), (f"Got {first}", other)]
    more = f"\n(and {len(lacking) - _MOST_FACTS} more)" if len(lacking) > _MOST_FACTS else ""
    return [
        ("Expected", _entries(expected, lacking[:_MOST_FACTS]) + more),
        ("Got", _entries(found, wrong[:_MOST_FACTS])),
    ]


_MOST_FACTS: Final = 2


def _entries(facts: dict[Any, object], keys: Sequence[Any]) -> str:
    return "\n".join(f"{key}: {shown(facts[key])}" for key in keys if key in facts) or "nothing"
