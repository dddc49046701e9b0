"""The palette: contrasts, colour vision, and that colour never stands alone.

Contrast is that of WCAG 2.2, "relative luminance" and "contrast ratio". Colour vision
is simulated after Machado, Oliveira and Fernandes, "A Physiologically-based Model for
Simulation of Color Vision Deficiency" (2009), whose matrices are for linear RGB.
Differences are CIEDE2000 after Sharma, Wu and Dalal, "The CIEDE2000 Color-Difference
Formula: Implementation Notes, Supplementary Test Data, and Mathematical Observations"
(2005); below 1 nobody sees one, 10 and more is told apart at a glance.
"""

import itertools
import math
import re
from pathlib import Path

import numpy as np
import pytest

from overlap_widget.app.bundles import stylesheet
from overlap_widget.app.picture_style import Bars, lane_styles, stream_styles

ROOT = Path(__file__).parents[2]
THEMES = {
    "light": ".overlap",
    "dark": '.overlap[data-theme="dark"]',
    "projector": ".overlap[data-projector]",
}

# What each role must reach against ground and panel. WCAG 2.2 asks 4.5 of text (1.4.3)
# and 3 of graphics and parts of controls (1.4.11).
TEXT = ("text", "muted", "link", "exposed", "predict")
SHAPE = ("axis", "compute", "hidden_line", "focus")
GROUND = ("ground", "panel")
FREE = {
    "hidden": "its outline, hidden_line, carries it",
    "grid": "lines for comfort: ticks and rules between parts say the same",
    **{f"level_{level}": "outlined in text and ground, named" for level in range(8)},
    "shade": "the last level",
    "outline": "of all bars on a projector, in the colour of text",
}
LABELS = {"on_compute": "compute", "on_hidden": "hidden", "on_exposed": "exposed"}
TOUCHING = [("hidden", "exposed"), ("hidden", "hidden_line")]

SEEN = {  # severity 1
    "normal": np.eye(3),
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
XYZ = np.array(  # of linear sRGB, IEC 61966-2-1
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
D65 = np.array([0.95047, 1.0, 1.08883])


def roles_of(theme):
    """Roles with their colours, mixtures worked out; other themes overlay the light."""
    found = {}
    for selector in dict.fromkeys((THEMES["light"], THEMES[theme])):
        block = f"\n{stylesheet()}".split(f"\n{selector} {{", 1)[1].split("\n}", 1)[0]
        found |= re.findall(r"--overlap-(\w+): ([^;]+);", block)
    return {role: colour_of(role, found) for role in found}


def colour_of(role, found):
    text = found[role]
    if mixed := re.match(r"color-mix\(in srgb, var\(\S+-(\w+)\) (\d+)%", text):
        share = int(mixed[2]) / 100
        over = colour_of(mixed[1], found), colour_of("ground", found)
        return share * over[0] + (1 - share) * over[1]
    if named := re.match(r"var\(--overlap-(\w+)\)", text):
        return colour_of(named[1], found)
    return np.array([int(text[at : at + 2], 16) for at in (1, 3, 5)]) / 255


def linear(colour):
    return np.where(
        colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4
    )


def contrast(one, other):
    low, high = sorted(float(LUMINANCE @ linear(each)) for each in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(light):
    """CIELAB of linear sRGB."""
    share = XYZ @ np.clip(light, 0, 1) / D65
    root = np.where(
        share > 216 / 24389, np.cbrt(share), (24389 / 27 * share + 16) / 116
    )
    return 116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])


def seen(colour, vision):
    light = linear(colour)
    if vision == "grey":
        return lab(np.full(3, LUMINANCE @ light))
    return lab(np.array(SEEN[vision]) @ light)


def difference(one, other):
    """CIEDE2000, in the order of the paper's equations."""
    chroma = sum(math.hypot(*each[1:]) for each in (one, other)) / 2
    g = (1 - math.sqrt(chroma**7 / (chroma**7 + 25**7))) / 2
    (l1, c1, h1), (l2, c2, h2) = (polar(each, 1 + g) for each in (one, other))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    hue = h1 + turn / 2 if c1 * c2 else h1 + h2
    dl, dc, dh = l2 - l1, c2 - c1, 2 * math.sqrt(c1 * c2) * sine(turn / 2)
    level, chroma = ((l1 + l2) / 2 - 50) ** 2, (c1 + c2) / 2
    t = 1 - 0.17 * cosine(hue - 30) + 0.24 * cosine(2 * hue)
    t += 0.32 * cosine(3 * hue + 6) - 0.2 * cosine(4 * hue - 63)
    spread = 60 * math.exp(-((((hue % 360) - 275) / 25) ** 2))
    turned = -2 * math.sqrt(chroma**7 / (chroma**7 + 25**7)) * sine(spread)
    dl /= 1 + 0.015 * level / math.sqrt(20 + level)
    dc, dh = dc / (1 + 0.045 * chroma), dh / (1 + 0.015 * chroma * t)
    return math.sqrt(dl**2 + dc**2 + dh**2 + turned * dc * dh)


def polar(colour, stretch):
    lightness, a, b = colour
    angle = math.degrees(math.atan2(b, stretch * a)) % 360 if a or b else 0.0
    return lightness, math.hypot(stretch * a, b), angle


def sine(degrees):
    return math.sin(math.radians(degrees))


def cosine(degrees):
    return math.cos(math.radians(degrees))


@pytest.mark.parametrize(
    ("one", "other", "published"),
    [  # lines of table 1 of the paper: plain, at the jumps of the mean hue, far, dark
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 0, 0), (50, -1, 2), 2.3669),
        ((50, 2.49, -0.001), (50, -2.49, 0.0009), 7.1792),
        ((50, 2.49, -0.001), (50, -2.49, 0.0011), 7.2195),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.694), (23.0331, 14.973, -42.5619), 2.0373),
        ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_differences_are_those_that_were_published(one, other, published):
    assert difference(one, other) == pytest.approx(published, abs=5e-5)
    assert difference(other, one) == pytest.approx(published, abs=5e-5)


def test_contrast_is_that_of_wcag():
    """Black on white, and the lightest grey that passes for text on white."""
    white, grey = np.ones(3), np.full(3, 0x76 / 255)
    assert contrast(np.zeros(3), white) == pytest.approx(21)
    assert contrast(grey, white) == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize("theme", THEMES)
def test_every_role_stands_out_as_far_as_it_must(theme):
    roles = roles_of(theme)
    known = {*TEXT, *SHAPE, *GROUND, *FREE, *LABELS}
    assert roles.keys() | {"outline"} == known
    for role, ground in itertools.product((*TEXT, *SHAPE), GROUND):
        least = 4.5 if role in TEXT else 3
        assert contrast(roles[role], roles[ground]) >= least, (role, ground)
    for role, fill in LABELS.items():
        assert contrast(roles[role], roles[fill]) >= 4.5, role
    for pair in TOUCHING:
        assert contrast(*map(roles.get, pair)) >= 3, pair


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("vision", [*SEEN, "grey"])
def test_compute_hidden_and_exposed_are_told_apart(theme, vision):
    """In grey compute and exposed may be alike: exposed alone is hatched."""
    roles = roles_of(theme)
    pairs = [("compute", "hidden"), ("hidden", "exposed")]
    pairs += [("compute", "exposed")] if vision != "grey" else []
    for pair in pairs:
        assert difference(*(seen(roles[role], vision) for role in pair)) > 18, pair


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("vision", [*SEEN, "grey"])
def test_levels_of_the_map_go_one_way_from_ground_to_exposed(theme, vision):
    roles = roles_of(theme)
    levels = [roles[f"level_{level}"] for level in range(8)]
    shown = [seen(level, vision) for level in levels]
    steps = [difference(*pair) for pair in itertools.pairwise(shown)]
    lightness = [level[0] for level in shown]
    assert lightness in (sorted(lightness), sorted(lightness, reverse=True))
    assert min(steps) > 3.5
    for level in levels:  # a border and the ring have a line of each
        assert max(contrast(level, roles[role]) for role in ("text", "ground")) >= 3


def test_no_two_swatches_differ_by_colour_alone():
    forms = {}
    for names, rule in re.findall(
        r"^((?:\.overlap-swatch-\S+\s)+)\{(.*?)\}", stylesheet(), re.M | re.S
    ):
        for name in re.findall(r"swatch-(\w+)", names):
            forms.setdefault(name, []).append(re.sub(r"var\(--overlap-\w+\)", "", rule))
    texts = {name: "".join("".join(rules).split()) for name, rules in forms.items()}
    assert len(texts) >= 15
    assert len(set(texts.values())) == len(texts)


def form(bars):
    """What of a bar is seen in grey: hatched how, outlined, filled."""
    hatch = bars.hatch and (bars.hatch.pattern, bars.hatch.role)
    return hatch, bars.line not in (bars.fill, "ground"), bars.fill == "ground"


@pytest.mark.parametrize(
    ("styles", "roles"),
    [
        (lane_styles, ["compute", "hidden", "exposed", "late", "slowed", "ghost"]),
        (stream_styles, ["compute", "other", "hidden", "exposed", "phases"]),
    ],
)
def test_no_two_bars_differ_by_colour_alone(styles, roles):
    bars = {one.source: one for one in styles() if isinstance(one, Bars)}
    forms = [form(bars[role]) for role in roles]
    assert len(set(forms)) == len(roles)


def test_pictures_and_docs_take_their_colours_from_the_palette():
    known = {
        "#" + "".join(f"{round(255 * part):02x}" for part in colour)
        for theme in THEMES
        for colour in roles_of(theme).values()
    }
    places = ["docs/*.svg", "app/**/*.py", "app/*.html", "static/**/*.css", ".ci/*.svg"]
    for path in itertools.chain.from_iterable(map(ROOT.glob, places)):
        text = path.read_text(encoding="utf-8")
        used = set(re.findall(r"[\"' ](#[0-9a-f]{6})\b", text))
        assert used <= known, path.name
