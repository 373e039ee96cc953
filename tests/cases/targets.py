"""Systems under test with the faults that the cases tell of, and systems that barely work."""

from dataclasses import replace
from datetime import timedelta

from rageval_kit.records.changes import Revoke, SetClock
from rageval_kit.records.target import Grain, Power, Response, Seen, Stage
from rageval_kit.retrievers.embedded import Embedded
from rageval_kit.text.words import words


class Late(Embedded):
    """Confirms a revocation at once and feels it `lag_s` later."""

    def __init__(self, lag_s):
        super().__init__()
        self.lag = timedelta(seconds=lag_s)
        self.waiting = []

    def connect(self, world):
        self.clock = self.now = world.clock
        super().connect(world)

    def restore(self):
        self.now, self.waiting = self.clock, []
        super().restore()

    def apply(self, change):
        if isinstance(change, Revoke):
            self.waiting.append((self.now + self.lag, change))
            return True
        if isinstance(change, SetClock):
            self.now = change.now
            for due, waiting in self.waiting:
                if due <= self.now:
                    super().apply(waiting)
            self.waiting = [one for one in self.waiting if one[0] > self.now]
        return super().apply(change)


class Citing(Embedded):
    """Names a forbidden document in the panel of citations; body and answer are clean."""

    def __init__(self, chunk_id, title, readers):
        super().__init__()
        self.chunk_id, self.title, self.readers = chunk_id, title, readers

    def answer(self, requests):
        told = []
        for request, response in zip(requests, super().answer(requests), strict=True):
            if request.caller.principal_id not in self.readers:
                there = response.seen[Stage.CITATION]
                more = Seen((*there.ids, self.chunk_id), (*there.texts, self.title))
                told.append(replace(response, seen={**response.seen, Stage.CITATION: more}))
            else:
                told.append(response)
        return told


class Plain:
    """Answers searches for documents and nothing else; `reply(target, request)` decides how."""

    name = "plain"
    grain = Grain.DOCUMENT

    def __init__(self, reply, *, powers=(), taps=(Stage.RETRIEVE,)):
        self.reply = reply
        self.powers, self.taps = frozenset(powers), frozenset(taps)
        self.world = None
        self.asked = []

    def connect(self, world):
        self.world = world

    def search(self, requests):
        self.asked += requests
        return [self.reply(self, request) for request in requests]

    def describe(self):
        return {"target": "plain"}

    def close(self):
        pass

    def ranked(self, request, may_see):
        """The documents of which the reader may see the list, by shared words."""
        wanted = set(words(request.query))
        scored = []
        for document in self.world.documents.values():
            if may_see(document):
                text = " ".join(
                    f"{version.title} {chunk.text}"
                    for version in document.versions
                    for chunk in version.chunks
                )
                shared = len(wanted & set(words(text)))
                if shared:
                    scored.append((-shared, document.document_id))
        ids = tuple(document_id for _, document_id in sorted(scored)[: request.k])
        return Response(request.request_id, {Stage.RETRIEVE: Seen(ids)})


def failing(error):
    """A system whose every call ends in this error."""
    return Plain(lambda _, request: Response(request.request_id, error=error, detail="no reply"))


def by_tenant(same, powers=(Power.PLANT,)):
    """A system that lets everybody of a tenant read all of it; `same` compares two tenants' ids."""

    def reply(target, request):
        reader = target.world.principals.get(request.caller.principal_id)
        return target.ranked(
            request, lambda d: reader is not None and same(reader.tenant_id, d.tenant_id, request)
        )

    return Plain(reply, powers=powers)


def nothing(request):
    """A good reply without any result."""
    return Response(request.request_id, {Stage.RETRIEVE: Seen()})
