"""Which requests can no engine serve, whatever it is?"""

from datetime import datetime

from rageval_kit.records.target import Request, Response
from rageval_kit.text.words import words

NO_TOKENS = "query_has_no_tokens"


def refused(request: Request, now: datetime) -> Response | None:
    """A request that cannot be served, said so; None for one that can."""
    return ill_formed(request, now) or (None if words(request.query) else wordless(request))


def ill_formed(request: Request, now: datetime) -> Response | None:
    """A request whose times or size mean nothing, whatever it asks."""
    problem = ""
    for name, instant in (("as_of", request.as_of), ("known_at", request.known_at)):
        if instant is not None and instant.tzinfo is None:
            problem = problem or naive(name, instant)
    if not problem and request.known_at is not None and request.known_at > now:
        problem = f"known_at {request.known_at.isoformat()} lies after now {now.isoformat()}"
    if not problem and request.k < 1:
        problem = f"k is {request.k}; ask for at least 1"
    return Response(request.request_id, error="bad_request", detail=problem) if problem else None


def naive(name: str, instant: datetime) -> str:
    return f"{name} has no time zone: {instant.isoformat()}; give it one"


def wordless(request: Request) -> Response:
    return Response(request.request_id, error=NO_TOKENS, detail=no_tokens(request.query))


def no_tokens(query: str) -> str:
    return f"the query of {len(query)} characters holds no word, in Chinese or English"
