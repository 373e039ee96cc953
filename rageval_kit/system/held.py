"""What does a system keep from one call to the next, beside its state?"""

from rageval_kit.system.audit import Trail
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.journal import Journal
from rageval_kit.system.list_cache import ListCache
from rageval_kit.system.memory import Memory
from rageval_kit.system.redis_cache import answer_cache
from rageval_kit.system.refusing import Conscience
from rageval_kit.system.tallies import Tallies
from rageval_kit.system.visit import Desk


class Held:
    """Caches, memory, sessions, counters, what is written down; all of it goes at a restore."""

    def __init__(self, config: EmbeddedConfig) -> None:
        self.cache = answer_cache(config)
        self.memory = Memory()
        self.journal = Journal(config.log_key, config.log_lines)
        self.desk = Desk(config.log_key)
        self.trail = Trail(config)
        self.lists = ListCache(config)
        self.tallies = Tallies(config.switched)
        self.conscience = Conscience(config)

    def clear(self) -> None:
        for part in (
            self.cache,
            self.lists,
            self.tallies,
            self.memory,
            self.desk,
            self.trail,
            self.journal,
        ):
            part.clear()
