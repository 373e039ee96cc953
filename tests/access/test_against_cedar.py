"""The rule said a second time, in Cedar policies, and decided by Cedar's own engine.

Each allow entry is a `permit`, each deny entry a `forbid`, each of C1 to C7 a `forbid … unless`.
Cedar walks groups, departments, tenants, folders and opened links as entity parents, compares
windows and times as integers and lets forbid win over permit. Left to this file are only what
Cedar cannot walk: the state reached by `now`, and the label and compartments that hold for a
chunk. A membership that is not live at `now` is no parent.
"""

import json
import random
from datetime import timedelta

import cedarpy

from rageval_kit.access import Monitor
from rageval_kit.records.target import Grain

AGES_AGO, AGES_HENCE = -(10**15), 10**15


def seconds(instant, missing):
    return missing if instant is None else int(instant.timestamp())


def uid(kind, name):
    return {"type": kind, "id": name}


def ref(kind, name):
    return f"{kind}::{json.dumps(name, ensure_ascii=False)}"


def span(record):
    """When a record is live, as a Cedar condition."""
    start, end = seconds(record.window.start, AGES_AGO), seconds(record.window.end, AGES_HENCE)
    gone = seconds(record.revoked_at, AGES_HENCE)
    return f"context.now >= {start} && context.now < {end} && context.now < {gone}"


def live_at(record, now):
    end = min(seconds(record.window.end, AGES_HENCE), seconds(record.revoked_at, AGES_HENCE))
    return seconds(record.window.start, AGES_AGO) <= now < end


def reached(history, now, otherwise):
    """The last value of a history, read from its end."""
    for at, value in reversed(history):
        if seconds(at, 0) <= now:
            return value
    return otherwise


def people(world, now):
    found = []
    for unit in world.units:
        above = [
            uid("Unit", m.unit_id)
            for m in world.memberships.values()
            if m.member_is_unit and m.member_id == unit and live_at(m, now)
        ]
        found.append({"uid": uid("Unit", unit), "attrs": {}, "parents": above})
    for who, principal in world.principals.items():
        parents = [
            uid("Unit", m.unit_id)
            for m in world.memberships.values()
            if not m.member_is_unit and m.member_id == who and live_at(m, now)
        ]
        parents += [
            uid("Tenant", guest.tenant_id)
            for guest in world.guests.values()
            if guest.principal_id == who and live_at(guest, now)
        ]
        parents += [
            uid("Link", link.link_id)
            for link in world.links.values()
            if any(opener == who and seconds(at, 0) <= now for opener, at in link.opened)
        ]
        clearance, held = principal.clearance, sorted(principal.compartments)
        if principal.kind == "anonymous":
            clearance, held = world.policy.labels[0], []
        elif principal.tenant_id is not None:
            parents.append(uid("Tenant", principal.tenant_id))
        status = reached(principal.statuses, now, "unborn" if principal.statuses else "active")
        unmarked = -1 if world.policy.unlabelled_denied else 0
        attrs = {
            "status": str(status),
            "clearance": unmarked if clearance is None else world.policy.labels.index(clearance),
            "compartments": held,
        }
        unique = {(p["type"], p["id"]): p for p in parents}
        found.append({"uid": uid("User", who), "attrs": attrs, "parents": list(unique.values())})
    return found


def things(world, now):
    found = []
    for key, folder in world.folders.items():
        above = [uid("Folder", folder.parent_id)] if folder.parent_id and folder.inherits else []
        found.append({"uid": uid("Folder", key), "attrs": {}, "parents": above})
    for key, document in world.documents.items():
        above = [uid("Folder", document.folder_id)] if document.folder_id else []
        above = above if document.inherits else []
        found.append({"uid": uid("Document", key), "attrs": {}, "parents": above})
        label, marks = marks_of(world, document)
        for version in document.versions:
            attrs = {
                "state": str(reached(version.states, now, "draft")),
                "recorded_from": seconds(version.recorded_from, AGES_AGO),
                "recorded_to": seconds(version.recorded_to, AGES_HENCE),
                "valid_to": seconds(version.valid_to, AGES_HENCE),
                "tenant": {"__entity": uid("Tenant", document.tenant_id)},
            }
            if document.owner_id is not None:
                attrs["owner"] = {"__entity": uid("User", document.owner_id)}
            if version.valid_from is not None:
                attrs["valid_from"] = seconds(version.valid_from, 0)
            for chunk in version.chunks:
                own = {"compartments": sorted(marks | chunk.compartments)}
                nearest = chunk.label or label
                if nearest is not None or not world.policy.unlabelled_denied:
                    own["level"] = world.policy.labels.index(nearest) if nearest else 0
                found.append(
                    {
                        "uid": uid("Chunk", chunk.chunk_id),
                        "attrs": attrs | own,
                        "parents": [uid("Document", key)],
                    }
                )
    return found


def marks_of(world, document):
    """The label of the document, else of the nearest folder; the compartments of all of them."""
    if document.folder_id is None:
        return document.label, document.compartments
    folder = world.folders[document.folder_id]
    label, marks = marks_of_folder(world, folder)
    return document.label or label, document.compartments | marks


def marks_of_folder(world, folder):
    if folder.parent_id is None:
        return folder.label, folder.compartments
    label, marks = marks_of_folder(world, world.folders[folder.parent_id])
    return folder.label or label, folder.compartments | marks


def policies(world):
    """Three to seven lines each, so that they can be read beside the rule."""
    archive = ' || resource.state == "withdrawn"' if world.policy.archive else ""
    own_draft = 'resource has owner && principal == resource.owner && resource.state == "draft"'
    publics, found = [], []
    owners = [("Document", d) for d in world.documents.values()]
    owners += [("Folder", f) for f in world.folders.values()]
    for kind, owner in owners:
        key = owner.document_id if kind == "Document" else owner.folder_id
        place = f"resource in {ref(kind, key)}"
        for entry in owner.entries:
            if entry.subject_kind == "public" and entry.effect == "allow":
                publics.append(f"({place} && {span(entry)})")
            found.append(entry_policy(world, owner.tenant_id, place, entry))
    crossing = " || ".join(["principal in resource.tenant", *publics])
    return "\n".join(
        [
            *(policy for policy in found if policy),
            f"permit(principal, action, resource) when {{ {own_draft} }};",
            must('principal has status && principal.status == "active"'),
            must(crossing),
            must("principal has clearance && resource has level"
                 " && principal.clearance >= resource.level"),
            must("principal has compartments"
                 " && principal.compartments.containsAll(resource.compartments)"),
            must(f'resource.state == "published"{archive} || ({own_draft})'),
            must("resource has valid_from && resource.valid_from <= context.as_of"
                 " && context.as_of < resource.valid_to"),
            must("resource.recorded_from <= context.known_at"
                 " && context.known_at < resource.recorded_to"),
        ]
    )  # fmt: skip


def must(condition):
    return f"forbid(principal, action, resource) unless {{ {condition} }};"


def entry_policy(world, tenant, place, entry):
    scope, when = "principal", [place, span(entry)]
    if entry.subject_kind == "user":
        scope = f"principal == {ref('User', entry.subject_id)}"
    elif entry.subject_kind == "unit":
        scope = f"principal in {ref('Unit', entry.subject_id)}"
    elif entry.subject_kind == "everyone":
        scope = f"principal in {ref('Tenant', tenant)}"
    elif entry.subject_kind == "link":
        if entry.subject_id not in world.links:
            return ""
        scope = f"principal in {ref('Link', entry.subject_id)}"
        when.append(span(world.links[entry.subject_id]))
    word = "permit" if entry.effect == "allow" else "forbid"
    return f"{word}({scope}, action, resource) when {{ {' && '.join(when)} }};"


def times_of(clock, rng):
    return {
        "as_of": clock + timedelta(days=rng.choice((-5, -2, 0, 0, 0, 1))),
        "known_at": clock - timedelta(days=rng.choice((0, 0, 0, 1, 4))),
    }


def test_cedar_and_the_monitor_allow_the_same_on_thousands_of_decisions(maker, readers):
    n_decisions = n_allowed = 0
    for seed in range(80):
        rng = random.Random(f"cedar {seed}")
        world = maker(rng).world(8)
        monitor = Monitor(world)
        now = int(world.clock.timestamp())
        # Everybody asks at the same now, which is in the entities, but each of another time.
        times = {who: times_of(world.clock, rng) for who in readers}
        chunks = [
            (document.document_id, version.version_id, chunk.chunk_id)
            for document in world.documents.values()
            for version in document.versions
            for chunk in version.chunks
        ]
        asked = [(who, chunk) for who in readers for chunk in chunks]
        replies = cedarpy.is_authorized_batch(
            [
                {
                    "principal": ref("User", who),
                    "action": 'Action::"read"',
                    "resource": ref("Chunk", chunk_id),
                    "context": {
                        "now": now,
                        **{name: int(at.timestamp()) for name, at in times[who].items()},
                    },
                }
                for who, (_, _, chunk_id) in asked
            ],
            policies(world),
            people(world, now) + things(world, now),
        )
        permitted = {who: monitor.permitted(who, Grain.CHUNK, **times[who]) for who in readers}
        for (who, place), reply in zip(asked, replies, strict=True):
            assert not reply.diagnostics.errors, reply.diagnostics.errors
            reasons = monitor.decide(who, *place, **times[who])
            assert reply.allowed == (reasons == ()), (seed, who, place, reasons)
            assert reply.allowed == (place[2] in permitted[who])
        n_decisions += len(asked)
        n_allowed += sum(reply.allowed for reply in replies)
    assert n_decisions >= 5_000
    # Agreement about denials alone would prove little.
    assert n_allowed >= 200
