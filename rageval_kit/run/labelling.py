"""On which snapshot, and when, does a sample say that its judgments were made?"""

from collections.abc import Iterator, Sequence
from datetime import datetime

from rageval_kit.corpus.times import TimeError, parse_instant
from rageval_kit.intake.samples import Sample
from rageval_kit.records.faults import Fault


def labelled_on(sample: Sample) -> str:
    """The digest of the snapshot that the judgments were made on, '' where nobody says."""
    basis = sample.labelling
    named = basis.get("made_on_snapshot") or basis.get("snapshot") or ""
    return named.removeprefix("sha256:")


def labelled_at(sample: Sample, timezone: str) -> datetime | None:
    """When it was judged; of a bare date the day's start, so that a change of that day counts."""
    text = sample.labelling.get("date", "")
    return parse_instant(text, timezone) if text else None


def check_dates(samples: Sequence[Sample], timezone: str) -> Iterator[Fault]:
    for sample in samples:
        try:
            labelled_at(sample, timezone)
        except TimeError as error:
            where, met = f"query {sample.query_id}: labelling.date", sample.labelling["date"]
            yield Fault(where, error.problem, met, error.way_out)
