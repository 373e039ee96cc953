"""Which seeded faults concern parts of documents, copies, and the other ways to a passage?"""

from enum import StrEnum

from rageval_kit.system.fault_info import told


class PartFault(StrEnum):
    COMPARTMENTS_ANY_OF = "compartments_any_of"
    COMPARTMENTS_BY_PREFIX = "compartments_by_prefix"
    TOP_CLEARANCE_SEES_COMPARTMENTS = "top_clearance_sees_compartments"
    PASSAGE_COMPARTMENTS_REPLACE = "passage_compartments_replace"
    PASSAGE_COMPARTMENTS_IGNORED = "passage_compartments_ignored"
    LABELS_COMPARED_AS_TEXT = "labels_compared_as_text"
    PASSAGE_LABEL_IGNORED = "passage_label_ignored"
    OVERLAP_COPIES_NEIGHBOUR = "overlap_copies_neighbour"
    FOOTNOTE_INLINED = "footnote_inlined"
    TABLE_BY_FIRST_LABEL = "table_by_first_label"
    OCR_TAKES_PARENT_LABEL = "ocr_takes_parent_label"
    HIDDEN_SHEET_MERGED = "hidden_sheet_merged"
    EMBEDDED_OBJECT_UNLABELLED = "embedded_object_unlabelled"
    NEIGHBOURS_UNFILTERED = "neighbours_unfiltered"
    PARENT_UNFILTERED = "parent_unfiltered"
    RELATED_UNFILTERED = "related_unfiltered"
    NEIGHBOURS_BY_DOCUMENT = "neighbours_by_document"
    SECOND_QUESTION_UNFILTERED = "second_question_unfiltered"
    HYPOTHETICAL_UNFILTERED = "hypothetical_unfiltered"
    SESSION_KEEPS_SCOPE = "session_keeps_scope"
    COPY_NAMED_AS_FIRST = "copy_named_as_first"
    COPIES_SHARE_DENIAL = "copies_share_denial"
    SECOND_COPY_NOT_INDEXED = "second_copy_not_indexed"
    FILTERED_AT_THE_END = "filtered_at_the_end"
    SHORT_WALK = "short_walk"


FAULTS_HERE = (
    told(
        PartFault.COMPARTMENTS_ANY_OF,
        "ACL-04",
        "One compartment in common is enough where all are needed.",
        "只要有一个隔离标记相同即放行，而不要求全部具备。",
    ),
    told(
        PartFault.COMPARTMENTS_BY_PREFIX,
        "ACL-04",
        "A compartment is looked for in the reader's as text: north is found in northern.",
        "按文本包含判断隔离标记：north 在 northern 中被找到。",
    ),
    told(
        PartFault.TOP_CLEARANCE_SEES_COMPARTMENTS,
        "ACL-04",
        "Who is cleared for the highest level passes every compartment.",
        "最高许可者不再检查隔离标记。",
    ),
    told(
        PartFault.PASSAGE_COMPARTMENTS_REPLACE,
        "ACL-04",
        "A passage's own compartments stand in place of its document's instead of adding to them.",
        "段落自身的隔离标记取代而不是叠加文档的隔离标记。",
    ),
    told(
        PartFault.PASSAGE_COMPARTMENTS_IGNORED,
        "ACL-04",
        "A passage is read by its document's compartments; its own are not looked at.",
        "段落只按文档的隔离标记判断，忽略自身的标记。",
    ),
    told(
        PartFault.LABELS_COMPARED_AS_TEXT,
        "ACL-04",
        "Labels are compared by their spelling, not by their rank.",
        "密级按字面排序比较，而非按等级。",
    ),
    told(
        PartFault.PASSAGE_LABEL_IGNORED,
        "ACL-12",
        "A passage is read by its document's label; its own is not looked at.",
        "段落按文档的密级判断，忽略自身的密级。",
    ),
    told(
        PartFault.OVERLAP_COPIES_NEIGHBOUR,
        "ACL-12",
        "Each passage is indexed with the last sentence of the one before it, whatever its label.",
        "每个段落入库时都带上前一段的末句，不看其密级。",
    ),
    told(
        PartFault.FOOTNOTE_INLINED,
        "ACL-12",
        "Footnotes are written into the passage before them.",
        "脚注被并入其前一段正文。",
    ),
    told(
        PartFault.TABLE_BY_FIRST_LABEL,
        "ACL-12",
        "The rows of a table are read by the label of the document's first passage.",
        "表格各行按文档首段的密级判断。",
    ),
    told(
        PartFault.OCR_TAKES_PARENT_LABEL,
        "ACL-22",
        "Text read from an image is indexed with the label of the document that shows it.",
        "图片识别出的文字按所在文档的密级入库。",
    ),
    told(
        PartFault.HIDDEN_SHEET_MERGED,
        "ACL-22",
        "The text of hidden sheets is joined to the document's first passage.",
        "隐藏工作表的文字被并入文档首段。",
    ),
    told(
        PartFault.EMBEDDED_OBJECT_UNLABELLED,
        "ACL-22",
        "Attachments and embedded objects are extracted without their labels.",
        "提取附件与嵌入对象时丢失其密级。",
    ),
    told(
        PartFault.NEIGHBOURS_UNFILTERED,
        "ACL-17",
        "The passages around a hit go into the context whoever asks.",
        "命中段落的前后段不经鉴权即进入上下文。",
    ),
    told(
        PartFault.NEIGHBOURS_BY_DOCUMENT,
        "ACL-17",
        "The passages around a hit are judged by whether the document's title may be seen.",
        "命中段落的前后段按文档标题是否可见来判断。",
    ),
    told(
        PartFault.PARENT_UNFILTERED,
        "ACL-17",
        "The parent of a hit goes into the context whoever asks.",
        "命中文档的上级文档不经鉴权即进入上下文。",
    ),
    told(
        PartFault.RELATED_UNFILTERED,
        "ACL-17",
        "What a hit names as related goes into the context whoever asks.",
        "命中文档所列的相关文档不经鉴权即进入上下文。",
    ),
    told(
        PartFault.SECOND_QUESTION_UNFILTERED,
        "ACL-19",
        "Of two questions in one the second is searched for without the caller's rights.",
        "一问含两题时，第二题的检索不带调用者权限。",
    ),
    told(
        PartFault.HYPOTHETICAL_UNFILTERED,
        "ACL-19",
        "The search by a hypothetical passage does not carry the caller's rights.",
        "以假设段落进行的检索不带调用者权限。",
    ),
    told(
        PartFault.SESSION_KEEPS_SCOPE,
        "ACL-19",
        "A question that leans on the one before is searched with the rights of whoever began the "
        "session.",
        "追问沿用会话发起者的检索权限。",
    ),
    told(
        PartFault.COPY_NAMED_AS_FIRST,
        "ACL-21",
        "Of equal texts the one indexed first stands for all, whoever may read it.",
        "内容相同的文本以最先入库者代表，不看其权限。",
    ),
    told(
        PartFault.COPIES_SHARE_DENIAL,
        "ACL-21",
        "Equal texts are one: where one copy is forbidden, none is found.",
        "内容相同的文本视为一份：任一副本被禁，则全部查不到。",
    ),
    told(
        PartFault.SECOND_COPY_NOT_INDEXED,
        "ACL-21",
        "A text that is in the index already is not indexed again under its other list.",
        "索引中已有的文本不再按另一份权限入库。",
    ),
    told(
        PartFault.FILTERED_AT_THE_END,
        "RNK-02",
        "Rights are applied to the last list only; every stage before it works on all.",
        "只对最终列表鉴权，此前各环节都处理全部内容。",
    ),
    told(
        PartFault.SHORT_WALK,
        "RNK-04",
        "The vector index walks to a few nearest passages and filters what it met.",
        "向量索引只走到少数最近段落，再对其过滤。",
    ),
)
