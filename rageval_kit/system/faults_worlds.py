"""Which seeded faults let a reader notice what is hidden, though none of it is ever shown?"""

from enum import StrEnum

from rageval_kit.system.fault_info import told


class WorldFault(StrEnum):
    TERM_STATISTICS_UNFILTERED = "term_statistics_unfiltered"
    COUNTS_CACHED_FOR_ALL = "counts_cached_for_all"
    EXISTENCE_TOLD = "existence_told"
    REFUSAL_NAMES_TITLE = "refusal_names_title"
    PART_CHECKED_BEFORE_RIGHT = "part_checked_before_right"
    RIGHTS_READ_AGAIN = "rights_read_again"
    SCORES_SHARE_OF_BEST = "scores_share_of_best"
    METADATA_SEARCHABLE = "metadata_searchable"
    OWNER_SEARCHABLE = "owner_searchable"
    COUNTS_OF_YESTERDAY = "counts_of_yesterday"
    GONE_DIFFERS_FROM_UNKNOWN = "gone_differs_from_unknown"
    POPULARITY_OF_ALL = "popularity_of_all"
    CACHE_STATE_TOLD = "cache_state_told"


FAULTS_HERE = (
    told(
        WorldFault.TERM_STATISTICS_UNFILTERED,
        "SID-01",
        "How many documents hold a word is read from the whole index, whoever asks.",
        "某词的文档频率取自整个索引，不论谁来问。",
    ),
    told(
        WorldFault.COUNTS_CACHED_FOR_ALL,
        "SID-02",
        "A count is kept by its words alone and told to whoever counts them next.",
        "计数只按词缓存，下一个来数的人得到同一个数。",
    ),
    told(
        WorldFault.EXISTENCE_TOLD,
        "SID-04",
        "Where the best match is hidden, the answer says that there is something one may not see.",
        "最佳匹配被隐藏时，回答会说存在无权查看的内容。",
    ),
    told(
        WorldFault.REFUSAL_NAMES_TITLE,
        "SID-06+CIT-01",
        "Refusing a handle names the title of what is refused.",
        "拒绝打开编号时，说出了被拒文档的标题。",
    ),
    told(
        WorldFault.PART_CHECKED_BEFORE_RIGHT,
        "SID-06",
        "A handle whose part does not exist is called incomplete where its document exists, before "
        "anybody's rights are looked at.",
        "先校验编号再查权限：文档存在而段落不存在时，返回“编号不完整”。",
    ),
    told(
        WorldFault.RIGHTS_READ_AGAIN,
        "SID-07",
        "Before a handle that exists is refused, all rights are read anew; an unknown one is "
        "refused at once.",
        "拒绝已存在的编号之前重新读取全部权限，不存在的编号则立即拒绝。",
    ),
    told(
        WorldFault.SCORES_SHARE_OF_BEST,
        "SID-08",
        "Scores are shown as shares of the best candidate's, taken before the rights are applied.",
        "分数按过滤前最佳候选的比例显示。",
    ),
    told(
        WorldFault.METADATA_SEARCHABLE,
        "SID-14",
        "Passages are found by the values of metadata that no reader is shown.",
        "可用不向读者显示的元数据值检索到段落。",
    ),
    told(
        WorldFault.OWNER_SEARCHABLE,
        "SID-14",
        "Passages are found by their owner's id, which no reader is shown.",
        "可用不向读者显示的所有者标识检索到段落。",
    ),
    told(
        WorldFault.COUNTS_OF_YESTERDAY,
        "DEL-06",
        "Counts are taken by the rights and states of the day before, so deleted documents count.",
        "计数按前一天的权限与状态计算，已删除的文档仍被计入。",
    ),
    told(
        WorldFault.GONE_DIFFERS_FROM_UNKNOWN,
        "DEL-06",
        "A handle of what was deleted is answered as gone, an unknown one as not found.",
        "已删除的编号返回“已移除”，不存在的编号返回“未找到”。",
    ),
    told(
        WorldFault.POPULARITY_OF_ALL,
        "RNK-05",
        "What anybody opened moves up in everybody's results.",
        "任何人打开过的内容都会在所有人的结果中上升。",
    ),
    told(
        WorldFault.CACHE_STATE_TOLD,
        "CAC-05",
        "Whether anybody's answer to the question is kept is told before it is asked whose it is.",
        "在核对归属之前就透露该问题是否已有缓存回答。",
    ),
)
