"""Which proof, if any, speaks of exactly this suite?"""

from pathlib import Path

import msgspec

from rageval_kit.records.decisions import ProofSummary
from rageval_kit.resources import tree


def shipped_proof(suite_hash: str) -> ProofSummary:
    """The proof under suites/proofs whose hash is that of the suite; an empty one where none is."""
    for path in sorted((tree("suites") / "proofs").glob("*.json")):
        proof = read_proof(path)
        if proof.suite_hash == suite_hash:
            return proof
    return ProofSummary()


def read_proof(path: Path) -> ProofSummary:
    return msgspec.json.decode(path.read_bytes(), type=ProofSummary)
