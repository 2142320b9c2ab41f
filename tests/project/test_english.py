"""Every text that a person meets is plain English: these are habits that the project had to drop.

The patterns find habits, not bad English. Read a text aloud as well before you believe it.
"""

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

PROJECT = Path(__file__).resolve().parents[2]

VERB = r"(is|are|was|were|has|have|had|can|cannot|does|do|would|could|must|needs?|knows?|leads?)"
HABITS = {
    "at random": r"\bby lot\b|\bby_lot\b|\bthe lot\b|\bdraws? lots\b|\blots? decides?\b",
    "if you want to ..., you need ...": (
        r"(?:^|[.:;] )[Ww]ho (wants|cannot|needs|changes|asks|reads|holds|knows|presses)\b"
    ),
    "expensive, costs more": r"\bdear(er|est|ly)?\b",
    "note, remember, watch out for": r"(?<!in )\b[Mm]ind (the|that|how|your|what)\b",
    "differently from": (
        r"\botherwise than\b|\b(write|define|count|do|call)s? (it|them|this) otherwise\b"
    ),
    "otherwise it is": r"[,;:] else (is|are|it|the|a|an|no|none|in|from)\b",
    "instead of": r"\bin place of\b|\banother than\b",
    "different from": r"(?<!each )(?<!no )(?<!any )\bothers? than\b",
    "depends on, contains, about": r"\bheard of\b|\bkno(w|wn|ws|wing) of\b(?! no\b)",
    "name the thing that is changed or made": (
        r"\bwhat (it|they|that|this|all) (was|were|is|are) made (from|of)\b"
        r"|\bwhat (comes|came) of\b|\b[Ss]omebody\b"
    ),
    "name the two": r"\b[Tt]he one [^.;]{3,80}, the other\b",
    "Got:": r"\bCame[:,]",
    "will, must or can": r"\b[Ss]hall\b|\b(is|are) to be \w+ed\b",
    "called, evaluated": (
        r"\b(is|are|was|were|being) asked (before|for (a|an|the|its)|about|again|once|every|at)\b"
        r"|\basked nothing\b|\bis asked anew\b"
    ),
    "name what is counted": r"(?:^|[.;:] )So many\b|\b(as|in|within|after|of|by) so many\b",
    "because, since": (
        r"[,:] for (it|they|he|she|there|each|all|none|nothing|only|that|this|the|a) "
        rf"(\w+ )?{VERB}\b"
    ),
    "is, can be found": r"\bstands? (written|there|here)\b|\bthere stands?\b",
    "a word in use today": (
        r"\bby and by\b|\bhangs? together\b|\bof its own accord\b|\bamiss\b|\banew\b|\bthereby\b"
        r"|\btherein\b|\bthereof\b|\bwhereof\b|\bherewith\b|\bnought\b|\bneeds not\b"
    ),
    "that does not exist": r"\bthat (is|are) none\b(?! of)",
    "no space before the sign": r"[\d}] %(?!\w| \d)",
    "a few": r"\bsome (minutes|seconds|hours|plies)\b",
}
"""What to write instead, and a pattern of what is not written any more."""
PATTERNS = {instead: re.compile(habit) for instead, habit in HABITS.items()}


class Text(NamedTuple):
    place: str
    """The file, with a line or a cell."""
    words: str


ALLOWED: dict[tuple[str, str], str] = {}
"""(file, words): why these words are right there, although a pattern finds them."""


def one_line(text: str) -> str:
    return " ".join(text.split())


def prose(markdown: str) -> str:
    """Markdown without the pieces that are code."""
    without_blocks = re.sub(r"^ *```.*?^ *```", " ", markdown, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "`code`", without_blocks)


def in_markdown(text: str) -> Iterator[tuple[str, str]]:
    for paragraph in re.split(r"\n\s*\n", prose(text)):
        yield "text", one_line(paragraph)


def in_notebook(text: str) -> Iterator[tuple[str, str]]:
    for cell in json.loads(text)["cells"]:
        words = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield cell["id"], one_line(prose(words))
        elif not words.startswith("%"):
            yield from ((cell["id"], words) for _, words in in_python(words))


def in_python(text: str) -> Iterator[tuple[str, str]]:
    """Strings and docstrings, formatted ones with a dash for each value; comments, whole."""
    tree = ast.parse(text)
    inside = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            pieces = [str(p.value) if isinstance(p, ast.Constant) else "-" for p in node.values]
            yield f"{node.lineno}", one_line("".join(pieces))
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in inside
        ):
            yield f"{node.lineno}", one_line(node.value)
    comments: list[str] = []
    last = -1
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            if token.start[0] > last + 1 and comments:
                yield f"{last}", one_line(" ".join(comments))
                comments = []
            comments.append(token.string.lstrip("#"))
            last = token.start[0]
    if comments:
        yield f"{last}", one_line(" ".join(comments))


def in_script(text: str) -> Iterator[tuple[str, str]]:
    """The comments and strings of JavaScript or CSS, as far as a pattern finds them."""
    for comment in re.findall(
        r"/\*.*?\*/|(?:^[ \t]*//[^\n]*\n)+|[ \t]//[^\n]*", text, re.DOTALL | re.MULTILINE
    ):
        yield (
            "comment",
            one_line(re.sub(r"^\s*(//|\*)|/\*\*?|\*/", "", comment, flags=re.MULTILINE)),
        )
    for string in re.findall(r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`', text):
        yield "string", one_line(re.sub(r"\$\{[^}]*\}", "-", string[1:-1]))


READERS = {
    ".md": in_markdown,
    ".ipynb": in_notebook,
    ".py": in_python,
    ".js": in_script,
    ".css": in_script,
}


def files() -> list[Path]:
    found = [PROJECT / name for name in ("README.md", "GLOSSARY.md", "CONTRIBUTING.md", "run.py")]
    for folder in ("docs", "notebooks", "mctslab"):
        found += (PROJECT / folder).rglob("*")
    return sorted(
        file for file in found if file.suffix in READERS and ".ipynb_checkpoints" not in file.parts
    )


def habits(texts: Iterator[tuple[str, str]]) -> list[str]:
    """Every habit in these texts: where, the words, and what to write instead."""
    return [
        f"{place}: ... {words[max(0, match.start() - 30) : match.end() + 30]} ... ({instead})"
        for place, words in texts
        for instead, pattern in PATTERNS.items()
        for match in pattern.finditer(words)
    ]


def without_allowed(file: str, texts: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    allowed = [words for name, words in ALLOWED if name == file]
    for place, words in texts:
        for permitted in allowed:
            words = words.replace(permitted, "")
        yield place, words


def found_in(file: str) -> list[str]:
    path = PROJECT / file
    return habits(without_allowed(file, READERS[path.suffix](path.read_text("utf-8"))))


def test_no_text_has_a_habit_that_was_dropped():
    names = [file.relative_to(PROJECT).as_posix() for file in files()]
    found = {name: hits for name in names if (hits := found_in(name))}
    assert found == {}


def test_what_is_allowed_occurs_and_would_be_found():
    for (file, words), reason in ALLOWED.items():
        assert reason
        path = PROJECT / file
        texts = list(READERS[path.suffix](path.read_text("utf-8")))
        assert any(words in text for _, text in texts), (file, words)
        assert habits(iter([("here", words)])), (file, words)


PLANTED = [
    "A move by lot ends the game.",
    "Ties: the lot decides.",
    "Who wants to know more needs ten games.",
    "That is how it works: who cannot do it must pass.",
    "A visit is dearer here.",
    "Mind the sign.",
    "Some write it otherwise.",
    "It takes the best move, else is it random.",
    "A function in place of a net.",
    "It has heard of passes.",
    "The board knows of no colour but its own, and knows of time.",
    "The file is named by what it was made from.",
    "The search of somebody else.",
    "The one counts visits, the other sums values.",
    "Came: 5.",
    "It shall be legal.",
    "The text is to be checked.",
    "The function is asked before every simulation.",
    "It was asked nothing, it has no reason.",
    "So many games prove it.",
    "No mask is needed, for the board is empty there.",
    "It needs not move.",
    "What stands there is wrong.",
    "The list is made anew.",
    "It sees an injustice that is none.",
    "If something is amiss, ask.",
    "It is done in some minutes.",
]


@pytest.mark.parametrize("sentence", PLANTED)
def test_a_planted_habit_is_found_wherever_it_is_written(sentence):
    wrapped = sentence.replace(" ", "\n", 2).replace("\n", " \n")
    comment = "\n".join(f"# {line}" for line in wrapped.splitlines())
    script = "\n".join(f"    // {line}" for line in wrapped.splitlines())
    cell = {"cell_type": "markdown", "id": "a", "source": [wrapped]}
    assert habits(in_markdown(wrapped))
    assert habits(in_notebook(json.dumps({"cells": [cell]})))
    assert habits(in_python(f'def f():\n    """{wrapped}"""\n'))
    assert habits(in_python(f"{comment}\nx = 1\n"))
    assert habits(in_python(f"raise ValueError({sentence!r} f'{{x}} is none')"))
    assert habits(in_script(f"{script}\n    const a = 1;\n"))
    assert habits(in_script(f"const a = `{sentence}`;"))


def test_code_is_not_read_as_prose():
    code = "`shall` and\n\n```\nmend the shall\n```\n"
    assert habits(in_markdown(code)) == []
    assert habits(in_python("shall = dear\nmend(shall)\n")) == []
    assert habits(in_script("const shall = mend(dear);")) == []
