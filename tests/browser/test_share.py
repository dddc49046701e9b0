"""Share in the served app: links that restore, and the page as a file."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_the_link_leads_back_to_what_is_shown(served, open_page):
    page = open_page(f"{served}?bucket=2&theme=dark")
    page.get_by_role("button", name="Share", exact=True).click()
    link = page.get_by_role("textbox", name="Link", exact=True)
    expect(link).to_have_value(
        f"{page.url.split('?')[0]}?{link.input_value().split('?')[1]}"
    )
    again = open_page(link.input_value())

    expect(again.get_by_role("heading", level=2).first).to_have_text(
        page.get_by_role("heading", level=2).nth(1).inner_text()
    )
    expect(again.locator(".overlap")).to_have_attribute("data-theme", "dark")


def test_the_page_comes_as_one_file_with_the_state_that_is_shown(
    served, open_page, tmp_path
):
    page = open_page(f"{served}?bucket=3")
    page.get_by_role("button", name="Share", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download this page as one file").click()
    assert download.value.suggested_filename == "overlap.html"
    download.value.save_as(tmp_path / "overlap.html")
    alone = open_page((tmp_path / "overlap.html").as_uri())

    slider = alone.get_by_role("slider", name="Bucket size")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^3 layers"))
    expect(page.get_by_text("The file is being made.")).to_be_hidden()
