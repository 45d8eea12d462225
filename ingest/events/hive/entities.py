"""The entities in a message of an Atlas hook, of either shape: with ``attributes``, or (before Atlas 1) ``values``."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import orjson

#: The most bytes to which a compressed message may unpack.
MAX_UNPACKED: Final = 64 << 20
#: How deep in a message entities are looked for.
MAX_DEPTH: Final = 32
_HIVE: Final = "hive_"


class Name(NamedTuple):
    """A dataset: its namespace and its name; for a column, also which one."""

    namespace: str
    name: str
    column: str | None = None


@dataclass(slots=True)
class Entity:
    """An entity, or what a reference says about one: its type, its qualified name, its attributes."""

    kind: str
    name: str
    attributes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_process(self) -> bool:
        """Whether it reads and writes others; the lineage of a column does so too, but is not a process."""
        return not self.is_column_lineage and any(
            isinstance(self.attributes.get(each), list) for each in ("inputs", "outputs")
        )

    @property
    def is_column_lineage(self) -> bool:
        """Whether it says which columns a column is made of."""
        return self.kind.endswith("column_lineage")

    @property
    def is_table(self) -> bool:
        """Whether it is a table, or a view."""
        return self.kind.endswith("_table")

    def text(self, *names: str) -> str:
        """Return the first of these attributes that is a non-empty text."""
        return next(
            (each.strip() for name in names if isinstance(each := self.attributes.get(name), str) and each.strip()), ""
        )


class Message:
    """A message of a hook: what happened (``kind``, such as ENTITY_CREATE), and to which entities.

    ValueError for one that cannot be read: split into several records, packed in an unknown way.
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        inside = _unpacked(document)
        self.kind = str(inside.get("type")).upper().removesuffix("_V2")
        self.user = inside["user"] if isinstance(inside.get("user"), str) else ""
        self._known: dict[str, Mapping[str, Any]] = {}
        for each in _objects(inside):
            if (key := _key(each)) and _attributes(each):
                self._known.setdefault(key, each)
        self.entities = [entity for each in _top(inside) if (entity := self.entity(each)) is not None]
        beside = [entity for each in self._known.values() if (entity := self.entity(each)) is not None]
        self.entities += [
            each for each in beside if not any(each.attributes is other.attributes for other in self.entities)
        ]
        #: Of a partial update, what the entity was called before.
        self.former = self.entity(inside.get("entityId"))

    def entity(self, reference: Any) -> Entity | None:
        """Return the entity that an object is, or refers to; None where nothing names one."""
        if not isinstance(reference, Mapping):
            return None
        known = self._known.get(_key(reference), reference)
        attributes = _attributes(known) or _attributes(reference)
        unique = reference.get("uniqueAttributes")
        name = attributes.get("qualifiedName") or (unique.get("qualifiedName") if isinstance(unique, Mapping) else None)
        kind = known.get("typeName") or reference.get("typeName")
        return Entity(kind, name, attributes) if isinstance(name, str) and name and isinstance(kind, str) else None

    def those(self, attributes: Mapping[str, Any], name: str) -> list[Entity]:
        """Return the entities that an attribute refers to."""
        value = attributes.get(name)
        references = value if isinstance(value, list) else [value]
        return [entity for each in references if (entity := self.entity(each)) is not None]


def name_of(entity: Entity, place: str) -> Name | None:
    """Return the dataset, or the column of one, that an entity is; tables of Hive are in the namespace ``place``."""
    name, _, cluster = entity.name.rpartition("@")
    name = name or cluster
    if "://" in name:
        url = urlsplit(name)
        return Name(f"{url.scheme}://{url.netloc}", url.path or "/")
    family = entity.kind.partition("_")[0]
    namespace = place if entity.kind.startswith((_HIVE, "spark_")) else family
    if entity.kind.endswith("_column"):
        table, _, column = name.rpartition(".")
        return Name(namespace, table, column) if table and column else None
    return Name(namespace, name)


def looks_like(document: Mapping[str, Any]) -> bool:
    """Return whether an object is a message of an Atlas hook."""
    inside = document.get("message")
    if isinstance(inside, Mapping):
        return str(inside.get("type")).startswith("ENTITY_")
    return str(document.get("type")).startswith("ENTITY_") or (
        "msgCompressionKind" in document and isinstance(inside, str)
    )


def _unpacked(document: Mapping[str, Any]) -> Mapping[str, Any]:
    inside = document.get("message", document)
    if isinstance(inside, str):
        if document.get("msgSplitCount") not in (None, 0, 1):
            raise ValueError(
                "a message in several records: raise atlas.notification.message.max.length.bytes of the hook"
            )
        inside = _loaded(inside, str(document.get("msgCompressionKind") or "NONE").upper())
    if not isinstance(inside, Mapping):
        raise ValueError("message: must be an object")
    return inside


def _loaded(text: str, packing: str) -> Any:
    if packing not in ("NONE", "GZIP"):
        raise ValueError(f"msgCompressionKind: {packing} is not known")
    try:
        data = text.encode()
        if packing == "GZIP":
            unpacking = zlib.decompressobj(wbits=31)
            data = unpacking.decompress(base64.b64decode(data, validate=True), MAX_UNPACKED)
            if unpacking.unconsumed_tail:
                raise ValueError(f"message: unpacks to more than {MAX_UNPACKED} bytes")
        document = orjson.loads(data)
    except (binascii.Error, zlib.error, orjson.JSONDecodeError) as error:
        raise ValueError(f"message: cannot be unpacked: {error}") from None
    inside = document.get("message") if isinstance(document, Mapping) else None
    return inside if isinstance(inside, Mapping) else document


def _top(inside: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the entities that the message is about; those that they refer to are beside them."""
    parts = [inside.get("entities"), inside.get("entity")]
    for each in parts:
        within = each.get("entities", each.get("entity", each)) if isinstance(each, Mapping) else each
        yield from within if isinstance(within, list) else [within]


def _objects(value: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """Yield every object in a message."""
    if depth > MAX_DEPTH:
        return
    if isinstance(value, Mapping):
        yield value
        for each in value.values():
            yield from _objects(each, depth + 1)
    elif isinstance(value, list):
        for each in value:
            yield from _objects(each, depth + 1)


def _key(reference: Mapping[str, Any]) -> str:
    """Return the key of an entity within its message."""
    inner = reference.get("id")
    key = reference.get("guid") or (inner.get("id") if isinstance(inner, Mapping) else inner)
    return str(key) if isinstance(key, (str, int)) else ""


def _attributes(entity: Mapping[str, Any]) -> Mapping[str, Any]:
    values, related = entity.get("attributes", entity.get("values")), entity.get("relationshipAttributes")
    if not isinstance(values, Mapping):
        return {}
    return {**related, **values} if isinstance(related, Mapping) else values
