"""What holds of every widget of the notebooks, all of them on one page.

In a light and in a dark theme, wide and narrow, it fits and can be read, aimed at and tabbed to. It
says when it has lost its kernel, and a page without a kernel has its picture. What each widget does
by keys is in its own file of tests.
"""

import re
from functools import partial

from playwright.sync_api import expect

from mctslab.widgets import BanditGame, PhaseStepper
from tests.browser.axe import faults
from tests.browser.examples import (
    EXAMPLES,
    NEED_NO_KERNEL,
    ask_choice,
    ask_curve,
    ask_share,
    traced,
)
from tests.browser.panel import shows

PHASES = ("expansion", "simulation", "backpropagation")
TONES = ("plain", "hint", "warning", "error")
WIDGETS = {
    **EXAMPLES,
    **{f"PhaseStepper, {phase}": lambda: PhaseStepper(traced(), simulation=12) for phase in PHASES},
    "BanditGame, over": lambda: BanditGame(num_pulls=5, seed=3),
    **{
        f"{ask.__name__}{state}": partial(ask, f"every {ask.__name__}{state}")
        for ask in (ask_share, ask_choice, ask_curve)
        for state in ("", ", answered")
    },
}


def kind_of(name):
    """The widget, without the state that it is in."""
    return name.partition(",")[0]


CELL = {name: cell for cell, name in enumerate(WIDGETS)}


def do_something(bridge, name, root):
    """Bring to light what a widget shows only after something was done."""
    match name.split(", "):
        case ["GamePanel"]:
            root.get_by_role("gridcell", name=re.compile("^d3,")).click()
            expect(root.locator(".moves .notation")).to_have_count(2, timeout=60_000)
            root.get_by_role("button", name="Tree", exact=True).click()
            expect(root.locator(".tree svg g.node").first).to_be_visible(timeout=30_000)
            root.get_by_role("gridcell", name=re.compile("^a1,")).click()
            shows(root, {".message": "can't play a1"})
            # A message of each kind is to be read in both themes.
            root.locator(".message").first.evaluate(
                "(e, tones) => tones.forEach(each => { e.after(Object.assign(e.cloneNode(true), "
                "{className: `message ${each}`})); })",
                TONES,
            )
        case ["PhaseStepper", phase]:
            root.locator(f'.phase[data-phase="{phase}"]').click()
        case ["BanditGame", "over"]:
            root.get_by_role("button", name="Pull A").focus()
            for key in "abcab":
                bridge.page.keyboard.press(key)
            shows(root, {"role=status": "One game is mostly luck"})
        case ["NetPanel"]:
            root.get_by_label("Position to set up").select_option("an open two")
            shows(root, {".headline": "White to move"})
        case ["TrainingPanel"]:
            expect(root.locator(".charts svg").first).to_be_visible(timeout=60_000)
            shows(root, {".warning": "num_iterations"})
            shows(root, {".charts svg[aria-label*='of 3 other runs']": "iteration"})
        case ["MinimaxByHand"]:
            for number in (0, 1):
                root.locator(f'.node[data-node="{number}"]').click()
            root.get_by_role("button", name="Check").click()
            shows(root, {".card.wrong": 2})
        case ["AlphaBetaStepper"]:
            root.locator(".slider").fill("9")
            shows(root, {".bars": 2})
        case [_, "answered"]:
            if (option := root.get_by_text("that", exact=True)).count():
                option.click()
                root.get_by_label("How sure you are").select_option("80")
            for slider in root.get_by_role("slider").all():
                slider.press("ArrowUp")
            root.get_by_role("button", name="Predict, and see the answer").click()
            expect(root.locator(".answer")).to_be_visible()


# What must hold of each

WIDE = """(root, [parts, width]) => [root, ...root.querySelectorAll(parts)]
    .filter(each => each.scrollWidth > each.clientWidth
        || each === root && root.getBoundingClientRect().right > width)
    .map(each => each.outerHTML.slice(0, 120))"""
PARTS = {"PhaseStepper": ".phase"}
"""What must have room for all that is in it, besides the widget itself."""

CLUMSY = """root => {
    const all = (selector) => [...root.querySelectorAll(selector)];
    const found = (what, elements) => elements.map(e => `${what}: ${e.outerHTML.slice(0, 120)}`);
    const controls = all('button, select, input[type=checkbox]')
        .filter(each => each.checkVisibility({visibilityProperty: true}))
        .map(each => each.closest('label') ?? each);
    const isEmpty = ({ name, value }) => name.startsWith('aria-') && !value;
    return [
        ...found('small', controls.filter(e => Math.min(e.offsetWidth, e.offsetHeight) < 24)),
        ...found('not reached by Tab', all('button, select, input').filter(e => e.tabIndex < 0)),
        ...found('says nothing', all('*').filter(each => [...each.attributes].some(isEmpty))),
        ...found('no level', all('[role=treeitem]:not([aria-level])')),
    ];
}"""
"""What is hard to aim at, to reach by keys, or told in a wrong way by a screen reader."""
MISSING = """async (output, [html, sentence, isPictured]) => {
    output.innerHTML = `<div class="jp-OutputArea-child">model not found</div>
        <div class="jp-OutputArea-child">${html}</div>`;
    const still = output.lastElementChild;
    const missing = sentence.split(' … ').filter(part => !still.innerText.includes(part));
    const picture = still.querySelector('img, table, pre');
    if (picture?.matches('img')) await picture.decode();
    const isSeen = picture?.checkVisibility() && (picture.naturalWidth ?? 101) > 100;
    if (output.firstElementChild.checkVisibility()) missing.push('no sign of the lost widget');
    return isSeen || !isPictured ? missing : [...missing, 'a picture'];
}"""
SENTENCES = {
    "GamePanel": "A game of Reversi. Run this cell again to play.",
    "PhaseStepper": "The tree after 30 simulations. Run this cell again to step through them.",
    "BanditGame": "A bandit with 3 arms. Run this cell again to pull the arms.",
    "BanditGame, over": "By the true win rates you missed",
    "ConvolutionBoard": "1 of 9 sums are filled in. Run this cell again to drag it.",
    "ask_share": "How many random games does the first player win? … Run this cell again",
    "ask_share, answered": "The first player wins 58.5 % of them.",
    "ask_choice": "Which one is it? … Run this cell again",
    "ask_choice, answered": "It is this.",
    "ask_curve": "How does it grow? … Run this cell again",
    "ask_curve, answered": "The regret of UCB1 grows ever more slowly.",
}
"""What a saved page says where a widget was; of the others, how to bring them back."""

WIDE_PAGE, NARROW_PAGE = 1_400, 600


def seen_by(roots, script, *more):
    """What a script says of each widget."""
    for name, root in roots.items():
        parts = PARTS.get(kind_of(name), "none")
        yield from ((name, fault) for fault in root.evaluate(script, [parts, *more]))


NAMED = {"grid", "gridcell", "image", "radiogroup", "region", "toolbar", "tree"}
"""What axe allows to have no name."""
NO_SENTENCE = {"grid", "image", "table", "tree"}


def wrong_for_screen_readers(bridge):
    """What the browser tells them: things without a name, and pictures that are read aloud."""
    session = bridge.page.context.new_cdp_session(bridge.page)
    found = session.send("Accessibility.getFullAXTree")["nodes"]
    nodes = {node["nodeId"]: node for node in found if not node["ignored"]}

    def around(node):
        while (node := nodes.get(node.get("parentId"), {})) != {}:
            yield node["role"]["value"]

    for node in nodes.values():
        role, name = node["role"]["value"], node.get("name", {}).get("value", "")
        outer = set(around(node))
        wrong = {
            "has no name": role in NAMED and not name.strip(),
            "is read aloud": role in NO_SENTENCE and bool(outer & {"alert", "status"}),
            "is inside something that has its name": role == "image" and "treeitem" in outer,
            "is named after its size": bool(re.match("Board with|Stone$", name))
            and not node.get("description", {}).get("value"),
        }
        yield from ((f"{role} {name!r}", text) for text, is_so in wrong.items() if is_so)


def silent_about_its_kernel(bridge, roots):
    """Widgets that need a kernel, and don't say so when it is gone."""
    tell = "for (const m of models.values()) m.tell({});"
    bridge.page.evaluate("window.toPython = () => {};" + tell.format("'comm_live_update'"))
    words = "has lost its kernel. Choose “Run All Above Selected Cell” in"
    for name, root in roots.items():
        is_needed = kind_of(name) not in NEED_NO_KERNEL
        if is_needed and not root.get_by_role("alert").filter(has_text=words).count():
            yield name, "no word of its lost kernel"
    bridge.page.evaluate(tell.format("'msg:custom', { answer: 'pong' }"))
    for name, root in roots.items():
        if root.locator(".lost").count() or root.evaluate("e => e.matches('.is-lost')"):
            yield name, "still a word of its lost kernel"


def without_a_picture(bridge, stills):
    """What a saved page without a kernel lacks: a picture, or the question, and what to do."""
    for name, still in stills.items():
        sentence = SENTENCES.get(name) or SENTENCES.get(kind_of(name), "Run this cell again")
        output = bridge.output(CELL[name])
        output.evaluate("e => e.classList.add('jp-OutputArea')")
        is_pictured = kind_of(name) not in ("BanditGame", "QuestionsWidget") and name not in (
            "ask_share",
            "ask_choice",
            "ask_curve",
        )
        for missing in output.evaluate(MISSING, [still, sentence, is_pictured]):
            yield name, f"without a kernel: {missing}"


def test_every_widget_can_be_seen_read_and_reached_and_leaves_a_picture(bridge):
    bridge.open(len(WIDGETS))
    shown = {name: make() for name, make in WIDGETS.items()}
    roots = {name: bridge.put(shown[name], cell) for name, cell in CELL.items()}
    for name, root in roots.items():
        do_something(bridge, name, root)
    # The styles of no other widget on the page reach the drawing.
    legend = roots["GamePanel"].locator("g.legend text").first
    expect(legend).to_have_css("text-anchor", "start")
    found = [*seen_by(roots, CLUMSY)]
    for width, theme in ((WIDE_PAGE, "light"), (NARROW_PAGE, "dark")):
        bridge.resize(width, 1_000)
        bridge.use_theme(theme)
        found += seen_by(roots, WIDE, width)
        broken = faults(bridge.page, ".jp-Notebook", only_colors=theme == "light")
        found += ((f"{theme}, {width} px", fault) for fault in broken)
    found += wrong_for_screen_readers(bridge)
    found += silent_about_its_kernel(bridge, roots)
    stills = {name: widget._still()["text/html"] for name, widget in shown.items()}
    bridge.open(len(WIDGETS))
    found += without_a_picture(bridge, stills)
    assert found == []
