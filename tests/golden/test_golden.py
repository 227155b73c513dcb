"""Golden transcripts: what `pitboss trace` prints for instructive scenarios, line for line."""

from tests.golden.regenerate import FOLDER, names, transcript, transcript_path
from tests.support.for_each import for_each


@for_each("name", names())
def test_golden_transcript(name: str) -> None:
    recorded = transcript_path(name).read_text(encoding="utf-8").splitlines()
    hint = f"if the rules changed on purpose: python -m tests.golden.regenerate {name}, and say why"
    for number, (now, then) in enumerate(zip(transcript(name).splitlines(), recorded, strict=False), 1):
        assert now == then, f"{name}.jsonl, line {number}; {hint}"
    assert len(transcript(name).splitlines()) == len(recorded), f"{name}.jsonl, number of lines; {hint}"


def test_golden_files_belong_together_and_are_explained() -> None:
    assert len(names()) == 19
    assert sorted(path.stem for path in FOLDER.glob("*.jsonl")) == names()
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert [name for name in names() if f"`{name}`" not in readme] == []
