"""Which seeded faults concern what is cited, streamed, sent to others and put on record?"""

from enum import StrEnum

from rageval_kit.system.fault_info import told


class AnswerFault(StrEnum):
    STREAMS_UNFILTERED_DRAFT = "streams_unfiltered_draft"
    STREAMS_BEFORE_RIGHTS = "streams_before_rights"
    RERANKER_SENT_UNFILTERED = "reranker_sent_unfiltered"
    JUDGE_SENT_CONTEXT = "judge_sent_context"
    EMBEDDER_SENT_FEEDBACK = "embedder_sent_feedback"
    DENIALS_NOT_RECORDED = "denials_not_recorded"
    RECORDED_WITHOUT_PRINCIPAL = "recorded_without_principal"
    RECORDED_WITHOUT_RULE = "recorded_without_rule"
    HANDLES_NOT_RECORDED = "handles_not_recorded"
    RECORDED_BY_WALL_CLOCK = "recorded_by_wall_clock"
    BREAK_GLASS_NOT_RECORDED = "break_glass_not_recorded"
    BREAK_GLASS_RECORDED_AS_SERVICE = "break_glass_recorded_as_service"
    OPENS_OWN_TENANT_ONLY = "opens_own_tenant_only"
    OPENS_OWN_ENTRIES_ONLY = "opens_own_entries_only"
    SOURCE_MADE_UP = "source_made_up"
    SOURCE_LAUNDERED = "source_laundered"
    LINK_FOLLOWS_HEAD = "link_follows_head"


FAULTS_HERE = (
    told(
        AnswerFault.STREAMS_UNFILTERED_DRAFT,
        "LOG-05",
        "To save time a draft from unfiltered candidates is streamed, then replaced by the answer.",
        "为抢时间，先流式输出由未过滤候选写成的草稿，再以正式回答替换。",
    ),
    told(
        AnswerFault.STREAMS_BEFORE_RIGHTS,
        "LOG-05",
        "What was written before the rights were read again goes out first.",
        "重新核对权限之前写成的内容先行发出。",
    ),
    told(
        AnswerFault.RERANKER_SENT_UNFILTERED,
        "LOG-07",
        "A hosted reranker is sent the candidates as they are before the rights are applied.",
        "将权限过滤之前的候选发送给外部重排服务。",
    ),
    told(
        AnswerFault.JUDGE_SENT_CONTEXT,
        "LOG-07",
        "Question, context and answer go to a judge of quality that nobody approved.",
        "问题、上下文与回答被发送给未经批准的质量评审服务。",
    ),
    told(
        AnswerFault.EMBEDDER_SENT_FEEDBACK,
        "LOG-07",
        "The query is embedded again with the text of the best candidate, whoever may read it.",
        "以最佳候选的正文扩充查询后再次嵌入，不论谁有权读取。",
    ),
    told(
        AnswerFault.DENIALS_NOT_RECORDED,
        "LOG-04",
        "What was given is put on record, what was withheld is not.",
        "只记录给出的内容，不记录被扣下的内容。",
    ),
    told(
        AnswerFault.RECORDED_WITHOUT_PRINCIPAL,
        "LOG-04",
        "The record names the service, not the person on whose behalf it asked.",
        "记录写的是服务账号，而不是其所代表的人。",
    ),
    told(
        AnswerFault.RECORDED_WITHOUT_RULE,
        "LOG-04",
        "The record does not say by which condition something was withheld.",
        "记录没有写明依据哪项条件扣下。",
    ),
    told(
        AnswerFault.HANDLES_NOT_RECORDED,
        "LOG-04",
        "Only searches are put on record, refused handles are not.",
        "只记录检索，不记录被拒绝打开的标识。",
    ),
    told(
        AnswerFault.RECORDED_BY_WALL_CLOCK,
        "LOG-04",
        "Records bear the time at which they were written out, not that of the event.",
        "记录的时间是写出之时，而不是事件发生之时。",
    ),
    told(
        AnswerFault.BREAK_GLASS_NOT_RECORDED,
        "PRN-06",
        "What an administrator opens in an emergency leaves no record.",
        "管理员紧急打开的内容没有留下记录。",
    ),
    told(
        AnswerFault.BREAK_GLASS_RECORDED_AS_SERVICE,
        "PRN-06",
        "What an administrator opens in an emergency is recorded under the service account.",
        "管理员紧急打开的内容记在服务账号名下。",
    ),
    told(
        AnswerFault.OPENS_OWN_TENANT_ONLY,
        "CIT-04",
        "Citations open for members of the document's tenant, not for its guests.",
        "引用只对文档所属租户的成员打开，对访客不打开。",
    ),
    told(
        AnswerFault.OPENS_OWN_ENTRIES_ONLY,
        "CIT-04",
        "The resolver reads the document's own list and not what its folder hands down.",
        "解析器只看文档自身的授权，不看从文件夹继承的授权。",
    ),
    told(
        AnswerFault.SOURCE_MADE_UP,
        "CIT-05",
        "Where nothing was found a source is cited that nobody issued.",
        "一无所获时，引用并不存在的来源。",
    ),
    told(
        AnswerFault.SOURCE_LAUNDERED,
        "CIT-05",
        "Sources are looked up by their titles afterwards, so that another of like title is cited.",
        "事后按标题查找来源，引用了标题相同的另一文档。",
    ),
    told(
        AnswerFault.LINK_FOLLOWS_HEAD,
        "CIT-06",
        "The link of a citation opens the newest version of its document, not the one quoted.",
        "引用链接打开文档的最新版本，而不是被引用的版本。",
    ),
)
