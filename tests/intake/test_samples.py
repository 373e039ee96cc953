"""Samples come in as text, whole or not at all."""

import json
from datetime import UTC, datetime

import pytest

from rageval_kit.intake.report import Collector
from rageval_kit.intake.samples import check_samples, read_sample_rows
from rageval_kit.intake.validate import validate
from rageval_kit.records.faults import InputError

# Section 4.1 of the study, as printed there (over several lines).
STUDY = """{
  "query_id": "travel-2026-017",
  "question": "2026年10月出差住宿标准是多少？",
  "as_of": "2026-10-27",
  "principal": "employee-demo",
  "corpus_snapshot": "kb-snapshot-2026-10-27",
  "task_type": "policy_fact_lookup",
  "relevant_passages": {"policy-v3:p18": 3, "policy-v2:p11": 0},
  "required_evidence_sets": [["policy-v3:p18"]],
  "reference_facts": ["以生效的 v3 制度为准", "具体上限按城市等级查询"],
  "answerability": "requires_city",
  "expected_behavior": "请求用户补充目的地城市等级，不能凭空给出统一金额"
}"""


def read(path, **options):
    faults = Collector()
    return check_samples(read_sample_rows(path, faults), faults, **options), faults


def test_the_sample_of_the_study_validates_as_it_stands(tmp_path):
    path = tmp_path / "samples.json"
    path.write_text(STUDY, encoding="utf-8")
    assert validate(samples=path).ok
    [(_, sample)], _ = read(path, timezone="Asia/Shanghai")
    assert (sample.answerability, sample.missing_condition) == ("ask", "city")
    assert (sample.behaviour, sample.behaviour_note[:4]) == ("ask", "请求用户")
    assert sample.grades == {"policy-v3:p18": 3, "policy-v2:p11": 0}
    assert sample.evidence_sets == (frozenset({"policy-v3:p18"}),)
    assert sample.as_of == datetime(2026, 10, 26, 16, tzinfo=UTC)


def test_what_was_known_when_is_a_time_of_its_own(tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_text(
        '{"query_id": "q", "question": "x", "as_of": "2026-01-01", "known_at": "2026-03-01"}'
    )
    [(_, sample)], _ = read(path, timezone="Asia/Shanghai")
    assert sample.as_of == datetime(2025, 12, 31, 16, tzinfo=UTC)
    assert sample.known_at == datetime(2026, 2, 28, 16, tzinfo=UTC)


def test_bug_013_a_repeated_query_id_names_both_lines(tmp_path):
    path = tmp_path / "q.jsonl"
    rows = [("q1", "年假几天"), ("q2", "病假几天"), ("q1", "报销上限")]
    path.write_text(
        "\n".join(json.dumps({"query_id": i, "question": q}) for i, q in rows), encoding="utf-8"
    )
    report = validate(samples=path)
    assert [(f.row, f.column, f.value) for f in report.faults] == [
        (1, "query_id", "'q1'"),
        (3, "query_id", "'q1'"),
    ]
    assert "line 1, line 3" in report.faults[0].rule
    with pytest.raises(InputError) as refused:
        report.refuse_faults()
    assert refused.value.exit_code == 2
    assert len(refused.value.faults) == 2


def test_bug_086_leading_zeros_stay(tmp_path):
    path = tmp_path / "q.csv"
    path.write_text("query_id,question\n0007,a\n0042,b\n", encoding="utf-8")
    samples, faults = read(path)
    assert [sample.query_id for _, sample in samples] == ["0007", "0042"]
    assert not faults.faults


def test_bug_087_na_and_null_are_text(tmp_path):
    path = tmp_path / "q.csv"
    path.write_text(
        "query_id,question\nNA,钠的元素符号\nnull,空值怎么写\nq3,N/A 是什么意思\n", encoding="utf-8"
    )
    samples, faults = read(path)
    assert [(s.query_id, s.question) for _, s in samples] == [
        ("NA", "钠的元素符号"),
        ("null", "空值怎么写"),
        ("q3", "N/A 是什么意思"),
    ]
    assert not faults.faults


def test_bug_088_a_missing_id_is_named_and_a_number_is_its_digits(tmp_path):
    path = tmp_path / "q.jsonl"
    ids = [7, None, 3, 7.5, 7.0, True, 12345678901234567890]
    path.write_text("\n".join(json.dumps({"query_id": i, "question": "x"}) for i in ids))
    samples, faults = read(path)
    assert [s.query_id for _, s in samples] == ["7", "", "3", "", "", "", "12345678901234567890"]
    said = [(f.row, f.rule) for f in faults.ordered()]
    assert said == [
        (2, "is missing"),
        (4, "an id cannot be a number with a point"),
        (5, "an id cannot be a number with a point"),
        (6, "is not text"),
    ]


def test_bug_088_an_id_column_that_became_float_is_refused(tmp_path):
    import polars as pl

    path = tmp_path / "q.parquet"
    pl.DataFrame({"query_id": [7.0, None], "question": ["a", "b"]}).write_parquet(path)
    report = validate(samples=path)
    assert [(f.row, f.rule) for f in report.faults] == [
        (1, "an id cannot be a number with a point"),
        (2, "is missing"),
    ]


def test_bug_090_values_are_checked_not_only_types(tmp_path):
    path = tmp_path / "q.jsonl"
    rows = [("q1", "real", 2), ("q2", "dreamt", 7)]
    path.write_text(
        "\n".join(
            json.dumps({"query_id": i, "question": "x", "origin": o, "relevant_passages": {"p": g}})
            for i, o, g in rows
        )
    )
    report = validate(samples=path)
    assert report.rows_checked["samples"] == 2
    assert [(f.row, f.column, f.value) for f in report.faults] == [
        (2, "origin", "'dreamt'"),
        (2, "relevant_passages.p", "7"),
    ]


def test_bug_091_invalid_rows_fail_unless_dropping_was_asked_for(tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_text(
        "\n".join(
            json.dumps({"query_id": f"q{i}", "question": "x" if i < 9 else 5}) for i in range(20)
        )
    )
    strict = validate(samples=path)
    assert len(strict.faults) == 11
    lenient = validate(samples=path, drop_invalid=True)
    assert lenient.ok
    assert (lenient.kept, len(lenient.dropped)) == (9, 11)
    assert lenient.dropped[0] == (str(path), 10)
    assert len(lenient.forgiven) == 11


@pytest.mark.parametrize("name", ["q.jsonl", "q.csv"])
def test_bug_092_a_byte_order_mark_and_crlf_are_no_text(tmp_path, name):
    path = tmp_path / name
    if name == "q.jsonl":
        body = b'{"query_id":"q1","question":"x"}\r\n{"query_id":"q2","question":"x"}\r\n'
    else:
        body = b"query_id,question\r\nq1,x\r\nq2,x\r\n"
    path.write_bytes(b"\xef\xbb\xbf" + body)
    samples, faults = read(path)
    assert [sample.query_id for _, sample in samples] == ["q1", "q2"]
    assert not faults.faults


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\u0085"])
def test_bug_093_a_unicode_line_separator_does_not_end_a_record(tmp_path, mark):
    jsonl, csv = tmp_path / "q.jsonl", tmp_path / "q.csv"
    first = json.dumps({"query_id": "q1", "question": f"a{mark}b"}, ensure_ascii=False)
    jsonl.write_bytes(f'{first}\n{{"query_id":"q2","question":"c"}}\n'.encode())
    csv.write_bytes(f'query_id,question\nq1,"a{mark}b"\nq2,c\n'.encode())
    for path in (jsonl, csv):
        samples, faults = read(path)
        assert [s.question for _, s in samples] == [f"a{mark}b", "c"]
        assert not faults.faults


def test_bug_094_ids_join_after_nfc_and_never_after_nfkc(tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_text(
        json.dumps({"query_id": "q", "question": "x", "relevant_passages": {"Releve\u0301": 1}})
        + "\n"
        + json.dumps({"query_id": "ｑ", "question": "x", "relevant_passages": {"Ｒeleve": 1}})
    )
    _, faults = read(path, chunk_ids=frozenset({"Relev\u00e9", "Releve"}))
    assert [(f.row, f.value) for f in faults.ordered()] == [(2, "'Ｒeleve'")]


@pytest.mark.parametrize(
    ("content", "row", "said"),
    [
        (b"\xff\xfe{\x00", 0, "UTF-16"),
        (b'{"query_id": "q", "question": "x"}\n\xff', 2, "not UTF-8"),
        (b'{"query_id": "q", "query_id": "r", "question": "x"}', 1, "stands twice"),
        (b'{"query_id": "q", "question": NaN}', 1, "NaN"),
        (b'{"query_id": "q", "question": "\\ud800"}', 1, "surrogate"),
        (b"[" * 100_000, 1, "nests too deeply"),
        (b'{"query_id": "q"', 1, "not JSON"),
        (b'{"query_id": "q", "question": "x"} {}', 1, "more than one"),
        (b"7", 1, "not an object"),
        (b'{"query_id": "q", "question": "x", "as_of": "2024-07-01T00:00:00"}', 1, "no offset"),
        (b'{"query_id": "q", "question": "x", "anserability": "ask"}', 1, "no column"),
        (b'{"query_id": "q", "question": "x", "required_evidence_sets": [[]]}', 1, "empty"),
        (b'{"query_id": " ", "question": "x"}', 1, "is empty"),
    ],
)
def test_a_row_that_cannot_be_taken_is_named(tmp_path, content, row, said):
    path = tmp_path / "q.jsonl"
    path.write_bytes(content)
    report = validate(samples=path)
    assert [(f.row, said in f.rule) for f in report.faults] == [(row, True)], report.faults


def test_a_misspelt_column_is_answered_with_the_nearest(tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_text('{"query_id": "q", "question": "x", "anserability": "ask"}')
    assert "'answerability'" in validate(samples=path).faults[0].way_out


def test_a_set_that_is_all_generated_is_warned_of(tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_text('{"query_id": "q", "question": "x", "origin": "generated"}')
    report = validate(samples=path)
    assert report.ok
    assert "generated" in report.warnings[0].rule


def test_control_characters_of_a_value_are_shown_as_code_points(tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_text(json.dumps({"query_id": "q", "question": "x", "origin": "a\u202eb\u001b[2J"}))
    value = validate(samples=path).faults[0].value
    assert "\u202e" not in value
    assert "\\u202e" in value


def test_a_json_list_gives_each_sample_its_line(tmp_path):
    path = tmp_path / "q.json"
    path.write_text(
        '[\n{"query_id": "a", "question": "x"},\n\n{"query_id": "a",\n"question": "y"}\n]'
    )
    assert [f.row for f in validate(samples=path).faults] == [2, 4]


def test_a_cell_of_a_table_holds_an_object_or_a_list_as_its_text(tmp_path):
    path = tmp_path / "samples.csv"
    path.write_text(
        "query_id,question,relevant_passages,required_evidence_sets\n"
        'q1,年假几天,"{""leave.md"": 3}","[[""leave.md""]]"\n'
        'q2,病假几天,"{""leave.md"": ",\n',
        encoding="utf-8",
    )
    samples, faults = read(path)
    assert samples[0][1].grades == {"leave.md": 3}
    assert samples[0][1].evidence_sets == (frozenset({"leave.md"}),)
    assert [fault.fault.problem for fault in faults.ordered()] == ["is not an object"]
