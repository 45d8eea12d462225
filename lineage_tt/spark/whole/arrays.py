"""Work on the integers of a frame, batch by batch, with arrays of one number per node that each executor gets."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lineage_tt.spark.garbage import freeze_once

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Array = npt.NDArray[Any]
Columns = Mapping[str, Array]
#: Maps the columns of a batch, and the arrays sent with it, to the columns of the result.
Work = Callable[[Columns, Columns], Columns]


def mapped(frame: DataFrame, work: Work, beside: Columns, schema: str) -> DataFrame:
    """Return the results of ``work`` on each batch; ``schema`` names the result's columns with their SQL types."""
    context = frame.sparkSession.sparkContext
    sent = {name: context.broadcast(values) for name, values in beside.items()}

    def over(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        freeze_once()
        arrays = {name: broadcast.value for name, broadcast in sent.items()}
        for batch in batches:
            columns = {name: np.asarray(batch.column(name)) for name in batch.schema.names}
            yield pa.RecordBatch.from_pydict({name: pa.array(result) for name, result in work(columns, arrays).items()})

    with warnings.catch_warnings():  # of pandas, which is not used here
        warnings.simplefilter("ignore", FutureWarning)
        return frame.mapInArrow(over, schema)


def columns_of(frame: DataFrame) -> list[Array]:
    """Return the columns of a frame on the driver, in their order."""
    return [np.asarray(column.combine_chunks()) for column in frame.toArrow().columns]


def flag(batch: Columns, beside: Columns) -> Columns:
    """Add a column ``flag``: whether the array of a column's name flags the number in that column, for any column."""
    result = np.zeros(len(batch["source"]), np.bool_)
    for name, flagged in beside.items():
        result |= flagged[batch[name]]
    return {**batch, "flag": result}


def fold(batch: Columns, beside: Columns) -> Columns:
    """Replace the numbers in ``source`` and ``target`` by those in the arrays of these names."""
    return {**batch, **{name: beside[name][batch[name]] for name in ("source", "target")}}


def bits_over(batch: Columns, beside: Columns) -> Columns:
    """Return the bits that each node receives over the edges ``near`` → ``far`` of a batch."""
    bits = beside["bits"][batch["near"]]
    far, bits = batch["far"][bits != 0], bits[bits != 0]
    order = np.argsort(far, kind="stable")
    nodes, first = np.unique(far[order], return_index=True)
    result = np.bitwise_or.reduceat(bits[order], first) if len(first) else bits
    return {"node": nodes.astype(np.int32), "bits": result.view(np.int64)}


def values_over(batch: Columns, beside: Columns) -> Columns:
    """Return the sum of the values that each node receives over the edges ``near`` → ``far`` of a batch."""
    nodes, place = np.unique(batch["far"], return_inverse=True)
    values = np.bincount(place, beside["values"][batch["near"]], len(nodes)).astype(np.float64)
    return {"node": nodes.astype(np.int32), "value": values}
