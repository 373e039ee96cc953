"""Which seeded faults lie where the second code path forgets what the first one knew?"""

from enum import StrEnum

from rageval_kit.system.fault_info import told


class UnseenFaultB(StrEnum):
    RETRIED_WITHOUT_FILTER = "retried_without_filter"
    HIDDEN_TITLE_FINDS = "hidden_title_finds"
    ANSWERS_KEPT_BY_GROUPS = "answers_kept_by_groups"
    ANSWERS_KEPT_BY_DAY = "answers_kept_by_day"
    FOLDER_CHANGES_LEAVE_CACHES = "folder_changes_leave_caches"
    LISTS_KEPT_BY_USER_ID = "lists_kept_by_user_id"
    KEPT_ANSWER_CHECKED_BY_CITATIONS = "kept_answer_checked_by_citations"
    FOLLOW_UP_LOSES_CONTEXT = "follow_up_loses_context"
    RECALLED_BY_DOCUMENT = "recalled_by_document"
    LAST_PUBLISHED_EDITION = "last_published_edition"
    RESYNC_RESETS_LISTS = "resync_resets_lists"
    GRANT_REPLACES_DENY = "grant_replaces_deny"
    LATER_PASSAGES_UNLABELLED = "later_passages_unlabelled"
    NEW_EDITION_INHERITS = "new_edition_inherits"
    SERVED_ONCE_AT_A_TIME = "served_once_at_a_time"
    REMOVED_CANDIDATES_COUNTED = "removed_candidates_counted"
    NOTHING_FOUND_EXPLAINED = "nothing_found_explained"
    SUGGESTIONS_RANKED_BY_ALL = "suggestions_ranked_by_all"


FAULTS_HERE = (
    told(
        UnseenFaultB.RETRIED_WITHOUT_FILTER,
        "ACL-15",
        "A search that finds nothing is made again without the filter.",
        "检索不到任何结果时，会去掉过滤条件再检索一次。",
    ),
    told(
        UnseenFaultB.ANSWERS_KEPT_BY_GROUPS,
        "PRN-01",
        "Answers are kept by tenant, groups and clearance: what names one person does not count.",
        "答案按租户、组与许可缓存，针对个人的授权与拒绝不计入缓存键。",
    ),
    told(
        UnseenFaultB.ANSWERS_KEPT_BY_DAY,
        "ASO-02",
        "Answers are kept by the day that is asked about, not by the instant.",
        "答案按所问的日期缓存，而不是按所问的时刻。",
    ),
    told(
        UnseenFaultB.LISTS_KEPT_BY_USER_ID,
        "PRN-04+PRN-05",
        "Ranked lists are kept by the user's id alone, whatever tenant the session is in and "
        "whatever agents the call came through.",
        "结果列表只按用户标识缓存，不论会话所在的租户与经过的代理。",
    ),
    told(
        UnseenFaultB.KEPT_ANSWER_CHECKED_BY_CITATIONS,
        "ACL-07+ACL-20",
        "A kept answer is given to whoever may read the passages it cites, with all that was kept "
        "beside it.",
        "只要可读缓存答案所引用的段落，就会得到该答案以及一并缓存的其他内容。",
    ),
    told(
        UnseenFaultB.FOLLOW_UP_LOSES_CONTEXT,
        "PRN-04",
        "A question that leans on the one before is rewritten into a new request, which forgets "
        "the session's tenant and the agents it came through.",
        "承接上一问的问题被改写为新请求，丢失了会话的租户与经过的代理。",
    ),
    told(
        UnseenFaultB.RECALLED_BY_DOCUMENT,
        "ACL-03",
        "What was shown earlier is repeated while anything of its document may be read.",
        "只要同一文档仍有内容可读，先前展示过的段落就会被复述。",
    ),
    told(
        UnseenFaultB.LAST_PUBLISHED_EDITION,
        "DEL-02",
        "Where the version in force is not published, the last published one before it is served.",
        "现行版本未处于发布状态时，改为提供之前最近一个已发布的版本。",
    ),
    told(
        UnseenFaultB.RESYNC_RESETS_LISTS,
        "ACL-27",
        "The next run of the connector puts documents' lists back as they were first read.",
        "连接器再次运行时，文档的权限列表恢复为首次读取时的样子。",
    ),
    told(
        UnseenFaultB.GRANT_REPLACES_DENY,
        "ACL-05",
        "A list has one entry for each subject: an allow that is added takes the place of a deny.",
        "权限列表中每个主体只有一条记录：新增的允许会覆盖原有的拒绝。",
    ),
    told(
        UnseenFaultB.LATER_PASSAGES_UNLABELLED,
        "ACL-12",
        "What is indexed after the first load takes its document's label; passages' own labels "
        "are read by the first load only.",
        "首次加载之后入库的内容一律使用文档密级，段落自身的密级只在首次加载时读取。",
    ),
    told(
        UnseenFaultB.NEW_EDITION_INHERITS,
        "ACL-10",
        "A new version of a document inherits from its folder again, though that was broken.",
        "文档发布新版本后重新继承文件夹权限，尽管此前已中断继承。",
    ),
    told(
        UnseenFaultB.SERVED_ONCE_AT_A_TIME,
        "PRN-01",
        "The same question asked by several at the same time is served once, for all of them.",
        "多人同时提出同一问题时只处理一次，结果共用。",
    ),
    told(
        UnseenFaultB.REMOVED_CANDIDATES_COUNTED,
        "LOG-08",
        "An explanation says how many candidates the filter took away.",
        "检索说明会给出被权限过滤掉的候选数量。",
    ),
    told(
        UnseenFaultB.NOTHING_FOUND_EXPLAINED,
        "LOG-09",
        "Where a search finds nothing, the titles of what the filter took away are logged.",
        "检索不到结果时，被过滤掉的内容的标题会写入日志。",
    ),
    told(
        UnseenFaultB.SUGGESTIONS_RANKED_BY_ALL,
        "SID-17",
        "Completions are those one may see, in the order of how often everybody's documents say "
        "them.",
        "补全只列出可见的词，但按其在全部文档中的出现次数排序。",
    ),
    told(
        UnseenFaultB.FOLDER_CHANGES_LEAVE_CACHES,
        "ACL-10",
        "Answers and lists are dropped when a document's rights change, not when a folder's do.",
        "文档权限变化时会清除缓存的答案与列表，文件夹权限变化时则不会。",
        is_lag=True,  # the next tick of the clock drops them too
    ),
    told(
        UnseenFaultB.HIDDEN_TITLE_FINDS,
        "SID-18",
        "A passage is found by the words of its document's title, whoever may read that.",
        "段落可由其文档标题中的词检索到，而不论谁可读该标题。",
    ),
)
