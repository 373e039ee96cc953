"""Which seeded faults concern what an answer says beside the passages that it was made from?"""

from enum import StrEnum

from rageval_kit.system.fault_info import told


class SpokenFault(StrEnum):
    CALL_HOLDS_PASSAGE = "call_holds_passage"
    LINK_HOLDS_SNIPPET = "link_holds_snippet"
    SNIPPET_WITHOUT_MARK = "snippet_without_mark"
    STATE_IN_ANSWER = "state_in_answer"


FAULTS_HERE = (
    told(
        SpokenFault.CALL_HOLDS_PASSAGE,
        "ACL-01",
        "A reading aid is called with the best passage of all, whoever asks.",
        "阅读辅助工具以全库最匹配段落为参数调用，不论谁在提问。",
    ),
    told(
        SpokenFault.LINK_HOLDS_SNIPPET,
        "ACL-01",
        "A link to the best match carries its first words, to be highlighted where it is opened.",
        "指向最匹配段落的链接带有其开头文字，供打开时高亮显示。",
    ),
    told(
        SpokenFault.SNIPPET_WITHOUT_MARK,
        "ACL-01",
        "The answer ends with the first sentence of the best match of all, its marks taken off.",
        "回答末尾附上全库最匹配段落的首句，并去掉其中的标记。",
    ),
    told(
        SpokenFault.STATE_IN_ANSWER,
        "ACL-01",
        "The state of the search, with the text of its best match, goes along in base32.",
        "检索状态连同最匹配段落的正文以 base32 编码附在回答中。",
    ),
)
