"""Rewrite the expected examinations of some bots by the doctor: `python -m tests.golden.exams [NAME ...]`, or all.

Read the difference before it is committed, and say in the commit why a bot is examined otherwise.
"""

import sys
from hashlib import sha256
from pathlib import Path

from pitboss.arena.doctor.exam import Admit, Cut, Exam, Listen, Reply, Script, SendFrame, Step
from pitboss.arena.doctor.verdicts import judge
from tests.support.client import bad_clients as sick
from tests.support.client.bad_bots import PACE, Healthy, perform

FOLDER = Path(__file__).resolve().parent / "exams"
LONGEST = 120
"""Letters of a frame that are written down; of a longer one its digest too."""
NAMES = ("healthy", "sick")
SICK = [kind for kind in vars(sick).values() if isinstance(kind, type) and issubclass(kind, Healthy)]


def exam_of(bot: Healthy) -> tuple[list[str], list[str]]:
    """The frames, waits and disconnects for a bot, and the doctor's report."""
    exam, steps = Exam(PACE), list[str]()
    perform(_followed(exam.run(), steps), bot)
    return steps, [f"{check.name}: {check.verdict}, {check.sentence}" for check in judge(exam.notes)]


def exams(name: str) -> str:
    """A healthy bot's exam step by step; for each faulty one, the length of its exam and the findings."""
    if name == "healthy":
        steps, verdicts = exam_of(Healthy())
        return "".join(f"{line}\n" for line in (*steps, *verdicts))
    lines = []
    for kind in SICK:
        steps, verdicts = exam_of(kind())
        lines += [f"{kind.__name__}: {len(steps)} steps, {len(verdicts)} checks"]
        lines += [f"    {verdict}" for verdict in verdicts if ": pass, " not in verdict]
    return "".join(f"{line}\n" for line in lines)


def _followed(script: Script[None], lines: list[str]) -> Script[None]:
    """The same script, written down step by step."""
    reply: Reply = None
    while True:
        try:
            step: Step = script.send(reply)
        except StopIteration:
            return
        match step:
            case SendFrame(frame):
                digest = f"… {sha256(repr(frame).encode()).hexdigest()[:16]}" if len(frame) > LONGEST else ""
                lines.append(f"sends {frame[:LONGEST]!r}{digest}")
            case Listen(seconds):
                lines.append(f"listens {seconds:g}")
            case Cut(code, reason):
                lines.append(f"cuts {code} {reason}".rstrip())
            case Admit(seconds):
                lines.append(f"admits {seconds:g}")
        reply = yield step


def main(wanted: list[str]) -> None:
    """Write these exams, or all."""
    for name in wanted or NAMES:
        (FOLDER / f"{name}.txt").write_text(exams(name), encoding="utf-8", newline="\n")
        print(f"wrote {name}.txt")


if __name__ == "__main__":
    main(sys.argv[1:])
