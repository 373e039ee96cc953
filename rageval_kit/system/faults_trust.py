"""Which seeded faults concern trust: orders that stand in documents, and whom answers believe?"""

from enum import StrEnum

from rageval_kit.system.fault_info import told


class TrustFault(StrEnum):
    OBEYS_DOCUMENTS = "obeys_documents"
    OBEYS_HIDDEN_TEXT = "obeys_hidden_text"
    STRIPS_NOTHING = "strips_nothing"
    OBEYS_INVISIBLE_CHARACTERS = "obeys_invisible_characters"
    OBEYS_LOOKALIKES = "obeys_lookalikes"
    OBEYS_ENCODED = "obeys_encoded"
    RENDERS_REMOTE_IMAGES = "renders_remote_images"
    RENDERS_LINKS = "renders_links"
    OBEYS_TABLES = "obeys_tables"
    OBEYS_METADATA = "obeys_metadata"
    OBEYS_OTHER_LANGUAGE = "obeys_other_language"
    JOINS_SPLIT_ORDERS = "joins_split_orders"
    CALLS_TOOLS_AS_TOLD = "calls_tools_as_told"
    REFUSES_BUT_CALLS = "refuses_but_calls"
    CITES_AS_TOLD = "cites_as_told"
    BELIEVES_ROLE_MARKS = "believes_role_marks"
    BELIEVES_AUTHORITY = "believes_authority"
    MEMORY_KEEPS_ORDERS = "memory_keeps_orders"
    MEMORY_SHARED = "memory_shared"
    DELAYED_TRIGGER_OBEYED = "delayed_trigger_obeyed"
    QUERY_WIDENS_SCOPE = "query_widens_scope"
    OBEYS_TOOL_OUTPUT = "obeys_tool_output"
    ANSWERS_REINGESTED = "answers_reingested"
    REVEALS_CONTEXT = "reveals_context"
    JAMS = "jams"
    DEPUTY_EXFILTRATES = "deputy_exfiltrates"
    AUTHORITY_IGNORED = "authority_ignored"
    MAJORITY_BELIEVED = "majority_believed"
    NEWEST_SOURCE_BELIEVED = "newest_source_believed"
    VECTORS_UNNORMALISED = "vectors_unnormalised"
    TITLE_STUFFING_COUNTS = "title_stuffing_counts"
    BOUNDARIES_BELIEVED = "boundaries_believed"
    CLAIMS_TRUSTED_ACL = "claims_trusted_acl"
    CLAIMS_TRUSTED_TENANT = "claims_trusted_tenant"
    CLAIMS_TRUSTED_OWNER = "claims_trusted_owner"
    CLAIMS_TRUSTED_DATE = "claims_trusted_date"
    NEAR_DUPLICATES_DROPPED = "near_duplicates_dropped"


FAULTS_HERE = (
    told(
        TrustFault.OBEYS_DOCUMENTS,
        "INJ-01",
        "The answer follows orders that stand in documents.",
        "回答会执行文档里的指令。",
    ),
    told(
        TrustFault.OBEYS_HIDDEN_TEXT,
        "INJ-02",
        "Hidden text is given to whoever answers, and its orders are followed.",
        "隐藏文本被交给回答者，其中的指令被执行。",
    ),
    told(
        TrustFault.STRIPS_NOTHING,
        "INJ-02",
        "Hidden text is given to whoever answers.",
        "隐藏文本原样交给回答者。",
    ),
    told(
        TrustFault.OBEYS_INVISIBLE_CHARACTERS,
        "INJ-03",
        "Orders written with characters that nobody sees are followed.",
        "用不可见字符写成的指令被执行。",
    ),
    told(
        TrustFault.OBEYS_LOOKALIKES,
        "INJ-04",
        "Orders in look-alike letters are followed.",
        "用形近字母写成的指令被执行。",
    ),
    told(
        TrustFault.OBEYS_ENCODED,
        "INJ-05",
        "Orders are decoded and followed.",
        "编码后的指令被解码并执行。",
    ),
    told(
        TrustFault.RENDERS_REMOTE_IMAGES,
        "INJ-06",
        "Answers show images of any host.",
        "回答会显示任意主机的图片。",
    ),
    told(
        TrustFault.RENDERS_LINKS,
        "INJ-06",
        "Answers link to any host.",
        "回答会链接到任意主机。",
    ),
    told(
        TrustFault.OBEYS_TABLES,
        "INJ-07",
        "Orders in table cells are followed.",
        "表格单元格里的指令被执行。",
    ),
    told(
        TrustFault.OBEYS_METADATA,
        "INJ-08",
        "Orders in titles, names and metadata are followed.",
        "标题、文件名与元数据里的指令被执行。",
    ),
    told(
        TrustFault.OBEYS_OTHER_LANGUAGE,
        "INJ-09",
        "Orders in another language than the question's are followed.",
        "与问题不同语言的指令被执行。",
    ),
    told(
        TrustFault.JOINS_SPLIT_ORDERS,
        "INJ-10",
        "An order split over passages is put together and followed.",
        "分散在多个片段的指令被拼合并执行。",
    ),
    told(
        TrustFault.CALLS_TOOLS_AS_TOLD,
        "INJ-11",
        "Tools are called as a document says.",
        "按文档所说调用工具。",
    ),
    told(
        TrustFault.REFUSES_BUT_CALLS,
        "INJ-11",
        "The answer refuses, but the tool that a document names is called.",
        "回答表示拒绝，却调用了文档点名的工具。",
    ),
    told(
        TrustFault.CITES_AS_TOLD,
        "INJ-12",
        "The source that a document names is cited.",
        "按文档所说的来源引用。",
    ),
    told(
        TrustFault.BELIEVES_ROLE_MARKS,
        "INJ-13",
        "Marks of a role or of an end of data are taken for real.",
        "角色标记与数据结束标记被当真。",
    ),
    told(
        TrustFault.BELIEVES_AUTHORITY,
        "INJ-14",
        "A text that claims authority is obeyed.",
        "自称有权威的文本被听从。",
    ),
    told(
        TrustFault.MEMORY_KEEPS_ORDERS,
        "INJ-15",
        "Orders of documents are remembered over sessions.",
        "文档里的指令被跨会话记住。",
    ),
    told(
        TrustFault.MEMORY_SHARED,
        "INJ-15",
        "All readers share one memory.",
        "所有读者共用一份记忆。",
    ),
    told(
        TrustFault.DELAYED_TRIGGER_OBEYED,
        "INJ-15",
        "An order that waits for a question is kept and followed then.",
        "等待特定问题的指令被保留并在届时执行。",
    ),
    told(
        TrustFault.QUERY_WIDENS_SCOPE,
        "INJ-16",
        "A question that claims a role or a scope is searched with it.",
        "问题自称的角色或范围被用于检索。",
    ),
    told(
        TrustFault.OBEYS_TOOL_OUTPUT,
        "INJ-17",
        "Orders in the output of tools are followed.",
        "工具输出里的指令被执行。",
    ),
    told(
        TrustFault.ANSWERS_REINGESTED,
        "INJ-18",
        "Answers are put into the index as documents.",
        "回答被当作文档写回索引。",
    ),
    told(
        TrustFault.REVEALS_CONTEXT,
        "INJ-19",
        "The prompt and the raw context are told when asked for.",
        "被问及时会说出提示词与原始上下文。",
    ),
    told(
        TrustFault.JAMS,
        "INJ-20",
        "A question is refused where a passage says so.",
        "片段要求拒答时便拒答。",
    ),
    told(
        TrustFault.DEPUTY_EXFILTRATES,
        "INJ-21",
        "What the reader may see is sent out where a document says so.",
        "按文档所说把读者可见的内容发往外部。",
    ),
    told(
        TrustFault.AUTHORITY_IGNORED,
        "POI-03",
        "Passages are quoted by how well they match, whatever the authority of their source.",
        "引用只看匹配程度，不看来源的权威性。",
    ),
    told(
        TrustFault.MAJORITY_BELIEVED,
        "POI-01",
        "What most passages say is taken for true.",
        "多数片段的说法被当作事实。",
    ),
    told(
        TrustFault.NEWEST_SOURCE_BELIEVED,
        "POI-03",
        "The newest source wins, whoever wrote it.",
        "最新的来源优先，不论由谁撰写。",
    ),
    told(
        TrustFault.VECTORS_UNNORMALISED,
        "POI-02",
        "Vectors keep their length, so a long one is near to every question.",
        "向量未归一化，长向量与任何问题都接近。",
    ),
    told(
        TrustFault.TITLE_STUFFING_COUNTS,
        "POI-02",
        "Each repetition of a word in a title adds to the score.",
        "标题中每重复一次词语都会加分。",
    ),
    told(
        TrustFault.BOUNDARIES_BELIEVED,
        "POI-04",
        "A text that says a new document begins is believed.",
        "文本自称“新文档开始”即被相信。",
    ),
    told(
        TrustFault.CLAIMS_TRUSTED_ACL,
        "POI-05",
        "An upload that claims to be public becomes public.",
        "上传文件自称公开即成为公开。",
    ),
    told(
        TrustFault.CLAIMS_TRUSTED_TENANT,
        "POI-05",
        "An upload is filed under the tenant that it claims.",
        "上传文件按其自称的租户归档。",
    ),
    told(
        TrustFault.CLAIMS_TRUSTED_OWNER,
        "POI-05",
        "An upload belongs to the owner that it claims.",
        "上传文件按其自称的所有者归属。",
    ),
    told(
        TrustFault.CLAIMS_TRUSTED_DATE,
        "POI-05",
        "An upload is in force from the date that it claims.",
        "上传文件自其自称的日期起生效。",
    ),
    told(
        TrustFault.NEAR_DUPLICATES_DROPPED,
        "POI-06",
        "Of passages that look alike only the newest is kept.",
        "相似片段只保留最新的一个。",
    ),
)
