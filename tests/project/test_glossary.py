"""GLOSSARY.md: in order, in sentences, and true of the code."""

import re
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parents[2]
LAST_WITH_CODE = 12
"""Notebooks up to this one use the search that is there; later ones may name what is to come."""


class Term(NamedTuple):
    term: str
    symbol: str
    code: str
    meaning: str
    notebook: str


def tables() -> list[list[Term]]:
    found: list[list[Term]] = []
    for line in (PROJECT / "GLOSSARY.md").read_text("utf-8").splitlines():
        if line.startswith("| term "):
            found.append([])
        elif line.startswith("| "):
            found[-1].append(Term(*(cell.strip() for cell in line.strip("|").split("|"))))
    return found


TERMS = [term for table in tables() for term in table]


def test_the_terms_of_each_table_are_in_order_and_none_is_explained_twice():
    for table in tables():
        names = [term.term for term in table]
        assert names == sorted(names, key=str.casefold)
    names = [term.term.casefold() for term in TERMS]
    assert len(set(names)) == len(names) > 80


def test_every_term_is_a_sentence_of_one_notebook():
    wrong = [
        term
        for term in TERMS
        if not re.fullmatch(r"[A-Z].*\.", term.meaning)
        or not re.fullmatch(r"0[1-9]|1[0-5]", term.notebook)
        or not re.fullmatch(r"(`\w+`(, `\w+`)*)?", term.code)
    ]
    assert wrong == []


def test_the_names_in_code_are_names_in_the_code():
    sources = (PROJECT / "mctslab").rglob("*.py")
    words = set(re.findall(r"\w+", "\n".join(file.read_text("utf-8") for file in sources)))
    named = {
        name
        for term in TERMS
        if int(term.notebook) <= LAST_WITH_CODE
        for name in re.findall(r"\w+", term.code)
    }
    assert named - words == set()
