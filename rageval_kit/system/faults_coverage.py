"""Which seeded faults concern a few documents alone, so that a sample may miss them?"""

from enum import StrEnum
from zlib import crc32

from rageval_kit.system.fault_info import told

_ONE_IN = 16  # folders
_MISSED = 4


class CoverageFault(StrEnum):
    FOLDERS_LEFT_OUT = "folders_left_out"


def was_left_out(folder_id: str | None) -> bool:
    """Whether the folder is one of the few that were forgotten."""
    return folder_id is not None and crc32(folder_id.encode()) % _ONE_IN == _MISSED


FAULTS_HERE = (
    told(
        CoverageFault.FOLDERS_LEFT_OUT,
        "ACL-25",
        "A few folders were left out when the index took over the access lists: what lies in them "
        "is open to everybody.",
        "索引接管访问列表时漏掉了少数几个文件夹：其中的文档对所有人开放。",
    ),
)
