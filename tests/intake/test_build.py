"""What people bring becomes a snapshot, whole or not at all."""

import io
import json
import os
import tarfile
import zipfile
from datetime import UTC, date, datetime

import pytest

from rageval_kit.corpus.snapshots import load_snapshot
from rageval_kit.intake.build import build_snapshot
from rageval_kit.records.faults import InputError, KitError
from rageval_kit.records.world import Effect, SubjectKind

CLOCK = "2024-08-01T00:00:00Z"


def build(source, tmp_path, **options):
    options.setdefault("clock", CLOCK)
    options.setdefault("defaults", {"tenant": "t"})
    return build_snapshot(source, tmp_path / "out", name="kb", **options)


def documents(source, tmp_path, **options):
    return load_snapshot(build(source, tmp_path, **options).folder).documents


def allowed(document):
    return {(e.subject_kind, e.subject_id) for e in document.entries if e.effect is Effect.ALLOW}


def test_bug_050_an_absent_allow_column_is_refused_and_an_empty_one_is_nobody(tmp_path):
    path = tmp_path / "d.jsonl"
    rows = [
        {"id": "d1", "text": "a", "allow_groups": []},
        {"id": "d2", "text": "b", "allow_groups": ["hr"]},
        {"id": "d3", "text": "c", "public": True},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    found = documents(path, tmp_path, columns={"id": "document_id"})
    assert [allowed(found[i]) for i in ("d1", "d2", "d3")] == [
        set(),
        {(SubjectKind.UNIT, "hr")},
        {(SubjectKind.PUBLIC, "")},
    ]
    rows += [
        {"id": "d4", "text": "d"},
        {"id": "d5", "text": "e", "public": False},
        {"id": "d6", "text": "e", "allow_groups": None},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(InputError) as refused:
        build(path, tmp_path, columns={"id": "document_id"})
    assert [str(f).split(": ")[0] for f in refused.value.faults] == [
        f"{path}:{n}" for n in (4, 5, 6)
    ]
    assert all("no column says who may read" in str(f) for f in refused.value.faults)


def test_bug_089_no_spelling_of_false_makes_a_document_public(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text(
        "doc_id,is_public,allow_users,text\nd1,False,,x\nd2,no,,x\nd3,0,,x\nd4,true,,x\n"
    )
    columns = {"doc_id": "document_id", "is_public": "public"}
    found = documents(path, tmp_path, columns=columns)
    assert [bool(allowed(found[f"d{n}"])) for n in (1, 2, 3, 4)] == [False, False, False, True]
    path.write_text("doc_id,is_public,allow_users,text\nd1,否?,,x\nd2,否,,x\n", encoding="utf-8")
    with pytest.raises(InputError, match="neither yes nor no") as refused:
        build(path, tmp_path, columns=columns)
    assert len(refused.value.faults) == 1


def test_bug_086_and_087_ids_of_a_table_are_text(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("document_id,allow_users,text\n00012,0007;NA,x\nnull,,NA\n")
    found = documents(path, tmp_path)
    assert list(found) == ["00012", "null"]
    assert {i for _, i in allowed(found["00012"])} == {"0007", "NA"}
    assert found["null"].versions[0].chunks[0].text == "NA"


def test_a_column_nobody_reads_is_refused_with_the_nearest(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("document_id,allow_users,deny_user,text\nd,a,b,x\n")
    with pytest.raises(InputError, match="deny_users"):
        build(path, tmp_path)
    assert list(documents(path, tmp_path, ignore=["deny_user"])) == ["d"]


def test_parquet_keeps_lists_dates_and_versions(tmp_path):
    import polars as pl

    path = tmp_path / "d.parquet"
    pl.DataFrame(
        {
            "document_id": [7, 7],
            "version_id": ["7a", "7b"],
            "text": ["年假10天", "年假15天"],
            "valid_from": [date(2023, 1, 1), date(2024, 7, 1)],
            "valid_to": [date(2024, 6, 30), None],
            "recorded_from": [datetime(2023, 1, 1, tzinfo=UTC), datetime(2024, 6, 1, tzinfo=UTC)],
            "allow_users": [["old"], ["new"]],
        }
    ).write_parquet(path)
    document = documents(path, tmp_path, timezone="Asia/Shanghai")["7"]
    assert document.versions[0].valid_to == document.versions[1].valid_from
    # the list of the newest recorded version holds for all
    assert allowed(document) == {(SubjectKind.USER, "new")}


def test_rows_of_chunks_are_gathered_under_their_version(tmp_path):
    path = tmp_path / "d.jsonl"
    rows = [
        {
            "document_id": "d",
            "version_id": "v",
            "chunk_id": f"c{n}",
            "text": f"t{n}",
            "everyone": True,
        }
        for n in (1, 2)
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    [version] = documents(path, tmp_path)["d"].versions
    assert [(c.chunk_id, c.text) for c in version.chunks] == [("c1", "t1"), ("c2", "t2")]


def test_a_document_id_that_stands_twice_is_refused_with_both_lines(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("document_id,allow_users,text\nd,,x\ne,,x\nd,,y\n")
    with pytest.raises(InputError, match="line 2, line 4"):
        build(path, tmp_path)


def test_bug_091_dropped_documents_are_counted(tmp_path):
    path = tmp_path / "d.jsonl"
    rows = [
        {"document_id": f"d{n}", "text": "x" if n < 9 else 5, "allow_users": []} for n in range(20)
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(InputError) as refused:
        build(path, tmp_path)
    assert len(refused.value.faults) == 11
    assert not (tmp_path / "out").exists()
    built = build(path, tmp_path, drop_invalid=True)
    assert (built.report.kept, len(built.report.dropped)) == (9, 11)
    assert len(load_snapshot(built.folder).documents) == 9


@pytest.fixture
def pages(tmp_path):
    folder = tmp_path / "pages"
    (folder / "hr").mkdir(parents=True)
    (folder / "hr" / "leave.md").write_text(
        "---\nallow_units: [hr]\nvalid_from: 2024-07-01\nlabel: NO\n---\n"
        "# Leave\n\nFifteen days.\n\n## Table\n\n| city | cap |\n|---|---|\n| 北京 | 800 |\n",
        encoding="utf-8",
    )
    (folder / "note.txt").write_bytes(b"\xef\xbb\xbfPlain text.\r\n\r\nSecond.\r\n")
    return folder


def test_pages_keep_title_location_and_table_header(pages, tmp_path):
    found = documents(
        pages,
        tmp_path,
        defaults={"tenant": "t", "allow_units": [], "valid_from": "2024-01-01"},
        policy={"labels": ["NO"]},
    )
    leave = found["hr/leave.md"]
    assert (leave.label, leave.versions[0].title) == ("NO", "Leave")
    assert allowed(leave) == {(SubjectKind.UNIT, "hr")}
    body, table = leave.versions[0].chunks
    assert body.location.startswith("Leave ¶1 @")
    assert table.location.startswith("Leave > Table ¶2 @")
    assert (table.kind, table.table_header) == ("table", "| city | cap |\n|---|---|")
    assert found["note.txt"].versions[0].chunks[0].text == "Plain text.\r\n\r\nSecond."
    assert allowed(found["note.txt"]) == set()


def test_a_page_that_says_nothing_of_its_readers_is_refused(pages, tmp_path):
    with pytest.raises(InputError, match=r"note\.txt:1: allow_units: no column says who may read"):
        build(pages, tmp_path, policy={"labels": ["NO"]})


def test_bug_094_two_pages_with_one_name_after_nfc_are_refused(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    for name in ("Releve\u0301.txt", "Relev\u00e9.txt"):
        (folder / name).write_text("x")
    if len(list(folder.iterdir())) < 2:
        pytest.skip("this file system composes names itself")
    with pytest.raises(InputError, match="same id after NFC"):
        build(folder, tmp_path, defaults={"tenant": "t", "allow_units": []})


def test_a_link_among_the_pages_is_refused(pages, tmp_path):
    (pages / "up.txt").symlink_to("/etc/hostname")
    with pytest.raises(InputError, match=r"up\.txt: is a link"):
        build(pages, tmp_path, policy={"labels": ["NO"]})


def _tar(path, members):
    with tarfile.open(path, "w:gz") as archive:
        for name, kind, content in members:
            info = tarfile.TarInfo(name)
            info.type = kind
            if kind == tarfile.REGTYPE:
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
            else:
                info.linkname = content
                archive.addfile(info)


def test_bug_095_an_archive_that_reaches_outside_is_refused_whole(tmp_path):
    path = tmp_path / "work" / "in" / "a.tar.gz"
    path.parent.mkdir(parents=True)
    file = tarfile.REGTYPE
    _tar(
        path,
        [
            ("docs/a.txt", file, b"good"),
            ("../evil.txt", file, b"bad"),
            ("/abs.txt", file, b"bad"),
            ("lnk", tarfile.SYMTYPE, ".."),
            ("lnk/evil2.txt", file, b"bad"),
            ("hard", tarfile.LNKTYPE, "docs/a.txt"),
            ("pipe", tarfile.FIFOTYPE, ""),
            ("C:\\evil3.txt", file, b"bad"),
            ("docs/A.txt", file, b"twice where names fold"),
        ],
    )
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(InputError) as refused:
        build(path, tmp_path)
    said = "\n".join(map(str, refused.value.faults))
    assert len(refused.value.faults) == 8
    for name in ("../evil.txt", "/abs.txt", "'lnk'", "lnk/evil2.txt", "hard", "pipe", "evil3.txt"):
        assert name in said
    assert "docs/a.txt'" in said  # only as the one A.txt collides with
    assert sorted(tmp_path.rglob("*")) == before


def test_bug_095_a_zip_with_a_link_or_a_path_upwards_is_refused(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("docs/a.txt", "good")
        archive.writestr("../evil.txt", "bad")
        link = zipfile.ZipInfo("lnk")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "..")
        archive.writestr("lnk/evil2.txt", "bad")
    with pytest.raises(InputError) as refused:
        build(path, tmp_path)
    assert [str(f).split("'")[1] for f in refused.value.faults] == [
        "../evil.txt",
        "lnk",
        "lnk/evil2.txt",
    ]


def test_an_archive_gives_the_same_snapshot_as_its_folder(pages, tmp_path):
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as archive:
        archive.add(pages, arcname="pages")
    zipped = tmp_path / "a.zip"
    with zipfile.ZipFile(zipped, "w") as archive:
        for file in pages.rglob("*.*"):
            archive.write(file, file.relative_to(pages))
    options = {"defaults": {"tenant": "t", "allow_units": []}, "policy": {"labels": ["NO"]}}
    digests = {build(source, tmp_path, **options).digest for source in (pages, path, zipped)}
    assert len(digests) == 1


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
def test_what_is_no_archive_is_said(tmp_path, name):
    (tmp_path / name).write_bytes(b"nothing of the kind")
    with pytest.raises(InputError, match="not an archive"):
        build(tmp_path / name, tmp_path)


def test_nothing_stays_of_a_build_that_fails(tmp_path, monkeypatch):
    from rageval_kit.corpus import snapshots

    def full(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(snapshots, "_write_lines", full)
    path = tmp_path / "d.csv"
    path.write_text("document_id,allow_users,text\nd,,x\n")
    with pytest.raises(KitError, match="No space left"):
        build(path, tmp_path)
    assert os.listdir(tmp_path / "out") == []  # noqa: PTH208 - hidden files count


@pytest.mark.parametrize("name", ["../x", "a/b", "", "..", "."])
def test_a_name_that_is_a_path_is_refused(tmp_path, name):
    with pytest.raises(InputError, match="folder's name"):
        build_snapshot(tmp_path, tmp_path / "out", name=name, clock=CLOCK)


def test_a_source_without_a_clock_needs_one_said(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("document_id,allow_users,text\nd,,x\n")
    with pytest.raises(InputError, match="no clock"):
        build(path, tmp_path, clock=None)


@pytest.mark.parametrize(
    ("content", "row", "said"),
    [
        ("document_id,text,text\nd,x,y\n", 1, "a column twice"),
        ("", 1, "no head line"),
        ("document_id,allow_users,text\nd,,x,y\n", 2, "has 4 cells"),
        ('document_id,allow_users,text\nd,,"x\n', 2, "not CSV"),
        ('document_id,allow_users,text\n"a\nb",,x\nd,,x,y\n', 4, "has 4 cells"),
        ("document_id,allow_users,text\n,,x\n", 2, "is missing"),
        ('document_id,allow_users,text\nd,"[""a"",]",x\n', 2, "not a JSON list"),
    ],
)
def test_a_line_of_csv_that_cannot_be_read_is_named(tmp_path, content, row, said):
    path = tmp_path / "d.csv"
    path.write_bytes(content.encode())
    with pytest.raises(InputError) as refused:
        build(path, tmp_path)
    assert any(f"d.csv:{row}" in str(f) and said in str(f) for f in refused.value.faults)


def test_a_default_list_never_widens_the_list_of_a_row(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("document_id,allow_users,text\nd,bob,x\n")
    found = documents(path, tmp_path, defaults={"tenant": "t", "allow_units": ["hr"]})
    assert allowed(found["d"]) == {(SubjectKind.USER, "bob")}


def test_rows_of_one_document_that_contradict_each_other_are_named(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text(
        "document_id,version_id,chunk_id,label,allow_users,text\n"
        "d,v,c1,low,a,x\nd,v,c2,low,b,x\nd,w,c3,high,a,x\n"
    )
    with pytest.raises(InputError) as refused:
        build(path, tmp_path, policy={"labels": ["low", "high"]})
    assert [str(f).split(": differs")[0] for f in refused.value.faults] == [
        f"{path}:3: allow_users",
        f"{path}:4: label",
    ]


def test_dropping_takes_the_whole_document_where_one_of_its_rows_is_bad(tmp_path):
    path = tmp_path / "d.jsonl"
    rows = [
        {
            "document_id": d,
            "version_id": f"{d}v",
            "chunk_id": f"{d}{n}",
            "text": t,
            "everyone": True,
        }
        for d, n, t in [("a", 1, "x"), ("a", 2, 5), ("b", 1, "y")]
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(InputError, match=r"d\.jsonl:2"):
        build(path, tmp_path)
    built = build(path, tmp_path, drop_invalid=True)
    assert list(load_snapshot(built.folder).documents) == ["b"]
    assert (built.report.kept, built.report.dropped) == (1, ((str(path), 1),))


def test_a_column_that_gives_every_row_one_id_does_not_flood_the_report(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("document_id,allow_users,text\n" + "d,,x\n" * 2000)
    with pytest.raises(InputError) as refused:
        build(path, tmp_path)
    assert len(refused.value.faults) == 2000
    assert "line 11 and 1990 more" in str(refused.value.faults[0])
    assert len(str(refused.value)) < 1_000_000
