"""What Sphinx lacks for the book: formulas without a script, links of terms, a policy, one menu."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from docutils import nodes
from docutils.utils.math import latex2mathml
from pages import glossary
from sphinx import addnodes
from sphinx.application import Sphinx

_WORDS = """
    action batch budget centre child corner discount five four guide head influence leaf legal
    liberty mask mover node opening parity pass policy position prior record region return returns
    root score seed simulation solver state symmetry tempo threat tower trace value wedge weights
"""
EVERYDAY = frozenset(_WORDS.split())
"""Terms that are also words of everyday English: they are linked only where they are in italics,
which is how a notebook introduces a term."""

_NO_LINKS = (
    nodes.literal,
    nodes.literal_block,
    nodes.reference,
    nodes.title,
    nodes.math,
    nodes.math_block,
    nodes.raw,
    nodes.comment,
    addnodes.pending_xref,
    addnodes.desc,
)


# Formulas


def formula(source: str, *, is_block: bool) -> str:
    """A formula as MathML, which browsers draw and screen readers read without a script."""
    plain = source.strip().replace(r"\mathbin", "")
    markup: str = latex2mathml.tex2mathml(plain, as_block=is_block)
    # It can be in the middle of a paragraph, where HTML allows no <div>.
    return f'<span class="formula">{markup}</span>' if is_block else markup


def _visit_math(self: Any, node: nodes.math) -> None:
    self.body.append(formula(node.astext(), is_block=False))
    raise nodes.SkipNode


def _visit_math_block(self: Any, node: nodes.math_block) -> None:
    self.body.append(formula(node.astext(), is_block=True))
    raise nodes.SkipNode


# Terms


@cache
def _pattern() -> tuple[re.Pattern[str], dict[str, str]]:
    """What is looked for in a text, and the term in the glossary for each way to write it."""
    written = {}
    for terms in glossary().values():
        for term, *_ in terms:
            name = re.sub(r" \(.*\)$", "", term)
            for form in (name, _plural(name)):
                written[form.casefold()] = term
    longest_first = sorted(written, key=len, reverse=True)
    return re.compile(rf"\b({'|'.join(map(re.escape, longest_first))})\b", re.IGNORECASE), written


def _plural(word: str) -> str:
    if word.endswith(("s", "x", "ch")):
        return f"{word}es"
    return f"{word[:-1]}ies" if re.search("[^aeiou]y$", word) else f"{word}s"


def link_terms(app: Sphinx, doctree: nodes.document) -> None:
    """Link the first use of each term on a page, and each use in italics, to the glossary."""
    page = app.env.docname
    if page in ("glossary", "index") or page.startswith("api/"):
        return
    pattern, written = _pattern()
    met: set[str] = set()
    for text in list(doctree.findall(nodes.Text)):
        if text.parent is None or _is_inside(text, _NO_LINKS):
            continue
        is_italic = isinstance(text.parent, nodes.emphasis)
        pieces = list(_pieces(text.astext(), pattern, written, met, is_italic=is_italic))
        if len(pieces) > 1 or not isinstance(pieces[0], nodes.Text):
            text.parent.replace(text, pieces)


def _is_inside(node: nodes.Node, kinds: tuple[type, ...]) -> bool:
    while node.parent is not None:
        node = node.parent
        if isinstance(node, kinds):
            return True
    return False


def _pieces(
    text: str, pattern: re.Pattern[str], written: dict[str, str], met: set[str], *, is_italic: bool
) -> Iterator[nodes.Node]:
    end = 0
    for match in pattern.finditer(text):
        term = written[match[0].casefold()]
        is_whole = is_italic and match[0] == text
        if not is_whole and (term in EVERYDAY or term in met):
            continue
        met.add(term)
        if match.start() > end:
            yield nodes.Text(text[end : match.start()])
        reference = addnodes.pending_xref(
            "", refdomain="std", reftype="term", reftarget=term, refexplicit=True, refwarn=True
        )
        reference += nodes.inline("", match[0], classes=["term"])
        yield reference
        end = match.end()
    if end < len(text) or end == 0:
        yield nodes.Text(text[end:])


def only_own_words(_app: Sphinx, what: str, *given: Any) -> None:
    """Leave out what Python says about a field of a named tuple that has no words of its own.

    After an empty comment Napoleon does not take what stands before a colon for the field's type.
    """
    lines = given[-1]
    if lines[:1] and lines[0].startswith("Alias for field number"):
        lines.clear()
    elif what in ("attribute", "property"):
        lines[:0] = ["..", ""]


POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'"
)
"""The browser loads nothing from elsewhere. The theme has scripts, and drawings have styles, inside
of the page."""

_menus: dict[str, Callable[..., str]] = {}


def complete_page(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: Any
) -> None:
    """Give a page its policy, and the headings of its menu a level.

    The menu is made once for the pages of a folder that it does not list: all have the same.
    """
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    context["metatags"] = policy + context.get("metatags", "")
    toctree = context["toctree"]

    def menu(**options: Any) -> str:
        html = str(toctree(**options))
        return html.replace('role="heading">', 'role="heading" aria-level="2">')

    folder, _, name = page.rpartition("/")
    is_listed = folder not in ("api", "exercises") or name == "index"
    context["toctree"] = menu if is_listed else _menus.setdefault(folder, cache(menu))


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_html_math_renderer("mathml", (_visit_math, None), (_visit_math_block, None))
    app.connect("doctree-read", link_terms)
    app.connect("autodoc-process-docstring", only_own_words, priority=400)  # before Napoleon
    app.connect("html-page-context", complete_page, priority=400)  # before the theme takes it
    return {"parallel_read_safe": True, "parallel_write_safe": True}
