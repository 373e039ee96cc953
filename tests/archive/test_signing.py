"""A signature covers every file of an archive, and is checked by other programs than this kit.

The envelope's encoding is worked here by hand from the text of the DSSE standard, and the signature
is verified by openssl.
"""

import base64
import hashlib
import json
import shutil
import stat
import subprocess

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from rageval_kit.archive import signing
from rageval_kit.archive.dsse import pae
from rageval_kit.archive.folder import MANIFEST, SIGNATURE
from rageval_kit.archive.manifest import seal
from rageval_kit.archive.verify import verify
from rageval_kit.records.faults import InputError

RUN_ID = "20261130T081500Z-3f9a2c51"
STATEMENT = {
    "_type": "https://in-toto.io/Statement/v1",
    "subject": [{"name": "suite", "digest": {"sha256": "a" * 64}}],
    "predicateType": "https://in-toto.io/attestation/test-result/v0.1",
    "predicate": {"result": "PASSED"},
}


@pytest.fixture
def keys(tmp_path):
    """(private, public) of two people."""
    for name in ("ann", "bob"):
        signing.generate(tmp_path / name)
    return {name: (tmp_path / name, tmp_path / f"{name}.pub") for name in ("ann", "bob")}


@pytest.fixture
def signed(unsealed, keys):
    """(folder, root digest), signed by Ann."""
    unsealed.write_json("statement.intoto.json", STATEMENT)
    sign = signing.signer(signing.private_key(keys["ann"][0]))
    root = seal(unsealed, run_id=RUN_ID, fingerprint="f" * 64, previous=None, sign=sign)
    return unsealed.path, root


def checked(folder, *paths):
    return verify(folder, keys=[signing.public_key(path) for path in paths])


def envelope_of(folder):
    return json.loads((folder / SIGNATURE).read_bytes())


def change(folder, **changed):
    (folder / SIGNATURE).write_text(json.dumps(envelope_of(folder) | changed))


def encoded(payload_type, body):
    """PAE by the standard: "DSSEv1" SP LEN(type) SP type SP LEN(body) SP body."""
    parts = [b"DSSEv1", str(len(payload_type)).encode(), payload_type.encode()]
    return b" ".join([*parts, str(len(body)).encode(), body])


def test_the_encoding_is_that_of_the_standards_own_example():
    # protocol.md of DSSE: type "http://example.com/HelloWorld", body "hello world"
    expected = b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    assert pae("http://example.com/HelloWorld", b"hello world") == expected
    assert pae("é", b"") == b"DSSEv1 2 \xc3\xa9 0 "


def test_openssl_verifies_what_was_signed_and_the_statement_names_the_manifest(
    signed, keys, tmp_path
):
    folder, root = signed
    envelope = envelope_of(folder)
    body = base64.b64decode(envelope["payload"])
    (tmp_path / "message").write_bytes(encoded("application/vnd.in-toto+json", body))
    (tmp_path / "sig").write_bytes(base64.b64decode(envelope["signatures"][0]["sig"]))

    def openssl(public):
        words = ["pkeyutl", "-verify", "-pubin", "-inkey", public, "-rawin"]
        words += ["-in", tmp_path / "message", "-sigfile", tmp_path / "sig"]
        return subprocess.run(["openssl", *words], capture_output=True, check=False).returncode

    assert envelope["payloadType"] == "application/vnd.in-toto+json"
    assert openssl(keys["ann"][1]) == 0
    assert openssl(keys["bob"][1]) != 0
    statement = json.loads(body)
    manifest = {"name": "manifest.json", "digest": {"sha256": root}}
    assert statement == STATEMENT | {"subject": [manifest, *STATEMENT["subject"]]}
    assert hashlib.sha256((folder / MANIFEST).read_bytes()).hexdigest() == root
    der = subprocess.run(
        ["openssl", "pkey", "-pubin", "-in", keys["ann"][1], "-outform", "DER"],
        capture_output=True, check=True,
    ).stdout  # fmt: skip
    assert envelope["signatures"][0]["keyid"] == hashlib.sha256(der).hexdigest()


def test_a_signed_archive_is_intact_and_without_a_key_only_names_who_signed(signed, keys):
    folder, _ = signed
    found = checked(folder, keys["ann"][1])
    assert (found.ok, found.exit_code) == (True, 0)
    assert verify(folder).ok
    ann = signing.key_id(signing.public_key(keys["ann"][1]))
    assert verify(folder).signed_by == (ann,)


def test_a_key_of_openssl_signs_and_verifies(unsealed, tmp_path):
    subprocess.run(
        ["openssl", "genpkey", "-algorithm", "ed25519", "-out", tmp_path / "k"], check=True
    )
    words = ["-in", tmp_path / "k", "-pubout", "-out", tmp_path / "k.pub"]
    subprocess.run(["openssl", "pkey", *words], check=True)
    unsealed.write_json("statement.intoto.json", STATEMENT)
    sign = signing.signer(signing.private_key(tmp_path / "k"))
    seal(unsealed, run_id=RUN_ID, fingerprint="f" * 64, previous=None, sign=sign)
    assert checked(unsealed.path, tmp_path / "k.pub").ok


def test_another_key_and_a_missing_signature_are_differences(signed, keys, sealed_twin):
    folder, _ = signed
    wrong = checked(folder, keys["bob"][1])
    assert wrong.exit_code == 1
    assert "no valid signature by key" in wrong.problems[0]
    # Each of several must have signed.
    assert checked(folder, keys["ann"][1], keys["bob"][1]).exit_code == 1
    missing = checked(sealed_twin, keys["ann"][1])
    assert missing.exit_code == 1
    assert missing.problems == (f"{SIGNATURE}: missing: the archive is not signed",)
    assert verify(sealed_twin).ok


@pytest.fixture
def sealed_twin(signed, tmp_path):
    """The same archive whose signature was taken away."""
    folder = tmp_path / "twin"
    shutil.copytree(signed[0], folder)
    (folder / SIGNATURE).unlink()
    return folder


def test_every_change_of_the_envelope_or_of_what_it_covers_is_found(signed, keys):
    folder, _ = signed
    whole = (folder / SIGNATURE).read_bytes()
    body = json.loads(base64.b64decode(envelope_of(folder)["payload"]))
    forged = body | {"predicate": {"result": "FAILED"}}
    ann = envelope_of(folder)["signatures"][0]
    cut = base64.b64encode(base64.b64decode(ann["sig"])[:-1]).decode()
    changes = {
        "payload": base64.b64encode(json.dumps(forged).encode()).decode(),
        "payloadType": "application/json",
        "signatures": [],
    }
    for name, value in changes.items():
        change(folder, **{name: value})
        assert checked(folder, keys["ann"][1]).exit_code == 1, name
        (folder / SIGNATURE).write_bytes(whole)
    for signatures in ([ann | {"sig": cut}], [ann | {"sig": "%"}], [{"keyid": "x"}], [ann["sig"]]):
        change(folder, signatures=signatures)
        assert checked(folder, keys["ann"][1]).exit_code == 1, signatures
    for data in (b"", b"{}", b"\xff", b"[" * 5000):
        (folder / SIGNATURE).write_bytes(data)
        assert verify(folder).exit_code == 1, data
    (folder / SIGNATURE).write_bytes(whole)
    (folder / "report.md").write_text("another report")
    assert checked(folder, keys["ann"][1]).exit_code == 1


def test_a_signature_of_another_archive_is_no_signature_of_this_one(signed, keys):
    folder, _ = signed
    data = json.loads((folder / MANIFEST).read_bytes())
    assert data["run_id"] == RUN_ID
    body = STATEMENT | {"subject": [{"name": MANIFEST, "digest": {"sha256": "0" * 64}}]}
    key = signing.private_key(keys["ann"][0])
    raw = json.dumps(body).encode()
    sig = base64.b64encode(key.sign(encoded("application/vnd.in-toto+json", raw))).decode()
    change(folder, payload=base64.b64encode(raw).decode(), signatures=[{"sig": sig}])
    found = checked(folder, keys["ann"][1])
    assert found.problems == (f"{SIGNATURE}: signs another manifest than the one beside it",)
    assert verify(folder).exit_code == 1  # seen without any key


def test_the_name_that_a_signature_gives_itself_proves_nothing(signed, keys):
    """A signer who calls itself Bob is not Bob; one without a name is found by its key."""
    folder, _ = signed
    bob = signing.key_id(signing.public_key(keys["bob"][1]))
    own = envelope_of(folder)["signatures"][0]
    change(folder, signatures=[own | {"keyid": bob}])
    assert checked(folder, keys["bob"][1]).exit_code == 1
    assert checked(folder, keys["ann"][1]).ok
    change(folder, signatures=[{"sig": own["sig"]}])
    assert checked(folder, keys["ann"][1]).ok


def test_a_second_signer_signs_the_same_statement(signed, keys):
    folder, _ = signed
    payload = envelope_of(folder)["payload"]
    named = signing.sign_sealed(folder, signing.private_key(keys["bob"][0]))
    assert len(named) == 2
    assert envelope_of(folder)["payload"] == payload
    assert checked(folder, keys["ann"][1], keys["bob"][1]).ok
    again = signing.sign_sealed(folder, signing.private_key(keys["bob"][0]))
    assert again == named  # signed once, however often


def test_an_archive_that_was_sealed_unsigned_is_signed_later(sealed_twin, keys):
    signing.sign_sealed(sealed_twin, signing.private_key(keys["bob"][0]))
    assert checked(sealed_twin, keys["bob"][1]).ok


def test_the_signature_is_there_before_the_manifest(unsealed, keys, monkeypatch):
    """Killed in between, the run is unsealed; a sealed one has the signature it was to have."""
    from rageval_kit.archive import manifest as module

    unsealed.write_json("statement.intoto.json", STATEMENT)
    sign = signing.signer(signing.private_key(keys["ann"][0]))

    def killed(path, _data):
        assert path.name == MANIFEST
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "write_new", killed)
    with pytest.raises(KeyboardInterrupt):
        seal(unsealed, run_id=RUN_ID, fingerprint="f" * 64, previous=None, sign=sign)
    assert (unsealed.path / SIGNATURE).exists()
    assert not unsealed.is_sealed
    monkeypatch.undo()
    seal(unsealed, run_id=RUN_ID, fingerprint="f" * 64, previous=None)
    assert not (unsealed.path / SIGNATURE).exists()  # sealed without a key: no stale signature
    assert verify(unsealed.path).ok


def test_keys_are_made_once_and_are_their_owners_alone(tmp_path, monkeypatch):
    monkeypatch.setenv(signing.PASSWORD_VARIABLE, "a long word")
    named = signing.generate(tmp_path / "k")
    assert stat.S_IMODE((tmp_path / "k").stat().st_mode) == 0o600
    assert b"ENCRYPTED" in (tmp_path / "k").read_bytes()
    key = signing.private_key(tmp_path / "k")
    assert signing.key_id(key.public_key()) == named
    with pytest.raises(InputError, match="exists already"):
        signing.generate(tmp_path / "k")
    monkeypatch.setenv(signing.PASSWORD_VARIABLE, "another word")
    with pytest.raises(InputError, match="or the password is another"):
        signing.private_key(tmp_path / "k")
    monkeypatch.delenv(signing.PASSWORD_VARIABLE)
    with pytest.raises(InputError, match=f"is encrypted; set {signing.PASSWORD_VARIABLE}"):
        signing.private_key(tmp_path / "k")


def test_what_is_no_key_of_this_kind_is_refused_by_name(tmp_path, keys):
    pem = rsa.generate_private_key(65537, 2048).private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    (tmp_path / "rsa").write_bytes(pem)
    (tmp_path / "text").write_text("no key")
    with pytest.raises(InputError, match="not an Ed25519 key"):
        signing.private_key(tmp_path / "rsa")
    for name in ("text", "nowhere"):
        with pytest.raises(InputError, match=r"no private key|not a file"):
            signing.private_key(tmp_path / name)
    with pytest.raises(InputError, match=r"give the public half"):
        signing.public_key(keys["ann"][0])
