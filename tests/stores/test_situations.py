"""What do the kit's own runs say of a PostgreSQL that is set up rightly, and of one that is not?

Exit codes are those of docs/rules.md: 0 pass, 1 availability, 2 input, 3 violated, 4 incomplete, 5
never answered.
"""

import psycopg
import pytest

from rageval_kit.cli.door import start
from rageval_kit.retrievers.pgvector import Config, Loaded

FAMILIES = "suites.acl_negative.families.ids=[{}]"


@pytest.fixture
def run(postgres, tmp_path, monkeypatch, capfd):
    """Run the command with words of its own; the exit code, and what a person was told."""
    monkeypatch.setenv("PG_DSN", postgres)

    def go(families, *words, dsn=None):
        if dsn is not None:
            monkeypatch.setenv("PG_DSN", dsn)
        code = start(
            [
                "+suite=acl_negative",
                FAMILIES.format(families),
                "suites.acl_negative.size.cases=12",
                "retriever=pgvector",
                "retriever.dsn=${oc.env:PG_DSN}",
                f"archive.root={tmp_path / 'archive'}",
                *words,
            ]
        )
        told = capfd.readouterr()
        return code, told.out + told.err

    return go


def test_policies_and_a_plain_role_leak_nothing(run):
    code, told = run("ACL-01,ACL-06,ACL-08,CTL-01,CTL-08,SID-02,DEL-01")
    assert code == 0, told
    assert "PASS" in told


@pytest.mark.parametrize("rls", ["on", "force"])
def test_a_superuser_passes_every_policy_by(run, rls):
    code, told = run("ACL-01,CTL-01", "retriever.role=null", f"retriever.rls={rls}")
    assert code == 3, told
    assert "violations in ACL-01 (critical)" in told


@pytest.fixture
def owner(postgres):
    """The connection string of a login that is no superuser and may make schemas and roles."""
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE ROLE kit_owner LOGIN CREATEROLE")
        connection.execute("GRANT CREATE ON DATABASE postgres TO kit_owner")
        yield postgres.replace("postgres:@", "kit_owner:@", 1)
        connection.execute("DROP OWNED BY kit_owner")
        connection.execute("DROP ROLE kit_owner")


def test_the_owner_of_a_table_passes_its_policies_by_unless_they_are_forced(run, owner):
    plain, told = run("ACL-01,CTL-01", "retriever.role=null", dsn=owner)
    assert plain == 3, told
    forced, told = run("ACL-01,ACL-08,CTL-01", "retriever.role=null", "retriever.rls=force")
    assert forced == 0, told


def test_a_session_that_says_nothing_sees_nothing_and_nothing_is_held(run):
    code, told = run("ACL-01,CTL-01", "retriever.session_setting=false")
    assert code == 4, told
    assert "the entitled twin did not succeed" in told
    assert "0 of 12 decided" in told


def test_an_index_before_the_policy_starves_and_an_iterative_scan_does_not(run):
    starved, told = run("RNK-03,CTL-01", "retriever.index=hnsw")
    assert starved == 1, told
    assert "starvation: not met" in told
    fed, told = run(
        "RNK-03,CTL-01", "retriever.index=hnsw", "retriever.iterative_scan=strict_order"
    )
    assert fed == 0, told


def test_the_remedy_of_starvation_is_named_where_the_index_is(postgres):
    described = Loaded(Config(postgres, index="hnsw")).describe()
    assert "iterative_scan=strict_order" in described["index"]


@pytest.mark.parametrize(
    ("dsn", "code", "words"),
    [
        ("postgresql://u:hunter2-secret@127.0.0.1:1/db", 5, "cannot be reached"),
        ("host=/nowhere password='hunter2-secret'", 5, "cannot be reached"),
        ("hunter2-secret", 2, "is no connection string"),
    ],
)
def test_an_address_where_nobody_listens_is_named_and_its_password_is_not(
    run, tmp_path, dsn, code, words
):
    met, told = run("ACL-01", dsn=dsn)
    assert (met, words in told) == (code, True), told
    assert_nowhere("hunter2-secret", told, tmp_path)


def assert_nowhere(secret, told, folder):
    assert secret not in told
    files = [one for one in folder.rglob("*") if one.is_file()]
    assert [one for one in files if secret.encode() in one.read_bytes()] == []


@pytest.fixture
def guarded(postgres):
    """A login whose password the server asks for, which it does of nobody else."""
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("SET password_encryption = 'scram-sha-256'")
        connection.execute("CREATE ROLE kit_guarded LOGIN SUPERUSER PASSWORD 'right-password-1'")
        (path,) = connection.execute("SHOW hba_file").fetchone()
        with open(path, encoding="utf-8") as file:  # noqa: PTH123 - the server's own path
            before = file.read()
        with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123 - likewise
            file.write("local all kit_guarded scram-sha-256\n" + before)
        connection.execute("SELECT pg_reload_conf()")
        yield lambda password: postgres.replace("postgres:@", f"kit_guarded:{password}@", 1)
        with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123 - likewise
            file.write(before)
        connection.execute("SELECT pg_reload_conf()")
        connection.execute("DROP ROLE kit_guarded")


def test_wrong_credentials_end_with_5_and_right_ones_stay_out_of_all_that_is_written(
    run, guarded, tmp_path
):
    code, told = run("ACL-01", dsn=guarded("wrong-password-1"))
    assert code == 5, told
    assert "password authentication failed" in told
    assert_nowhere("wrong-password-1", told, tmp_path)
    code, told = run("ACL-01,CTL-01", dsn=guarded("right-password-1"))
    assert code == 0, told
    assert_nowhere("right-password-1", told, tmp_path)


def test_a_database_without_the_extension_is_named(run, postgres):
    code, told = run("ACL-01", dsn=postgres.replace("/postgres?", "/template1?", 1))
    assert code == 5, told
    assert "'template1' lacks the extension vector" in told


def test_a_configuration_without_policies_needs_to_be_meant(run):
    code, told = run("ACL-01", "retriever.rls=off")
    assert code == 2, told
    assert "is off while require_rls wants it" in told
    code, told = run("ACL-01", "retriever.rls=off", "retriever.require_rls=false")
    assert code == 3, told


def test_a_schema_of_somebody_else_is_left_alone(run, postgres):
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA theirs")
        code, told = run("ACL-01", "retriever.schema=theirs")
        assert code == 5, told
        assert "that the kit did not make" in told
        connection.execute("DROP SCHEMA theirs")


def test_a_schema_that_another_run_holds_is_left_alone(run, postgres):
    held = "SELECT pg_advisory_lock(hashtextextended('rageval-kit rageval_kit', 0))"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA rageval_kit")
        connection.execute(held)
        code, told = run("ACL-01")
        assert code == 5, told
        assert "another run holds the schema" in told
        connection.execute("DROP SCHEMA rageval_kit")


def test_nothing_is_left_behind(run, postgres):
    assert run("CTL-01")[0] == 0
    with psycopg.connect(postgres) as connection:
        found = connection.execute(
            "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'rageval%' "
            "UNION SELECT rolname FROM pg_roles WHERE rolname LIKE 'rageval%'"
        ).fetchall()
    assert found == []


THEIRS = """
CREATE TABLE public.notes (id text PRIMARY KEY, tenant text, body text);
INSERT INTO public.notes VALUES {rows};
CREATE ROLE app_reader;
GRANT SELECT ON public.notes TO app_reader;
"""
POLICY = """
ALTER TABLE public.notes ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON public.notes USING (tenant = current_setting('app.tenant', true));
"""
TABLE = (
    "retriever.table={name: public.notes, id_column: id, text_column: body, "
    "settings: {app.tenant: '$tenant'}}"
)


@pytest.fixture
def notes(postgres):
    """A table of somebody else with the demo's passages, without policies as yet."""
    from rageval_kit.corpus.snapshots import load_world
    from rageval_kit.resources import tree

    demo = tree("suites") / "worlds" / "demo"
    world = load_world(demo / "snapshot", demo / "directory.json")
    rows = [
        (chunk.chunk_id, document.tenant_id, f"{version.title} {chunk.text}")
        for document in world.documents.values()
        for version in document.versions
        for chunk in version.chunks
    ]
    with psycopg.connect(postgres, autocommit=True) as connection:
        marks = ", ".join(["(%s, %s, %s)"] * len(rows))
        for statement in THEIRS.format(rows=marks).split(";\n"):
            values = [part for row in rows for part in row] if "%s" in statement else None
            if statement.strip():
                connection.execute(statement, values)
        yield connection
        connection.execute("DROP TABLE public.notes")
        connection.execute("DROP ROLE app_reader")


def test_a_table_of_ones_own_is_judged_by_what_its_policies_let_through(run, notes):
    words = ("retriever.load=false", TABLE, "retriever.role=app_reader")
    code, told = run("ACL-01", *words)
    assert code == 5, told
    assert "has no row-level security" in told
    for statement in filter(str.strip, POLICY.split(";\n")):
        notes.execute(statement)
    code, told = run("ACL-02", *words)  # the tenant alone is not the whole rule
    assert code == 3, told
    code, told = run("ACL-01", *words, "retriever.role=null")
    assert code == 3, told
