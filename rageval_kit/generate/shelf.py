"""Which families are there, and what do their files say?"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from rageval_kit.generate.family import Family, nearest, variants, word_module
from rageval_kit.generate.sound import read
from rageval_kit.records.faults import Fault, InputError


def load(folder: Path, ids: Iterable[str] | None = None) -> list[Family]:
    """The families of a folder, or those of `ids`; InputError lists every fault of every file."""
    import yaml

    there = {path.stem: path for path in sorted(folder.glob("*.yaml"))}
    wanted = list(there) if ids is None else list(dict.fromkeys(ids))
    faults: list[Fault] = []
    families = []
    for family_id in wanted:
        if family_id not in there:
            faults.append(
                Fault(f"family {family_id}", "is not there", way_out=nearest(family_id, set(there)))
            )
            continue
        path = there[family_id]
        try:
            data = yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
        except (yaml.YAMLError, UnicodeDecodeError) as fault:
            faults.append(Fault(path.name, "is not readable YAML", str(fault).splitlines()[0]))
            continue
        if not isinstance(data, dict):
            faults.append(Fault(path.name, "is not a mapping of fields", type(data).__name__))
            continue
        if data.get("id", family_id) != family_id:
            faults.append(
                Fault(f"{path.name}: id", "is not the file's name", str(data["id"]), family_id)
            )
        try:
            families.append(read(data, path.name))
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(faults)
    return families


def suite_hash(folder: Path, ids: Iterable[str], more: Iterable[Path] = ()) -> str:
    """sha-256 over the bytes of the family files of a suite, in order of id, and of `more` files.

    Those count by what they say alone: a user's file is the same wherever it lies.
    """
    body = hashlib.sha256()
    for family_id in sorted(set(ids)):
        body.update(family_id.encode())
        body.update((folder / f"{family_id}.yaml").read_bytes())
    for digest in sorted({hashlib.sha256(path.read_bytes()).digest() for path in more}):
        body.update(digest)
    return body.hexdigest()


def rests_on(families: Iterable[Family]) -> set[Path]:
    """The files beside its own from which the words of a family draw, as `files` of a word says."""
    words = [
        word
        for family in families
        if not family.is_code
        for variant in variants(family)
        for word in variant.world
    ]
    drawing = [(word_module("world", word.name), word.args) for word in words]
    return {
        path for module, args in drawing if hasattr(module, "files") for path in module.files(args)
    }
