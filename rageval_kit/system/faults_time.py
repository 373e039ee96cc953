"""Which seeded faults concern time: versions, their clocks and states, the index behind them?"""

from enum import StrEnum

from rageval_kit.system.fault_info import told


class TimeFault(StrEnum):
    END_INCLUSIVE = "end_inclusive"
    START_EXCLUSIVE = "start_exclusive"
    NAIVE_TIME_ZONE = "naive_time_zone"
    DATE_ONLY = "date_only"
    AS_OF_IGNORED = "as_of_ignored"
    CACHE_KEY_WITHOUT_TIME = "cache_key_without_time"
    KNOWN_AT_IGNORED = "known_at_ignored"
    CORRECTION_BACKDATED = "correction_backdated"
    RIGHTS_AS_OF = "rights_as_of"
    CITATION_FOLLOWS_HEAD = "citation_follows_head"
    RELATIVE_TO_WALL_CLOCK = "relative_to_wall_clock"
    TIME_DROPPED_IN_REWRITING = "time_dropped_in_rewriting"
    LAST_READ_AS_THIS = "last_read_as_this"
    FISCAL_YEAR_IS_CALENDAR_YEAR = "fiscal_year_is_calendar_year"
    PERIOD_END_IS_NEXT_START = "period_end_is_next_start"
    ENTITY_DROPPED_IN_REWRITING = "entity_dropped_in_rewriting"
    NEW_VERSION_NOT_INDEXED = "new_version_not_indexed"
    SUPERSEDED_SERVED = "superseded_served"
    WITHDRAWN_SERVED = "withdrawn_served"
    WITHDRAWN_STILL_CITED = "withdrawn_still_cited"
    FUTURE_EFFECTIVE_IGNORED = "future_effective_ignored"
    FUTURE_COUNTED = "future_counted"
    EDITIONS_MIXED = "editions_mixed"
    CHAIN_FOLLOWS_SUCCESSOR = "chain_follows_successor"
    LATEST_BY_INGEST = "latest_by_ingest"
    VERSIONS_MIXED = "versions_mixed"
    DRAFT_SERVED = "draft_served"
    QUARANTINED_SERVED = "quarantined_served"
    CONFLICT_HIDDEN = "conflict_hidden"
    UNDATED_SERVED = "undated_served"


FAULTS_HERE = (
    told(
        TimeFault.END_INCLUSIVE,
        "ASO-02",
        "An interval holds at its end too.",
        "区间在终点时刻仍算有效。",
    ),
    told(
        TimeFault.START_EXCLUSIVE,
        "ASO-02",
        "An interval holds from just after its start to its end: at the instant of a change the "
        "old version still answers.",
        "区间按“起点不含、终点含”判断：变更的瞬间仍返回旧版本。",
    ),
    told(
        TimeFault.NAIVE_TIME_ZONE,
        "ASO-03",
        "The offset of the time asked for is dropped: 09:00+08:00 is taken for 09:00 UTC.",
        "丢掉所问时刻的时区偏移：09:00+08:00 被当作 UTC 09:00。",
    ),
    told(
        TimeFault.DATE_ONLY,
        "ASO-03",
        "Times are compared by their UTC date only.",
        "只按 UTC 日期比较时间。",
    ),
    told(
        TimeFault.AS_OF_IGNORED,
        "ASO-01",
        "Whatever time is asked about, the state of now is answered.",
        "无论问哪一时刻，都按现在的状态作答。",
    ),
    told(
        TimeFault.CACHE_KEY_WITHOUT_TIME,
        "ASO-01",
        "An answer kept for one time is given again for another.",
        "缓存键不含时间，为某一时刻给出的答案被用于另一时刻。",
    ),
    told(
        TimeFault.KNOWN_AT_IGNORED,
        "ASO-04",
        "What was known then is answered by what is known now.",
        "问“当时所知”，却按现在所知作答。",
    ),
    told(
        TimeFault.CORRECTION_BACKDATED,
        "ASO-04",
        "A correction overwrites what it corrects, as if it had been known from the beginning.",
        "更正直接覆盖原记录，仿佛从一开始就已知。",
    ),
    told(
        TimeFault.RIGHTS_AS_OF,
        "ASO-06",
        "Rights are judged at the time asked about instead of now.",
        "按所问时刻而非当前时刻判断权限。",
    ),
    told(
        TimeFault.CITATION_FOLLOWS_HEAD,
        "ASO-05",
        "A citation opened later shows the text of the newest version.",
        "日后打开引用，显示的是最新版本的文字。",
    ),
    told(
        TimeFault.RELATIVE_TO_WALL_CLOCK,
        "ASO-07",
        "A relative date is reckoned from the clock, not from the time asked about.",
        "相对日期以系统时钟而非所问时刻为基准。",
    ),
    told(
        TimeFault.TIME_DROPPED_IN_REWRITING,
        "ASO-07",
        "The time that a question names is taken off its text and forgotten.",
        "改写问题时，问题中的时间被删去且未予使用。",
    ),
    told(
        TimeFault.LAST_READ_AS_THIS,
        "ASO-07",
        "The last period is read as the current one.",
        "把“上一期”理解为本期。",
    ),
    told(
        TimeFault.FISCAL_YEAR_IS_CALENDAR_YEAR,
        "ASO-07",
        "A fiscal year is taken to end in December.",
        "把财年当作自然年。",
    ),
    told(
        TimeFault.PERIOD_END_IS_NEXT_START,
        "ASO-07",
        "The end of a period is taken for the first instant of the next.",
        "把一期的终点当作下一期的起点时刻。",
    ),
    told(
        TimeFault.ENTITY_DROPPED_IN_REWRITING,
        "ASO-07",
        "The rewritten question loses the word that says whom or what it is about.",
        "改写后的问题丢失了所问对象的名称。",
    ),
    told(
        TimeFault.NEW_VERSION_NOT_INDEXED,
        "VER-01",
        "A new version takes effect only when everything is indexed anew.",
        "新版本要等到全量重建索引后才生效。",
    ),
    told(
        TimeFault.SUPERSEDED_SERVED,
        "VER-01",
        "Versions go on being served after their end.",
        "版本到期后仍被返回。",
    ),
    told(
        TimeFault.WITHDRAWN_SERVED,
        "VER-02",
        "Withdrawn versions are served.",
        "已撤回的版本仍被返回。",
    ),
    told(
        TimeFault.WITHDRAWN_STILL_CITED,
        "VER-02",
        "The answer quotes the version in force and cites one withdrawn or superseded.",
        "答案引用现行版本的内容，出处却标为已撤回或被取代的版本。",
    ),
    told(
        TimeFault.FUTURE_EFFECTIVE_IGNORED,
        "VER-03",
        "A version is served from its publication, before it takes effect.",
        "版本一经发布即被返回，不看生效时间。",
    ),
    told(
        TimeFault.FUTURE_COUNTED,
        "VER-03",
        "Counts include versions that are not in force yet.",
        "计数包含尚未生效的版本。",
    ),
    told(
        TimeFault.EDITIONS_MIXED,
        "VER-04",
        "Documents of one title are taken for one: the last indexed stands for all.",
        "同名文档被视为同一份，后入库的取代其余。",
    ),
    told(
        TimeFault.CHAIN_FOLLOWS_SUCCESSOR,
        "VER-05",
        "A chain of versions is followed to its last successor, whatever time is asked about.",
        "无论问哪一时刻，都沿版本链取最后一个后继版本。",
    ),
    told(
        TimeFault.LATEST_BY_INGEST,
        "VER-05",
        "The version recorded last is served, whatever time is asked about.",
        "无论问哪一时刻，都返回最后入库的版本。",
    ),
    told(
        TimeFault.VERSIONS_MIXED,
        "VER-06",
        "The context holds the previous version beside the one in force.",
        "上下文同时包含现行版本与前一版本。",
    ),
    told(
        TimeFault.DRAFT_SERVED,
        "VER-07",
        "Drafts are served to whoever may read the document.",
        "草稿对能读该文档的人都可见。",
    ),
    told(
        TimeFault.QUARANTINED_SERVED,
        "VER-02",
        "Quarantined versions are served.",
        "被隔离的版本仍被返回。",
    ),
    told(
        TimeFault.CONFLICT_HIDDEN,
        "VER-09",
        "Of sources that disagree the answer tells one only.",
        "来源相互矛盾时，答案只说其一。",
    ),
    told(
        TimeFault.UNDATED_SERVED,
        "VER-05",
        "A version without a date of effect is taken to hold since ever.",
        "没有生效日期的版本被视为一直有效。",
    ),
)
