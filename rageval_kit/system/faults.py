"""Which seeded faults does the embedded system carry, and which family must notice each?

A fault is one switch, asked at one place of the real code path; with the switch off the very same
code runs. A fault that denies too much is noticed by the positive twins (CTL-01).
"""

import pkgutil
from collections.abc import Iterator, Mapping
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from types import MappingProxyType

from rageval_kit.system.fault_info import FaultInfo, told


class Fault(StrEnum):
    NO_TENANT_CHECK = "no_tenant_check"
    NO_DEPARTMENT_CHECK = "no_department_check"
    ALLOW_BEATS_DENY = "allow_beats_deny"
    NESTING_DEPTH_ONE = "nesting_depth_one"
    REVOCATION_IGNORED = "revocation_ignored"
    FOLDER_ACL_FROZEN = "folder_acl_frozen"
    EMPTY_ACL_IS_PUBLIC = "empty_acl_is_public"
    LINK_END_IGNORED = "link_end_ignored"
    SPARSE_ARM_UNFILTERED = "sparse_arm_unfiltered"
    DENSE_ARM_UNFILTERED = "dense_arm_unfiltered"
    CLIENT_TENANT_TRUSTED = "client_tenant_trusted"
    SCOPE_SYNTAX_OBEYED = "scope_syntax_obeyed"
    IDS_CASE_FOLDED = "ids_case_folded"
    PRINCIPAL_IN_SHARED_STATE = "principal_in_shared_state"
    SERVICE_IDENTITY = "service_identity"
    CACHE_KEY_WITHOUT_PRINCIPAL = "cache_key_without_principal"
    CACHE_IGNORES_RIGHTS = "cache_ignores_rights"
    RERANK_BEFORE_FILTER = "rerank_before_filter"
    FILTER_AFTER_TOP_K = "filter_after_top_k"
    CITATION_WITHOUT_CHECK = "citation_without_check"
    ATTACHMENT_WITHOUT_CHECK = "attachment_without_check"
    FORBIDDEN_DIFFERS_FROM_UNKNOWN = "forbidden_differs_from_unknown"
    LOG_CANDIDATE_TEXT = "log_candidate_text"
    COUNT_UNFILTERED = "count_unfiltered"
    TOMBSTONE_IGNORED = "tombstone_ignored"
    IGNORE_C1 = "ignore_c1"
    IGNORE_C2 = "ignore_c2"
    IGNORE_C3 = "ignore_c3"
    IGNORE_C4 = "ignore_c4"
    IGNORE_C5 = "ignore_c5"
    IGNORE_C6 = "ignore_c6"
    IGNORE_C7 = "ignore_c7"
    IGNORE_C8 = "ignore_c8"
    IGNORE_C9 = "ignore_c9"
    IGNORE_C10 = "ignore_c10"
    IGNORE_C11 = "ignore_c11"
    IGNORE_C12 = "ignore_c12"
    IGNORE_C13 = "ignore_c13"
    IGNORE_C14 = "ignore_c14"
    DENY_ALL = "deny_all"
    EMPTY_CORPUS = "empty_corpus"
    ALWAYS_REFUSE = "always_refuse"
    ECHO_QUERY = "echo_query"


def _condition(number: int, en: str, zh: str) -> FaultInfo:
    return told(
        Fault(f"ignore_c{number}"),
        "CTL-08",
        f"Condition C{number} of the access rule is not evaluated: {en}.",
        f"不检查访问规则的条件 C{number}：{zh}。",
    )


_ALL = (
    told(
        Fault.NO_TENANT_CHECK,
        "ACL-01",
        "Documents of every tenant are searched for everyone.",
        "检索时不区分租户。",
    ),
    told(
        Fault.NO_DEPARTMENT_CHECK,
        "ACL-02",
        "An entry for any group or department lets everyone in, member or not.",
        "面向任何组或部门的授权对所有人生效，不论是否成员。",
    ),
    told(
        Fault.ALLOW_BEATS_DENY,
        "ACL-05",
        "A deny entry is dropped where an allow entry matches too.",
        "同时命中允许与拒绝时，拒绝被丢弃。",
    ),
    told(
        Fault.NESTING_DEPTH_ONE,
        "ACL-06",
        "Only direct memberships are followed; a group inside a group is lost.",
        "只认直接成员关系，嵌套的组被忽略。",
    ),
    told(
        Fault.REVOCATION_IGNORED,
        "ACL-08",
        "An entry keeps working after it was revoked.",
        "授权被撤销后仍然生效。",
    ),
    told(
        Fault.FOLDER_ACL_FROZEN,
        "ACL-10",
        "Folder rights stay as they were at connection: moves, folder revocations and breaks of "
        "inheritance are not followed.",
        "文件夹权限停留在连接时的状态：移动、撤销与中断继承都不跟进。",
    ),
    told(
        Fault.EMPTY_ACL_IS_PUBLIC,
        "ACL-11",
        "A malformed or empty access list means everyone in the tenant.",
        "损坏或为空的权限列表被当作租户内所有人可读。",
    ),
    told(
        Fault.LINK_END_IGNORED,
        "ACL-14",
        "A share link keeps working after it expired or was revoked.",
        "共享链接到期或撤销后仍可使用。",
    ),
    told(
        Fault.SPARSE_ARM_UNFILTERED,
        "ACL-16",
        "The lexical arm returns forbidden passages; they are removed only after fusion.",
        "词法检索分支返回无权内容，融合之后才过滤。",
    ),
    told(
        Fault.DENSE_ARM_UNFILTERED,
        "ACL-16",
        "The vector arm returns forbidden passages; they are removed only after fusion.",
        "向量检索分支返回无权内容，融合之后才过滤。",
    ),
    told(
        Fault.CLIENT_TENANT_TRUSTED,
        "ACL-18",
        "The tenant that the client sends along replaces the caller's own.",
        "采信客户端自报的租户。",
    ),
    told(
        Fault.SCOPE_SYNTAX_OBEYED,
        "ACL-18",
        "The words tenant:<id> in a query widen its scope.",
        "查询文本中的 tenant:<id> 会扩大检索范围。",
    ),
    told(
        Fault.IDS_CASE_FOLDED,
        "ACL-18",
        "Ids that differ only in case, width or spaces are taken for one.",
        "仅大小写、全半角或空格不同的标识被视为同一个。",
    ),
    told(
        Fault.PRINCIPAL_IN_SHARED_STATE,
        "PRN-01",
        "The current caller stands in a field that concurrent requests share.",
        "当前主体存放在并发请求共享的字段里。",
    ),
    told(
        Fault.SERVICE_IDENTITY,
        "PRN-02",
        "Retrieval runs with the rights of the service account.",
        "检索以服务账号的权限执行。",
    ),
    told(
        Fault.CACHE_KEY_WITHOUT_PRINCIPAL,
        "CAC-01",
        "Cached answers are shared by all callers.",
        "缓存键不含主体，答案被所有人共用。",
    ),
    told(
        Fault.CACHE_IGNORES_RIGHTS,
        "CAC-04",
        "Cached answers outlive revocation, deletion, a new version, a lapsed membership and time.",
        "缓存在撤权、删除、新版本、成员到期与时间推移之后仍被使用。",
    ),
    told(
        Fault.RERANK_BEFORE_FILTER,
        "RNK-01",
        "The reranker is sent candidates before the rights are applied.",
        "候选未经权限过滤就送入重排。",
    ),
    told(
        Fault.FILTER_AFTER_TOP_K,
        "RNK-03",
        "The nearest candidates of everything are taken first and filtered afterwards, which "
        "starves readers.",
        "先从全库取最相近的候选再过滤，权限少的读者得不到结果。",
    ),
    told(
        Fault.CITATION_WITHOUT_CHECK,
        "CIT-01",
        "A citation opens whoever asks.",
        "打开引用时不检查权限。",
    ),
    told(
        Fault.ATTACHMENT_WITHOUT_CHECK,
        "CIT-02",
        "An attachment opens by the label of its document, not by its own.",
        "打开附件时按所属文档而非附件自身的密级判断。",
    ),
    told(
        Fault.FORBIDDEN_DIFFERS_FROM_UNKNOWN,
        "CIT-01",
        "A forbidden handle is answered otherwise than an unknown one.",
        "无权与不存在的返回不同。",
    ),
    told(
        Fault.LOG_CANDIDATE_TEXT,
        "LOG-01",
        "The text of unfiltered candidates is written to the log.",
        "日志写入未过滤候选的正文。",
    ),
    told(
        Fault.COUNT_UNFILTERED,
        "SID-02",
        "Counts include documents the caller may not see.",
        "计数包含无权看到的文档。",
    ),
    told(
        Fault.TOMBSTONE_IGNORED,
        "DEL-01",
        "A deleted document goes on as it was before its deletion.",
        "已删除的文档照旧可被检索。",
    ),
    _condition(1, "unknown and suspended callers pass", "未知或停用的主体也放行"),
    _condition(2, "other tenants' documents pass", "其他租户的文档也放行"),
    _condition(3, "labels above the clearance pass", "密级高于许可也放行"),
    _condition(4, "missing compartments pass", "缺少隔离标记也放行"),
    _condition(5, "every state passes", "任何状态都放行"),
    _condition(6, "every valid time passes", "任何有效时间都放行"),
    _condition(7, "every recorded time passes", "任何记录时间都放行"),
    _condition(8, "a deny by name is not read", "不看点名拒绝"),
    _condition(9, "a deny by group is not read", "不看按组拒绝"),
    _condition(10, "an inherited deny is not read", "不看继承的拒绝"),
    _condition(11, "a document that grants the caller nothing passes", "没有任何授权也放行"),
    _condition(12, "expired and revoked entries count", "过期或撤销的授权也算"),
    _condition(13, "lapsed memberships count", "失效的成员关系也算"),
    _condition(14, "links count unopened and dead", "未打开或失效的链接也算"),
    told(
        Fault.DENY_ALL,
        "CTL-01",
        "Nobody may see anything.",
        "拒绝所有人的一切访问。",
    ),
    told(
        Fault.EMPTY_CORPUS,
        "CTL-01",
        "Nothing was indexed.",
        "索引是空的。",
    ),
    told(
        Fault.ALWAYS_REFUSE,
        "CTL-01",
        "Every question is refused and nothing is retrieved.",
        "一律拒答，也不返回任何检索结果。",
    ),
    told(
        Fault.ECHO_QUERY,
        "CTL-01",
        "The answer repeats the question.",
        "答案只是重复问题。",
    ),
)

AnyFault = StrEnum  # Fault, or the enum of a module beside this one


def _beside() -> Iterator[FaultInfo]:
    """What the modules named `faults_…` beside this one list as FAULTS_HERE."""
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if module.name.startswith("faults_"):
            yield from import_module(f"rageval_kit.system.{module.name}").FAULTS_HERE


FAULTS: Mapping[str, FaultInfo] = MappingProxyType(
    {info.name: info for info in (*_ALL, *_beside())}
)


def fault_named(name: str) -> AnyFault:
    """The switch of that name; ValueError for one that is not shipped."""
    if name not in FAULTS:
        raise ValueError(name)
    return FAULTS[name].switch
