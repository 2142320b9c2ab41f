"""A picture that stands in for a widget where nothing can run: no kernel, no trust, on paper."""

from base64 import b64encode
from html import escape
from typing import Final

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

    def still_svg(self) -> str:
        """The picture."""
        raise NotImplementedError

    def still_note(self) -> str:
        """A sentence to stand under it."""
        raise NotImplementedError

    def _ipython_display_(self) -> None:
        bundle, metadata = self._repr_mimebundle_()  # type: ignore[attr-defined]
        display(bundle | {"text/html": ""}, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]
        note = self.still_note()
        picture = b64encode(self.still_svg().encode()).decode()
        html = (
            f'<div class="mctslab-still"><img style="max-width:100%" alt="{escape(note)}"'
            f' src="data:image/svg+xml;base64,{picture}"><p><em>{escape(note)}</em></p></div>'
        )
        display({"text/html": _CHOICE + html, "text/plain": note}, raw=True)  # type: ignore[no-untyped-call]
