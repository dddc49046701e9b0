"""What `panel serve app` does once: as it reads this, and when the server starts."""

from overlap_widget.app.page import read_long_numbers
from overlap_widget.app.strict_socket import use_strict_sockets

use_strict_sockets()  # now: the server takes its handlers before it says that it starts


def on_server_loaded(_server_context: object) -> None:
    """Get ready for whatever stands in an address."""
    read_long_numbers()
