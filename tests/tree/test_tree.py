"""What the tree of the project must look like, whoever adds to it."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "rageval_kit"
MODULES = sorted(PACKAGE.rglob("*.py"))
TOP = {"conf", "rageval_kit", "suites", "reports", "tests", "docs"}
LONGEST = {"rageval_kit": 400, "tests": 750}  # tables of cases worked by hand may be longer
SHIPPED = ["conf", "docs", "rageval_kit", "reports/templates", "suites", "tests", ".ci"]
TEXTS = {".py", ".yaml", ".md", ".j2", ".json", ".jsonl", ".toml", ".txt", ""}
# Folders of one machine say nothing on another; an example path is /srv, /data or a temporary one.
MACHINE = re.compile(r"(?<![\w.~-])/(?:work|root|home/\w+|Users/\w+|opt/wheels|opt/pypi)\b")
LARGEST_WORLD = 2_000_000
ROWS = re.compile(r"\b(?:INSERT\s+INTO|COPY|VALUES)\b", re.IGNORECASE)


def name(path):
    return path.relative_to(ROOT).as_posix()


def trees():
    for path in MODULES:
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def test_layers_and_other_import_contracts_hold():
    tool = shutil.which("lint-imports", path=Path(sys.executable).parent)
    assert tool is not None, "pip install -e '.[dev]' brings lint-imports"
    ended = subprocess.run(
        [tool, "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    assert ended.returncode == 0, ended.stdout[-3000:] + ended.stderr[-1000:]


@pytest.mark.parametrize(("top", "most"), LONGEST.items())
def test_no_file_is_too_long_to_be_read_at_once(top, most):
    files = (ROOT / top).rglob("*.py")
    assert {name(path): n for path in files if (n := lines(path)) > most} == {}


def lines(path):
    return len(path.read_text(encoding="utf-8").splitlines())


def test_nothing_prints_but_the_command_line():
    printing = [
        f"{name(path)}:{node.lineno}"
        for path, tree in trees()
        if PACKAGE / "cli" not in path.parents
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
    ]
    assert printing == []


def test_nothing_relies_on_assert():
    """`python -O` leaves assertions out."""
    asserting = [
        f"{name(path)}:{node.lineno}"
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert)
    ]
    assert asserting == []


def test_every_module_says_in_one_sentence_what_it_answers():
    silent = [name(path) for path, tree in trees() if tree.body and not ast.get_docstring(tree)]
    assert silent == []


def test_a_broad_except_raises_again_or_says_why():
    """`except Exception` that goes on is how a crash becomes a pass."""
    silent = [
        f"{name(path)}:{handler.lineno}"
        for path, tree in trees()
        for handler in ast.walk(tree)
        if isinstance(handler, ast.ExceptHandler) and broad(handler.type)
        if not any(isinstance(node, ast.Raise) for node in handler.body)
        if not says_why(path, handler.lineno)
    ]
    assert silent == []


def broad(caught):
    names = {node.id for node in ast.walk(caught) if isinstance(node, ast.Name)} if caught else None
    return names is None or bool(names & {"Exception", "BaseException"})


def says_why(path, number):
    line = path.read_text(encoding="utf-8").splitlines()[number - 1]
    return re.search(r"# noqa: BLE001 - \w", line) is not None


def test_no_file_is_called_by_what_it_is_not():
    vague = [
        name(path)
        for path in MODULES
        if path.stem in {"utils", "util", "helpers", "helper", "misc", "common"}
    ]
    assert vague == []


def test_code_and_data_stay_apart():
    """What a database runs is code, too: it defines, and holds no row."""
    data = [
        name(p)
        for p in PACKAGE.rglob("*")
        if p.is_file() and p.suffix not in {".py", ".pyc", ".typed", ".sql"}
    ]
    data += [name(p) for p in PACKAGE.rglob("*.sql") if ROWS.search(p.read_text(encoding="utf-8"))]
    code = [
        name(p)
        for top in ("conf", "suites", "reports")
        for suffix in ("py", "sql")
        for p in (ROOT / top).rglob(f"*.{suffix}")
    ]
    assert data == []
    assert code == []


def test_the_folders_are_those_of_the_plan():
    found = {p.name for p in ROOT.iterdir() if p.is_dir() and not p.name.startswith(".")}
    assert found - {"dist", "build"} - {p.name for p in ROOT.glob("*.egg-info")} == TOP


@pytest.mark.parametrize("top", SHIPPED)
def test_no_file_speaks_of_one_machine(top):
    here = Path(__file__).resolve()
    told = []
    for path in sorted((ROOT / top).rglob("*")):
        if (
            path.is_file()
            and path.suffix in TEXTS
            and path != here
            and "__pycache__" not in path.parts
        ):
            text = path.read_text(encoding="utf-8", errors="replace")
            told += [f"{name(path)}: {found[0]}" for found in MACHINE.finditer(text)]
    assert told == []


def test_the_shipped_worlds_are_small():
    size = sum(p.stat().st_size for p in (ROOT / "suites" / "worlds").rglob("*") if p.is_file())
    assert 0 < size < LARGEST_WORLD
