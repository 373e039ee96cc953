"""One answer for subcommands, their options, groups and their options."""

import pytest

from rageval_kit.cli.completion import candidates


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("rageval-kit ver", ["verify"]),
        ("rageval-kit retr", ["retriever="]),
        ("rageval-kit +su", ["+suite="]),
        (
            "rageval-kit retriever=h",
            ["retriever=http", "retriever=http_example", "retriever=hybrid"],
        ),
        ("rageval-kit +suite=sm", ["+suite=smoke"]),
        ("rageval-kit +suite=[smoke,acl_neg", ["+suite=[smoke,acl_negative"]),
        ("rageval-kit -m retriever=bm25,den", ["retriever=bm25,dense"]),
        ("rageval-kit run retriever=b", ["retriever=bm25"]),
        ("rageval-kit plan gate=s", ["gate=strict"]),
        ("rageval-kit fault=deny_al", ["fault=deny_all"]),
        ("rageval-kit verify --e", ["--expect"]),
        ("rageval-kit suites li", ["list"]),
        ("rageval-kit --multi", ["--multirun"]),
        ("rageval-kit 'unclosed", []),
    ],
)
def test_what_may_follow(line, found):
    assert candidates(line) == found


def test_the_first_word_offers_every_subcommand():
    assert {"run", "verify", "doctor"} <= set(candidates("rageval-kit "))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script_that_asks_us(kit, shell):
    ended = kit("completion", shell)
    assert ended.returncode == 0
    assert "rageval-kit completion words" in ended.stdout


def test_bash_completes_behind_an_equals_sign(tmp_path, kit):
    import subprocess
    import sys

    command = tmp_path / "rageval-kit"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rageval_kit "$@"\n')
    command.chmod(0o755)
    script = kit("completion", "bash").stdout
    asked = "rageval-kit retriever=bm"
    ended = subprocess.run(
        [
            "bash",
            "-c",
            script
            + f"""
COMP_LINE='{asked}'; COMP_POINT={len(asked)}; COMP_WORDS=(rageval-kit retriever = bm)
COMP_CWORD=3; _rageval_kit 2>/dev/null; printf '%s\\n' "${{COMPREPLY[@]}}"
""",
        ],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ended.stdout == "bm25\n", ended.stderr
