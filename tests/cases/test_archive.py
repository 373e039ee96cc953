"""Cases of the area archive: bytes stay bytes, and any system can hold the names."""

import re

import pytest

from rageval_kit.records.world import Principal

SMALL = "suites.acl_negative.size.cases=2"
DEVICES = {"CON", "PRN", "AUX", "NUL", *(f"{p}{n}" for p in ("COM", "LPT") for n in range(10))}


def test_bug_098_converted_line_ends_are_told_and_do_not_pass(bench, worlds, command):
    ran = bench.run(worlds.neighbours(), ["ACL-01"], cases=2)
    folder = str(ran.folder)
    assert command("verify", folder).returncode == 0
    assert "* binary" in ran.text(".gitattributes").splitlines()
    for name in ("cases.jsonl", "config.yaml", "manifest.json"):
        file = ran.folder / name
        data = file.read_bytes()
        file.write_bytes(data.replace(b"\n", b"\r\n"))
        ended = command("verify", folder)
        assert ended.returncode == 1
        assert f"{name}: bytes differ; only line endings changed" in ended.stdout + ended.stderr
        file.write_bytes(data)
    assert command("verify", folder).returncode == 0


@pytest.mark.parametrize("change", ["one_byte", "removed", "added"])
def test_bug_098_any_other_change_is_named(bench, worlds, command, change):
    ran = bench.run(worlds.neighbours(), ["ACL-01"], cases=2)
    file = ran.folder / ("extra.txt" if change == "added" else "verdicts.jsonl")
    if change == "one_byte":
        data = file.read_bytes()
        file.write_bytes(data[:99] + bytes([data[99] ^ 1]) + data[100:])
    elif change == "removed":
        file.unlink()
    else:
        file.write_text("x")
    ended = command("verify", str(ran.folder))
    assert ended.returncode == 1
    assert file.name in ended.stdout + ended.stderr
    assert "only line endings" not in ended.stdout + ended.stderr


ODD = ["acl:cross-tenant/用户A", "CON", "a?b*c", "很" * 200, "x. ", "../../up", "x.", "con"]


def test_bug_114_whatever_the_ids_every_file_name_is_portable_and_the_ids_stay_inside(
    bench, worlds
):
    world = worlds.world(
        [worlds.document(name, f"paper{n} of quartz{n}.", worlds.user(f"{name}!"))
         for n, name in enumerate(ODD)],
        [Principal(f"{name}!", "acme") for name in ODD],
    )  # fmt: skip
    ran = bench.run(world, ["ACL-08", "CTL-01"], fault="revocation_ignored")
    assert ran.exit_code == 3
    names = [path.relative_to(ran.folder).as_posix() for path in ran.files]
    for name in names:
        assert len(f"{ran.folder.name}/{name}".encode()) <= 180
        for part in name.split("/"):
            assert re.fullmatch(r"[A-Za-z0-9._-]{1,80}", part)
            assert not part.endswith((".", " "))
            assert part.split(".")[0].upper() not in DEVICES
    assert len({name.lower() for name in names}) == len(names)
    assert {case["document"] for case in ran.lines("cases.jsonl")} <= set(ODD)
    assert {finding.document_id for finding in ran.record.findings} <= set(ODD)
    assert len({finding.document_id for finding in ran.record.findings}) > len(ODD) // 2


@pytest.mark.parametrize("run_id", ["acl:x", "CON", "a/b", "很", "x.", "r" * 81, ".."])
def test_bug_114_a_run_id_that_no_system_can_hold_is_refused(bench, worlds, command, run_id):
    ended = command(*bench.words(worlds.neighbours(), ["ACL-01"], SMALL),
                    f"archive.run_id='{run_id}'")  # fmt: skip
    assert ended.returncode == 2, ended.stderr
    assert "run id" in ended.stderr or "run_id" in ended.stderr
    assert not bench.archive.exists() or list(bench.archive.iterdir()) == []
