"""A report has no broken links, loads nothing, continues where it was, and shows foreign input as text."""

import re
import shutil
from pathlib import Path

import pytest

from pitboss.lab.evolution.archive import EvolutionError
from pitboss.lab.ratings import Rating, add_rating
from pitboss.lab.report.pages import ReportBuilder
from tests.support.lab.report_run import HOSTILE, write_run


def links(page: Path) -> list[str]:
    """All that a page leads to, also what its script makes links of."""
    text = page.read_text(encoding="utf-8")
    return re.findall(r'href="([^"]*)"', text) + [found for found in re.findall(r'"page":"([^"]*)"', text) if found]


def dead(folder: Path) -> list[str]:
    """The links of all pages that lead nowhere."""
    pages = [folder / "index.html", *(folder / "games").glob("*.html")]
    return [f"{page.name}: {link}" for page in pages for link in links(page) if not (page.parent / link).is_file()]


@pytest.mark.check
def test_every_link_leads_somewhere(built: Path) -> None:
    assert sorted(links(built / "index.html")) == [
        f"games/{name}.html" for name in ("cell_2_3", "cell_5_6", "cell_7_1")
    ]
    assert set(links(built / "games" / "cell_2_3.html")) == {"../index.html", "cell_2_3.pdf", "cell_2_3.json"}
    assert dead(built) == []


def test_pages_load_no_external_resource(built: Path) -> None:
    for page in [built / "index.html", *(built / "games").glob("*.html")]:
        text = page.read_text(encoding="utf-8")
        assert "default-src 'none'" in text
        assert re.findall(r"(?:https?:)?//[\w.]+\.\w+|@import|url\(|<link|<img|\bsrc=", text) == []


def test_text_from_others_is_escaped(built: Path) -> None:
    for name in ("index.html", "games/cell_7_1.html"):
        text = (built / name).read_text(encoding="utf-8")
        assert "<b>kuhn" not in text.lower()
        assert "<i>neat" not in text
    assert "&lt;i&gt;neat" in (built / "games" / "cell_7_1.html").read_text(encoding="utf-8")


def test_a_page_has_all_its_sections(built: Path) -> None:
    text = (built / "games" / "cell_2_3.html").read_text(encoding="utf-8")
    headings = re.findall(r"<h2>(.*?)</h2>", text)
    assert headings[:6] == [
        "Measures",
        "Tension and lead",
        "The rules",
        "A sample game",
        "The most similar known game",
        "What each rule contributes",
    ]
    assert f"pitboss lab play {built}/games/cell_2_3.json" in text
    assert text.count('<svg class="plot"') == 2
    assert "Leduc: six cards" in text
    certain = re.sub("<.*?>", " ", text.split("<h2>Solution</h2>")[1])
    assert "A miniature of this game (three cards) was solved; it has 12 information sets" in certain
    assert "the first seat wins -0.125 chips per deal on average, and 25 % of the bets are bluffs" in certain
    assert "<h2>Solution" not in (built / "games" / "cell_5_6.html").read_text(encoding="utf-8")


def test_current_pages_are_kept_and_a_new_rating_is_shown(built: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(built, folder)
    assert len(ReportBuilder(folder, games=10).tasks) == 3, "the folder's name stands in the pages"
    pages = {page: page.stat().st_mtime_ns for page in (built / "games").iterdir()}
    again = ReportBuilder(built, games=10)
    assert list(again.build()) == []
    assert again.report().unchanged == 3
    assert {page: page.stat().st_mtime_ns for page in (built / "games").iterdir()} == pages
    add_rating(folder, Rating("fine_leduc", 2))
    given = ReportBuilder(folder, games=10)
    assert [rating.stars for task in given.tasks for rating in task.ratings] == [2, 4]


def test_an_interrupted_report_leaves_no_dead_link(tmp_path: Path) -> None:
    write_run(tmp_path)
    pages = ReportBuilder(tmp_path, games=10).build()
    assert dead_after(tmp_path, next(pages)) == []
    del pages
    assert len(ReportBuilder(tmp_path, games=10).tasks) == 2


def dead_after(folder: Path, name: str) -> list[str]:
    """The dead links once this game's page is there and the map was not written again."""
    assert name == "fine_leduc"
    assert (folder / "games" / "cell_2_3.html").is_file()
    return dead(folder)


def test_files_are_named_after_cells(tmp_path: Path) -> None:
    write_run(tmp_path)
    names = ReportBuilder(tmp_path).names
    assert names == {"fine_leduc": "cell_2_3", "fine_crazy_eights": "cell_5_6", HOSTILE: "cell_7_1"}


def test_a_folder_without_a_run_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(EvolutionError, match=r"has no archive\.json"):
        ReportBuilder(tmp_path)
    (tmp_path / "archive.json").write_text("[]")
    with pytest.raises(EvolutionError, match=r"archive\.json: expected an archive of `pitboss lab evolve`"):
        ReportBuilder(tmp_path)
