"""A rulebook's pieces are its text, and HTML shows them as text."""

import re

from pitboss.lab.files import known_games, load
from pitboss.lab.report.printed import read_pieces, write_html
from pitboss.lab.rulebook import rulebook
from tests.support.for_each import for_each


@for_each("name", known_games())
def test_no_word_of_a_rulebook_is_lost(name: str) -> None:
    text = rulebook(load(name))
    pieces = " ".join([item for piece in read_pieces(text) for item in piece.items])
    bare = re.sub(r"^(?:#+|-|\d+\.) ", "", text, flags=re.MULTILINE)
    assert pieces.split() == bare.split()


def test_html_has_lists_and_bold_words_and_escapes_the_rest() -> None:
    html = write_html(read_pieces("# A <b>\n\n1. **Bet.** one\n   more\n2. two\n\n- x\n"))
    assert html.splitlines() == [
        "<h2>A &lt;b&gt;</h2>",
        "<ol><li><strong>Bet.</strong> one more</li><li>two</li></ol>",
        "<ul><li>x</li></ul>",
    ]
