"""Who asks, and can what is asked be served at all?"""

from datetime import datetime

from rageval_kit.records.target import Caller, Request, Response
from rageval_kit.system.admission import ill_formed, wordless
from rageval_kit.system.belonging import Reader
from rageval_kit.system.faults import AnyFault, Fault
from rageval_kit.system.faults_events import EventFault
from rageval_kit.system.faults_trust import TrustFault
from rageval_kit.system.names import exact_id
from rageval_kit.system.retrieval import Query
from rageval_kit.system.sessions import Sessions
from rageval_kit.system.state import SystemState
from rageval_kit.system.swayed import claims_more


def searcher(
    caller: Caller, query: str, state: SystemState, sessions: Sessions, fault: AnyFault | None
) -> Reader:
    """Who searches: the caller, by the id that the transport vouches for, and nothing else."""
    principal_id = exact_id(caller.principal_id)
    if fault is Fault.CLIENT_TENANT_TRUSTED:
        return Reader(principal_id, tenant_id=caller.claims.get("tenant"))
    if fault is Fault.SCOPE_SYNTAX_OBEYED:
        named = (one for one in state.ground.tenant_ids if f"tenant:{one}" in query)
        return Reader(principal_id, wider_tenants=tuple(named))
    unnamed = fault is EventFault.EMPTY_ID_IS_SERVICE and not principal_id
    if unnamed or fault is Fault.SERVICE_IDENTITY:
        service_id = state.ground.service_id
        return Reader(service_id or "", sees_everything=service_id is None)
    if fault is TrustFault.QUERY_WIDENS_SCOPE:
        return Reader(principal_id, sees_everything=claims_more(query))
    return sessions.reader_of(caller, state, fault)


def refusal(request: Request, query: Query, now: datetime) -> Response | None:
    """A request that cannot be served, said so; None for one that can."""
    return ill_formed(request, now) or (None if query.words else wordless(request))
