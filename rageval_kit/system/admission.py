"""Which requests can no engine serve, whatever it is?"""

from datetime import datetime

from rageval_kit.records.target import Request, Response
from rageval_kit.text.words import words

NO_TOKENS = "query_has_no_tokens"


def refused(request: Request, now: datetime) -> Response | None:
    """A request that cannot be served, said so; None for one that can."""
    problem = ""
    for name, instant in (("as_of", request.as_of), ("known_at", request.known_at)):
        if instant is not None and instant.tzinfo is None:
            problem = f"{name} has no time zone: {instant.isoformat()}; give it one"
    if not problem and request.known_at is not None and request.known_at > now:
        problem = f"known_at {request.known_at.isoformat()} lies after now {now.isoformat()}"
    if request.k < 1:
        problem = f"k is {request.k}; ask for at least 1"
    if problem:
        return Response(request.request_id, error="bad_request", detail=problem)
    if not words(request.query):
        detail = f"the query of {len(request.query)} characters holds no word"
        return Response(request.request_id, error=NO_TOKENS, detail=detail)
    return None
