"""Builds sdist and wheel once, from a copy of the checkout that holds evidence of a run."""

import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COPIED = ["pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", ".gitignore"]
COPIED += ["conf", "docs", "rageval_kit", "reports/templates", "suites", "tests", ".ci"]
EVIDENCE = "reports/archive/20260101T000000Z-00000000/report.html"


def run(words, folder, **options):
    return subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
        **options,
    )


def built(source, out, *targets):
    words = [sys.executable, "-m", "hatchling", "build", "-d", out]
    for target in targets:
        words += ["-t", target]
    ended = run(words, source)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return sorted(out.iterdir())


@dataclass(frozen=True)
class Built:
    wheel: Path
    sdist: Path
    wheel_of_sdist: Path

    def names(self):
        with zipfile.ZipFile(self.wheel) as file:
            return file.namelist()

    def text(self, suffix):
        with zipfile.ZipFile(self.wheel) as file:
            (name,) = [name for name in file.namelist() if name.endswith(suffix)]
            return file.read(name).decode()


@pytest.fixture(scope="session")
def packages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("packages")
    source = folder / "source"
    for name in COPIED:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)
    evidence = source / EVIDENCE
    evidence.parent.mkdir(parents=True)
    evidence.write_text("evidence of somebody's run", encoding="utf-8")
    sdist, wheel = built(source, folder / "dist", "sdist", "wheel")
    if sdist.suffix == ".whl":
        sdist, wheel = wheel, sdist
    with tarfile.open(sdist) as file:
        file.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    (again,) = built(unpacked, folder / "again", "wheel")
    return Built(wheel, sdist, again)


@dataclass(frozen=True)
class Installed:
    """The wheel in an environment of its own; what it depends on is borrowed from this one."""

    home: Path
    folder: Path

    def __call__(self, *words):
        return run([self.home / "bin" / "rageval-kit", *words], self.folder)


@pytest.fixture(scope="session")
def home(packages, tmp_path_factory):
    home = tmp_path_factory.mktemp("installed") / "environment"
    venv.create(home, symlinks=True)
    python = home / "bin" / "python"
    words = [sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index"]
    ended = run([*words, packages.wheel], home)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (site,) = home.glob("lib/python*/site-packages")
    # Named in a .pth, a folder gives its packages, but its own .pth (the editable one) is not read.
    borrowed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (site / "borrowed.pth").write_text("\n".join(sorted(borrowed)) + "\n", encoding="utf-8")
    return home


@pytest.fixture
def installed(home, tmp_path):
    return Installed(home, tmp_path)
