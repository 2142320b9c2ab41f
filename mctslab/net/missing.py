"""The error for a missing package: one sentence, in a notebook without a traceback."""


class MissingPackageError(ModuleNotFoundError):
    """A package that is not installed; its text is a sentence that says what to do."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows: whoever has to install something need not read our code."""
        return [str(self)]
