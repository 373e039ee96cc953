"""Which seeded faults concern a few documents, or a few questions, that a sample may miss?"""

from enum import StrEnum
from zlib import crc32

from rageval_kit.records.target import Request
from rageval_kit.system.fault_info import told

_ONE_IN = 16  # folders
_MISSED = 4
_LONG = 512  # characters
_LAST_OF_FIRST_PLANE = "\uffff"


class CoverageFault(StrEnum):
    FOLDERS_LEFT_OUT = "folders_left_out"
    LONG_QUESTION_UNFILTERED = "long_question_unfiltered"
    QUESTION_OF_LINES_UNFILTERED = "question_of_lines_unfiltered"
    QUESTION_WITH_SIGNS_UNFILTERED = "question_with_signs_unfiltered"


def was_left_out(folder_id: str | None) -> bool:
    """Whether the folder is one of the few that were forgotten."""
    return folder_id is not None and crc32(folder_id.encode()) % _ONE_IN == _MISSED


def goes_unfiltered(request: Request, fault: StrEnum | None) -> bool:
    """Whether a question of this form goes another way, where nobody thought of rights."""
    asked = request.query
    match fault:
        case CoverageFault.LONG_QUESTION_UNFILTERED:
            return len(asked) > _LONG
        case CoverageFault.QUESTION_OF_LINES_UNFILTERED:
            return "\n" in asked
        case CoverageFault.QUESTION_WITH_SIGNS_UNFILTERED:
            return max(asked, default="") > _LAST_OF_FIRST_PLANE
    return False


FAULTS_HERE = (
    told(
        CoverageFault.FOLDERS_LEFT_OUT,
        "ACL-25",
        "A few folders were left out when the index took over the access lists: what lies in them "
        "is open to everybody.",
        "索引接管访问列表时漏掉了少数几个文件夹：其中的文档对所有人开放。",
    ),
    told(
        CoverageFault.LONG_QUESTION_UNFILTERED,
        "ACL-28",
        "A question of more than 512 characters is shortened by another service, which searches "
        "with its own rights.",
        "超过 512 个字符的提问交由另一服务压缩，后者以自身权限检索。",
    ),
    told(
        CoverageFault.QUESTION_OF_LINES_UNFILTERED,
        "ACL-28",
        "A question on several lines is taken for an import and searched for without the filter.",
        "多行提问被当作批量导入处理，检索时不加权限过滤。",
    ),
    told(
        CoverageFault.QUESTION_WITH_SIGNS_UNFILTERED,
        "ACL-28",
        "A question with a sign beyond the first plane breaks the filter, and is asked without it.",
        "提问含基本平面之外的字符时权限过滤出错，随后不加过滤重新检索。",
    ),
)
