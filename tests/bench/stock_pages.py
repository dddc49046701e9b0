"""The course's step as stock pages draw it: a figure, a text and three sliders.

`bokeh_page` computes in CustomJS; `panel_page` has Python work every state out ahead,
for twelve bucket sizes and three bandwidths and overheads.
"""

import panel as pn
from bokeh.embed import file_html
from bokeh.layouts import column
from bokeh.models import ColumnDataSource, CustomJS, Div, Slider
from bokeh.plotting import figure
from bokeh.resources import INLINE

from overlap_widget.model import Link, simulate, whole_layers
from overlap_widget.model.scenarios import COURSE
from overlap_widget.model.units import GB, MS

SLIDERS = {  # start, end, value
    "Bucket size": (1, 12, 4),
    "Bandwidth (GB/s)": (1, 100, 12),
    "Overhead (ms)": (0, 5, 1),
}
COLOURS = ["#0072b2", "#009e73", "#9c3000"]  # compute, hidden, exposed
IN_BROWSER = """
const { value: size } = bucket;
const columns = { left: [], right: [], bottom: [], top: [], color: [] };
const bar = (left, right, bottom, color) => {
    columns.left.push(left);
    columns.right.push(right);
    columns.bottom.push(bottom);
    columns.top.push(bottom + 0.8);
    columns.color.push(color);
};
const tailOf = (size, draw) => {
    let end = 0;
    for (let first = 0; first < 12; first += size) {
        const last = Math.min(first + size, 12);
        const start = Math.max(last * 5, end);
        end = start + overhead.value + (last - first) * 40 / bandwidth.value;
        if (draw && start < 60) bar(start, Math.min(end, 60), 0, colours[1]);
        if (draw && end > 60) bar(Math.max(start, 60), end, 0, colours[2]);
    }
    return end - 60;
};
for (let layer = 0; layer < 12; layer += 1) {
    bar(layer * 5, layer * 5 + 5, 1, colours[0]);
}
const tail = tailOf(size, true);
bars.data = columns;
const sizes = [...Array(12).keys()].map((at) => at + 1);
curve.data = { x: sizes, y: sizes.map((one) => tailOf(one, false)) };
text.text = `<h2>The step waits ${tail.toFixed(2)} ms for communication.</h2>`;
"""


def columns_of(bucket, bandwidth, overhead):
    """Bars of the two lanes in milliseconds, and the tail of each bucket size."""
    rows = [(5 * layer, 5 * layer + 5, 1, COLOURS[0]) for layer in range(12)]
    for one in stepped(bucket, bandwidth, overhead).transfers:
        start, end = one.start_s / MS, one.end_s / MS
        if start < 60:
            rows.append((start, min(end, 60), 0, COLOURS[1]))
        if end > 60:
            rows.append((max(start, 60), end, 0, COLOURS[2]))
    left, right, bottom, color = map(list, zip(*rows, strict=True))
    top = [low + 0.8 for low in bottom]
    sizes = list(range(1, 13))
    tails = [stepped(size, bandwidth, overhead).tail.total_s / MS for size in sizes]
    return (
        {"left": left, "right": right, "bottom": bottom, "top": top, "color": color},
        {"x": sizes, "y": tails},
    )


def stepped(bucket, bandwidth, overhead):
    """The course's step with so many layers to a bucket."""
    link = Link(overhead * MS, bandwidth * GB)
    return simulate(COURSE.layers, whole_layers(12, bucket), link)


def plots():
    """Two figures and their sources, as they start."""
    bars, tails = map(
        ColumnDataSource, columns_of(*(value for *_, value in SLIDERS.values()))
    )
    lanes = figure(height=230, sizing_mode="stretch_width", tools="hover")
    lanes.quad("left", "right", "top", "bottom", color="color", source=bars)
    curve = figure(height=205, sizing_mode="stretch_width", tools="hover")
    curve.line("x", "y", source=tails)
    return lanes, curve, bars, tails


def bokeh_page():
    """A page of Bokeh alone, with all of it inside."""
    lanes, curve, bars, tails = plots()
    text = Div(text="<h2>The step waits for communication.</h2>")
    sliders = [
        Slider(title=title, start=start, end=end, value=value, step=1)
        for title, (start, end, value) in SLIDERS.items()
    ]
    names = dict(zip(("bucket", "bandwidth", "overhead"), sliders, strict=True))
    models = {"bars": bars, "curve": tails, "text": text, "colours": COLOURS}
    answer = CustomJS(args=names | models, code=IN_BROWSER)
    for slider in sliders:
        slider.js_on_change("value", answer)
    page = column(text, *sliders, lanes, curve, sizing_mode="stretch_width")
    return file_html(page, INLINE, "The course's step")


def panel_page(path):
    """A page that Panel saves at `path` with its states in it."""
    lanes, curve, bars, tails = plots()
    sliders = [
        pn.widgets.IntSlider(name=title, start=start, end=end, value=value)
        for title, (start, end, value) in SLIDERS.items()
    ]

    def text(*values):
        bars.data, tails.data = columns_of(*values)
        tail = stepped(*values).tail.total_s / MS
        return f"## The step waits {tail:.2f} ms for communication."

    page = pn.Column(pn.pane.Markdown(pn.bind(text, *sliders)), *sliders, lanes, curve)
    _, bandwidth, overhead = sliders
    page.save(
        path,
        embed=True,
        max_opts=12,
        embed_states={bandwidth: [6, 12, 24], overhead: [0, 1, 2]},
        resources=INLINE,
        progress=False,
    )
