"""No two seeded faults share a name: the second would take the place of the first, unseen."""

import pkgutil
from collections import Counter
from importlib import import_module

from rageval_kit import system
from rageval_kit.system import faults


def test_every_fault_has_a_name_of_its_own():
    modules = [m.name for m in pkgutil.iter_modules(system.__path__) if m.name[:7] == "faults_"]
    listed = [
        info.name
        for module in modules
        for info in import_module(f"rageval_kit.system.{module}").FAULTS_HERE
    ]
    names = Counter([*map(str, faults.Fault), *listed])
    assert {name: n for name, n in names.items() if n > 1} == {}
    assert set(names) == set(faults.FAULTS)
