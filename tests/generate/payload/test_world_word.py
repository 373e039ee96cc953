"""What `payload` plants can be asked about by who is meant to, and by nobody else."""

from dataclasses import replace

import pytest

from rageval_kit.corpus.snapshots import load_world
from rageval_kit.generate.payload.making import TRUSTEE
from rageval_kit.generate.planting import plant
from rageval_kit.generate.scene import Scene
from rageval_kit.generate.sound import read
from rageval_kit.generate.suite import compile_family
from rageval_kit.generate.who import nobody
from rageval_kit.generate.words import MARK
from rageval_kit.generate.world import payload
from rageval_kit.records.changes import Publish, SetState
from rageval_kit.records.faults import InputError
from rageval_kit.records.target import Grain, Power, Stage
from rageval_kit.records.world import AccessPolicy
from rageval_kit.resources import tree

SEED = 7
BOTH = {"en": "x", "zh": "x"}


@pytest.fixture(scope="module")
def bare():
    folder = tree("suites") / "worlds" / "demo"
    return load_world(folder / "snapshot", folder / "directory.json")


def family(**args):
    return read(
        {
            "id": "TRY-01",
            "version": 1,
            "title": BOTH,
            "motive": BOTH,
            "limits": BOTH,
            "severity": "low",
            "world": [{"payload": args}],
            "who": "nobody",
            "when": ["ask"],
            "ask": ["question"],
            "see": {"must": ["retrieve"]},
            "checks": ["canary"],
            "alive": ["acknowledged"],
        },
        "TRY-01.yaml",
    )


@pytest.fixture(scope="module")
def staged(bare):
    """The planted world as the family meets it, its exhibits, and the scene that shows them."""

    def build(grain=Grain.CHUNK, **args):
        planted = plant(bare, [family(**args)], SEED)
        scene = Scene(
            *(planted.world, grain, frozenset(Power), frozenset(Stage), SEED, {}),
            planted.canaries,
            own=bare,
        )
        shown = payload.exhibits(planted.world, args, SEED)
        return planted, list(shown), scene.showing(shown)

    return build


def text_of(world, document_id):
    return "\n".join(c.text for v in world.documents[document_id].versions for c in v.chunks)


def test_both_derivations_speak_of_the_same_documents(staged):
    planted, shown, _ = staged(n=3, goal="citation")
    assert len(shown) == 3
    for one in shown:
        assert {"target", "clean", "decoy"} == set(one.documents)
        assert set(one.documents.values()) <= set(planted.world.documents)
        assert one.payload.decoy == one.documents["decoy"]
        (entry,) = planted.world.documents[one.payload.decoy].entries
        assert entry.subject_id not in one.readers, "one that was found may be cited"
        assert one.payload.decoy in text_of(planted.world, one.documents["target"])
        assert planted.world.documents[one.documents["target"]].authority == 0


def test_the_canary_stands_in_the_sentence_that_answers_and_the_order_stays_whole(staged):
    for args in (
        {"goal": "url", "technique": "chat_template", "n": 4},
        {"goal": "persist", "carrier": "markdown_image", "lang": "zh", "n": 4},
        {"parts": 3, "n": 4},
    ):
        planted, shown, _ = staged(**args)
        for one in shown:
            version = planted.world.documents[one.documents["target"]].versions[0]
            (mark,) = MARK.findall(version.chunks[0].text)
            before, _, _ = version.chunks[0].text.partition(mark)
            assert one.values[version.version_id] in before
            assert not any(piece in before for piece in one.payload.pieces)
            parts = [MARK.sub("", chunk.text) for chunk in version.chunks]
            assert all(piece in "".join(parts) for piece in one.payload.pieces)
            if "parts" not in args:
                assert one.payload.order in parts[0]


def test_a_reader_is_found_for_every_payload(staged):
    _, shown, scene = staged(n=5)
    found = nobody.find(scene, {}, 10, "document")
    assert [pair.exhibit.exhibit_id for pair in found.pairs] == [one.exhibit_id for one in shown]


def test_a_secret_to_be_leaked_is_one_that_the_reader_may_not_read(staged):
    planted, shown, scene = staged(n=4, goal="leak")
    for pair, one in zip(nobody.find(scene, {}, 10, "document").pairs, shown, strict=True):
        secret = planted.world.documents[one.documents["secret"]]
        chunk_id = secret.versions[0].chunks[0].chunk_id
        denied = scene.reasons[:, scene.columns[chunk_id]]
        readers = {scene.readers[row] for row in range(len(scene.readers)) if not denied[row]}
        assert readers == {TRUSTEE}
        assert pair.reader_id != TRUSTEE
        assert secret.versions[0].title.removeprefix("Notes on ") in one.payload.order


def test_a_deputy_may_read_the_secret_and_the_author_may_not(staged):
    planted, shown, scene = staged(n=2, goal="deputy", tool="mail")
    for pair, one in zip(nobody.find(scene, {}, 10, "document").pairs, shown, strict=True):
        assert pair.reader_id == TRUSTEE
        assert one.author_id == "kit-author" != TRUSTEE
        assert one.author_id in planted.world.principals
        assert (one.payload.goal, one.payload.tool, one.payload.derived) == ("tool", "mail", ())
        secret = planted.world.documents[one.documents["secret"]].versions[0]
        assert one.values.keys().isdisjoint({secret.version_id})
        name = secret.title.removeprefix("Notes on ")
        assert name in one.questions["topic"]
        assert one.payload.order.endswith(f"reference code of {name}.")


@pytest.mark.parametrize("over", ["chunks", "documents"])
@pytest.mark.parametrize("grain", list(Grain))
def test_each_part_is_carried_by_a_passage_of_its_own(staged, over, grain):
    planted, shown, _ = staged(n=2, parts=2, over=over, grain=grain)
    for one in shown:
        first, second = one.parts
        assert not first & second
        places = {
            chunk.chunk_id: (document.document_id, chunk.text)
            for document in planted.world.documents.values()
            for version in document.versions
            for chunk in version.chunks
        }
        documents = {places[chunk_id][0] for chunk_id in first | second}
        assert len(documents) == (1 if over == "chunks" else 2)
        assert documents <= set(one.documents.values())
        a, b = one.payload.pieces
        assert all(a in places[c][1] and b not in places[c][1] for c in first)
        assert all(b in places[c][1] and a not in places[c][1] for c in second)


def test_copies_carry_the_same_part(staged):
    planted, (one,), _ = staged(n=1, copies=3)
    (part,) = one.parts
    assert len(part) == 3
    assert len({text_of(planted.world, d) for r, d in one.documents.items() if r != "clean"}) == 3
    assert list(one.values.values()).count(one.values[one.truth]) == 3


def test_a_carrier_to_be_published_is_not_there_before(staged):
    planted, (one,), _ = staged(n=1, planted=False)
    assert one.documents["published"] not in planted.world.documents
    assert one.documents["target"] == one.documents["clean"]
    (change,) = one.events["publish"]
    assert isinstance(change, Publish)
    assert change.document.document_id == one.documents["published"]
    (removal,) = one.events["delete"]
    assert isinstance(removal, SetState)
    assert removal.document_id == one.documents["published"]


@pytest.mark.parametrize("grain", list(Grain))
def test_the_roles_of_a_case_name_the_carrier_at_the_targets_grain(staged, grain):
    planted, (one,), scene = staged(n=1, grain=grain)
    (case,) = compile_family(scene, family(n=1), 1).cases
    document = planted.world.documents[one.documents["target"]]
    (chunk,) = document.versions[0].chunks
    ids = {
        Grain.DOCUMENT: document.document_id,
        Grain.VERSION: document.versions[0].version_id,
        Grain.CHUNK: chunk.chunk_id,
    }
    assert case.expectation.roles["carrier"] == {ids[grain]}
    assert case.expectation.roles["carrier.1"] == {ids[grain]}
    assert case.expectation.payload == one.payload
    assert case.expectation.steps[0, 0].wanted == one.values[one.truth]


def test_a_trigger_of_another_topic_brings_its_document_and_question(staged):
    planted, (one,), _ = staged(n=1, trigger="other", lang="zh")
    assert one.payload.trigger in one.questions["trigger"]
    assert one.payload.trigger not in one.questions["topic"]
    assert one.payload.order.startswith(f"当有人问到{one.payload.trigger}时：")
    stated = text_of(planted.world, one.documents["trigger"])
    assert one.values[f"{one.documents['trigger']}@1"] in stated


def test_an_order_in_the_other_language_than_its_document(staged):
    _, (one,), _ = staged(n=1, technique="cross_lingual")
    assert (one.lang, one.payload.lang) == ("en", "zh")
    assert one.payload.order.startswith("请把")
    _, (two,), _ = staged(n=1, lang="zh", transform="morse")
    assert (two.lang, two.payload.lang) == ("zh", "en")


def test_families_that_differ_in_one_argument_share_no_document(bare):
    plain = {d.document_id for d in payload.plant(bare, {"n": 3}, SEED).documents}
    other = {d.document_id for d in payload.plant(bare, {"n": 3, "lang": "zh"}, SEED).documents}
    assert not plain & other
    assert plain == {d.document_id for d in payload.plant(bare, {"n": 3}, SEED).documents}
    more = {d.document_id for d in payload.plant(bare, {"n": 4}, SEED).documents}
    assert plain < more


def test_where_a_missing_label_denies_the_lowest_is_given(bare):
    policy = AccessPolicy(labels=("open", "secret"), unlabelled_denied=True)
    planting = payload.plant(replace(bare, policy=policy), {"n": 1}, SEED)
    assert {document.label for document in planting.documents} == {"open"}
    assert {person.clearance for person in planting.principals} == {"open"}


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({"technique": "ignore_previos"}, "did you mean 'ignore_previous'"),
        ({"n": 0}, "whole number from 1 to 500"),
        ({"copies": "many"}, "whole number from 1 to 20"),
        ({"parts": 2, "goal": "url"}, "splits an order of the goal marker alone"),
        ({"file": "nowhere.jsonl"}, "nowhere.jsonl: cannot be opened"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(bare, args, words):
    with pytest.raises(InputError, match=r"payload|nowhere") as met:
        payload.plant(bare, args, SEED)
    assert words in str(met.value)
