"""Asset types and registers in a store: stated as facts, queried as of any point.

>>> set_types(store, Path("assets.toml").read_bytes(), reason="boards are dashboards")  # doctest: +SKIP
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lineage_tt.assets import matching, registers
from lineage_tt.assets.matching import Asset, Disallowed
from lineage_tt.assets.types import ASSET_TYPE, AssetTypes
from lineage_tt.model.clock import unique_name
from lineage_tt.model.completeness.rejections import left_in
from lineage_tt.model.edges import ALIAS, REJECTED, dataset_of
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.facts import task_node
from lineage_tt.model.messages import NodeChange
from lineage_tt.model.names import CURATED, clipped, meaning, near_names

if TYPE_CHECKING:
    from lineage_tt.model.answers import Basis
    from lineage_tt.read.questions import Instant, Questions
    from lineage_tt.store import Store

#: The node and the key of the fact that holds the types.
NODE, KEY = "policy:assets", "types"
#: The register of what catalogs declare: datasets with columns that somebody stated.
CATALOG: Final = "catalog"
_PIECE: Final = 4096
_POINT: Final = "make_timestamptz($valid_at), make_timestamptz($system_at)"
_TYPES: Final = f'SELECT value FROM facts_as_of({_POINT}) WHERE node = $node AND "key" = $key'
_FACTS: Final = f"""
    SELECT node, "key", min(value) FROM facts_as_of({_POINT})
    WHERE ("key" = $key OR starts_with("key", $register)) AND NOT contains(node, '#') GROUP BY ALL
"""
_DECLARED: Final = f"""
    SELECT DISTINCT dataset_of(node) FROM facts_as_of({_POINT}) WHERE "key" = 'column' AND kind = 'dataset'
"""
_EDGES: Final = f"""
    SELECT DISTINCT dataset_of(source), dataset_of(target), subtype
    FROM edges_as_of({_POINT})
"""
_ENDS: Final = f"SELECT DISTINCT task_id, source, target, subtype FROM edges_as_of({_POINT})"
_TASKS: Final = f"SELECT task_id FROM tasks_as_of({_POINT})"
_PARENTS: Final = f"""
    SELECT node FROM facts_as_of({_POINT})
    WHERE "key" = 'parent' AND starts_with(node, 'task:') AND starts_with("value", 'task:')"""
_KNOWN: Final = f'SELECT node, value FROM facts_as_of({_POINT}) WHERE "key" = $key'
_LATER: Final = """
    SELECT epoch_us(min(effective_at)) FROM log
    WHERE kind = 'fact' AND fact_key = $key AND status = 'accepted' AND effective_at > make_timestamptz($since)
"""


class _End(NamedTuple):
    """An edge in force, with only what decides whether people reject it."""

    task_id: str
    source: str
    target: str
    subtype: str


class Assets(NamedTuple):
    """All that is known about assets at a point."""

    basis: Basis
    types: AssetTypes
    assets: list[Asset]
    disallowed: list[Disallowed]

    @property
    def unknown_types(self) -> list[str]:
        """The types that facts or registers name and that nobody declared."""
        return sorted({asset.type for asset in self.assets if not asset.type_known})

    def not_a_type(self, name: str | None) -> list[str]:
        """Return a sentence if no type has this name here, with the nearest one; None is not a name."""
        known = {*(each.name for each in self.types), *self.unknown_types}
        if name is None or name in known:
            return []
        return [f"there is no type {clipped(name)} here{meaning(near_names(name, known, any_case=True))}"]

    def type_objects(self) -> list[dict[str, Any]]:
        """Return the types as JSON objects, with the number of their own assets; unknown types last."""
        counts = Counter(asset.type for asset in self.assets)
        declared = [each._asdict() | {"known": True} for each in self.types]
        unknown = [self.types.get(name)._asdict() | {"known": False} for name in self.unknown_types]
        return [row | {"assets": counts[row["name"]]} for row in (*declared, *unknown)]


def set_types(
    store: Store, data: bytes, *, reason: str, actor: str | None = None, at: Instant = "now", name: str = "assets.toml"
) -> int:
    """State the types of ``assets.toml`` from a valid time on, in place of those before; return the version.

    ``name`` is the name of the file in errors. Raises InvalidRequestError for an invalid file, and if no reason is
    given.
    """
    if not reason.strip():
        raise InvalidRequestError("asset types need a reason", hint="say why they change")
    packed = AssetTypes.parse(data, name).pack()
    message = NodeChange(
        unique_name(), "fact", NODE, "set", store.instant(at), fact_key=KEY, facts=[(NODE, KEY, packed)],
        reason=reason, actor=actor,
    )  # fmt: skip
    return store.append([message], own=True, system_times=store.late_system_times())[0].version


def register(
    store: Store, name: str, entries: Mapping[str, str], *, at: Instant = "now", actor: str | None = None,
    reason: str | None = None,
) -> tuple[int, int, int]:  # fmt: skip
    """Make a register list these nodes (with types or ``NO_TYPE``) from a valid time on, and no others.

    Return how many came, went and changed. A node that is already listed makes no version. A known list of a later
    time stays as it is from that time on. Raises InvalidRequestError for an invalid name.
    """
    if not registers.NAME.fullmatch(name) or name == CATALOG:
        raise InvalidRequestError(
            f"{name!r} is not a name of a register", hint=f"use letters, digits, . _ and -; not {CATALOG!r}"
        )
    since, key = store.instant(at), registers.REGISTER + name
    ((later,),) = store.fetch(_LATER, key=key, since=since) if store.version else [(None,)]
    known = _listed_at(store, key, since)
    messages = list(registers.difference(name, entries, known, since, actor=actor, reason=reason))
    changed = len(messages)
    if later is not None:  # the later list is stored as a difference from the list before it, which has now changed
        then = _listed_at(store, key, later)
        unchanged = {node for node in entries.keys() | known.keys() if then.get(node) == known.get(node)}
        of_then, lasting = ({node: listed[node] for node in unchanged if node in listed} for listed in (then, entries))
        messages += registers.difference(name, of_then, lasting, later, actor=actor, reason=reason)
    for start in range(0, len(messages), _PIECE):
        for receipt in store.append(messages[start : start + _PIECE], system_times=store.late_system_times()):
            if receipt.status == "rejected":
                detail = store.dead_letter(receipt.version).detail
                raise InvalidRequestError(
                    f"the register cannot be stored whole: {detail}", hint="fix the list, then again"
                )
    came, went = len(entries.keys() - known.keys()), len(known.keys() - entries.keys())
    return came, went, changed - came - went


def _listed_at(store: Store, key: str, at: int) -> dict[str, str]:
    """Return what a register lists at a valid time, as known now."""
    point = {"valid_at": at, "system_at": store.basis(at).system_time}
    return dict(store.fetch(_KNOWN, key=key, **point)) if store.version else {}


def assets_of(store: Store, basis: Basis) -> Assets:
    """Return the assets of a store at a point."""
    return assets_at(lambda query, **more: store.fetch(query, **_point(basis), **more), basis)


def assets_at(ask: Any, basis: Basis) -> Assets:
    """Return the assets at a point. ``ask`` runs a query at it: (query, **parameters) → rows."""
    types = _types(ask)
    stated: dict[str, str] = {}
    registered: dict[str, dict[str, str]] = defaultdict(dict)
    for node, key, value in ask(_FACTS, key=ASSET_TYPE, register=registers.REGISTER):
        if key == ASSET_TYPE:
            stated[node] = value.lower()
        else:
            registered[node][key.removeprefix(registers.REGISTER)] = value
    for (node,) in ask(_DECLARED):
        registered[node][CATALOG] = matching.NO_TYPE
    pairs = ask(_EDGES)
    aliases = {(source, target) for source, target, subtype in pairs if subtype == ALIAS}
    edges = {(source, target) for source, target, subtype in pairs if subtype not in (ALIAS, REJECTED)}
    if any(subtype == REJECTED for *_, subtype in pairs):  # people may reject only some columns of two datasets
        ends = [_End(*row) for row in ask(_ENDS) if row[3] != ALIAS]
        edges = {(dataset_of(end.source), dataset_of(end.target)) for end in left_in(ends)}
    tasks = {task_node(task) for (task,) in ask(_TASKS) if not task.startswith(CURATED)}
    for (node,) in ask(_PARENTS):
        stated.setdefault(node, "sub-task")
    named = {node for edge in edges for node in edge} | {node for pair in aliases for node in pair} | tasks
    assets = matching.assets(types, named, stated, registered, aliases)
    kinds = {asset.node: asset.type for asset in assets}
    return Assets(basis, types, assets, matching.disallowed(types, edges, kinds))


def unknown_types(store: Questions, names: Iterable[str]) -> Iterator[str]:
    """Yield a sentence for each name that is not a type declared now: it is listed as unknown, or is misspelt."""
    types = _types(lambda query, **more: store.fetch(query, **_point(store.basis()), **more))
    known = [each.name for each in types]
    for name in names:
        if name.lower() not in types:
            near = meaning(near_names(name, known, any_case=True))
            yield f"no asset type is called {name!r} so far{near or '; assets of it are listed with an unknown type'}"


def _types(ask: Any) -> AssetTypes:
    rows = ask(_TYPES, node=NODE, key=KEY)
    return AssetTypes.unpack(rows[0][0]) if rows else AssetTypes()


def _point(basis: Basis) -> dict[str, int]:
    return {"valid_at": basis.valid_at, "system_at": basis.system_time}


def selected(
    assets: Iterable[Asset], *, type_: str | None = None, status: str | None = None, unknown: bool = False
) -> list[Asset]:
    """Return the assets of a type (or a type below it), of a status, and with ``unknown`` those of unknown types."""
    return [
        asset
        for asset in assets
        if (type_ is None or type_ in asset.types)
        and (status is None or asset.status == status)
        and not (unknown and asset.type_known)
    ]
