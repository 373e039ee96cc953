"""What does each folder hand down: its label, its compartments, its entries?"""

from collections.abc import Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

import numpy as np
from numpy.typing import NDArray

from rageval_kit.access.content import NO_LEVEL, ContentReader
from rageval_kit.access.lists import ListKey, key_of
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.world import Folder


@dataclass(frozen=True, slots=True)
class Folders:
    """One row per folder in the order of the world, and a last row that stands for no folder.

    `generations` are folders by depth, topmost first, each with the row that it inherits entries
    from (the last row, where it breaks inheritance). Labels and compartments pass every break.
    """

    position: Mapping[str, int]
    tenants: tuple[str, ...]
    level: NDArray[np.int16]
    compartments: NDArray[np.intp]
    keys: tuple[ListKey, ...]
    generations: tuple[tuple[NDArray[np.intp], NDArray[np.intp]], ...]

    @classmethod
    def of(
        cls, folders: Mapping[str, Folder], reader: ContentReader, faults: list[Fault]
    ) -> "Folders":
        position = {folder_id: row for row, folder_id in enumerate(folders)}
        none = len(position)
        level = np.full(none + 1, NO_LEVEL, np.int16)
        compartments = np.full(none + 1, reader.set_of(frozenset()), np.intp)
        sets: dict[str, frozenset[str]] = {}
        depth: dict[str, int] = {}
        generations: list[list[tuple[int, int]]] = []
        for folder_id in _topmost_first(folders, faults):
            folder, row = folders[folder_id], position[folder_id]
            parent_id = folder.parent_id
            level[row] = reader.level_of(folder.label, f"folder {folder_id}")
            sets[folder_id] = folder.compartments
            depth[folder_id] = 0
            heir_of = none
            if parent_id is not None:
                above = position[parent_id]
                if level[row] == NO_LEVEL:
                    level[row] = level[above]
                sets[folder_id] |= sets[parent_id]
                depth[folder_id] = depth[parent_id] + 1
                heir_of = above if folder.inherits else none
            compartments[row] = reader.set_of(sets[folder_id])
            if depth[folder_id] == len(generations):
                generations.append([])
            generations[depth[folder_id]].append((row, heir_of))
        return cls(
            position,
            tuple(folder.tenant_id for folder in folders.values()),
            level,
            compartments,
            (
                *(
                    key_of(folder.entries, folder.tenant_id, f"folder {folder_id}", faults)
                    for folder_id, folder in folders.items()
                ),
                frozenset(),
            ),
            tuple(_columns(generation) for generation in generations),
        )

    def handed_down(self, own: NDArray[np.generic]) -> None:
        """Each row takes the larger of its own value and the one of the row it inherits from."""
        for rows, heirs_of in self.generations[1:]:
            own[rows] = np.maximum(own[rows], own[heirs_of])


def _columns(generation: list[tuple[int, int]]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    rows, heirs_of = np.array(generation, np.intp).T
    return rows, heirs_of


def _topmost_first(folders: Mapping[str, Folder], faults: list[Fault]) -> tuple[str, ...]:
    graph: dict[str, list[str]] = {}
    for folder_id, folder in folders.items():
        graph[folder_id] = []
        if folder.parent_id is None:
            continue
        parent = folders.get(folder.parent_id)
        if parent is None:
            faults.append(
                Fault(f"folder {folder_id}", "there is no such parent", folder.parent_id, "add it")
            )
        elif parent.tenant_id != folder.tenant_id:
            faults.append(
                Fault(
                    f"folder {folder_id}",
                    "its parent is another tenant's",
                    f"{parent.tenant_id!r}, the folder is of {folder.tenant_id!r}",
                    "keep a folder below folders of its own tenant",
                )
            )
        else:
            graph[folder_id].append(folder.parent_id)
    if faults:
        raise InputError(faults)
    try:
        return tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        raise InputError.one(
            "folders", "a folder contains itself", " > ".join(error.args[1]), "break the circle"
        ) from error
