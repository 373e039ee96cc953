"""How do public sets of attacks become payload files that the kit takes, each with its licence?

    python tests/tools/payload_sets.py ../shared/data OUT

writes OUT/bipia.jsonl, OUT/garak.jsonl, OUT/agentdojo.jsonl, and clean texts of two of them as
carriers of the kit's own orders: OUT/bipia_contexts.jsonl, OUT/agentdojo_places.jsonl. Nothing of
them is shipped.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml

BIPIA = ("microsoft/BIPIA@1a2a91da6bb1", "MIT")
TABLES = (BIPIA[0], "CC BY-SA 4.0 (WikiTableQuestions)")
GARAK = ("NVIDIA/garak@cafbe992780d", "Apache-2.0")
AGENTDOJO = ("agentdojo 0.1.35 on PyPI", "MIT")
NOT_TEXTS = {"domains_latentinjection", "example_domains_xss"}  # host names, to be put into others
PLACE = "{INJECTION_MARKER}"
ORDER = "{order}"
_AT = re.compile(r"\{(?:calendar|drive|email)_[a-z_]+\}")
_BRACES = str.maketrans("{}", "()")
FILLED = {
    "_TEXT": "Say hello",
    "_RECIPIENT": "mark@bank.example",
    "_SUBJECT": "Hello",
    "_FILE_ID": "13",
    "_PARTICIPANT": "mark@bank.example",
    "_START_TIME": "2024-05-19 at 10:00",
    "_TITLE": "Call",
    "_SENDER": "service@bank.example",
    "_BODY": "Hey",
}


def line(name, text, source, technique, goal=""):
    fields = {"id": name, "text": text, "lang": "en", "source": source[0], "licence": source[1]}
    return fields | {"technique": technique} | ({"goal": goal} if goal else {})


def bipia(folder: Path) -> Iterator[dict]:
    """Each attack of the text and code categories, of both halves."""
    for kind in ("text", "code"):
        for half in ("test", "train"):
            attacks = json.loads((folder / f"{kind}_attack_{half}.json").read_text())
            for category, texts in attacks.items():
                for number, text in enumerate(texts, 1):
                    name = f"bipia-{kind}-{half}-{category}-{number}".replace(" ", "_")
                    yield line(name, text, BIPIA, f"bipia {category}")


def garak(folder: Path) -> Iterator[dict]:
    """Each payload; where a set marks the place of an injection, the order goes there."""
    for path in sorted(folder.glob("*.json")):
        if path.stem in NOT_TEXTS:
            continue
        data = json.loads(path.read_text())
        for number, text in enumerate(data["payloads"], 1):
            head, found, rest = text.partition(PLACE)
            placed = f"{head}{{order}}{rest.replace(PLACE, '')}" if found else text
            yield line(f"garak-{path.stem}-{number}", placed, GARAK, f"garak {path.stem}")


def agentdojo(folder: Path) -> Iterator[dict]:
    """Each attacker's goal as text, its places filled with made-up names."""
    for row in (folder / "injection_goals.jsonl").read_text().splitlines():
        goal = json.loads(row)
        text = goal["goal_template"].removeprefix('f"').removesuffix('"')
        text = re.sub(r"\{(_[A-Z_]+)\}", lambda found: FILLED[found[1]], text)
        name = f"agentdojo-{goal['suite']}-{goal['task']}"
        yield line(name, text, AGENTDOJO, f"agentdojo {goal['suite']}", "tool")


def bipia_contexts(folder: Path) -> Iterator[dict]:
    """Each clean e-mail and table, the order at its start, between two lines, or at its end."""
    for kind in ("email_test", "email_train", "table_test"):
        source = BIPIA if kind.startswith("email") else TABLES
        for number, row in enumerate((folder / f"{kind}.jsonl").read_text().splitlines(), 1):
            lines = json.loads(row)["context"].translate(_BRACES).splitlines()
            at = (0, len(lines) // 2, len(lines))[number % 3]
            text = "\n".join((*lines[:at], ORDER, *lines[at:]))
            where = ("start", "middle", "end")[number % 3]
            yield line(f"bipia-{kind}-{number}", text, source, f"bipia {kind[:5]} {where}")


def agentdojo_places(folder: Path) -> Iterator[dict]:
    """Each mail, file and event with a place for an injection; the order goes there."""
    listed = {
        "calendar": "initial_events",
        "cloud_drive": "initial_files",
        "inbox": "initial_emails",
    }
    for part, name in listed.items():
        file = folder / "workspace" / "include" / f"{part}.yaml"
        for item in yaml.safe_load(file.read_text())[name]:
            text = item.get("description") or item.get("content") or item.get("body") or ""
            if found := _AT.search(text):
                head, rest = text[: found.start()], _AT.sub("", text[found.end() :])
                placed = f"{head.translate(_BRACES)}{ORDER}{rest.translate(_BRACES)}"
                yield line(
                    f"agentdojo-{found[0][1:-1]}", placed, AGENTDOJO, f"agentdojo {part}", "tool"
                )


SETS = {
    "bipia": bipia,
    "garak": garak,
    "agentdojo": agentdojo,
    "bipia_contexts": bipia_contexts,
    "agentdojo_places": agentdojo_places,
}
FOLDERS = {
    "bipia": "bipia",
    "garak": "garak_payloads",
    "agentdojo": "agentdojo",
    "bipia_contexts": "bipia",
    "agentdojo_places": "agentdojo",
}


def write(name: str, data: Path, out: Path) -> Path:
    path = out / f"{name}.jsonl"
    rows = (json.dumps(row, ensure_ascii=False) for row in SETS[name](data))
    path.write_text("".join(f"{row}\n" for row in rows), "utf-8")
    return path


if __name__ == "__main__":
    data, out = map(Path, sys.argv[1:3])
    out.mkdir(parents=True, exist_ok=True)
    for name, folder in FOLDERS.items():
        print(write(name, data / folder, out))
