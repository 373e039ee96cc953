"""Tables of judgments and rankings: each form, each refusal, and the same data in all forms."""

import gzip
import json
import unicodedata
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rageval_kit.intake import table_forms, table_lines, table_rows
from rageval_kit.intake.ranking_tables import (
    format_of,
    is_table,
    ranking_blocks,
    read_judgments,
)
from rageval_kit.records.faults import InputError

JUDGED = [("q1", "d1", 2), ("q1", "d2", 0), ("问题二", "文档,甲", 1), ("00123", "NO", 3)]
RANKED = [("q1", "d1", 0.9), ("q1", "d2", 0.25), ("问题二", "文档,甲", -1.5), ("00123", "1.0", 3.0)]


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def cell(value: object) -> str:
    return '"' + str(value).replace('"', '""') + '"'


def csv_text(head: str, rows: list, separator: str = ",") -> str:
    return "\n".join([head, *(separator.join(map(cell, row)) for row in rows)]) + "\n"


def jsonl_text(names: tuple, rows: list) -> str:
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)


def mapping(rows: list) -> dict:
    whole: dict = {}
    for query_id, document_id, number in rows:
        whole.setdefault(query_id, {})[document_id] = number
    return whole


def pairs(frame: pl.DataFrame, value: str) -> list:
    return frame.select("query_id", "document_id", value).rows()


def ranked(path: Path, rows: int = 2_000_000) -> list:
    return [row for block in ranking_blocks(path, rows) for row in pairs(block, "score")]


def refused(read, path: Path) -> str:
    with pytest.raises(InputError) as error:
        read(path)
    return str(error.value)


def refused_judgments(path: Path) -> str:
    return refused(read_judgments, path)


def refused_ranking(path: Path) -> str:
    return refused(ranked, path)


def judgment_files(folder: Path) -> list[Path]:
    names = ("query-id", "Corpus-ID", "score")
    frame = pl.DataFrame(JUDGED, schema=["qid", "doc_id", "rel"], orient="row")
    frame.write_parquet(folder / "a.parquet")
    nested = [
        {"query_id": q, "question": "?", "relevant_passages": documents}
        for q, documents in mapping(JUDGED).items()
    ]
    text = csv_text("query_id,doc_id,relevance", JUDGED)
    (folder / "p.parquet.gz").write_bytes(gzip.compress((folder / "a.parquet").read_bytes()))
    files = [
        folder / "a.parquet",
        folder / "p.parquet.gz",
        write(folder / "a.csv", text),
        write(folder / "crlf.csv", "\ufeff" + text.replace("\n", "\r\n") + "\r\n\r\n"),
        write(folder / "semicolon.csv", csv_text("query_id;doc_id;grade", JUDGED, ";")),
        write(folder / "a.csv.gz", gzip.compress(text.encode())),
        write(folder / "a.tsv", csv_text("\t".join(names), JUDGED, "\t")),
        write(folder / "a.jsonl", jsonl_text(names, JUDGED)),
        write(folder / "a.ndjson.gz", gzip.compress(jsonl_text(names, JUDGED).encode())),
        write(folder / "nested.jsonl", "\n".join(json.dumps(item) for item in nested)),
        write(folder / "a.json", json.dumps(mapping(JUDGED), indent=1)),
        write(folder / "list.json", json.dumps([dict(zip(names, r, strict=True)) for r in JUDGED])),
        write(folder / "named_for_nothing", text),
        write(folder / "nothing_either", jsonl_text(names, JUDGED)),
    ]
    write(folder / "beir" / "qrels" / "test.tsv", csv_text("\t".join(names), JUDGED, "\t"))
    for name in ("a.csv", "a.jsonl", "a.json"):
        files.append(zstd(folder / name))
    return [*files, folder / "beir"]


def zstd(path: Path) -> Path:
    """Pack with polars, which writes lines as they are."""
    packed = path.with_name(path.name + ".zst")
    lines = pl.DataFrame({"line": path.read_text("utf-8").rstrip("\n").split("\n")})
    lines.write_csv(
        packed,
        compression="zstd",
        check_extension=False,
        include_header=False,
        quote_style="never",
    )
    return packed


def ranking_files(folder: Path) -> list[Path]:
    names = ("q_id", "passage-id", "similarity")
    pl.DataFrame(RANKED, schema=names, orient="row").write_parquet(folder / "r.parquet")
    nested = [
        {"query_id": q, "results": [{"docno": d, "score": s} for d, s in documents.items()]}
        for q, documents in mapping(RANKED).items()
    ]
    return [
        folder / "r.parquet",
        write(folder / "r.csv", csv_text("q_id,chunk_id,score", RANKED)),
        write(folder / "r.tsv", csv_text("qid\tpid\tscore", RANKED, "\t")),
        write(folder / "r.jsonl", jsonl_text(names, RANKED)),
        write(folder / "slow.jsonl", jsonl_text(names, RANKED).replace('":', '" :')),
        write(folder / "nested.jsonl", "\n".join(json.dumps(item) for item in nested)),
        write(folder / "r.json", json.dumps(mapping(RANKED))),
    ]


def test_all_forms_of_the_same_judgments_give_the_same_rows(tmp_path):
    for path in judgment_files(tmp_path):
        frame = read_judgments(path).frame
        assert pairs(frame, "grade") == JUDGED, path
        assert dict(frame.schema) == {
            "query_id": pl.String,
            "document_id": pl.String,
            "grade": pl.Int32,
            "line": pl.Int64,
        }, path


@pytest.mark.parametrize("rows", [1, 3, 4, 100])
def test_all_forms_of_the_same_ranking_give_the_same_rows_in_blocks_of_any_size(tmp_path, rows):
    for path in ranking_files(tmp_path):
        blocks = list(ranking_blocks(path, rows))
        assert [b.height for b in blocks[:-1]] == [rows] * (len(blocks) - 1), path
        assert [row for b in blocks for row in pairs(b, "score")] == RANKED, path
        assert blocks[0].schema["score"] == pl.Float64
        assert blocks[0].schema["rank"] == pl.Int64
        assert blocks[0]["rank"].null_count() == blocks[0].height


def test_a_name_decides_the_form_and_the_first_bytes_where_it_says_nothing(tmp_path):
    trec_run = write(tmp_path / "a.run", "q1 Q0 d1 1 0.5 tag\n")
    assert format_of(trec_run) == "trec"
    assert not is_table(trec_run)
    assert not is_table(write(tmp_path / "a.txt", "q1 0 d1 1\n"))
    assert not is_table(write(tmp_path / "a.qrels", ""))
    assert not is_table(write(tmp_path / "msmarco.tsv", "1\t0\td1\t1\n"))
    assert format_of(write(tmp_path / "b.tsv", "query-id\tcorpus-id\tscore\n")) == "tsv"
    assert format_of(write(tmp_path / "c.txt", "query_id,doc_id,score\n")) == "csv"
    assert format_of(write(tmp_path / "d.txt", '{"q": {"d": 1}}')) == "json"
    assert format_of(write(tmp_path / "e.json", '{"a": 1}\n{"a": 2}\n')) == "jsonl"
    assert format_of(tmp_path) == "folder"


def test_ids_stay_the_text_that_they_are(tmp_path):
    text = "query_id,doc_id,score\n00123,NO,1\n1.0,null,1e-3\nNaN,True,+2\n"
    expected = [("00123", "NO", 1.0), ("1.0", "null", 0.001), ("NaN", "True", 2.0)]
    assert ranked(write(tmp_path / "a.csv", text)) == expected


def test_whole_numbers_as_ids_become_their_digits(tmp_path):
    lines = (
        '{"qid": 7, "doc": -12, "score": 1}\n{"qid": 8, "doc": 12345678901234567890, "score": 2}\n'
    )
    expected = [("7", "-12", 1.0), ("8", "12345678901234567890", 2.0)]
    assert ranked(write(tmp_path / "a.jsonl", lines)) == expected
    assert ranked(write(tmp_path / "b.jsonl", lines.splitlines()[0])) == expected[:1]
    mixed = '{"qid": "7", "doc": 1, "score": 1}\n{"qid": 7, "doc": "1", "score": 2}\n'
    assert ranked(write(tmp_path / "c.jsonl", mixed)) == [("7", "1", 1.0), ("7", "1", 2.0)]
    pl.DataFrame({"qid": [7], "doc": [9], "score": [1]}).write_parquet(tmp_path / "a.parquet")
    assert ranked(tmp_path / "a.parquet") == [("7", "9", 1.0)]


HOSTILE = [
    'a"b',
    '"',
    '""',
    "a,b",
    "a;b\tc",
    "two\nlines",
    "two\r\nlines",
    "😀👩‍👩‍👧",
    "问题，一",
    "x" * 10_000,
    "=1+1",
    "-",
    "a b",
    "\\u0041\\",
    "{}",
    "a\u2028b",
    "null",
    '":',
    '"query_id": "q"',
]


def test_hostile_ids_come_back_as_they_are_from_every_form(tmp_path):
    rows = [(f"q{n}", document_id, float(n)) for n, document_id in enumerate(HOSTILE)]
    rows += [(document_id, "d", 1.0) for document_id in HOSTILE]
    names = ("query_id", "document_id", "score")
    pl.DataFrame(rows, schema=names, orient="row").write_parquet(tmp_path / "a.parquet")
    assert ranked(tmp_path / "a.parquet") == rows
    assert ranked(write(tmp_path / "a.csv", csv_text(",".join(names), rows))) == rows
    assert ranked(write(tmp_path / "a.tsv", csv_text("\t".join(names), rows, "\t"))) == rows
    assert ranked(write(tmp_path / "a.jsonl", jsonl_text(names, rows))) == rows
    assert ranked(write(tmp_path / "a.json", json.dumps(mapping(rows), ensure_ascii=False))) == [
        (q, d, s) for q, documents in mapping(rows).items() for d, s in documents.items()
    ]


def test_lines_are_those_of_the_file_even_after_line_ends_in_quotes(tmp_path):
    text = 'query_id,doc_id,score,note\n"q\n1",d1,1,"a\n\nb"\nq2,d2,2,\n\nq3,d3,3,x\n'
    frames = list(ranking_blocks(write(tmp_path / "a.csv", text)))
    assert frames[0]["line"].to_list() == [2, 6, 8]
    lines = '{"qid":"q1","doc":"d1","score":1}\n\n{"qid":"q1","doc":"d2","score":2}\n\n'
    frames = list(ranking_blocks(write(tmp_path / "a.jsonl", lines)))
    assert frames[0]["line"].to_list() == [1, 3]
    pl.DataFrame({"qid": ["a"] * 5, "doc": list("abcde"), "score": [1.0] * 5}).write_parquet(
        tmp_path / "a.parquet"
    )
    frames = list(ranking_blocks(tmp_path / "a.parquet", 2))
    assert [frame["line"].to_list() for frame in frames] == [[1, 2], [3, 4], [5]]
    frame = read_judgments(write(tmp_path / "a.json", '{"q": {"d": 1}}')).frame
    assert frame["line"].to_list() == [0]


def test_ids_are_brought_to_one_unicode_form(tmp_path):
    decomposed = unicodedata.normalize("NFD", "café")
    frame = read_judgments(write(tmp_path / "a.csv", f"qid,doc,rel\n{decomposed},d,1\n")).frame
    assert frame["query_id"].to_list() == [unicodedata.normalize("NFC", "café")]
    said = refused_judgments(
        write(tmp_path / "a.json", json.dumps({"q": {decomposed: 1, "café": 2}}))
    )
    assert "is judged 2 here and 1" in said


@pytest.mark.parametrize(
    ("head", "row", "said"),
    [
        ("query_id,doc_id,grade", "q1,,1", ":2: the document_id is empty"),
        ("query_id,doc_id,grade", ",d1,1", ":2: the query_id is empty"),
        ("query_id,doc_id,grade", " q1,d1,1", ":2: the query_id begins or ends with a blank"),
        ("query_id,doc_id,grade", 'q1,"d1\u3000",1', "the document_id begins or ends with a blank"),
        ("query_id,doc_id,grade", "q1,d1,0.5", "not a whole number (met '0.5')"),
        ("query_id,doc_id,grade", "q1,d1,high", "not a whole number (met 'high')"),
        ("query_id,doc_id,grade", "q1,d1,NaN", "not a whole number (met 'NaN')"),
        ("query_id,doc_id,grade", "q1,d1,inf", "not a whole number (met 'inf')"),
        ("query_id,doc_id,grade", "q1,d1,1001", "is this an id column?"),
        ("query_id,doc_id,grade", "q1,d1,99999999999999999999", "is this an id column?"),
        ("query_id,doc_id,grade", "q1,d1", ":2: has 2 cells where the header has 3"),
        ("query_id,doc_id,grade", "q1,d1,1,9", ":2: has 4 cells where the header has 3"),
        ("query_id,doc_id,grade", 'q1,d"1,1', ":2: a quote opens or closes inside a cell"),
        ("query_id,doc_id,grade", 'q1,d"1",1', ":2: a quote opens or closes inside a cell"),
        ("query_id,doc_id,grade", 'q1,"d"1,1', ":2: a quote opens or closes inside a cell"),
        (
            "query_id,doc_id,grade",
            'q1,"d1,1\n"q2",d,1',
            ":2: a quote opens or closes inside a cell",
        ),
        ("query_id,doc_id,grade", 'q1,"d1,1\nq2,d,1', ":2: a quote opens or closes inside a cell"),
        ("query_id,doc_id,grade", "q1,d1,1\rq2,d,1", "is not CSV"),
        ("query_id,doc_id,tier", "q1,d1,kern", "is no tier of evidence (met 'kern')"),
        (
            "query_id,doc_id,docid,grade",
            "q,d,d,1",
            "could be the document_id (met ['doc_id', 'docid'])",
        ),
        ("query_id,doc_id,grade,Score", "q,d,1,1", "could be the grade (met ['grade', 'Score'])"),
        ("query_id,doc_id", "q,d", "no column holds the grade or tier"),
        ("query,title,grade", "q,d,1", "no column holds the document_id"),
        ("q1,d1,1", "q1,d2,1", ":1: no column holds the query_id"),
    ],
)
def test_a_csv_of_judgments_is_refused_for(tmp_path, head, row, said):
    assert said in refused_judgments(write(tmp_path / "a.csv", f"{head}\n{row}\n"))


@pytest.mark.parametrize("score", ["nan", "inf", "-inf", "abc", "", "1,5", "0x1", "1_0", " 1"])
def test_a_csv_of_a_ranking_is_refused_for_the_score(tmp_path, score):
    path = write(tmp_path / "a.csv", csv_text("qid,doc,score", [("q", "d", score)]))
    assert f"{path}:2: the score is not a finite number" in refused_ranking(path)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"qid": 1.0, "doc": "d", "score": 1}', "the query_id an id cannot be a number"),
        ('{"qid": "q", "doc": true, "score": 1}', "is not text"),
        ('{"qid": "q", "doc": null, "score": 1}', "is not text"),
        ('{"qid": "q", "doc": ["d"], "score": 1}', "is not text"),
        ('{"qid": "q", "doc": "", "score": 1}', "the document_id is empty"),
        ('{"qid": "q", "doc": "d ", "score": 1}', "begins or ends with a blank"),
        ('{"qid": "q", "doc": "d", "score": "1"}', "is not a number (met '1')"),
        ('{"qid": "q", "doc": "d", "score": true}', "is not a number"),
        ('{"qid": "q", "doc": "d", "score": null}', "the score is not a finite number"),
        ('{"qid": "q", "doc": "d", "score": NaN}', "the score is not a finite number"),
        ('{"qid": "q", "doc": "d", "score": 1e400}', "the score is not a finite number"),
        ('{"qid": "q", "doc": "d", "score": 1' + "0" * 400 + "}", "not a finite number"),
        ('{"qid": "q", "doc": "d", "score": 1, "score": 2}', "the key 'score' stands twice"),
        ('{"qid": "q", "doc": "\\ud800", "score": 1}', "half a surrogate pair"),
        ('{"qid": "q", "doc": "d", "score": 1', "is not JSON"),
        ('{"qid": "q", "doc": "d", "score": 1} {}', "is not JSON"),
        ('["q", "d", 1]', "is not an object"),
        ('{"qid": "q", "doc": "d", "docid": "d", "score": 1}', "more than one column could be"),
        ('{"qid": "q", "doc": "d"}', "no column holds the score or rank"),
        ('{"qid": "q", "doc": "d", "rank": 1.5, "score": 1}', "the rank is not a whole number"),
        ('{"qid": "q", "results": [], "retrieved": []}', "more than one key could list"),
        ('{"qid": "q", "retrieved": [["d"]]}', "is not text"),
        ('{"qid": "q", "retrieved": "d1"}', "'retrieved' is not a list"),
        ('{"retrieved": ["d1"]}', "no one key names the query"),
        ('{"qid": "q", "results": [{"doc": "d"}]}', "no column holds the score or rank"),
        ("[" * 100_000, "nests too deeply"),
    ],
)
def test_json_lines_of_a_ranking_are_refused_on_their_line_for(tmp_path, line, said):
    good = '{"qid": "q", "doc": "other", "score": 3}\n'
    path = write(tmp_path / "a.jsonl", good + line + "\n" + good)
    message = refused_ranking(path)
    assert said in message
    assert f"{path}:2: " in message


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ('{"q": {"d": 0.5}}', "the grade is not a whole number"),
        ('{"q": {"d": "1"}}', "query 'q', document 'd' is not a number"),
        ('{"q": {"d": true}}', "is not a number"),
        ('{"q": {"d": null}}', "not a whole number (met nothing)"),
        ('{"q": {"": 1}}', "the document_id is empty"),
        ('{"q": ["d"]}', "query 'q' has no mapping of its documents"),
        ('{"q": {"d": 1}, "q": {"d": 2}}', "the key 'q' stands twice"),
        ('{"q": {"d": 1, "d": 1}}', "the key 'd' stands twice"),
        ('{"q": {"d": 1}', "is not JSON"),
        ('{"query_id": {"0": "q"}, "doc_id": {"0": "d"}}', "holds columns, not queries"),
        ("3", "is not an object"),
        ("{}", "holds no judgment"),
        ('{"q": {}}', "holds no judgment"),
        ("", "holds no judgment"),
    ],
)
def test_a_json_mapping_of_judgments_is_refused_for(tmp_path, value, said):
    assert said in refused_judgments(write(tmp_path / "a.json", value))


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"qid": [1.0], "doc": ["d"], "rel": [1]}, "'qid' holds ids as numbers with a point"),
        ({"qid": ["q"], "doc": [True], "rel": [1]}, "'doc' does not hold ids"),
        ({"qid": ["q"], "doc": ["d"], "rel": [True]}, "'rel' does not hold numbers"),
        ({"qid": ["q"], "doc": [None], "rel": [1]}, "does not hold ids"),
        ({"qid": ["q", None], "doc": ["d", "e"], "rel": [1, 1]}, ":2: the query_id is empty"),
        ({"qid": ["q"], "doc": ["d"], "rel": [0.5]}, ":1: the grade is not a whole number"),
        ({"qid": ["q"], "doc": ["d"], "rel": [float("nan")]}, "the grade is not a whole number"),
        ({"qid": ["q"], "doc": ["d"], "tier": [3]}, "'tier' does not hold words"),
        ({"qid": ["q"], "doc": ["d"], "chunk_id": ["c"], "rel": [1]}, "more than one column"),
    ],
)
def test_parquet_judgments_are_refused_for(tmp_path, columns, said):
    pl.DataFrame(columns, strict=False).write_parquet(tmp_path / "a.parquet")
    assert said in refused_judgments(tmp_path / "a.parquet")


def test_what_is_no_parquet_is_refused(tmp_path):
    assert "cannot be read as Parquet" in refused_judgments(write(tmp_path / "a.parquet", "x" * 99))
    assert "packed once more" in refused_judgments(write(tmp_path / "a.parquet.zst", "x"))


def test_a_whole_number_with_a_point_is_a_grade_in_every_form(tmp_path):
    pl.DataFrame({"qid": ["q"], "doc": ["d"], "rel": [1.0]}).write_parquet(tmp_path / "a.parquet")
    for path in (
        tmp_path / "a.parquet",
        write(tmp_path / "a.csv", "qid,doc,rel\nq,d,1.0\n"),
        write(tmp_path / "a.jsonl", '{"qid": "q", "doc": "d", "rel": 1.0}'),
        write(tmp_path / "a.json", '{"q": {"d": 1.0}}'),
    ):
        assert pairs(read_judgments(path).frame, "grade") == [("q", "d", 1)]
    assert (
        read_judgments(write(tmp_path / "b.csv", "qid,doc,rel\nq,d,-2\n")).frame["grade"][0] == -2
    )


def test_tiers_are_grades_where_no_grade_is_given(tmp_path):
    expected = [("q", "a", 3), ("q", "b", 2), ("q", "c", 1)]
    rows = [("q", "a", "core"), ("q", "b", "Supporting"), ("q", "c", "marginal")]
    names = ("query_id", "chunk_id", "evidence_tier")
    pl.DataFrame(rows, schema=names, orient="row").write_parquet(tmp_path / "a.parquet")
    tiers = {"query_id": "q", "evidence_tiers": {"a": "core", "b": "supporting", "c": "marginal"}}
    for path in (
        tmp_path / "a.parquet",
        write(tmp_path / "a.csv", csv_text(",".join(names), rows)),
        write(tmp_path / "a.jsonl", jsonl_text(names, rows)),
        write(tmp_path / "b.jsonl", json.dumps(tiers)),
    ):
        assert pairs(read_judgments(path).frame, "grade") == expected, path
    graded = "query_id,doc_id,tier,grade\nq,a,core,1\n"
    assert read_judgments(write(tmp_path / "c.csv", graded)).frame["grade"].to_list() == [1]


def test_relevant_ids_without_grades_have_grade_one(tmp_path):
    lines = (
        '{"query_id": "q1", "relevant": ["a", 7]}\n'
        '{"query_id": "q2", "question": "?", "answerability": "unanswerable"}\n'
        '{"query_id": "q3", "relevant_passages": {"a": 3}, "evidence_tiers": {"a": "marginal"}}\n'
    )
    frame = read_judgments(write(tmp_path / "a.jsonl", lines)).frame
    assert frame.rows() == [("q1", "a", 1, 1), ("q1", "7", 1, 1), ("q3", "a", 3, 3)]


def test_a_ranking_without_scores_is_scored_by_its_rank_and_says_so(tmp_path):
    csv_path = write(tmp_path / "a.csv", "qid,doc,rank\nq,a,1\nq,b,2\n")
    ids_path = write(tmp_path / "a.jsonl", '{"query_id": "q", "retrieved": ["a", "b"]}\n')
    for path in (csv_path, ids_path):
        blocks = ranking_blocks(path)
        assert [row for block in blocks for row in block.rows()] == [
            ("q", "a", -1.0, 1, 2 if path == csv_path else 1),
            ("q", "b", -2.0, 2, 3 if path == csv_path else 1),
        ]
        assert any("minus its rank" in note for note in blocks.info.notes)
    both = ranking_blocks(write(tmp_path / "b.csv", "qid,doc,rank,score\nq,a,9,0.5\n"))
    assert [block.rows() for block in both] == [[("q", "a", 0.5, 9, 2)]]
    assert both.info.notes == ()


def test_rows_with_a_score_among_rows_with_a_rank_alone_are_refused(tmp_path):
    rank, score = '{"qid":"q","doc":"a","rank":1}\n', '{"qid":"q","doc":"b","score":1}\n'
    for lines in (rank + score, score + rank):
        assert "the score is not a finite number" in refused_ranking(
            write(tmp_path / "a.jsonl", lines)
        )


@pytest.mark.parametrize("key", ["rank", "score"])
def test_a_key_misspelt_in_the_first_row_does_not_hide_it_from_the_others(tmp_path, key):
    item = '{"doc": "a", "score": 0.5, "rank": 1}, {"doc": "b", "score": 0.25, "rank": 2}'
    flat = "".join(f'{{"qid": "q", {part}}}\n' for part in item[1:-1].split("}, {"))
    for line in (f'{{"qid": "q", "results": [{item}]}}\n', flat):
        path = write(tmp_path / "a.jsonl", line.replace(key, "oops", 1))
        if key == "score":
            assert "the score is not a finite number (met nothing)" in refused_ranking(path)
        else:
            assert pl.concat(ranking_blocks(path))["rank"].to_list() == [None, 2]


def test_a_later_piece_of_a_file_is_held_to_what_the_first_one_states(tmp_path, monkeypatch):
    monkeypatch.setattr(table_forms, "_PIECE", 32)
    rank, score = '{"qid":"q","doc":"a","rank":1}\n', '{"qid":"q","doc":"b","score":1}\n'
    path = write(tmp_path / "a.jsonl", rank + score)
    assert f"{path}:2: has a score, where the rows before it have" in refused_ranking(path)
    path = write(tmp_path / "b.jsonl", score + rank)
    assert f"{path}:2: the score is not a finite number (met nothing)" in refused_ranking(path)


def test_a_repeated_judgment_is_kept_once_and_counted(tmp_path):
    path = write(tmp_path / "a.csv", "qid,doc,rel\nq,a,1\nq,b,0\nq,a,1.0\nq,a,1\n")
    table = read_judgments(path)
    assert table.frame.rows() == [("q", "a", 1, 2), ("q", "b", 0, 3)]
    assert table.info.notes[0].startswith("duplicate_judgments: 2")


def test_two_grades_for_one_pair_are_refused_with_both_lines(tmp_path):
    path = write(tmp_path / "a.csv", "qid,doc,rel\nq,a,1\nq,b,0\nq,a,0\n")
    said = f"{path}:4: query 'q', document 'a' is judged 0 here and 1 on line 2"
    assert said in refused_judgments(path)


def test_all_faults_come_at_once_and_after_fifty_their_number(tmp_path):
    rows = ["q,,1", *(f"q,d{n},high" for n in range(70)), "q,e,1", " q,f,0.5"]
    said = refused_judgments(write(tmp_path / "a.csv", "qid,doc,rel\n" + "\n".join(rows)))
    lines = said.splitlines()
    assert len(lines) == 51
    assert ":2: the document_id is empty" in lines[0]
    assert ":51: " in lines[49]
    assert lines[50].endswith("and 23 more")


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.json"])
def test_bytes_that_are_no_utf8_are_refused_with_their_line(tmp_path, name):
    text = {
        "a.csv": "qid,doc,rel\nq,d,1\nq,é,1\n",
        "a.jsonl": '{"qid":"q","doc":"d","rel":1}\n\n{"qid":"é","doc":"d","rel":1}\n',
        "a.json": '{\n\n"é": {"d": 1}}',
    }[name]
    path = write(tmp_path / name, text.encode("latin-1"))
    assert f"{path}:3: is not UTF-8 (met 'byte 0xe9')" in refused_judgments(path)
    assert "is not UTF-8" in refused_judgments(write(tmp_path / name, text.encode("utf-16")))


def test_a_torn_packing_is_refused(tmp_path):
    text = csv_text("qid,doc,rel", [(f"q{n}", f"d{n * 7919}", 1) for n in range(5000)])
    packed = gzip.compress(text.encode())
    path = write(tmp_path / "a.csv.gz", packed[: len(packed) // 2])
    assert "is not a whole gzip file" in refused_judgments(path)
    whole = zstd(write(tmp_path / "c.csv", text)).read_bytes()
    path = write(tmp_path / "d.csv.zst", whole[: len(whole) // 2])
    assert "is not a whole zstd file" in refused_judgments(path)


@pytest.mark.parametrize("ending", ["csv.gz", "csv.zst", "csv"])
def test_how_a_file_is_packed_is_told_by_its_bytes_not_its_name(tmp_path, ending):
    path = tmp_path / f"plain.{ending}"
    path.write_text("qid,doc,rel\nq1,d1,2\n", encoding="utf-8")
    assert read_judgments(path).frame.rows() == [("q1", "d1", 2, 2)]
    path.write_bytes(gzip.compress(path.read_bytes()))
    assert read_judgments(path).frame.rows() == [("q1", "d1", 2, 2)]


def test_a_missing_file_is_refused(tmp_path):
    for name in ("a.csv", "a.csv.gz", "a.csv.zst", "a.json", "a.jsonl", "a.parquet", "a"):
        assert str(tmp_path / name) in refused_judgments(tmp_path / name)


def test_an_empty_ranking_gives_no_blocks_and_empty_judgments_are_refused(tmp_path):
    empty = pl.DataFrame(schema={"qid": pl.String, "doc": pl.String, "score": pl.Float64})
    empty.write_parquet(tmp_path / "e.parquet")
    for path in (
        write(tmp_path / "a.csv", ""),
        write(tmp_path / "b.csv", "qid,doc,score\n\n"),
        write(tmp_path / "c.jsonl", "\n"),
        write(tmp_path / "d.json", "{}"),
        tmp_path / "e.parquet",
    ):
        assert list(ranking_blocks(path)) == [], path
        assert "holds no judgment" in refused_judgments(path)


def test_a_beir_folder_is_read_by_its_test_judgments(tmp_path):
    head = "query-id\tcorpus-id\tscore\n"
    write(tmp_path / "qrels" / "test.tsv", head + "1\t31715818\t1\n")
    write(tmp_path / "qrels" / "train.tsv", head + "2\t7\t1\n")
    table = read_judgments(tmp_path)
    assert pairs(table.frame, "grade") == [("1", "31715818", 1)]
    assert "train.tsv beside it is not read" in table.info.notes[0]
    assert table.info.path == tmp_path / "qrels" / "test.tsv"
    assert "holds judgments and no ranking" in refused_ranking(tmp_path)
    (tmp_path / "qrels" / "test.tsv").rename(tmp_path / "qrels" / "dev.tsv")
    assert "met dev.tsv, train.tsv" in refused_judgments(tmp_path)


IDS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc",)) | st.sampled_from('",;\n\t:{}'),
    min_size=1,
    max_size=6,
).map(lambda text: unicodedata.normalize("NFC", text))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(IDS, IDS, st.floats(allow_nan=False, allow_infinity=False)), min_size=1),
    st.booleans(),
)
def test_the_fast_and_the_slow_readers_agree(tmp_path_factory, rows, ascii_only):
    folder = tmp_path_factory.mktemp("agree")
    rows = [(q, d, s) for q, d, s in rows if q.strip() == q and d.strip() == d]
    names = ("query_id", "document_id", "score")
    lines = "".join(
        json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=ascii_only) + "\n"
        for row in rows
    )
    nested = "".join(
        json.dumps(
            {"qid": q, "results": [{"doc": d, "score": s, "n": 1}, {"doc": q, "score": 1, "n": 2}]},
            ensure_ascii=ascii_only,
        )
        + '\n{"qid": "none", "results": []}\n'
        for q, d, s in rows
    )
    files = [
        write(folder / "nested.jsonl", nested),
        write(folder / "a.csv", csv_text(",".join(names), [(q, d, repr(s)) for q, d, s in rows])),
        write(folder / "a.jsonl", lines),
    ]
    fast = [ranked(path) for path in files]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_rows._Csv, "fast", lambda *_: None)
        patch.setattr(table_lines, "_fast", lambda *_: None)
        slow = [ranked(path) for path in files]
    both = [row for q, d, s in rows for row in ((q, d, s), (q, q, 1.0))]
    assert fast == slow == [both, rows, rows]


def test_records_larger_than_a_piece_of_the_file_are_put_together(tmp_path, monkeypatch):
    rows = [(f"q{n}", f"d\n{n}" if n % 3 else f'd"{n}', float(n)) for n in range(200)]
    names = ("query_id", "document_id", "score")
    files = [
        write(tmp_path / "a.csv", csv_text(",".join(names), rows)),
        write(tmp_path / "a.jsonl", jsonl_text(names, rows)),
    ]
    whole = [pl.concat(ranking_blocks(path)).rows() for path in files]
    for size in (7, 64, 1000):
        monkeypatch.setattr(table_forms, "_PIECE", size)
        assert [pl.concat(ranking_blocks(path)).rows() for path in files] == whole
    assert [row[:3] for row in whole[0]] == rows
    assert whole[0][:4] == [
        ("q0", 'd"0', 0.0, None, 2),
        ("q1", "d\n1", 1.0, None, 3),
        ("q2", "d\n2", 2.0, None, 5),
        ("q3", 'd"3', 3.0, None, 7),
    ]


def test_a_labelled_sheet_comes_back_without_its_empty_rows(tmp_path):
    text = "query_id,query_text,document_id,grade,best_rank\nq1,年假,'=1+1,2,1\nq1,年假,d2,,2\n"
    read = read_judgments(write(tmp_path / "sheet.csv", text))
    assert read.frame.select("query_id", "document_id", "grade").rows() == [("q1", "=1+1", 2)]
    assert "rows without a grade, passed over: 1" in read.info.notes
    assert "holds no judgment" in refused_judgments(
        write(tmp_path / "empty.csv", "query_id,document_id,grade\nq1,d1,\n")
    )


def test_rows_too_wide_and_too_narrow_do_not_make_up_for_each_other(tmp_path):
    text = "query_id,doc_id,grade,note\nq1,d1,1,k\nq1,d,2,1,x\nq1,d2,0\n"
    told = refused_judgments(write(tmp_path / "ragged.csv", text))
    assert "ragged.csv:3: has 5 cells where the header has 4" in told
    assert "ragged.csv:4: has 3 cells where the header has 4" in told
