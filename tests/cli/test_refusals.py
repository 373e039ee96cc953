"""What a configuration may not say, and the one line that answers it."""

import pytest


def refused(ended):
    assert ended.returncode == 2, ended.stderr
    assert "Traceback" not in ended.stderr
    return ended.stderr.splitlines()


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("retriever.armz=[sparse]", "retriever.armz: is not a key"),
        ("+retriever.armz=[sparse]", "retriever.armz: is not a key"),
        ("++retriever.armz=[sparse]", "retriever.armz: is not a key"),
        ("gate.completeness.coverag=1", "gate.completeness.coverag: is not a known key"),
        ("+gate.completeness.coverag=1", "did you mean 'coverage'?"),
        ("sede=3", "sede: is not a key of this configuration; did you mean 'seed'?"),
        ("+zzz=1", "zzz: is not a key"),
        ("retreiver=hybrid", "did you mean 'retriever'?"),
        ("metrics.recall_at_10.kk=3", "metrics.recall_at_10.kk: is not a key"),
        ("retriever=hybird", "no retriever is named 'hybird'; did you mean 'hybrid'?"),
        ("+suite=acl_negativ", "no suite is named 'acl_negativ'; did you mean 'acl_negative'?"),
        ("gate=strickt", "did you mean 'strict'?"),
        ("fault=cache_key_without_principle", "did you mean 'cache_key_without_principal'?"),
        ("retriever.kind=embeded", "did you mean 'embedded'?"),
        ("metrics.recall_at_10.kind=recal", "did you mean 'recall'?"),
        ("lang=fr", "lang: is not one of the choices (met 'fr'); known: en, zh"),
        ("+suites.ghost.size.cases=3", "suites.ghost: no file of this name was chosen"),
        ("++retriever=bm25", "++ does not choose files"),
        ("+retriever=bm25", "retriever is chosen already; write retriever=bm25"),
        ("hydra/launcher=joblib", "has no effect on an evaluation"),
        ("hydra.searchpath=[mine]", "has no effect on an evaluation"),
        ("retriever.fault=deny_all", "write fault=…"),
        ("retriever._target_=os.system", "retriever._target_: is not a key"),
        ("retriever.kind=../../os", "retriever.kind: is not known here"),
        ("corpus.name=demmo", "did you mean 'demo'?"),
        ("corpus=snapshot", "missing mandatory value: corpus.path"),
        ("metrics={}", "no metrics is named '{}'"),
        ("gate=[{a: 1}]", "no gate is named '{'a': 1}'"),
        ("~seed", "seed"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_known(kit, word, said):
    lines = refused(kit("plan", "+suite=smoke", word))
    assert any(said in line for line in lines), lines


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("k=abc", "k: must be a whole number (met 'abc')"),
        ("k=1.5", "k: must be a whole number (met 1.5)"),
        ("k=true", "k: must be a whole number (met true)"),
        ("k=0", "k: must be at least 1 (met 0)"),
        ("seed=null", "seed: must be a whole number (met null)"),
        ("retriever.arms=sparse", "retriever.arms: must be a list (met 'sparse'); write"),
        ("retriever.cache=1", "retriever.cache: must be true or false (met 1)"),
        ("now=2026-11-30T08:00:00", "now: has no time zone"),
        ("now=yesterday", "now: is not an ISO 8601 instant (met yesterday)"),
        ("suites.smoke.required_taps=[cach]", "suites.smoke.required_taps[0]: is not one of"),
        ("engine=3", "no engine is named '3'"),
        ("corpus.path=[a]", "corpus.path: must be text"),
    ],
)
def test_a_wrong_type_is_refused_with_the_value_met(kit, word, said):
    lines = refused(kit("plan", "+suite=smoke", word))
    assert any(said in line for line in lines), lines


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "null", "1.2", "-0.1", "true", "'0.8'"])
def test_bug_044_a_threshold_is_a_finite_number_within_its_range(kit, value):
    key = "gate.thresholds.recall_of_permitted.at_least"
    lines = refused(kit("plan", f"{key}={value}"))
    assert any(key in line for line in lines)
    if value not in ("1.2", "-0.1"):
        assert any(f"{key}: must be a finite number" in line for line in lines)


@pytest.mark.parametrize("key", ["retriever.k1", "suites.smoke.service_levels_s.deletion"])
def test_bug_044_no_number_anywhere_is_nan(kit, key):
    assert f"{key}: must be a finite number" in kit("plan", "+suite=smoke", f"{key}=nan").stderr


def test_all_faults_are_listed_at_once(kit):
    lines = refused(
        kit("plan", "+suite=smok", "query=年假几天", "zz=1", "k=a", "fault=deny_al", "seed=-1")
    )
    for said in ("smoke", "query=年假几天", "zz:", "k:", "deny_all", "seed:"):
        assert any(said in line for line in lines), said


def test_bug_074_an_unquoted_chinese_value_is_answered_with_the_form_that_works(kit):
    lines = refused(kit("+suite=smoke", "query=年假几天"))
    assert len(lines) == 1
    assert """'query="年假几天"'""" in lines[0]


def test_bug_074_the_form_works_and_so_does_the_file(kit):
    kit.write("retriever/年.yaml", "kind: toy\ntenant: 年假几天\n")
    own = ("-cd", str(kit.own))
    assert "年假几天" in kit("plan", *own, "retriever=toy", 'retriever.tenant="年假几天"').stdout
    assert "年假几天" in kit("plan", *own, 'retriever="年"').stdout


def test_bug_075_a_comma_in_a_single_run_is_answered_with_the_list(kit):
    lines = refused(
        kit("plan", "-cd", str(kit.own), "retriever=toy", "retriever.groups=hr,finance")
    )
    assert len(lines) == 1
    assert "write retriever.groups=[hr,finance]" in lines[0]


def test_bug_075_a_list_is_one_run_and_a_sweep_is_two(kit):
    own = ("plan", "-cd", str(kit.own), "retriever=toy")
    one = kit(*own, "retriever.groups=[hr,finance]")
    assert one.stdout.count("kind: toy") == 1
    assert "- hr" in one.stdout
    assert "- finance" in one.stdout
    two = kit(*own, "-m", "retriever.groups=[hr],[finance]")
    assert two.stdout.count("kind: toy") == 2
    assert "run 1 of 2" in two.stdout


def test_bug_076_yaml_that_is_no_text_is_refused_with_file_and_line(kit):
    kit.write("retriever/odd.yaml", "kind: toy\n\ntenant: NO\napi_key: 00123\n")
    lines = refused(kit("plan", "-cd", str(kit.own), "retriever=odd"))
    tenant = next(line for line in lines if "retriever.tenant" in line)
    assert "odd.yaml:3: retriever.tenant: must be text" in tenant
    assert 'add quotes: "NO"' in tenant
    number = next(line for line in lines if "retriever.api_key" in line)
    assert "odd.yaml:4:" in number
    # The value may be a secret, so that its digits need not be shown.
    assert "must be text" in number


def test_bug_076_a_file_is_wrong_also_where_the_command_line_replaces_it(kit):
    kit.write("retriever/odd.yaml", "kind: toy\ntenant: NO\n")
    ended = kit("plan", "-cd", str(kit.own), "retriever=odd", "retriever.tenant=acme")
    assert "odd.yaml:2: retriever.tenant" in refused(ended)[0]


@pytest.mark.parametrize("text", ["NO", "00123", "123", "1e5", "true", "0x10", "1_000"])
def test_bug_076_on_the_command_line_text_stays_as_typed(kit, text):
    import json

    ended = kit("plan", "--json", "-cd", str(kit.own), "retriever=toy", f"retriever.tenant={text}")
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)[0]["config"]["retriever"]["tenant"] == text


def test_bug_077_a_missing_value_is_named_before_anything_is_built(kit):
    kit.write("retriever/open.yaml", "kind: toy\ntenant: ???\n")
    ended = kit("-cd", str(kit.own), "+suite=smoke", "retriever=open")
    assert "missing mandatory value: retriever.tenant" in refused(ended)[0]
    assert list(kit.folder.iterdir()) == []


def test_bug_077_every_missing_value_is_named(kit):
    kit.write("retriever/open.yaml", "kind: toy\ntenant: ???\ngroups: ['???']\napi_key: ???\n")
    lines = refused(kit("plan", "-cd", str(kit.own), "retriever=open"))
    assert [line.count("missing mandatory value") for line in lines] == [1, 1, 1]


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("suites.smoke.families.ids=[ACL-99]", "matches no family (met ACL-99); did you mean"),
        ("suites.smoke.families.ids=[XYZ-*]", "matches no family (met XYZ-*)"),
        ("suites.smoke.families.ids=[]", "selects no family"),
        ("suites.smoke.families.severities=[]", "selects no family"),
        ("suites.smoke.families.severities=[criticl]", "known: critical, high, low, medium"),
        ("suites.smoke.size.cases=0", "must be at least 1"),
    ],
)
def test_bug_041_a_selection_of_nothing_is_refused(kit, word, said):
    lines = refused(kit("plan", "+suite=smoke", word))
    assert any(said in line or "did you mean 'critical'" in line for line in lines), lines


def test_a_suite_without_plus_is_taken_with_a_notice(kit):
    ended = kit("plan", "suite=smoke")
    assert ended.returncode == 0
    assert "suite=smoke is read as +suite=smoke" in ended.stderr


def test_two_suites_stand_side_by_side(kit):
    ended = kit("plan", "+suite=[smoke,acl_negative]")
    assert ended.returncode == 0
    assert "  acl_negative:" in ended.stdout
    assert "  smoke:" in ended.stdout


def test_a_folder_of_ones_own_may_not_shadow_what_is_shipped(kit):
    kit.write("gate/default.yaml", "security: {}\n")
    lines = refused(kit("plan", "-cd", str(kit.own)))
    assert "gate/default.yaml" in lines[0]
    assert "it cannot replace" in lines[0]


def test_a_folder_that_is_not_there_is_refused(kit):
    assert "nowhere" in refused(kit("plan", "-cd", "nowhere"))[0]


def test_the_folder_may_come_from_the_environment(kit):
    ended = kit("plan", "retriever=toy", env={"RAGEVAL_CONFIG_DIR": str(kit.own)})
    assert ended.returncode == 0
    assert "kind: toy" in ended.stdout


def test_files_of_ones_own_are_shown_with_their_digest(kit):
    import hashlib

    file = kit.own / "retriever" / "toy.yaml"
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    ended = kit("plan", "-cd", str(kit.own), "retriever=toy")
    assert f"# {file} sha256:{digest[:12]}" in ended.stdout


def test_broken_yaml_is_one_line(kit):
    kit.write("retriever/broken.yaml", "kind: toy\ntenant: 'a\n")
    assert len(refused(kit("plan", "-cd", str(kit.own), "retriever=broken"))) == 1


def test_a_doubled_key_is_refused(kit):
    kit.write("retriever/twice.yaml", "kind: toy\ntenant: a\ntenant: b\n")
    assert "duplicate key" in refused(kit("plan", "-cd", str(kit.own), "retriever=twice"))[0]


def test_an_environment_variable_that_is_not_set_is_named(kit):
    kit.write("retriever/env.yaml", "kind: toy\napi_key: ${oc.env:NOT_SET_AT_ALL}\n")
    assert "NOT_SET_AT_ALL" in refused(kit("plan", "-cd", str(kit.own), "retriever=env"))[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["verfy"], "'verfy' is not a subcommand; did you mean 'verify'?"),
        (["--experimental-rerun", "x.pickle"], "--experimental-rerun: is refused"),
        (["--config-path", "x"], "use --config-dir"),
        (["--multirn"], "did you mean '--multirun'?"),
        (["run", "smoke"], "smoke: is neither an override nor a subcommand"),
        (["plan", "--config-dir"], "--config-dir: needs a value"),
        (["verify", "no-such-run"], "is neither a folder nor the id of a run"),
        (["suites", "show", "smok"], "did you mean 'smoke'?"),
        (["explain", "recal"], "did you mean 'recall'?"),
        (["validate"], "name a file or folder"),
    ],
)
def test_a_mistyped_command_is_answered_on_one_line(kit, words, said):
    lines = refused(kit(*words))
    assert said in lines[0], lines


@pytest.mark.parametrize(
    "words",
    [["--cfg", "job", "retriever.topk=5"], ["--cfg", "job", "retriever=hybird"], ["--cfg", "jb"]],
    ids=" ".join,
)
def test_what_hydra_refuses_is_2_as_well(kit, words):
    ended = kit.process(*words)
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1, ended.stderr


def test_a_refused_value_cannot_steer_the_terminal(kit):
    ended = kit("plan", "lang='\x1b[2J\u202efr'")
    assert ended.returncode == 2
    assert "\x1b" not in ended.stderr
    assert "\u202e" not in ended.stderr
    assert "⟨U+001B⟩[2J⟨U+202E⟩fr" in ended.stderr
