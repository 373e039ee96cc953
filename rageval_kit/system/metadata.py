"""What of a file that somebody uploads is taken from the file's own claims? Nothing.

Tenant, access list, owner and dates are those of the source of truth; what an uploader wrote into
the file is the uploader's word alone.
"""

from dataclasses import replace
from datetime import datetime

from rageval_kit.records.changes import Change, Publish
from rageval_kit.records.world import Document, Effect, Entry, SubjectKind
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_trust import TrustFault

_PUBLIC = Entry("claimed", Effect.ALLOW, SubjectKind.PUBLIC)


def admitted(change: Change, fault: AnyFault | None) -> Change:
    """The change as the system takes it."""
    if not isinstance(change, Publish) or not change.claims:
        return change
    document, claims = change.document, change.claims
    match fault:
        case TrustFault.CLAIMS_TRUSTED_ACL if claims.get("acl") == "public":
            document = replace(document, entries=(*document.entries, _PUBLIC))
        case TrustFault.CLAIMS_TRUSTED_TENANT if "tenant" in claims:
            document = replace(document, tenant_id=claims["tenant"])
        case TrustFault.CLAIMS_TRUSTED_OWNER if "owner" in claims:
            document = replace(document, owner_id=claims["owner"])
        case TrustFault.CLAIMS_TRUSTED_DATE if "date" in claims:
            document = _dated(document, datetime.fromisoformat(claims["date"]))
    return replace(change, document=document)


def _dated(document: Document, since: datetime) -> Document:
    return replace(
        document, versions=tuple(replace(v, valid_from=since) for v in document.versions)
    )
