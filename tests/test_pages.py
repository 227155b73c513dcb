"""The frame of a page runs only its own script, and escapes text from others."""

import pytest

from pitboss.pages import PageError, page_text, write_frame

EVIL = "</script><script>alert(1)</script>&"


def test_data_and_titles_cannot_end_an_element() -> None:
    page = write_frame(EVIL, "<p></p>", style="p {}", script="f();", data={"name": EVIL})
    assert page.count("<script") == 2
    assert page.count("</script>") == 2
    assert "alert(1)</" not in page
    assert page_text('a"<\x1b') == "a&quot;&lt;\\u001b"


def test_the_policy_allows_only_the_own_script_and_style() -> None:
    assert "script-src" not in write_frame("t", "", style="")
    page = write_frame("t", "", style="p {}", script="f();")
    assert "default-src 'none'; script-src 'sha256-" in page
    assert "unsafe" not in page


@pytest.mark.parametrize("part", ["style", "script"])
def test_a_part_that_would_end_its_own_element_is_refused(part: str) -> None:
    bad = f"</{part}>"
    with pytest.raises(PageError, match=f"^{part}: expected text without"):
        write_frame("t", "", style=bad if part == "style" else "", script=bad if part == "script" else "")
