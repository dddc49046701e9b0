"""What `panel serve app` runs for every session."""

from overlap_widget.app.page import page

page().servable()
