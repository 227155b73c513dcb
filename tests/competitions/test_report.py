"""The report of a competition: everything is on the page, links lead to files, and names stay text."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.competitions.outcome import results_of
from pitboss.competitions.report import INDEX, LARGEST, MOST_REPLAYS, ReportPage, write_report
from pitboss.competitions.results import RECORD, RESULTS, CompetitionRecord, EntrantInfo, read_json, write_json
from tests.support.competitions.small_cup import write_competition


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a competition with its report."""
    made = tmp_path_factory.mktemp("cup")
    write_competition(made)
    return made


@pytest.fixture
def page(folder: Path) -> str:
    return (folder / INDEX).read_text(encoding="utf-8")


def links(page: str) -> Iterator[str]:
    yield from re.findall(r'href="([^"]+)"', page)


def test_the_page_has_every_section(page: str) -> None:
    for heading in (
        "Standings",
        "Winnings",
        "Cross table",
        "Suspicious pairs",
        "Entrants",
        "Matches",
        "Settings",
        "Certificate",
    ):
        assert f">{heading}</h2>" in page
    assert "Costs of language models" not in page
    assert "the sandbox does not limit memory here" in page
    assert "round 1: caller has a bye" in page


def test_every_link_leads_to_a_file_or_a_place_on_the_page(folder: Path, page: str) -> None:
    found = [*links(page)]
    assert sum("replay.html" in link for link in found) >= 6
    assert "logs/02-bot.log" in found
    assert "logs/01-bot.log" not in found
    for link in found:
        if link.startswith("#"):
            assert f'id="{link[1:]}"' in page
        else:
            assert (folder / link.partition("#")[0]).is_file(), link


def test_names_stay_text_and_nothing_else_is_loaded(page: str) -> None:
    assert "<b>" not in page
    assert "&lt;b&gt;bold&lt;/b&gt;" in page
    assert "<script" not in page
    assert "http" not in re.sub(r"<meta[^>]+>", "", page)
    assert "style=" not in page


def test_ties_are_shown_as_ranges_with_hands_to_decide(page: str) -> None:
    standings = page.split("<table>")[1].split("</table>")[0]
    assert standings.count("<tr>") == 5
    assert "<td>1–4</td>" in standings
    assert len(re.findall(r"<td>\d+ \(-?\d+ to \d+\)</td>", standings)) == 4


def test_too_few_entrants_or_deals_are_not_called_compared(page: str) -> None:
    assert "Nothing was compared: that takes at least 5 entrants, and 20 deals of each pair." in page


def test_the_pots_on_a_replay_page_are_the_largest_of_the_match(folder: Path) -> None:
    record = read_json(folder / RECORD, CompetitionRecord)
    match = record.matches[-1]
    text = (folder / match.journal).with_name("replay.html").read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="record">(.*?)</script>', text)
    assert found is not None
    hands = json.loads(found[1])["hands"]
    won = [max(stack["stack"] for stack in hand["messages"][-1]["stacks"]) - 10_000 for hand in hands]
    largest = sorted([max(map(abs, block.net)) for block in match.blocks])[-LARGEST:]
    assert sorted(won) == [chips for chips in largest if chips]
    assert len(won) > 1


def test_costs_of_language_models_are_a_section(folder: Path) -> None:
    record = read_json(folder / RECORD, CompetitionRecord)
    info = EntrantInfo(name="caller", kind="llm", spec="local")
    paid = [
        replace(match, seats=tuple([replace(seat, tokens=1000, cost=0.25) for seat in match.seats]))
        for match in record.matches
    ]
    entrants = tuple([info if each.name == "caller" else each for each in record.entrants])
    changed = replace(record, entrants=entrants, matches=tuple(paid))
    text = ReportPage(changed, results_of(record), [], None).text()
    costs = text.partition(">Costs of language models</h2>")[2].partition("</table>")[0]
    assert "<td>3,000</td>" in costs
    assert "<td>0.7500</td>" in costs
    assert "<td>0.020833</td>" in costs


def test_many_matches_have_no_replay_pages(folder: Path) -> None:
    record = read_json(folder / RECORD, CompetitionRecord)
    many = replace(record, matches=record.matches * (MOST_REPLAYS // len(record.matches) + 1))
    text = ReportPage(many, results_of(record), [], None).text()
    assert "replay.html" not in text
    assert "hands.phhs" in text


def test_a_missing_journal_leaves_the_rest_of_the_report(folder: Path, tmp_path: Path) -> None:
    record = read_json(folder / RECORD, CompetitionRecord)
    write_json(tmp_path / RECORD, record)
    write_json(tmp_path / RESULTS, results_of(record))
    write_report(tmp_path)
    assert "Standings" in (tmp_path / INDEX).read_text(encoding="utf-8")
