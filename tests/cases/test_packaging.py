"""Cases of the area packaging: what is installed works from a folder that knows nothing of it."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """The wheel as an installer lays it out. Its dependencies are those of this environment."""
    home = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(home / "dist")],
        cwd=REPOSITORY,
        check=True,
        capture_output=True,
        timeout=120,
    )
    (wheel,) = (home / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(home / "site")
    return home / "site"


def test_bug_081_the_installed_command_runs_in_an_empty_folder_with_choices_of_ones_own(
    unpacked, tmp_path
):
    mine, empty = tmp_path / "mine", tmp_path / "empty"
    (mine / "retriever").mkdir(parents=True)
    empty.mkdir()
    (mine / "retriever" / "narrow.yaml").write_text("kind: embedded\narms: [sparse]\n")
    ended = subprocess.run(
        [sys.executable, "-m", "rageval_kit", "+suite=smoke", "suites.smoke.size.cases=2",
         "-cd", str(mine), "retriever=narrow", "--json"],
        cwd=empty,
        env={**os.environ, "PYTHONPATH": str(unpacked), "RAGEVAL_KEY_FILE": str(tmp_path / "key")},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    folder = empty / json.loads(ended.stdout)["folder"]
    provenance = json.loads((folder / "provenance.json").read_bytes())
    own = [file for file, _ in provenance["config_files"] if "narrow.yaml" in file]
    assert own == [str(mine / "retriever" / "narrow.yaml")]
    assert all(len(digest) == 64 for _, digest in provenance["config_files"])
    assert [path.name for path in empty.iterdir()] == ["reports"]


def test_bug_081_conf_suites_and_templates_travel_and_no_archive_does(unpacked):
    data = unpacked / "rageval_kit" / "_data"
    for name in ("conf", "suites", "reports/templates"):
        shipped = {p.relative_to(data / name) for p in (data / name).rglob("*") if p.is_file()}
        there = {p.relative_to(REPOSITORY / name) for p in (REPOSITORY / name).rglob("*")
                 if p.is_file() and "__pycache__" not in p.parts}  # fmt: skip
        assert shipped == there != set()
    assert not (data / "reports" / "archive").exists()
