"""How are many calls kept in flight at once, and left behind at once when a person interrupts?"""

import queue
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")
_LOOK_UP_S = 0.2


def in_flight(call: Callable[[T], R], items: Sequence[T], workers: int) -> list[R]:
    """`call` of every item, at most `workers` at a time, in the order of the items.

    Threads are daemons: a pool of concurrent.futures would hold the process until the slowest call
    is over. What a call raises is raised here, once the others have ended.
    """
    if workers <= 1 or len(items) <= 1:
        return [call(item) for item in items]
    todo: queue.SimpleQueue[int] = queue.SimpleQueue()
    for place in range(len(items)):
        todo.put(place)
    done: dict[int, R] = {}
    raised: list[BaseException] = []
    over = threading.Event()

    def work() -> None:
        while not over.is_set():
            try:
                place = todo.get_nowait()
            except queue.Empty:
                return
            try:
                done[place] = call(items[place])
            except BaseException as fault:  # noqa: BLE001 - handed over to whoever waits
                raised.append(fault)
                over.set()

    threads = [threading.Thread(target=work, daemon=True) for _ in range(min(workers, len(items)))]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():  # an interrupt just before an endless wait would be lost in it
                thread.join(_LOOK_UP_S)
    finally:
        over.set()  # a person who interrupts leaves the calls behind; none begins after that
    if raised:
        raise raised[0]
    return [done[place] for place in range(len(items))]
