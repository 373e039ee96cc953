"""Ids that a careless comparison takes for one: tenants and people that differ in case or width."""

from collections.abc import Mapping

from rageval_kit.generate.planting import SINCE, Planting
from rageval_kit.records.target import Power
from rageval_kit.records.world import (
    Chunk,
    Document,
    Effect,
    Entry,
    Principal,
    State,
    SubjectKind,
    Tenant,
    Version,
    World,
)

TAKES: Mapping[str, tuple[str, ...] | None] = {"same": ("id", "template"), "across": ("tenant",)}
NEEDS = frozenset({Power.PLANT})
PREFIX, SUFFIX = "archive-", "-archive"


def spellings(tenant_id: str) -> dict[str, str]:
    """Near misses of an id: by case, full width, an added prefix or suffix, a trailing space."""
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in tenant_id)
    found = {
        "case": tenant_id.swapcase(),
        "width": wide,
        "prefix": PREFIX + tenant_id,
        "suffix": tenant_id + SUFFIX,
        "space": tenant_id + " ",
    }
    return {kind: spelt for kind, spelt in found.items() if spelt != tenant_id}


def plant(world: World, args: Mapping[str, str], seed: int) -> Planting:
    """For each spelling of each tenant: a tenant, one of its people, and a document of theirs."""
    del seed
    if args.get("same") != "id":
        return Planting()
    documents, principals, tenants = [], [], []
    for tenant_id in sorted(world.tenants):
        for kind, spelt in spellings(tenant_id).items():
            if spelt in world.tenants:
                continue
            reader = Principal(f"kit-{kind}-{tenant_id}", spelt)
            tenants.append(Tenant(spelt, spelt))
            principals.append(reader)
            documents.append(_document(kind, tenant_id, spelt, reader.principal_id))
    return Planting(tuple(documents), tuple(principals), tuple(tenants))


def _document(kind: str, tenant_id: str, spelt: str, reader_id: str) -> Document:
    document_id = f"kit-look-alike-{kind}-{tenant_id}"
    text = (
        f"Ledger of the {kind} register kept for {tenant_id} only. "
        f"登记簿{kind}仅供本租户{tenant_id}内部查阅，不得外传。"
    )
    version = Version(
        f"{document_id}@1",
        f"Register {kind} {tenant_id} 登记簿",
        (Chunk(f"{document_id}@1#1", text),),
        valid_from=SINCE,
        states=((SINCE, State.PUBLISHED),),
    )
    return Document(
        document_id,
        spelt,
        (version,),
        entries=(
            Entry(f"{document_id}-e1", Effect.ALLOW, SubjectKind.EVERYONE),
            Entry(f"{document_id}-e2", Effect.ALLOW, SubjectKind.USER, reader_id),
        ),
    )
