"""What `panel serve app` does once: as it reads this, and when the server starts."""

from overlap_widget.app.page import read_long_numbers
from overlap_widget.app.strict_socket import StrictSocket, use_sockets

use_sockets(StrictSocket)  # now: the server takes them before it says that it starts


def on_server_loaded(_server_context: object) -> None:
    """Get ready for whatever stands in an address."""
    read_long_numbers()
