"""A clock of our own: 40 things, 10 done in 2 s is 5.0/s, so 30 take 6 s more."""

import io

from rageval_kit.cli.progress import LineProgress


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_a_terminal_gets_one_line_that_is_taken_away_again():
    stream, clock = Terminal(), Clock()
    progress = LineProgress(stream, clock)
    progress.start(40)
    clock.now = 2.0
    progress.advance(10, 1)
    assert stream.getvalue() == "\r10/40 · 1 error · 5.0/s · 0:06 left"
    progress.finish()
    assert stream.getvalue().endswith("\r")
    assert "\n" not in stream.getvalue()


def test_elsewhere_a_plain_line_every_few_seconds():
    stream, clock = io.StringIO(), Clock()
    progress = LineProgress(stream, clock, every_s=5.0)
    progress.start(40)
    for second in range(1, 11):
        clock.now = float(second)
        progress.advance(1)
    progress.finish()
    assert stream.getvalue().splitlines() == [
        "5/40 · 1.0/s · 0:35 left",
        "10/40 · 1.0/s · 0:30 left",
    ]


def test_nothing_done_says_no_rate():
    stream, clock = io.StringIO(), Clock()
    progress = LineProgress(stream, clock, every_s=0.0)
    progress.start(3)
    progress.advance(0)
    assert stream.getvalue() == "0/3\n"
