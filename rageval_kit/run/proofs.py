"""Which proof, if any, speaks of exactly this suite?"""

from pathlib import Path

import msgspec

from rageval_kit.records.decisions import ProofSummary
from rageval_kit.resources import tree


def proof_of(suite_hash: str, archive_root: Path) -> ProofSummary:
    """The proof of exactly this suite, shipped or made here; an empty one where there is none."""
    for folder in (tree("suites") / "proofs", own_proofs(archive_root)):
        for path in sorted(folder.glob("*.json")):
            proof = read_proof(path)
            if proof.suite_hash == suite_hash:
                return proof
    return ProofSummary()


def own_proofs(archive_root: Path) -> Path:
    """Where `rageval-kit prove` leaves its proofs: beside the archive."""
    return archive_root.parent / "proofs"


def write_proof(proof: ProofSummary, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(proof), indent=1) + b"\n")


def read_proof(path: Path) -> ProofSummary:
    return msgspec.json.decode(path.read_bytes(), type=ProofSummary)
