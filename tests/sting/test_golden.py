"""Golden transcripts: what `pitboss sting script` prints, line for line."""

from tests.sting.golden.regenerate import FOLDER, names, transcript
from tests.support.for_each import for_each


@for_each("name", names())
def test_golden_transcript(name: str) -> None:
    golden = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    hint = f"if the rules changed on purpose: python -m tests.sting.golden.regenerate {name}, and say why"
    assert transcript(name).splitlines() == golden.splitlines(), hint


def test_golden_files_belong_together_and_are_explained() -> None:
    assert len(names()) == 7
    assert sorted(path.stem for path in FOLDER.glob("*.jsonl")) == names()
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert [name for name in names() if f"`{name}`" not in readme] == []
