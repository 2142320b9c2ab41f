"""What notebook 00 says is so."""


def test_what_is_missing_is_told(shown):
    """The notebooks before the nets are run as where PyTorch is not installed."""
    assert "it does not load, and notebooks 12 to 14 need it" in shown
