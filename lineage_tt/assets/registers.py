"""Registers: full lists of what exists, from a catalog or a file, as messages.

A file has one asset per line: a node, or a JSON object with ``node`` and, if known, ``type``. When a register no longer
lists a node, its statement about the node ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import orjson

from lineage_tt.assets.matching import NO_TYPE
from lineage_tt.model.clock import unique_name
from lineage_tt.model.edges import dataset_of, split_dataset
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.messages import NodeChange
from lineage_tt.model.names import clipped, is_reserved, meaning, near_names, too_long

#: The key prefix of the facts by which a register lists nodes.
REGISTER: Final = "register:"
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
#: What the type of an asset is called, also elsewhere.
_TYPES: Final = ("type", "kind", "asset_type")
#: From this similarity on, a key may be a typing error.
_ALIKE: Final = 0.74
MAX_ASSETS: Final = 5_000_000


def listed(lines: Iterable[bytes], file: str) -> dict[str, str]:
    """Return the nodes of a register's file, each with its type or ``NO_TYPE``.

    Raises InvalidRequestError with the line if it is not an asset, or if a node is listed with two types: a register
    that is read only in part would state that the rest is gone.
    """
    result: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        text = line.removeprefix(b"\xef\xbb\xbf").strip()
        if not text or text.startswith(b"#"):
            continue
        try:
            node, kind = _asset(text)
        except ValueError as error:
            raise InvalidRequestError(
                f"{file}, line {number}: {error}", hint="give namespace:name on each line"
            ) from None
        if result.setdefault(node, kind) != kind:
            raise InvalidRequestError(f"{file}, line {number}: {clipped(node)} is listed twice, with two types")
        if len(result) > MAX_ASSETS:
            raise InvalidRequestError(f"{file} lists more than {MAX_ASSETS} assets", hint="split it into registers")
    return result


def _like_type(keys: Iterable[str]) -> str | None:
    """Return the key that was probably meant to be ``type``; registers may have other keys of their own."""
    near = (key for key in keys if key != "node" and near_names(key, _TYPES, _ALIKE, any_case=True))
    return next(near, None)


def _asset(text: bytes) -> tuple[str, str]:
    entry: Any = {"node": text.decode()}
    if text.startswith(b"{"):
        entry = orjson.loads(text)
        if "type" not in entry and (meant := _like_type(entry)) is not None:
            raise ValueError(f"{clipped(meant)} is not a key of an asset{meaning('type')}")
    node, kind = entry.get("node"), entry.get("type", NO_TYPE)
    if not isinstance(node, str) or not node or not isinstance(kind, str) or not kind:
        raise ValueError("node, and type where it is given, must be texts and not empty")
    kind = kind.strip().lower()
    if too_long(node) or len(kind) > 200:
        raise ValueError("the name is too long")
    if is_reserved(node):
        raise ValueError(f"{clipped(node)} is a name that the product keeps for itself")
    if not node.startswith("task:"):
        if dataset_of(node) != node:
            raise ValueError(f"{clipped(node)} is a column: a register lists datasets and tasks")
        split_dataset(node)
    return node, kind


def difference(
    name: str, entries: Mapping[str, str], known: Mapping[str, str], at: int, **about: Any
) -> Iterator[NodeChange]:
    """Yield, in order, the messages after which a register lists ``entries`` instead of ``known``, from ``at`` on.

    ``about`` are fields of NodeChange, such as actor and reason.
    """
    key = REGISTER + name
    for node in sorted(entries.keys() | known.keys()):
        kind = entries.get(node)
        if kind == known.get(node):
            continue
        if kind is None:
            yield NodeChange(unique_name(), "fact", node, "clear", at, fact_key=key, **about)
        else:
            yield NodeChange(unique_name(), "fact", node, "set", at, fact_key=key, facts=[(node, key, kind)], **about)
