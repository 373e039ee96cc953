"""As whom, and in which tenant, does a caller ask who has signed on?

Whoever signs on to a tenant gets a token for it, and each sign-on ends the token before it of the
same session. Rights are those of the principal in that tenant; a token that is no good gives none.
"""

import threading
from collections import OrderedDict
from dataclasses import replace
from datetime import timedelta

from rageval_kit.records.target import Caller
from rageval_kit.system.belonging import Reader, tenants_of
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_deputies import DeputyFault
from rageval_kit.system.faults_unseen_a import UnseenFaultA
from rageval_kit.system.instants import micros
from rageval_kit.system.names import exact_id
from rageval_kit.system.state import SystemState
from rageval_kit.system.tokens import Audience, Claims, Signer, is_good

TOKEN_LIVES = timedelta(hours=1)
NOBODY = Reader("")
_MOST_SESSIONS = 4096


def vouched_for(caller: Caller) -> Reader:
    """Who asks and through whom, as the transport says; no token is looked at."""
    return Reader(exact_id(caller.principal_id), via=tuple(map(exact_id, caller.via)))


class Sessions:
    """The newest token of each session, by principal and session."""

    def __init__(self, signer: Signer) -> None:
        self._signer = signer
        self._newest: OrderedDict[tuple[str, str], Claims] = OrderedDict()
        self._lock = threading.Lock()

    def sign_on(
        self,
        tenant_id: str,
        principal_id: str,
        session: str,
        state: SystemState,
        fault: AnyFault | None,
    ) -> str:
        """A token for the tenant; '' for who is neither its member nor its live guest."""
        if tenant_id not in tenants_of(state.people, Reader(principal_id), state.now):
            return ""
        with self._lock:
            before = self._newest.get((principal_id, session))
            if before and fault is DeputyFault.FIRST_TENANT_KEPT:
                tenant_id = before.tenant_id
            claims = Claims(
                Audience.SEARCH,
                principal_id,
                tenant_id,
                session,
                before.serial + 1 if before else 1,
                micros(state.now + TOKEN_LIVES),
            )
            self._newest[principal_id, session] = claims
            self._newest.move_to_end((principal_id, session))
            if len(self._newest) > _MOST_SESSIONS:
                self._newest.popitem(last=False)
        return self._signer.sign(claims)

    def reader_of(self, caller: Caller, state: SystemState, fault: AnyFault | None) -> Reader:
        """Who asks, through whom, and within which tenant."""
        reader = vouched_for(caller)
        if not caller.token:
            return reader
        claims = self._signer.read(caller.token)
        if claims is None or not self._is_live(claims, reader, state, fault):
            return reader if fault is DeputyFault.BAD_TOKEN_IGNORED else NOBODY
        via = () if fault is UnseenFaultA.TOKEN_DROPS_CHAIN else reader.via
        return replace(reader, principal_id=claims.principal_id, via=via, within=claims.tenant_id)

    def _is_live(
        self, claims: Claims, reader: Reader, state: SystemState, fault: AnyFault | None
    ) -> bool:
        if not is_good(claims, Audience.SEARCH, reader.principal_id, state.now, fault):
            return False
        newest = self._newest.get((claims.principal_id, claims.subject))
        replaced = newest is not None and newest.serial > claims.serial
        return not replaced or fault is DeputyFault.REPLACED_TOKEN_WORKS

    def clear(self) -> None:
        with self._lock:
            self._newest.clear()
