"""Which families are there, and what do their files say?"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from rageval_kit.generate.family import Family, nearest, read
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


def suite_hash(folder: Path, ids: Iterable[str]) -> str:
    """sha-256 over the bytes of the family files of a suite, in order of id."""
    body = hashlib.sha256()
    for family_id in sorted(set(ids)):
        body.update(family_id.encode())
        body.update((folder / f"{family_id}.yaml").read_bytes())
    return body.hexdigest()
