"""What all widgets share: their scripts, their messages to and from the page, their still picture.

A widget's script has to be one module, because the page has no server to load other modules from.
So code that several widgets share is in modules of its own in `static/`, and `bundled` puts a
widget's module and those that it imports together. It ends with `export default widget(View)`; see
`static/ui.js`.
"""

import re
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import Any, Final

import anywidget
from IPython.display import display

from mctslab.games.state import State

STATIC: Final = Path(__file__).parent / "static"

_IMPORT: Final = re.compile(r'^import \{([^}]*?),?\s*\} from "\./([\w./]+)";$', re.MULTILINE)
_EXPORT: Final = re.compile(
    r"^export (?=(?:const|function|async function|class) (\w+))", re.MULTILINE
)
_EXPORT_LIST: Final = re.compile(r"\bexport ?\{([^}]*)\};?\s*$")
_AS: Final = re.compile(r" as ")


def joined(*names: str) -> str:
    """The text of the style sheets `names` of `static/`, one after the other."""
    return "\n".join((STATIC / name).read_text(encoding="utf-8") for name in names)


def bundled(entry: str) -> str:
    """The module `entry` of `static/` and all that it imports, as one module.

    The page has no server to load other modules from. Each imported file becomes a function that is
    called once and returns what the file exports, so its other names stay its own.
    """
    functions: dict[str, str] = {}

    def add(name: str) -> None:
        text = (STATIC / name).read_text(encoding="utf-8")
        for _names, imported in _IMPORT.findall(text):
            if imported not in functions:
                add(imported)
        functions[name] = text

    add(entry)
    main = functions.pop(entry)
    parts = [_as_function(name, text) for name, text in functions.items()]
    return "\n".join(["const modules = {};", *parts, _without_imports(main)])


def _as_function(name: str, text: str) -> str:
    """A statement that puts the exports of a file into `modules`."""
    exports = {each: each for each in _EXPORT.findall(text)}
    if listed := _EXPORT_LIST.search(text):
        for each in listed[1].split(","):
            own, *other = _AS.split(each.strip())
            exports[other[0] if other else own] = own
    body = _EXPORT_LIST.sub("", _EXPORT.sub("", _without_imports(text)))
    returned = ", ".join(f"{other}: {own}" for other, own in exports.items())
    return f"modules[{name!r}] = (() => {{\n{body}\nreturn {{ {returned} }};\n}})();"


def _without_imports(text: str) -> str:
    """The text of a module that takes its imports from `modules`."""
    return _IMPORT.sub(
        lambda found: f"const {{{_AS.sub(': ', found[1])}}} = modules[{found[2]!r}];", text
    )


def checked_position(state: object) -> State:
    """`state`, if it is a position of a game.

    Raises:
        ValueError: it is something else, such as the name of a game or its class.
    """
    if not isinstance(state, State):
        wanted = "give one, such as games.Reversi() with its parentheses"
        raise ValueError(f"{state!r} is not a position of a game: {wanted}.")
    return state


class CommandedWidget(anywidget.AnyWidget):
    """A widget that carries out commands from the page, even while a cell runs, and shows there
    what went wrong.

    An exception that is raised while a message from the page is handled stays invisible, as in a
    thread, so the widget has to show it.

    The lock `_lock` must be reentrant and made before the widget is; only the thread that holds it
    changes what is shown.
    """

    _lock: "threading.RLock"

    def __init__(self, **shown: Any) -> None:
        self._views: set[str] = set()  # those that a page shows, each with a name of its own
        super().__init__(**shown)
        self.on_msg(self._handle_message)

    # Different for each widget

    def _handle_command(self, content: Any) -> None:
        """Carry out a message from the page; ignore it if it is not a command."""
        raise NotImplementedError

    def _note_event(self, event: str) -> None:
        """React to `page_opened`, `view_opened` or `view_closed`; `_views` is up to date."""

    def _say(self, message: str) -> None:
        """Show a sentence."""
        self.set_trait("message", message)

    def _say_error(self, error: Exception) -> None:
        """Show what went wrong, such as `ValueError: no such move`."""
        self._say(f"{type(error).__name__}: {error}")

    # Shared

    def open(self) -> None:
        """Open the connection to the page."""
        super().open()
        self._stay_prompt()

    def _send(self, msg: Any, buffers: Any = None) -> None:
        super()._send(msg, buffers)
        self._stay_prompt()

    def _stay_prompt(self) -> None:
        """Receive the page's messages while a cell runs.

        JupyterLab sends what happens on a widget to a thread of the kernel called a "subshell",
        which is free while a cell runs in the main one. Since version 7.4 ipykernel overrules that:
        it hands a message to the shell from which the widget last sent something, and for a widget
        that a cell has made or changed this is the main shell, where a click then waits.
        """
        comm: Any = self.comm
        if comm is not None:
            vars(comm).pop("_reply_subshell_id", None)

    def _handle_message(self, _widget: object, content: Any, _buffers: object) -> None:
        """A command from the page; whatever goes wrong is shown there."""
        with self._callback():
            match content:
                case {"event": str(event), "view": str(view)}:
                    self._note_views(event, view)
                    self._note_event(event)
                case {"command": "ping"}:
                    self.send({"answer": "pong"})
                case _:
                    self._handle_command(content)

    def _note_views(self, event: str, view: str) -> None:
        """Keep account of the views; where none is left, ask the other pages for theirs.

        A page that is loaded again sends no message when it goes, and the new one may be a second
        tab of the browser. So a new page makes us forget all views, and those that live answer.
        """
        had_views = bool(self._views)
        if event == "page_opened":
            self._views.clear()
        elif event == "view_opened":
            self._views.add(view)
        else:
            self._views.discard(view)
        if had_views and not self._views:
            self.send({"question": "who shows this?"})

    @contextmanager
    def _callback(self) -> Iterator[None]:
        """Hold the lock, and show an exception."""
        with self._lock, self._errors_said():
            yield

    @contextmanager
    def _errors_said(self) -> Iterator[None]:
        """Show an exception, without the lock, because drawing, for example, can take long."""
        try:
            yield
        except Exception as error:
            self._say_error(error)


# Exactly one of the two outputs is visible: the widget if it is alive, otherwise the picture. The
# widget's own output says "model not found" when its kernel is gone.
STILL: Final = "mctslab-still"
_CHOICE: Final = """
<style>
:is(.jp-OutputArea, .output):has(.mctslab) .mctslab-still { display: none; }
.jp-OutputArea-child:has(+ .jp-OutputArea-child .mctslab-still):not(:has(.mctslab)) {
  display: none;
}
</style>
"""


class StillPicture:
    """Mixed into a widget: a picture replaces it where nothing can run.

    This is the case without a kernel, in a notebook that is not trusted, or on paper. The picture
    is an `<img>`, because JupyterLab, nbviewer and GitHub remove any other kind of drawing from a
    notebook that they don't trust.
    """

    _still_handle: Any = None

    def still_svg(self) -> str:
        """The picture; empty if there is none, and then only the note is shown."""
        return ""

    def still_pictures(self) -> list[tuple[str, str]]:
        """Each picture, with a text for those who cannot see it."""
        svg = self.still_svg()
        return [(svg, self.still_note())] if svg else []

    def still_note(self) -> str:
        """Sentences below the pictures; those from "Run this cell again" on are for notebooks."""
        raise NotImplementedError

    def still_html(self) -> str:
        """What follows the note, if anything."""
        return ""

    def without_python(self) -> dict[str, Any]:
        """The traits that are different on a page without a kernel, such as the website."""
        return {}

    def _ipython_display_(self) -> None:
        bundle, metadata = self._repr_mimebundle_()  # type: ignore[attr-defined]
        display(bundle | {"text/html": ""}, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]
        self._still_handle = display(self._still(), raw=True, display_id=True)  # type: ignore[no-untyped-call]

    def renew_still(self) -> None:
        """Replace the picture that was shown with the widget by a current one."""
        if self._still_handle is not None:
            self._still_handle.update(self._still(), raw=True)

    def _still(self) -> dict[str, str]:
        pictures = "".join(svg_image(*each) for each in self.still_pictures())
        below = f"<p><em>{escape(self.still_note())}</em></p>{self.still_html()}"
        html = f'{_CHOICE}<div class="{STILL}">{pictures}{below}</div>'
        return {"text/html": html, "text/plain": self.still_note()}


def svg_image(svg: str, alt: str) -> str:
    """An SVG document as an `<img>`, which is also kept in a notebook that is not trusted."""
    source = f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"
    return f'<img style="max-width:100%" alt="{escape(alt)}" src="{source}">'
