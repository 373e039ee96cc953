"""What people install works from any folder and carries what it needs and nothing more."""

import json
import tarfile
import tomllib
import zipfile
from email.parser import Parser
from hashlib import sha256
from pathlib import Path

import pytest

pytestmark = pytest.mark.wheel
ROOT = Path(__file__).resolve().parents[2]
TREES = ["conf", "suites", "reports/templates"]
HEAVY = {"torch", "transformers", "sentence-transformers", "tensorflow", "ray", "pyspark"}
LARGEST = 4_000_000


@pytest.mark.parametrize("tree", TREES)
def test_every_data_file_of_the_checkout_is_in_the_wheel(packages, tree):
    there = {
        f"rageval_kit/_data/{path.relative_to(ROOT).as_posix()}"
        for path in (ROOT / tree).rglob("*")
        if path.is_file()
    }
    assert there
    assert there <= set(packages.names())


def test_every_module_of_the_checkout_is_in_the_wheel(packages):
    there = {p.relative_to(ROOT).as_posix() for p in (ROOT / "rageval_kit").rglob("*.py")}
    assert there <= set(packages.names())


def test_the_wheel_holds_no_evidence_no_tests_and_nothing_beside_the_package(packages):
    tops = {name.split("/")[0] for name in packages.names()}
    assert tops == {"rageval_kit", next(top for top in tops if top.endswith(".dist-info"))}
    assert [name for name in packages.names() if "archive/2" in name or "test" in name] == []
    assert [name for name in packages.names() if name.endswith((".pyc", ".log"))] == []
    assert packages.wheel.stat().st_size < LARGEST


def test_the_source_archive_holds_no_evidence(packages):
    with tarfile.open(packages.sdist) as file:
        names = ["/".join(name.split("/")[1:]) for name in file.getnames()]
    assert [name for name in names if name.startswith(("reports/archive", ".ci", ".git/"))] == []
    assert {"pyproject.toml", "README.md", "LICENSE", "conf/config.yaml"} <= set(names)


def test_the_wheel_made_of_the_source_archive_is_the_same(packages):
    with zipfile.ZipFile(packages.wheel) as one, zipfile.ZipFile(packages.wheel_of_sdist) as other:
        assert {i.filename: i.CRC for i in one.infolist()} == {
            i.filename: i.CRC for i in other.infolist()
        }


def test_what_it_asks_for_is_what_the_project_says_and_light(packages):
    told = Parser().parsestr(packages.text(".dist-info/METADATA"))
    asked = [one for one in told.get_all("Requires-Dist") if "extra ==" not in one]
    said = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert len(asked) == len(said["dependencies"])
    assert not {one.split(">")[0].split("[")[0].lower() for one in asked} & HEAVY
    assert told["License-Expression"] == "Apache-2.0"
    assert told["Requires-Python"] == ">=3.11"
    assert "rageval-kit = rageval_kit.cli:main" in packages.text("entry_points.txt")


def test_bug_081_an_installed_run_works_from_an_empty_folder(installed):
    ended = installed("+suite=smoke", "--json")
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout)
    assert told["exit_code"] == 0
    assert told["cases"]["executed"] > 0
    assert (installed.folder / told["folder"] / "manifest.json").is_file()
    assert installed("verify", told["run_id"]).returncode == 0


def test_bug_081_a_folder_of_ones_own_counts_and_is_in_the_provenance(installed):
    mine = installed.folder / "mine" / "suite" / "tiny.yaml"
    mine.parent.mkdir(parents=True)
    mine.write_text(
        "# @package suites.tiny\nfamilies: {ids: [ACL-01]}\nsize: {cases: 2}\n"
        "required_taps: [retrieve]\n",
        encoding="utf-8",
    )
    ended = installed("+suite=tiny", "--config-dir", "mine", "--json")
    assert ended.returncode == 0, ended.stderr
    folder = installed.folder / json.loads(ended.stdout)["folder"]
    told = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
    files = dict(told["config_files"])
    digests = {path: digest for path, digest in files.items() if path.endswith("suite/tiny.yaml")}
    assert list(digests.values()) == [sha256(mine.read_bytes()).hexdigest()]
    assert any(path.endswith("config.yaml") for path in files)


def test_what_it_reads_lies_in_the_installed_package(installed):
    ended = installed("doctor", "--json")
    assert ended.returncode == 0, ended.stdout
    found = {line["what"]: line["found"] for line in json.loads(ended.stdout)}
    for tree in TREES:
        assert Path(found[tree]).is_relative_to(installed.home), found[tree]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--cfg", "job", "+suite=acl_negative"], "- ACL-*"),
        (["plan", "+suite=smoke"], "recall_at_10"),
        (["suites", "list"], "acl_negative"),
        (["suites", "list", "--faults"], "cache_key_without_principal"),
        (["suites", "show", "ACL-08"], "revocation"),
        (["-h"], "verify"),
        (["--version"], "rageval-kit"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
def test_a_command_answers_from_an_empty_folder_and_leaves_nothing(installed, words, said):
    ended = installed(*words)
    assert ended.returncode == 0, ended.stderr
    assert said in ended.stdout
    assert list(installed.folder.iterdir()) == []
