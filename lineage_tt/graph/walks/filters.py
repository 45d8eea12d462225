"""Filters on nodes while walking: by namespace, by the dataset's name, by label."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lineage_tt.graph.arrays.names import Bytes
from lineage_tt.model.errors import InvalidRequestError

if TYPE_CHECKING:
    from lineage_tt.graph.arrays.dictionary import Dictionary

#: How many recently used masks a graph caches.
MAX_MASKS: Final = 32


class Filter(NamedTuple):
    """Which nodes a walk may meet: those that match, for each given kind, any of its values.

    ``namespaces`` are exact, ``datasets`` are patterns with ``*`` and ``?`` over the dataset's whole name
    (``hive:dw.*``), ``labels`` are those of the node or of its dataset as of the basis. ``exclude`` inverts the filter.
    The walk does not enter a node that fails; with ``hide`` it goes through the node, and the answer leaves out the
    node and its edges. The start nodes of a walk always pass.
    """

    namespaces: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    exclude: bool = False
    hide: bool = False

    def checked(self) -> Filter:
        """Return the filter with its values as tuples; InvalidRequestError where it names nothing."""
        clean = self._replace(
            namespaces=tuple(self.namespaces), datasets=tuple(self.datasets), labels=tuple(self.labels)
        )
        if not (clean.namespaces or clean.datasets or clean.labels):
            raise InvalidRequestError("the filter is empty", hint="give a namespace, a dataset pattern or a label")
        return clean


#: Returns the nodes that carry any of some labels as of the basis of the question.
Labelled = Callable[[tuple[str, ...]], set[str]]


def mask_of(where: Filter, names: Dictionary, nodes: int, room: int, labelled: Labelled) -> Bytes:
    """Return 1 for each node that passes, by number."""
    owners = names.datasets_from(0)[:nodes]
    passes = np.ones(nodes, bool)
    distinct = np.unique(owners)
    if where.namespaces or where.datasets:
        texts = names.nodes.take(distinct)
        good = np.ones(len(distinct), bool)
        if where.namespaces:
            good &= _matches(texts, "|".join(re.escape(word) + ":.*" for word in where.namespaces))
        if where.datasets:
            good &= _matches(texts, "|".join(_pattern(word) for word in where.datasets))
        by_dataset = np.zeros(nodes, bool)
        by_dataset[distinct] = good
        passes &= by_dataset[owners]
    if where.labels:
        numbers = names.nodes.find_all(sorted(labelled(where.labels)))
        carrying = np.zeros(nodes, bool)
        carrying[numbers[(numbers >= 0) & (numbers < nodes)]] = True
        passes &= carrying | carrying[owners]
    mask = np.zeros(room, np.uint8)
    mask[:nodes] = passes != where.exclude
    return mask


def _matches(texts: pa.Array, pattern: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    matches: np.ndarray[tuple[int], np.dtype[np.bool_]] = pc.match_substring_regex(
        texts, f"(?s)^(?:{pattern})$"
    ).to_numpy(zero_copy_only=False)
    return matches


def _pattern(glob: str) -> str:
    """Return a shell pattern as a regular expression that RE2 reads."""
    if "[" in glob:
        return fnmatch.translate(glob).removeprefix("(?s:").removesuffix(r")\z").removesuffix(r")\Z")
    return "".join(".*" if c == "*" else "." if c == "?" else re.escape(c) for c in glob)
