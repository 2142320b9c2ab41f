"""The book, as a reader without Python meets it: every page is opened, every live widget driven."""

import gzip
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from playwright.sync_api import Browser, Locator, expect

from mctslab.course.outline import place_of
from mctslab.course.result import Outcome
from tests.browser.site import Book, built, served
from tests.notebooks.reading import NOTEBOOKS, exercises_of

pytestmark = pytest.mark.timeout(1500)  # the first test waits until the book is built

Live: TypeAlias = Callable[[str], Locator]

MOST_BYTES = 1_500_000
"""Of a notebook's page, with all that it loads."""


@pytest.fixture(scope="module")
def folder(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def book(chromium: Browser, folder: Path) -> Iterator[Book]:
    with served(folder) as address:
        book = Book(chromium, address, folder)
        yield book
        book.page.context.close()


def page_with(book: Book, widget: str) -> str:
    """The first page that shows a widget of this class."""
    texts = {page: (book.folder / page).read_text("utf-8") for page in book.pages()}
    return next(page for page, text in texts.items() if f"_widgets/{widget}-" in text)


@pytest.fixture
def live(book: Book) -> Iterator[Live]:
    """Open the first page with a widget of a class; returns the place of the widget on it."""

    def open_with(widget: str) -> Locator:
        book.open(page_with(book, widget))
        return book.page.locator(f"[data-widget*='/{widget}-']").first

    yield open_with
    assert book.complaints == []


@pytest.fixture(scope="module")
def visits(book: Book) -> dict[str, tuple[list[str], int]]:
    """Of every page, opened once: what went wrong or what axe found, and the bytes it loaded."""
    found = {}
    for page in book.pages():
        book.open(page)
        violations = book.violations()
        book.page.wait_for_load_state("networkidle")
        found[page] = ([*book.complaints, *violations], sum(book.loaded.values()))
    return found


def test_every_page_opens_without_complaint_and_is_accessible_in_both_themes(
    visits: dict[str, tuple[list[str], int]],
) -> None:
    assert {page: complaints for page, (complaints, _) in visits.items() if complaints} == {}


def test_a_board_leads_to_its_own_game_on_the_page_to_play_on(folder: Path) -> None:
    games = json.loads((folder / "play" / "games.json").read_text("utf-8"))
    texts = [page.read_text("utf-8") for page in folder.glob("notebooks/**/*.html")]
    led = {game for text in texts for game in re.findall(r"/play/index\.html#(\w+)", text)}
    assert {"reversi", "gomoku"} <= led <= set(games)
    [hex_panel] = [text.partition("The Hex panel")[2] for text in texts if "The Hex panel" in text]
    assert "/play/index.html" not in hex_panel


def test_a_notebooks_page_is_light(visits: dict[str, tuple[list[str], int]]) -> None:
    sizes = {page: size for page, (_, size) in visits.items() if page.startswith("notebooks/")}
    assert max(sizes.values()) < MOST_BYTES, sizes


def test_text_that_is_hard_to_read_is_found_in_the_theme_where_it_is(book: Book) -> None:
    """If it were not, the test above would find nothing, whatever the colours."""
    book.open("exercises/ucb1.html")
    text = book.page.locator("article p").first
    text.evaluate("text => { text.style.color = 'light-dark(#bbb, #eee)'; }")
    found = book.violations()
    assert found
    assert all(each.startswith("light: color-contrast") for each in found)


def test_a_page_loads_nothing_from_elsewhere_and_has_a_title_and_texts_for_pictures(
    book: Book,
) -> None:
    for page in book.pages():
        text = (book.folder / page).read_text("utf-8")
        assert len(re.findall(r"<h1\b", text)) == 1, page
        assert not re.search(r"<img(?![^>]*\balt=)", text), page
        assert "Content-Security-Policy" in text, page
        loaded = re.findall(r'<(?:script|img|link)[^>]*(?:src|href)="([^"]*)', text)
        assert not [each for each in loaded if each.startswith(("http", "//"))], page
    assert book.page.context.cookies() == []


def test_no_style_depends_on_how_a_screen_is_held(folder: Path) -> None:
    """WCAG 1.3.4: whoever cannot turn the screen sees the same."""
    files = [file for kind in ("css", "html", "svg") for file in folder.rglob(f"*.{kind}")]
    texts = {file.name: file.read_text("utf-8") for file in files}
    assert [name for name, text in texts.items() if re.search(r"\borientation\s*:", text)] == []


def test_the_policy_of_the_pages_stops_a_foreign_request(book: Book) -> None:
    """If it did not, the test above would find nothing, whatever a page loaded."""
    book.open("index.html")
    book.page.evaluate("fetch('https://example.org/').catch(() => {})")
    assert any("Content Security Policy" in each for each in book.complaints)


def test_an_exercise_hides_its_hints_and_has_no_solution(book: Book) -> None:
    book.open("exercises/ucb1.html")
    hint = book.page.locator("details.hint").first
    expect(hint.locator("p").first).to_be_hidden()
    hint.locator("summary").click()
    expect(hint.locator("p").first).to_be_visible()
    shown = book.page.locator("article .highlight-python").all_inner_texts()
    assert "def ucb1" in shown[0]
    assert "math.log" not in "".join(shown)


VERDICT = re.compile(rf"<strong[^>]*>[○✗✓] ({'|'.join(Outcome)})</strong> <code>(\w+)</code>")


def test_who_has_written_nothing_is_told_so_by_the_check_of_each_exercise(folder: Path) -> None:
    for notebook in NOTEBOOKS:
        page = (folder / "notebooks" / place_of(notebook)).with_suffix(".html")
        found = VERDICT.findall(page.read_text("utf-8"))
        first = {name: outcome for outcome, name in reversed(found)}
        told = [first.get(name) for name in exercises_of(notebook)]
        assert set(told) <= {Outcome.NOT_ATTEMPTED}, (page, first)


# Live widgets


def test_the_stepper_steps(live: Live) -> None:
    place = live("PhaseStepper")
    caption = place.locator(".caption").first
    before = caption.inner_text()
    place.get_by_role("button", name=re.compile("^Forward|^Next")).first.click()
    expect(caption).not_to_have_text(before)


def test_the_bandit_follows_its_slider(live: Live) -> None:
    place = live("BanditPlayground")
    line = place.locator(".chart path.line.ucb1")
    expect(line).to_be_attached()
    before = line.get_attribute("d")
    place.get_by_role("slider").first.press("End")
    expect(line).not_to_have_attribute("d", str(before))


def test_the_alpha_beta_stepper_searches_again_in_another_order(live: Live) -> None:
    place = live("AlphaBetaStepper")
    whole = place.locator(".count .whole")
    before = whole.inner_text()
    place.locator("[data-node='1']").focus()
    place.page.keyboard.press("Alt+ArrowRight")
    expect(place.locator(".count")).to_contain_text("in the order before it")
    expect(whole).not_to_have_text(before)
    place.get_by_role("button", name="First order").click()
    expect(whole).to_have_text(before)


def test_the_tree_explorer_unfolds_and_colours(live: Live) -> None:
    place = live("TreeExplorer")
    nodes = place.locator("[data-place]")
    before = nodes.count()
    place.get_by_role("button", name="Principal variation").click()
    expect(nodes.nth(before)).to_be_attached()
    place.get_by_role("button", name="Fold all").click()
    expect(nodes).to_have_count(before)
    nodes.nth(1).press("Enter")
    expect(nodes.nth(before)).to_be_attached()
    filled = nodes.nth(1).locator("path").first
    by_value = filled.get_attribute("fill")
    place.get_by_role("radio", name="visits").check(force=True)
    expect(filled).not_to_have_attribute("fill", str(by_value))


def test_a_prediction_is_made_and_kept_in_the_browser(live: Live) -> None:
    place = live("PredictionWidget")
    place.get_by_role("button", name="I'd rather see it").click()
    expect(place.locator(".answer")).to_be_visible()
    expect(place.locator(".verdict")).to_have_count(0)
    place = live("PredictionWidget")
    answer = place.locator(".answer")
    expect(answer).to_be_hidden()
    if (option := place.get_by_role("radio").first).count():
        option.check()
        place.get_by_label("How sure you are").select_option("100")
    elif (slider := place.get_by_role("slider").first).count():
        slider.press("ArrowUp")
    place.get_by_role("button", name="Predict").click()
    expect(answer).to_be_visible()
    said = answer.locator(".sentence").inner_text()
    place = live("PredictionWidget")
    expect(place.locator(".sentence")).to_have_text(said)
    place.page.evaluate("localStorage.clear()")


def test_without_scripts_a_page_still_has_its_pictures(book: Book, chromium: Browser) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{book.address}/{page_with(book, 'PhaseStepper')}")
    still = page.locator("[data-widget*='/PhaseStepper-'] img").first
    still.scroll_into_view_if_needed()
    expect(still).to_be_visible()
    context.close()


def test_the_files_of_widgets_are_what_pages_refer_to(folder: Path) -> None:
    used = set()
    for page in folder.rglob("notebooks/**/*.html"):
        used |= set(re.findall(r"_widgets/([\w.-]+)", page.read_text("utf-8")))
    for data in [name for name in used if name.endswith(".json.gz")]:
        models = json.loads(gzip.decompress((folder / "_widgets" / data).read_bytes()))["models"]
        used |= {model[part] for model in models.values() for part in ("script", "style")}
    assert used == {file.name for file in (folder / "_widgets").iterdir()}
