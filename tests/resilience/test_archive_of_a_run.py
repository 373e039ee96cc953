"""What verify, report and replay make of a real run's archive, whole and harmed."""

import random
import shutil
from pathlib import Path

import pytest
from resilience_kit import FAULT, SMALL, Command, one_line

import rageval_kit
from rageval_kit.archive.verify import verify

SEED = 20261130
PAGES = tuple(word for word in SMALL if not word.startswith("report."))


@pytest.fixture(scope="module")
def made(tmp_path_factory, home):
    """Two archives with pages: one in English, one in Chinese with fewer sections and findings."""
    folder = tmp_path_factory.mktemp("archives")
    kit = Command(folder, home)
    sections = "report.sections=[verdict,findings,held,verify]"
    english = kit(*PAGES, "archive.run_id=en")
    chinese = kit(*PAGES, FAULT, "archive.run_id=zh", "report.lang=zh", sections)
    assert (english.returncode, chinese.returncode) == (0, 3), (english, chinese)
    return kit, english


@pytest.fixture
def run(made, tmp_path):
    kit, _ = made
    return Path(shutil.copytree(kit.folder / "reports/archive/en", tmp_path / "run"))


def test_each_of_200_flipped_bytes_is_found(run):
    chance = random.Random(SEED)
    files = sorted(path for path in run.rglob("*") if path.is_file())
    sizes = [path.stat().st_size for path in files]
    hit = {run / "manifest.json"}
    for number in range(200):
        path = run / "manifest.json" if number < 10 else chance.choices(files, sizes)[0]
        data = path.read_bytes()
        place = chance.randrange(len(data))
        flipped = data[place] ^ (1 << chance.randrange(8))
        path.write_bytes(data[:place] + bytes([flipped]) + data[place + 1 :])
        report = verify(run)
        path.write_bytes(data)
        assert report.exit_code == 1, (path.name, place)
        assert any(path.name in problem for problem in report.problems), report.problems
        hit.add(path)
    assert len(hit) > 5
    assert verify(run).exit_code == 0


def test_expect_tells_the_archive_from_another(made):
    kit, english = made
    digest = english.stderr.rpartition("digest")[2].strip()
    assert kit("verify", "en", "--expect", digest).returncode == 0
    told = kit("verify", "zh", "--expect", digest)
    assert told.returncode == 1
    assert "not the archive you know" in told.stderr
    assert kit("verify", "en", "--expect", "no digest").returncode == 2


@pytest.mark.parametrize("name", ["notes.txt", "evidence/more.txt", ".hidden"])
def test_one_added_file_is_named(made, run, name):
    (run / name).write_text("mine")
    ended = made[0]("verify", str(run))
    assert ended.returncode == 1
    assert f"{name}: added, not in the manifest" in ended.stderr


@pytest.mark.parametrize("name", ["report.html", "evidence/README.txt", "verdicts.jsonl"])
def test_one_removed_file_is_named(made, run, name):
    (run / name).unlink()
    ended = made[0]("verify", str(run))
    assert ended.returncode == 1
    assert f"{name}: missing" in ended.stderr


def test_without_its_manifest_it_is_no_archive(made, run):
    (run / "manifest.json").unlink()
    assert made[0]("verify", str(run)).returncode == 2


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("form", ["html", "md"])
def test_rendered_again_the_page_is_the_same_to_the_byte(made, lang, form):
    kit, _ = made
    ended = kit("report", lang, "--format", form, "-o", f"again.{form}")
    assert ended.returncode == 0, ended.stderr
    archived = kit.folder / f"reports/archive/{lang}/report.{form}"
    assert (kit.folder / f"again.{form}").read_bytes() == archived.read_bytes()
    printed = kit.shell(f"{{kit}} report {lang} --format {form} | cmp - {archived}")
    assert printed.returncode == 0, printed


def test_another_language_is_given_where_it_is_asked_for(made):
    kit, _ = made
    assert "安全" in kit("report", "en", "--format", "md", "--lang", "zh").stdout


@pytest.mark.parametrize(("run_id", "case"), [("en", ""), ("en", "ACL-01-00002"), ("zh", "")])
def test_replayed_it_comes_to_the_same(made, run_id, case):
    kit, _ = made
    ended = kit("replay", run_id, *([case] if case else []))
    assert ended.returncode == 0, ended.stderr
    assert " repeated, 0 came to something else" in ended.stderr


def test_an_unknown_case_is_2_with_the_nearest(made):
    ended = made[0]("replay", "en", "ACL-01-00009")
    assert ended.returncode == 2
    one_line(ended, "ACL-01-00009", "is not in this run")


def test_after_the_suite_changed_replay_refuses_by_its_hash(made, tmp_path):
    kit, _ = made
    package = Path(rageval_kit.__file__).parent
    trees = [package] if (package / "_data").is_dir() else []
    trees = trees or [package, *(package.parent / name for name in ("conf", "suites", "reports"))]
    for one in trees:
        keep_out = shutil.ignore_patterns("archive" if one.name == "reports" else "__pycache__")
        shutil.copytree(one, tmp_path / one.name, ignore=keep_out)
    (family,) = tmp_path.rglob("suites/families/ACL-01.yaml")
    family.write_text(family.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    ended = kit("replay", "en", env={"PYTHONPATH": str(tmp_path)})
    assert ended.returncode == 2
    one_line(ended, "suite: is not the one that the run used")


def test_an_interrupted_run_is_neither_reported_nor_replayed(kit):
    assert kit(*SMALL, env={"STRIKE": "kill:17"}).returncode == -9
    (run,) = kit.runs()
    for command, said in (("report", "summary.json"), ("replay", "summary.json")):
        ended = kit(command, run.name)
        assert ended.returncode == 2
        one_line(ended, said)
    told = kit("verify", run.name)
    assert told.returncode == 2
    assert "an interrupted run; resume it" in told.stderr
