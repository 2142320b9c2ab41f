"""A picture that stands in for a widget where nothing can run: no kernel, no trust, on paper."""

from base64 import b64encode
from html import escape
from typing import Any, Final

from IPython.display import display

# Of the two outputs exactly one is seen: the widget where it lives, else the picture. The widget's
# own place says "model not found" when its kernel is gone.
_CHOICE: Final = """
<style>
.jp-OutputArea:has(.mctslab) .mctslab-still { display: none; }
.jp-OutputArea-child:has(+ .jp-OutputArea-child .mctslab-still):not(:has(.mctslab)) {
  display: none;
}
</style>
"""


class StillPicture:
    """Mixed into a widget: shows it together with `still_svg()`, of which only one is seen.

    The picture is an `<img>`, because that is what is left of a drawing when JupyterLab, nbviewer
    or GitHub show a notebook that they don't trust.
    """

    _still_handle: Any = None

    def still_svg(self) -> str:
        """The picture; empty where there is none yet, and only the sentence is shown."""
        raise NotImplementedError

    def still_note(self) -> str:
        """A sentence to stand under it."""
        raise NotImplementedError

    def _ipython_display_(self) -> None:
        bundle, metadata = self._repr_mimebundle_()  # type: ignore[attr-defined]
        display(bundle | {"text/html": ""}, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]
        self._still_handle = display(self._still(), raw=True, display_id=True)  # type: ignore[no-untyped-call]

    def renew_still(self) -> None:
        """Put the picture as it is now in the place of the one that was shown with the widget."""
        if self._still_handle is not None:
            self._still_handle.update(self._still(), raw=True)

    def _still(self) -> dict[str, str]:
        note, svg = self.still_note(), self.still_svg()
        picture = b64encode(svg.encode()).decode()
        image = (
            f'<img style="max-width:100%" alt="{escape(note)}"'
            f' src="data:image/svg+xml;base64,{picture}">'
        )
        html = (
            f'<div class="mctslab-still">{image if svg else ""}<p><em>{escape(note)}</em></p></div>'
        )
        return {"text/html": _CHOICE + html, "text/plain": note}
