"""What `panel serve app` does once, when it starts."""

from overlap_widget.app.page import read_long_numbers


def on_server_loaded(_server_context: object) -> None:
    """Get ready for whatever stands in an address."""
    read_long_numbers()
