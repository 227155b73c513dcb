"""What a connection may send, counted frame by frame, whatever pieces it comes in."""

from random import Random

from pitboss.arena.connections.budget import PIECE, SPEAKS, TOO_MANY, FrameMeter, RateLimit, RateLimits
from tests.support.arena.servers import framed
from tests.support.for_each import for_each

SMALL = RateLimits(stranger=RateLimit(1, 10), player=RateLimit(5, 50), spectator=RateLimit(1, 4))
PING, PONG, WORD, PIECE_OF_IT = framed(b"", opcode=9), framed(b"", opcode=10), framed(b"{}"), framed(b"x", last=False)


def meter() -> FrameMeter:
    """A stranger's, at the beginning of time."""
    return FrameMeter(SMALL, 0.0)


@for_each("frame", [PING, WORD, PIECE_OF_IT, framed(b"", opcode=0, last=False), framed(b"x", opcode=2)])
def test_every_frame_counts_whatever_its_kind(frame: bytes) -> None:
    one = meter()
    fine = one.frames(frame * 30, 0.0)
    assert fine == len(frame) * int(10 / (1 + (len(frame) - 6) / PIECE))
    assert one.fault == TOO_MANY


def test_frames_are_counted_the_same_however_they_are_cut() -> None:
    chance = Random(1)
    for _ in range(300):
        frames = [framed(bytes(chance.choice((0, 1, 125, 126, 400, 60_000)))) for _ in range(6)]
        sent = b"".join(frames)
        whole, cut = meter(), meter()
        whole_fine, cut_fine, at = whole.frames(sent, 0.0), 0, 0
        while at < len(sent) and not cut.fault:
            step = chance.choice((1, 2, 3, 7, 5000))
            cut_fine += cut.frames(sent[at : at + step], 0.0)
            at += step
        assert whole.fault == cut.fault
        assert whole._tokens == cut._tokens
        assert abs(whole_fine - cut_fine) <= 9  # a header's beginning may have been let through


def test_a_frame_of_eight_bytes_of_length_and_one_without_a_mask_are_measured() -> None:
    one = meter()
    long = bytes((0x82, 0xFF)) + (70_000).to_bytes(8, "big") + bytes(4 + 70_000)
    bare = bytes((0x89, 0x02)) + b"hi"
    assert one.frames(long + bare + PING, 0.0) == len(long + bare + PING)
    assert one._left == 0
    assert one._head == b""
    assert one._tokens == 10 - 2 - 2 - 2 / PIECE


def test_budget_is_refilled_with_time() -> None:
    one = meter()
    assert one.frames(PING * 10, 0.0) == 60
    assert one.frames(PING * 3, 3.0) == 18
    assert one.frames(PING, 3.5) == 0


def test_seated_player_has_a_larger_budget_and_answers_are_free() -> None:
    one, seated = meter(), False
    one.play(lambda: seated)
    assert one.frames(PING * 10, 0.0) == 60
    seated = True
    assert one.frames(PING * 50, 0.0) == 300
    assert one.frames(PING, 0.0) == 0
    other = meter()
    for _ in range(1000):
        assert other.frames(WORD, 0.0) == len(WORD)
        other.refund()


def test_spectator_may_send_a_few_pings_and_no_messages() -> None:
    one = meter()
    one.watch()
    assert one.frames(PING * 4, 0.0) == 24
    assert not one.fault
    for word in (WORD, PIECE_OF_IT, framed(b"", opcode=0, last=False), framed(b"x", opcode=2)):
        other = meter()
        other.watch()
        assert (other.frames(word, 0.0), other.fault) == (0, SPEAKS)
    assert (one.frames(PING, 0.0), one.fault) == (0, TOO_MANY)


def test_pongs_to_our_own_pings_never_count_and_others_do() -> None:
    one = meter()
    one.watch()
    for beat in range(1000):
        assert one.frames(PONG, beat * 15.0) == len(PONG)
    assert one._tokens == 4
    assert one.frames(PONG * 30, 1e6) == 10 * len(PONG), "one more, what was left, and what came back with time"
    assert one.fault == TOO_MANY


def test_last_frame_of_the_budget_is_handled_and_no_further_one() -> None:
    one = FrameMeter(RateLimits(stranger=RateLimit(1, 2)), 0.0)
    assert [one.one_frame(framed(b"")) for _ in range(3)] == [True, True, False]
