"""Whatever locale, terminal or pipe: no trace, and the exit code of the decision (here 3)."""

import json
import os
import pty

import pytest
from resilience_kit import FAULT, SMALL, one_line, text, verdicts

SHELL = " ".join(f"'{word}'" for word in (*SMALL, FAULT))
PLAIN_C = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize(
    ("env", "lang"),
    [
        (PLAIN_C, "en"),
        ({"PYTHONIOENCODING": "gbk"}, "zh"),
        (PLAIN_C | {"PYTHONIOENCODING": "ascii"}, "zh"),
        ({"TERM": "dumb", "COLUMNS": "40", "NO_COLOR": "1"}, "zh"),
        ({"LC_ALL": "no_SUCH.locale", "TERM": None, "COLUMNS": "0"}, "en"),
    ],
    ids=["c_locale", "gbk", "ascii", "dumb_40_columns", "unknown_locale"],
)
def test_locale_and_console_change_nothing(kit, undisturbed, env, lang):
    ended = kit(*SMALL, FAULT, f"lang={lang}", "--json", env=env)
    assert ended.returncode == 3, ended.stderr
    assert "Traceback" not in ended.stderr
    assert json.loads(ended.stdout)["exit_code"] == 3
    (run,) = kit.sealed()
    assert verdicts(run) == verdicts(undisturbed(FAULT).run)
    assert ("安全" in (run / "report.md").read_text(encoding="utf-8")) == (lang == "zh")


def test_a_locale_that_cannot_read_the_words_is_2_on_one_line(kit):
    ended = kit(*SMALL, "archive.root='证据 库'", env=PLAIN_C)
    assert ended.returncode == 2, ended.stderr
    one_line(ended, "command line: holds what is not ascii", "set PYTHONUTF8=1")
    again = kit(*SMALL, "archive.root='证据 库'", env={"LC_ALL": "C"})
    assert again.returncode == 0, again.stderr
    (run,) = kit.sealed("证据 库")
    assert kit("verify", str(run), env={"LC_ALL": "C"}).returncode == 0


@pytest.mark.parametrize(
    "line",
    [
        "{kit} WORDS 2>&-",
        "{kit} WORDS --json <&- >&- 2>&-",
        "{kit} WORDS 2>&1 | head -c 1",
        "{kit} WORDS 2> >(exit 0)",
        "{kit} WORDS --json | head -1",
        "{kit} WORDS --json > /dev/full",
        "{kit} WORDS 2> /dev/full",
        "{kit} -m WORDS seed=1 --json > /dev/full",
    ],
)
def test_no_stream_changes_the_exit_code(kit, line):
    ended = kit.shell(line.replace("WORDS", SHELL))
    assert ended.returncode == 3, ended
    assert "Traceback" not in ended.stderr + ended.stdout
    assert "Exception ignored" not in ended.stderr
    (run,) = kit.sealed()
    assert kit("verify", str(run)).returncode == 0


def test_a_success_that_cannot_be_told_is_none(kit):
    ended = kit.shell(f"{{kit}} {SHELL.replace(FAULT, 'seed=7')} --json > /dev/full")
    assert ended.returncode == 5
    assert "standard output: cannot be written: No space left on device" in ended.stderr


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("{kit} report RUN --format md | head -1", 0),
        ("{kit} report RUN --format md > /dev/full", 5),
        ("{kit} report RUN --format md >&-", 0),
        ("{kit} verify RUN 2>&-", 0),
        ("{kit} verify RUN --json | true", 0),
        ("{kit} verify RUN --json > /dev/full", 5),
        ("{kit} verify RUN --expect " + "0" * 64 + " 2>&1 | true", 1),
        ("{kit} suites list | true", 0),
        ("{kit} suites show ACL-01 > /dev/full", 5),
        ("{kit} plan +suite=smoke | true", 0),
        ("{kit} -h | true", 0),
        ("{kit} --version > /dev/full", 5),
        ("{kit} +suite=smoke --cfg job | true", 0),
        ("{kit} nonsense 2>&1 | true", 2),
    ],
)
def test_other_commands_in_pipes(kit, undisturbed, line, code):
    ended = kit.shell(line.replace("RUN", str(undisturbed().run)))
    assert ended.returncode == code, ended
    assert "Traceback" not in ended.stderr
    assert "Exception ignored" not in ended.stderr


def test_on_a_terminal_of_40_columns_the_progress_line_is_taken_away(kit):
    leader, follower = pty.openpty()
    process = kit.start(
        *SMALL, FAULT, env={"TERM": "xterm", "COLUMNS": "40"}, stdout=follower, stderr=follower
    )
    os.close(follower)
    said = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:  # the other end is closed
            break
        said += piece
    os.close(leader)
    assert process.wait(60) == 3
    assert "Traceback" not in text(said)
    assert "FAIL" in text(said)
