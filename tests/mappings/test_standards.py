"""Every identifier of the mapping stands in its publisher's list, and every family is mapped."""

import csv
import os
import re
from pathlib import Path

import pytest
import yaml

from rageval_kit.report.standards import family_standards, schemes, standard

ROOT = Path(__file__).parents[2]
MAPPING = yaml.safe_load(
    (ROOT / "suites" / "mappings" / "standards.yaml").read_text(encoding="utf-8")
)
LISTS = ROOT.parent / "shared" / "schemas"
SHIPPED = {
    "ACL": "01 02 03 05 06 08 10 11 12 13 14 16 17 18 20 21",
    "PRN": "01 02",
    "CAC": "01 02 04 06",
    "RNK": "01 03",
    "CIT": "01 02",
    "LOG": "01",
    "SID": "01 02 04 06 11 12",
    "DEL": "01 03",
    "VER": "01 03 06",
    "ASO": "02 04 06",
    "INJ": " ".join(f"{number:02d}" for number in range(1, 22)),
    "POI": "01",
    "AGT": "01",
    "CTL": "01 02 03 04 05 06 07 08",
}


def published(name):
    path = LISTS / name
    if not path.is_file():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{path} is missing, and CI must not skip")
        pytest.skip(f"{name} is not beside the checkout")
    with path.open(encoding="utf-8", newline="") as lines:
        return {row["id"]: row for row in csv.DictReader(lines)}


def used(scheme):
    return {id_ for ids in MAPPING["families"].values() for id_ in ids.get(scheme, [])}


@pytest.mark.parametrize(
    ("scheme", "name"),
    [("atlas", "atlas-techniques.csv"), ("aisvs", "aisvs-1.0-requirements.csv")],
)
def test_every_identifier_stands_in_the_published_list(scheme, name):
    listed = set(published(name))
    assert used(scheme) - listed == set()
    assert set(MAPPING["schemes"][scheme]["names"]) - listed == set()


def test_atlas_names_are_the_published_ones():
    rows = published("atlas-techniques.csv")
    for id_, name in MAPPING["schemes"]["atlas"]["names"].items():
        assert name.endswith(rows[id_]["name"])


def test_aisvs_levels_are_the_published_ones():
    rows = published("aisvs-1.0-requirements.csv")
    for id_, name in MAPPING["schemes"]["aisvs"]["names"].items():
        assert name.endswith(f"level {rows[id_]['level']}")


@pytest.mark.parametrize("area", SHIPPED)
def test_every_shipped_family_is_listed(area):
    shipped = {f"{area}-{number}" for number in SHIPPED[area].split()}
    assert shipped <= set(MAPPING["families"])


def test_every_identifier_used_has_a_name_in_its_scheme():
    for scheme in MAPPING["families"]["ACL-01"] | dict.fromkeys(MAPPING["schemes"]):
        assert used(scheme) <= set(MAPPING["schemes"][scheme]["names"])


def test_no_family_uses_a_scheme_that_is_not_described():
    met = {scheme for ids in MAPPING["families"].values() for scheme in ids}
    assert met <= set(MAPPING["schemes"])


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("OWASP 2025 LLM08", "Vector and Embedding Weaknesses"),
        ("OWASP 2026 LLM08", "Hidden Context Exposure"),
        ("OWASP 2026 LLM09", "Vector and Embedding Weaknesses"),
        ("OWASP Agentic 2026 ASI03", "Identity and Privilege Abuse"),
        ("CWE-863", "Incorrect Authorization"),
    ],
)
def test_a_label_carries_its_edition_because_numbers_moved(label, name):
    assert standard(label).name == name


def test_every_label_of_a_family_is_known_again():
    for family in MAPPING["families"]:
        for label in family_standards(family):
            assert standard(label).scheme, label


def test_an_unknown_label_stays_itself():
    assert standard("OWASP LLM08").scheme == ""


def test_every_scheme_prints_an_edition_and_an_https_address():
    for scheme in schemes():
        assert scheme.edition
        assert re.match(r"https://[\w.-]+/", scheme.url)
