"""Which seeded faults concern caches, deputies, tokens and signed links?"""

from enum import StrEnum

from rageval_kit.system.fault_info import told


class DeputyFault(StrEnum):
    SEMANTIC_CACHE_SHARED = "semantic_cache_shared"
    SEMANTIC_CACHE_BY_TENANT = "semantic_cache_by_tenant"
    LIST_CACHE_WITHOUT_PRINCIPAL = "list_cache_without_principal"
    LIST_CACHE_IGNORES_RIGHTS = "list_cache_ignores_rights"
    RERANK_CACHE_BY_QUERY = "rerank_cache_by_query"
    PAIRS_WARM_CACHE = "pairs_warm_cache"
    NOTHING_FOUND_SHARED = "nothing_found_shared"
    CLAIMED_NAME_BELIEVED = "claimed_name_believed"
    CLAIMED_ROLE_BELIEVED = "claimed_role_believed"
    CLAIM_REMEMBERED = "claim_remembered"
    ROLE_READ_IN_DOCUMENT = "role_read_in_document"
    LAST_HOP_ONLY = "last_hop_only"
    HOPS_NOT_ASKED = "hops_not_asked"
    LONG_CHAIN_CUT = "long_chain_cut"
    RIGHTS_ADD_UP = "rights_add_up"
    TOKEN_PRINCIPAL_UNCHECKED = "token_principal_unchecked"  # noqa: S105 - a name of a fault
    TOKEN_EXPIRY_UNCHECKED = "token_expiry_unchecked"  # noqa: S105
    TOKEN_AUDIENCE_UNCHECKED = "token_audience_unchecked"  # noqa: S105
    FIRST_TENANT_KEPT = "first_tenant_kept"
    REPLACED_TOKEN_WORKS = "replaced_token_works"  # noqa: S105
    BAD_TOKEN_IGNORED = "bad_token_ignored"  # noqa: S105
    LINK_OUTLIVES_PERMISSION = "link_outlives_permission"
    LINK_NOT_BOUND = "link_not_bound"


FAULTS_HERE = (
    told(
        DeputyFault.SEMANTIC_CACHE_SHARED,
        "CAC-02",
        "Like questions are looked up among everybody's, same questions among one's own.",
        "相同问题只查自己的缓存，相似问题却查所有人的缓存。",
    ),
    told(
        DeputyFault.SEMANTIC_CACHE_BY_TENANT,
        "CAC-02",
        "Colleagues share answers to like questions: they are kept by tenant.",
        "相似问题的缓存以租户为键，同租户的人共用答案。",
    ),
    told(
        DeputyFault.LIST_CACHE_WITHOUT_PRINCIPAL,
        "CAC-03",
        "Ranked lists are kept by the words of the question, whoever asked.",
        "检索结果列表只按问题文字缓存，不分提问者。",
    ),
    told(
        DeputyFault.LIST_CACHE_IGNORES_RIGHTS,
        "CAC-03+CAC-04",
        "A ranked list is given again after rights or contents have changed.",
        "权限或内容变化之后仍返回缓存的结果列表。",
    ),
    told(
        DeputyFault.RERANK_CACHE_BY_QUERY,
        "CAC-03",
        "What the reranker made for somebody's question is given to whoever asks the same.",
        "重排结果只按问题缓存，他人问同样的问题得到同一结果。",
    ),
    told(
        DeputyFault.PAIRS_WARM_CACHE,
        "CAC-06",
        "Questions with answers that stand in documents go into everybody's cache.",
        "文档里写的问答对被放进所有人共用的缓存。",
    ),
    told(
        DeputyFault.NOTHING_FOUND_SHARED,
        "CAC-07",
        "That nothing was found for somebody is remembered for everybody.",
        "某人查无结果，被记成所有人都查无结果。",
    ),
    told(
        DeputyFault.CLAIMED_NAME_BELIEVED,
        "PRN-03",
        "Whoever says to be somebody is searched for as that person.",
        "提问者自称是谁，就按谁的权限检索。",
    ),
    told(
        DeputyFault.CLAIMED_ROLE_BELIEVED,
        "PRN-03",
        "Whoever says to hold a high office may see everything.",
        "提问者自称身居高位，便可看到一切。",
    ),
    told(
        DeputyFault.CLAIM_REMEMBERED,
        "PRN-03",
        "An office claimed earlier in a session counts for the questions after it.",
        "会话中先前自称的职务，对后面的问题生效。",
    ),
    told(
        DeputyFault.ROLE_READ_IN_DOCUMENT,
        "PRN-03",
        "An office that a document gives to its reader counts for the questions after it.",
        "文档里说读者担任某职务，后面的问题便按该职务检索。",
    ),
    told(
        DeputyFault.LAST_HOP_ONLY,
        "PRN-04",
        "Of a chain of agents only the last one's rights are asked for.",
        "代理链上只检查最后一环的权限。",
    ),
    told(
        DeputyFault.HOPS_NOT_ASKED,
        "PRN-04",
        "Of a chain of agents only the rights of who began it are asked for.",
        "代理链上只检查发起者的权限。",
    ),
    told(
        DeputyFault.LONG_CHAIN_CUT,
        "PRN-04",
        "Of a chain of agents those after the second are dropped.",
        "代理链上第二环之后的代理被丢弃。",
    ),
    told(
        DeputyFault.RIGHTS_ADD_UP,
        "PRN-04",
        "Along a chain of agents the rights of all are joined.",
        "代理链上各环的权限被合并相加。",
    ),
    told(
        DeputyFault.TOKEN_PRINCIPAL_UNCHECKED,
        "PRN-05",
        "A session token counts for whoever presents it.",
        "会话令牌不核对出示者，谁拿到谁能用。",
    ),
    told(
        DeputyFault.TOKEN_EXPIRY_UNCHECKED,
        "PRN-05",
        "A session token works after its end.",
        "会话令牌过期后仍可使用。",
    ),
    told(
        DeputyFault.TOKEN_AUDIENCE_UNCHECKED,
        "PRN-05",
        "A token that was made for something else is taken for a session.",
        "为其他用途签发的令牌被当作会话令牌。",
    ),
    told(
        DeputyFault.FIRST_TENANT_KEPT,
        "PRN-05",
        "A session stays in the tenant where it began, whatever tenant is switched to.",
        "会话切换租户后，仍停留在最初的租户。",
    ),
    told(
        DeputyFault.REPLACED_TOKEN_WORKS,
        "PRN-05",
        "The token of a tenant that was left goes on working.",
        "切换租户后，旧租户的令牌仍可使用。",
    ),
    told(
        DeputyFault.BAD_TOKEN_IGNORED,
        "PRN-05",
        "A token that is no good is left aside, and the caller served without one.",
        "令牌无效时忽略令牌，照常按调用者身份提供服务。",
    ),
    told(
        DeputyFault.LINK_OUTLIVES_PERMISSION,
        "CIT-07",
        "A citation's signed link opens what the reader may no longer see.",
        "引用中的签名链接在权限被收回后仍能打开原文。",
    ),
    told(
        DeputyFault.LINK_NOT_BOUND,
        "CIT-07",
        "A citation's signed link opens for whoever holds it.",
        "引用中的签名链接不绑定读者，谁拿到谁能打开。",
    ),
)
