"""The demo world seen by the shipped families, built once for every test of this folder."""

import importlib.util
import sys
from pathlib import Path

import pytest

from rageval_kit.corpus.snapshots import load_world
from rageval_kit.generate.planting import plant
from rageval_kit.generate.scene import Scene
from rageval_kit.generate.shelf import load
from rageval_kit.generate.suite import compile_family
from rageval_kit.records.target import Grain, Power, Stage
from rageval_kit.resources import tree
from rageval_kit.retrievers.embedded import Embedded
from rageval_kit.run.prepare import abilities_of
from rageval_kit.system.config import EmbeddedConfig

SEED = 7
ABLE = abilities_of(Embedded(EmbeddedConfig()))  # whatever it learns, families may ask of it
LEVELS = {
    "revocation": 60.0,
    "acl_sync": 300.0,
    "cache_ttl": 300.0,
    "deletion": 300.0,
    "indexing": 600.0,
}


@pytest.fixture(scope="session")
def examples():
    name = "generate_examples"
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name("examples.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def shelf():
    return tree("suites") / "families"


@pytest.fixture(scope="session")
def families(shelf):
    return {family.id: family for family in load(shelf)}


@pytest.fixture(scope="session")
def demo():
    folder = tree("suites") / "worlds" / "demo"
    return load_world(folder / "snapshot", folder / "directory.json")


@pytest.fixture(scope="session")
def planted(demo, families):
    return plant(demo, list(families.values()), SEED)


@pytest.fixture(scope="session")
def scene_for(planted, demo):
    """A scene of the demo world as a target would have it that can, shows and names this much."""

    def build(
        *,
        powers=frozenset(Power),
        taps=frozenset(Stage),
        grain=Grain.CHUNK,
        seed=SEED,
        able=ABLE,
    ):
        can_plant = Power.PLANT in powers
        return Scene(
            planted.world if can_plant else demo,
            grain,
            frozenset(powers),
            frozenset(taps),
            seed,
            LEVELS,
            planted.canaries if can_plant else {},
            own=demo,
            abilities=able,
        )

    return build


@pytest.fixture(scope="session")
def scene(scene_for):
    return scene_for()


@pytest.fixture(scope="session")
def made(scene, families):
    return {
        family.id: compile_family(scene, family, family.size or 24) for family in families.values()
    }
