"""Which seeded faults concern who somebody is, what lists say, and how things are opened?

Each is a slip as it is met in practice: a second way in, a shortcut, a comparison almost right.
"""

from enum import StrEnum

from rageval_kit.system.fault_info import told


class UnseenFaultA(StrEnum):
    FUTURE_ACCOUNT_WORKS = "future_account_works"
    TOKEN_SKIPS_STATUS = "token_skips_status"  # noqa: S105 - the name of a fault
    TOKEN_DROPS_CHAIN = "token_drops_chain"  # noqa: S105
    NESTED_EDGE_NEVER_ENDS = "nested_edge_never_ends"
    DENY_BY_DIRECT_GROUP_ONLY = "deny_by_direct_group_only"
    DENY_FOR_EVERYONE_SPARES_GUESTS = "deny_for_everyone_spares_guests"
    TEMPORARY_DENY_SKIPPED = "temporary_deny_skipped"
    OWN_ALLOW_BEATS_INHERITED_DENY = "own_allow_beats_inherited_deny"
    OWNER_READS_PUBLISHED = "owner_reads_published"
    PUBLIC_SKIPS_MARKINGS = "public_skips_markings"
    BREAK_DROPS_LABEL = "break_drops_label"
    TITLES_SKIP_COMPARTMENTS = "titles_skip_compartments"
    LINK_OPENED_BY_COLLEAGUE = "link_opened_by_colleague"
    LINK_OPENS_WHOLE_DOCUMENT = "link_opens_whole_document"
    RELATED_TO_HIDDEN = "related_to_hidden"
    TURN_SHOWN_BY_ANY_SOURCE = "turn_shown_by_any_source"
    RIGHTS_KEYED_BY_COUNT = "rights_keyed_by_count"
    REFUSALS_LOGGED_WITH_TEXT = "refusals_logged_with_text"


FAULTS_HERE = (
    told(
        UnseenFaultA.FUTURE_ACCOUNT_WORKS,
        "ACL-26",
        "An account that is to begin later works already: only suspended and deleted ones are "
        "turned away.",
        "尚未生效的账号已可使用：只拒绝停用与已删除的账号。",
    ),
    told(
        UnseenFaultA.TOKEN_SKIPS_STATUS,
        "PRN-05",
        "Of whoever shows a good session token it is not asked whether the account is still "
        "active.",
        "出示有效会话令牌者，不再核对其账号是否仍然启用。",
    ),
    told(
        UnseenFaultA.TOKEN_DROPS_CHAIN,
        "PRN-04",
        "Where a session token is shown, the agents through which the call came are not asked for.",
        "出示会话令牌时，不再检查调用所经过的代理。",
    ),
    told(
        UnseenFaultA.NESTED_EDGE_NEVER_ENDS,
        "ACL-26",
        "A group that was put into another stays in it: only memberships of persons end.",
        "组被放入另一组后便一直在内：只有个人的成员关系会到期。",
    ),
    told(
        UnseenFaultA.DENY_BY_DIRECT_GROUP_ONLY,
        "ACL-26+ACL-05",
        "Allows follow groups to any depth, denies are matched with one's direct groups only.",
        "允许按任意层级的组生效，拒绝只匹配直接所在的组。",
    ),
    told(
        UnseenFaultA.DENY_FOR_EVERYONE_SPARES_GUESTS,
        "ACL-26",
        "A deny for everyone is matched with members only; an allow for everyone with guests too.",
        "面向所有人的拒绝只对成员生效，面向所有人的允许却也对来宾生效。",
    ),
    told(
        UnseenFaultA.TEMPORARY_DENY_SKIPPED,
        "ACL-26",
        "Deny entries that carry an end are left out when lists are read.",
        "读取访问列表时，带有截止时间的拒绝条目被略过。",
    ),
    told(
        UnseenFaultA.OWN_ALLOW_BEATS_INHERITED_DENY,
        "ACL-26",
        "An allow on the document itself beats a deny that it inherits from a folder.",
        "文档自身的允许压过从文件夹继承的拒绝。",
    ),
    told(
        UnseenFaultA.OWNER_READS_PUBLISHED,
        "ACL-26",
        "Who owns a document may read it when published too, with or without an entry.",
        "文档所有者在发布之后无需任何授权仍可阅读。",
    ),
    told(
        UnseenFaultA.PUBLIC_SKIPS_MARKINGS,
        "ACL-26+ACL-04",
        "Of a public document every passage is shown, whatever label or compartment it bears.",
        "公开文档的所有段落都会显示，不看段落的密级与隔离标记。",
    ),
    told(
        UnseenFaultA.BREAK_DROPS_LABEL,
        "ACL-26",
        "A document that breaks inheritance loses its folder's label and compartments too.",
        "文档中断继承时，连文件夹的密级与隔离标记也一并失去。",
    ),
    told(
        UnseenFaultA.TITLES_SKIP_COMPARTMENTS,
        "SID-03",
        "Titles are judged by label, not by compartments.",
        "标题只按密级判断，不看隔离标记。",
    ),
    told(
        UnseenFaultA.LINK_OPENED_BY_COLLEAGUE,
        "ACL-14",
        "A share link that somebody of a tenant has opened counts for all of that tenant.",
        "同租户中有人打开过的共享链接，对该租户所有人生效。",
    ),
    told(
        UnseenFaultA.LINK_OPENS_WHOLE_DOCUMENT,
        "CIT-08",
        "A share link opens every passage of a document of which one may be read.",
        "打开共享链接时，文档只要有一段可读，就显示其全部段落。",
    ),
    told(
        UnseenFaultA.RELATED_TO_HIDDEN,
        "SID-16",
        "What is like a passage is told of passages too that may not be read themselves.",
        "对自身不可读的段落，也会给出与之相似的内容。",
    ),
    told(
        UnseenFaultA.TURN_SHOWN_BY_ANY_SOURCE,
        "LOG-03",
        "A turn of a conversation is shown while any one of its sources may be read.",
        "对话中的一轮只要有一个来源可读就会显示。",
    ),
    told(
        UnseenFaultA.RIGHTS_KEYED_BY_COUNT,
        "CAC-08",
        "Completions and summaries are kept by how many passages a reader sees, not by which.",
        "补全与摘要按读者可见段落的数量缓存，而不是按具体段落。",
    ),
    told(
        UnseenFaultA.REFUSALS_LOGGED_WITH_TEXT,
        "LOG-01",
        "The log of a refused opening says how the refused passage begins.",
        "拒绝打开时，日志写入被拒段落的开头。",
    ),
)
