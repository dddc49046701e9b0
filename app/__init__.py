"""Panel and Bokeh: what draws, asks and answers; no arithmetic of its own."""
