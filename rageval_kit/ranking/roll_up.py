"""How does a list of passages become a list of the documents they are part of?"""

from collections.abc import Callable

import polars as pl

from rageval_kit.records.faults import InputError


def to_document(separator: str) -> Callable[[pl.DataFrame], pl.DataFrame]:
    """A passage's document is what stands before the first `separator` of its id.

    The rank of a document is that of its first passage; later ones are counted as repeats.
    """
    if not separator:
        raise InputError.one("rollup", "needs a separator", "''", "give what stands after the id")

    def turned(block: pl.DataFrame) -> pl.DataFrame:
        passages = pl.col("document_id")
        document = passages.str.splitn(separator, 2).struct.field("field_0")
        return block.with_columns(document_id=document)

    return turned
