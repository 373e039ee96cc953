"""Which seeded faults concern the index and how it follows its source?"""

from enum import StrEnum

from rageval_kit.system.fault_info import told


class IndexFault(StrEnum):
    STALE_VECTORS = "stale_vectors"
    ORPHANS_KEPT = "orphans_kept"
    OLD_TAIL_KEPT = "old_tail_kept"


FAULTS_HERE = (
    told(
        IndexFault.STALE_VECTORS,
        "VER-08",
        "A change of the embedding model leaves the vectors that are there as they were.",
        "更换嵌入模型后，已有向量保持原样。",
    ),
    told(
        IndexFault.ORPHANS_KEPT,
        "DEL-04",
        "What is deleted in the source stays in the index, though no search shows it.",
        "来源中已删除的内容仍留在索引里，尽管检索不会显示。",
    ),
    told(
        IndexFault.OLD_TAIL_KEPT,
        "VER-01",
        "A new version of fewer passages takes the place of the first ones; the old tail is found "
        "as before.",
        "新版本段落较少时只覆盖前几段，旧版本的末尾段落仍可检索到。",
    ),
)
