"""An exported page on paper: each mode fits one sheet, also within its own margins."""

import re
from itertools import product

import pytest

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("mode", ["explore", "measured"])
def test_an_exported_page_is_printed_on_one_sheet(open_page, page_file, mode):
    page = open_page(page_file, f"#mode={mode}&bucket=1", color_scheme="dark")
    for paper, landscape in product(("A4", "Letter"), (False, True)):
        pdf = page.pdf(format=paper, landscape=landscape, prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1, (paper, landscape)
