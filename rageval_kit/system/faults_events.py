"""Which seeded faults concern what happens over time: rights that change, parts that fail?"""

from enum import StrEnum

from rageval_kit.system.fault_info import told


class EventFault(StrEnum):
    HISTORY_NOT_RECHECKED = "history_not_rechecked"
    GROUPS_TRUNCATED = "groups_truncated"
    OVERAGE_CLAIM_OPENS = "overage_claim_opens"
    LABELS_FROZEN = "labels_frozen"
    MOVED_KEEPS_LABEL = "moved_keeps_label"
    ENTRIES_COPIED_AT_INGEST = "entries_copied_at_ingest"
    UNKNOWN_ID_IS_DEFAULT_USER = "unknown_id_is_default_user"
    SUSPENDED_KEEPS_SESSION = "suspended_keeps_session"
    SUSPENDED_IS_NOT_DELETED = "suspended_is_not_deleted"
    EMPTY_ID_IS_SERVICE = "empty_id_is_service"
    GUESTS_STAY = "guests_stay"
    OPEN_ON_TIMEOUT = "open_on_timeout"
    OPEN_ON_ERROR = "open_on_error"
    OPEN_ON_STALE_TOKEN = "open_on_stale_token"  # noqa: S105 - the name of a fault
    OPEN_ON_EMPTY_REPLY = "open_on_empty_reply"
    RIGHTS_READ_ONCE = "rights_read_once"
    ERASURE_LEAVES_CACHE = "erasure_leaves_cache"
    ERASURE_LEAVES_LOG = "erasure_leaves_log"
    ERASURE_LEAVES_MEMORY = "erasure_leaves_memory"
    OLD_VERSIONS_NOT_ERASED = "old_versions_not_erased"
    RESYNC_RESURRECTS = "resync_resurrects"
    RESTORE_FORGETS_DELETIONS = "restore_forgets_deletions"
    LAGGING_REPLICA_READ = "lagging_replica_read"
    QUARANTINE_AT_INGEST_ONLY = "quarantine_at_ingest_only"
    QUARANTINED_STILL_OPENS = "quarantined_still_opens"
    REMOVALS_LATE = "removals_late"


FAULTS_HERE = (
    told(
        EventFault.HISTORY_NOT_RECHECKED,
        "ACL-03",
        "A summary of the conversation repeats what was shown earlier, whatever the reader may see "
        "now.",
        "总结对话时重复先前展示的内容，不再核对现在的权限。",
    ),
    told(
        EventFault.GROUPS_TRUNCATED,
        "ACL-07",
        "Only the first hundred groups of a person are read: a deny by a later one is lost.",
        "只读取一个人的前一百个组，排在后面的组的拒绝被丢弃。",
    ),
    told(
        EventFault.OVERAGE_CLAIM_OPENS,
        "ACL-07",
        "A person in too many groups to list is taken to be in all of them.",
        "组太多而无法列出的人被当作属于所有组。",
    ),
    told(
        EventFault.LABELS_FROZEN,
        "ACL-09",
        "A document keeps the label and compartments that it had when it was indexed.",
        "文档保持入库时的密级与隔离标记。",
    ),
    told(
        EventFault.MOVED_KEEPS_LABEL,
        "ACL-09",
        "A document that has no label of its own keeps that of the folder in which it was indexed.",
        "自身无密级的文档移动后仍沿用入库时所在文件夹的密级。",
    ),
    told(
        EventFault.ENTRIES_COPIED_AT_INGEST,
        "ACL-09",
        "A document's list is copied into the index and read anew only when it is indexed anew.",
        "访问列表在入库时复制进索引，重新入库前不再更新。",
    ),
    told(
        EventFault.UNKNOWN_ID_IS_DEFAULT_USER,
        "ACL-15",
        "Somebody whom the directory does not know is taken for its first user.",
        "目录中不存在的人被当作第一个用户。",
    ),
    told(
        EventFault.SUSPENDED_KEEPS_SESSION,
        "ACL-15",
        "Who was let in when a session began stays in, suspended or not.",
        "会话开始时有权的人在停用后仍可继续。",
    ),
    told(
        EventFault.SUSPENDED_IS_NOT_DELETED,
        "ACL-15",
        "Only deleted accounts are turned away; suspended ones pass.",
        "只拒绝已删除的账号，停用的账号仍放行。",
    ),
    told(
        EventFault.EMPTY_ID_IS_SERVICE,
        "ACL-15",
        "A request without an id runs with the rights of the service account.",
        "没有身份的请求以服务账号的权限执行。",
    ),
    told(
        EventFault.GUESTS_STAY,
        "ACL-15",
        "A guest membership works for ever once it has begun.",
        "来宾身份一经开始便永久有效。",
    ),
    told(
        EventFault.OPEN_ON_TIMEOUT,
        "ACL-20",
        "Where the rights service does not answer in time, nothing is filtered.",
        "权限服务超时时不做过滤。",
    ),
    told(
        EventFault.OPEN_ON_ERROR,
        "ACL-20",
        "Where the rights service fails, the rights of the service account are used.",
        "权限服务出错时改用服务账号的权限。",
    ),
    told(
        EventFault.OPEN_ON_STALE_TOKEN,
        "ACL-20",
        "A token that is out of date is accepted, with the rights of its issue.",
        "过期令牌仍被接受，并按签发时的权限执行。",
    ),
    told(
        EventFault.OPEN_ON_EMPTY_REPLY,
        "ACL-20",
        "An empty reply of the rights service is read as: no restriction.",
        "权限服务的空回复被理解为没有限制。",
    ),
    told(
        EventFault.RIGHTS_READ_ONCE,
        "ACL-24",
        "What was retrieved is answered from, though the right to it has ended meanwhile.",
        "检索之后权限已失效，仍用检索到的内容作答。",
    ),
    told(
        EventFault.ERASURE_LEAVES_CACHE,
        "DEL-02+CAC-04",
        "Deletions and time do not empty the cache of answers.",
        "删除与时间推移都不会清除答案缓存。",
    ),
    told(
        EventFault.ERASURE_LEAVES_LOG,
        "DEL-02",
        "The log keeps what was quoted, also when it is erased.",
        "日志保留引用过的文字，抹除之后仍在。",
    ),
    told(
        EventFault.ERASURE_LEAVES_MEMORY,
        "DEL-02",
        "A conversation may repeat what has been deleted: only what is there is checked.",
        "对话仍可复述已删除的内容：只核对仍然存在的文档。",
    ),
    told(
        EventFault.OLD_VERSIONS_NOT_ERASED,
        "DEL-02",
        "A deletion reaches the newest version of a document only.",
        "删除只及于文档的最新版本。",
    ),
    told(
        EventFault.RESYNC_RESURRECTS,
        "DEL-03",
        "The next run of the connector brings deleted documents back.",
        "连接器再次同步时，已删除的文档复活。",
    ),
    told(
        EventFault.RESTORE_FORGETS_DELETIONS,
        "DEL-03",
        "After a backup is put back, later changes are replayed, but deletions are not.",
        "恢复备份后补做了后续变更，却没有补做删除。",
    ),
    told(
        EventFault.LAGGING_REPLICA_READ,
        "DEL-03",
        "Reads go to a replica that has missed deletions.",
        "读取落在错过了删除的副本上。",
    ),
    told(
        EventFault.QUARANTINE_AT_INGEST_ONLY,
        "DEL-05",
        "Quarantine is looked at when a document comes in, and never again.",
        "只在入库时检查隔离状态，此后不再检查。",
    ),
    told(
        EventFault.QUARANTINED_STILL_OPENS,
        "DEL-05",
        "A quarantined document is not found, but its citation opens.",
        "被隔离的文档搜不到，但引用仍可打开。",
    ),
    told(
        EventFault.REMOVALS_LATE,
        "ACL-08",
        "Whatever takes a right away is carried out a minute and a half late.",
        "收回权限的变更要晚一分半钟才生效。",
    ),
)
