"""A minimal Panel app, to hold a served page against: a slider that bends a line.

`.venv/bin/python tests/bench/minimal_app.py [PORT]` serves it and prints its address.
"""

import sys

import numpy as np
import panel as pn
from bokeh.plotting import figure


def app():
    """One slider, and one figure whose line follows it."""
    x = np.linspace(0, 10, 100)
    plot = figure(height=230, sizing_mode="stretch_width")
    line = plot.line(x, np.sin(x))
    slider = pn.widgets.IntSlider(name="Bucket size", start=1, end=12, value=4)

    def follow(event):
        line.data_source.data = {"x": x, "y": np.sin(x * event.new)}

    slider.param.watch(follow, "value")
    return pn.Column(slider, plot)


def main():
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    server = pn.io.server.get_server(app, port=port, show=False, start=False)
    print(f"http://localhost:{server.port}", flush=True)
    server.run_until_shutdown()


if __name__ == "__main__":
    main()
