"""Which seeded faults concern the ways in beside search: suggestions, previews, debug, exports?"""

from enum import StrEnum

from rageval_kit.system.fault_info import told


class DoorFault(StrEnum):
    SUGGESTS_ALL_WORDS = "suggests_all_words"
    SUGGESTS_ALL_TITLES = "suggests_all_titles"
    SUGGESTS_OTHERS_QUESTIONS = "suggests_others_questions"
    SUGGESTS_LINK_SHARED = "suggests_link_shared"
    SUGGESTIONS_OUTLIVE_RIGHT = "suggestions_outlive_right"
    LINK_IS_PUBLIC = "link_is_public"
    SPELLS_FROM_ALL = "spells_from_all"
    FACETS_UNFILTERED = "facets_unfiltered"
    LABEL_FACET_UNFILTERED = "label_facet_unfiltered"
    FACET_VALUES_OF_ALL = "facet_values_of_all"
    SEE_ALSO_UNFILTERED = "see_also_unfiltered"
    PREVIEW_TITLE_UNCHECKED = "preview_title_unchecked"
    PREVIEW_OF_FIRST_PASSAGE = "preview_of_first_passage"
    BATCH_CHECKS_FIRST = "batch_checks_first"
    BATCH_CHECKS_THREE = "batch_checks_three"
    CITED_TITLE_UNCHECKED = "cited_title_unchecked"
    EXPLAINS_ALL_CANDIDATES = "explains_all_candidates"
    PROMPT_SHOWN_UNFILTERED = "prompt_shown_unfiltered"
    HISTORY_BY_SESSION = "history_by_session"
    CONVERSATION_NOT_RECHECKED = "conversation_not_rechecked"
    TRANSCRIPT_NOT_RECHECKED = "transcript_not_rechecked"
    EXPORT_BY_TENANT = "export_by_tenant"
    VECTORS_EXPLAINED = "vectors_explained"
    VECTORS_EXPORTED = "vectors_exported"
    VECTORS_LOGGED = "vectors_logged"
    SUMMARY_SHARED = "summary_shared"
    SUMMARY_OUTLIVES_RIGHT = "summary_outlives_right"


FAULTS_HERE = (
    told(
        DoorFault.SUGGESTS_ALL_WORDS,
        "SID-03",
        "Completions are taken from the words of all documents.",
        "补全词取自所有文档的词表。",
    ),
    told(
        DoorFault.SUGGESTS_ALL_TITLES,
        "SID-03",
        "Completions name the titles of all documents; words are filtered, titles are not.",
        "补全会给出所有文档的标题：词过滤了，标题没有过滤。",
    ),
    told(
        DoorFault.SUGGESTS_OTHERS_QUESTIONS,
        "SID-03",
        "Completions are taken from the questions that anybody asked before.",
        "补全取自任何人此前提过的问题。",
    ),
    told(
        DoorFault.SUGGESTS_LINK_SHARED,
        "ACL-13",
        "What anyone with the link may open is suggested to those who never had the link.",
        "凭链接可打开的文档会被推荐给从未持有该链接的人。",
    ),
    told(
        DoorFault.SUGGESTIONS_OUTLIVE_RIGHT,
        "SID-03",
        "Completions are kept by reader and prefix, whatever happens to the reader's rights.",
        "补全按读者和前缀缓存，读者权限变化后仍沿用。",
    ),
    told(
        DoorFault.LINK_IS_PUBLIC,
        "ACL-13",
        "A live share link counts for everybody, whether or not it was opened.",
        "有效的共享链接对所有人生效，不论是否打开过。",
    ),
    told(
        DoorFault.SPELLS_FROM_ALL,
        "SID-03",
        "Spelling is corrected from the words of all documents.",
        "拼写纠正取自所有文档的词表。",
    ),
    told(
        DoorFault.FACETS_UNFILTERED,
        "SID-02+ACL-13",
        "Facets are counted over all documents that match.",
        "分面按所有匹配文档计数。",
    ),
    told(
        DoorFault.LABEL_FACET_UNFILTERED,
        "SID-02+ACL-13",
        "One facet, that of the labels, is counted over all documents that match.",
        "只有密级这一分面按所有匹配文档计数。",
    ),
    told(
        DoorFault.FACET_VALUES_OF_ALL,
        "SID-02",
        "Facets list the values of hidden documents too, each with the count 0.",
        "分面也列出隐藏文档的取值，计数为 0。",
    ),
    told(
        DoorFault.SEE_ALSO_UNFILTERED,
        "SID-05",
        "Related documents are the nearest ones, whoever asks.",
        "相关文档只看相似度，不看提问者权限。",
    ),
    told(
        DoorFault.PREVIEW_TITLE_UNCHECKED,
        "SID-05",
        "A preview shows the title beside a passage that may be read, though the title may not.",
        "段落可读而标题不可读时，预览仍显示标题。",
    ),
    told(
        DoorFault.PREVIEW_OF_FIRST_PASSAGE,
        "SID-05",
        "A preview is made once per document, of its first passage, and shown for any other.",
        "预览按文档生成一次，取其首段，打开任何一段都显示它。",
    ),
    told(
        DoorFault.BATCH_CHECKS_FIRST,
        "SID-05",
        "Of several handles opened in one call only the first is authorised.",
        "一次打开多个标识时，只对第一个鉴权。",
    ),
    told(
        DoorFault.BATCH_CHECKS_THREE,
        "SID-05",
        "Of many handles opened in one call only the first three are authorised.",
        "一次打开多个标识时，只对前三个鉴权。",
    ),
    told(
        DoorFault.CITED_TITLE_UNCHECKED,
        "CIT-03",
        "A citation names the document's title though the reader may read one passage only.",
        "读者只能读其中一段，引用仍给出整份文档的标题。",
    ),
    told(
        DoorFault.EXPLAINS_ALL_CANDIDATES,
        "LOG-02",
        "An explanation lists the candidates as they were before the filter.",
        "检索解释列出过滤之前的候选。",
    ),
    told(
        DoorFault.PROMPT_SHOWN_UNFILTERED,
        "LOG-02",
        "The debug view rebuilds the prompt from the candidates, without the caller's filter.",
        "调试视图用候选重新拼出提示词，未按调用者过滤。",
    ),
    told(
        DoorFault.HISTORY_BY_SESSION,
        "LOG-03",
        "A conversation is looked up by the name of its session alone.",
        "仅凭会话名即可取出对话记录。",
    ),
    told(
        DoorFault.CONVERSATION_NOT_RECHECKED,
        "LOG-03",
        "A conversation shows its old answers after the right to their sources is gone.",
        "来源的权限已失效，对话记录仍显示旧答案。",
    ),
    told(
        DoorFault.TRANSCRIPT_NOT_RECHECKED,
        "LOG-03",
        "A shared transcript shows whoever holds its link what its owner could read.",
        "持有共享记录链接者可看到记录主人有权看到的内容。",
    ),
    told(
        DoorFault.EXPORT_BY_TENANT,
        "LOG-03",
        "An export holds everything of the caller's tenant.",
        "导出包含调用者所属租户的全部内容。",
    ),
    told(
        DoorFault.VECTORS_EXPLAINED,
        "SID-09",
        "An explanation comes with the vectors of its candidates.",
        "检索解释附带候选的向量。",
    ),
    told(
        DoorFault.VECTORS_EXPORTED,
        "SID-09",
        "An export carries the column of vectors, packed.",
        "导出带有打包的向量列。",
    ),
    told(
        DoorFault.VECTORS_LOGGED,
        "SID-09",
        "The vector of each question is written into the log.",
        "每个问题的向量被写入日志。",
    ),
    told(
        DoorFault.SUMMARY_SHARED,
        "ACL-23",
        "The summary of a folder is made for whoever asks first and kept for everybody.",
        "文件夹摘要按第一个请求者生成，之后供所有人使用。",
    ),
    told(
        DoorFault.SUMMARY_OUTLIVES_RIGHT,
        "ACL-23",
        "The summary made for a reader is kept when that reader's rights change.",
        "读者权限变化后，为其生成的摘要仍被沿用。",
    ),
)
