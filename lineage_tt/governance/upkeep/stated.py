"""What people state under keys that governance reads: a value that it cannot read is stored, but has no effect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from lineage_tt.governance.backfill.partitions import PARTITION, read_grain
from lineage_tt.governance.core.promises import SLA
from lineage_tt.governance.core.timings import BEGINS, DURATION, read_duration, read_time_of_day
from lineage_tt.governance.labels.statements import BLOCK, DECISION, check_decision, reject_fact
from lineage_tt.governance.permissions.grants import GRANT, checked_rights, grant_key
from lineage_tt.governance.rules.checks.lifecycle import LIFE_CYCLE, MAX_DAYS, RETENTION, checked_state, days_of
from lineage_tt.levels.changes import PARENT
from lineage_tt.levels.groups import DOMAIN
from lineage_tt.model.answers import FactAsOf
from lineage_tt.model.edges import is_column
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.facts import CHECK, NAMING_KEYS, OWN_KEYS, PRIORITY, task_node
from lineage_tt.model.names import meaning, near_names

_TASK: Final = task_node("")
#: The most sentences about values at a point; a last one says how many more there are.
MAX_SENTENCES: Final = 5
#: From this similarity on, a key may be a typing error.
_ALIKE: Final = 0.8


def _read_days(text: str) -> int:
    if (days := days_of(text)) is None:
        raise InvalidRequestError(f"{text!r} is not a number of days", hint=f"give 1 to {MAX_DAYS}")
    return days


def _read_parent(text: str) -> str:
    if not text.startswith(_TASK) or text == _TASK:
        raise InvalidRequestError(f"{text!r} is not a task", hint=f"write {_TASK}ID")
    return text


def _read_grant(key: str, value: str) -> None:
    grant_key(key.removeprefix(GRANT))
    checked_rights([value])


def _read_block(key: str, value: str) -> None:
    if not key.removeprefix(BLOCK).strip():
        raise InvalidRequestError("a block needs the source of an edge", hint=f"write {BLOCK}SOURCE")
    if value != "*":
        reject_fact(value)


_READERS: Final[dict[str, Callable[[str], object]]] = {
    SLA: read_time_of_day,
    DURATION: read_duration,
    BEGINS: read_time_of_day,
    PARTITION: read_grain,
    LIFE_CYCLE: checked_state,
    RETENTION: _read_days,
    PARENT: _read_parent,
}
#: Readers of the keys that begin with a word and end in a name.
_NAMED_READERS: Final[dict[str, Callable[[str, str], object]]] = {
    GRANT: _read_grant,
    DECISION: check_decision,
    BLOCK: _read_block,
}
#: Keys of which governance reads one value for each node.
_SINGLE: Final = frozenset({*_READERS, PRIORITY, "asset_type"})
#: Keys that count only for tasks, and only for datasets.
_OF_TASKS: Final = frozenset({DURATION, BEGINS, PARTITION, PARENT})
_OF_DATASETS: Final = frozenset({LIFE_CYCLE, RETENTION})
_PREFIXES: Final = (*_NAMED_READERS, CHECK, "register:")
_KEYS: Final = tuple(sorted({*_SINGLE, *OWN_KEYS, *NAMING_KEYS, DOMAIN, "kind"}))


def without_effect(key: str, values: Sequence[str], node: str | None = None) -> Iterator[str]:
    """Yield a sentence for each value that governance cannot read under a key: what is wrong, and what to give.

    Also yield one for a key that resembles one that governance reads, for several values where one counts, and for a
    key that does not count for this kind of ``node``.
    """
    if near := _near_key(key):
        yield f"{key!r} is kept as a key of its own and has no effect{meaning(near)}"
    for value in values:
        if (error := unread(key, value)) is not None:
            yield f"it has no effect as {key}: {error}" + _CLOSED * key.startswith(GRANT)
    readable = {value for value in values if unread(key, value) is None}
    if key in _SINGLE and len(readable) > 1:
        counts = f" ({min(readable)!r}, the first by name)" if key == PRIORITY else ""
        yield f"a node has one {key}, and only one of the {len(readable)} values has an effect{counts}: give one"
    if node is not None and key in _OF_TASKS and not node.startswith(_TASK):
        yield f"it has no effect: only a task has a {key}; write {_TASK}ID as the node"
    if node is not None and key in _OF_DATASETS and (node.startswith(_TASK) or is_column(node)):
        yield f"it has no effect: only a dataset has a {key}; name the dataset"


def unread(key: str, value: str, levels: Sequence[str] | None = None) -> InvalidRequestError | None:
    """Return why governance cannot read a value under a key, None if it can or does not read the key.

    ``levels`` are those of a scene of labels: a decision that names another level has no effect there.
    """
    try:
        if key in _READERS:
            _READERS[key](value)
        for prefix, read in _NAMED_READERS.items():
            if key.startswith(prefix):
                check_decision(key, value, levels) if prefix == DECISION else read(key, value)
    except InvalidRequestError as error:
        return error
    return None


def unread_of(facts: Iterable[FactAsOf], levels: Sequence[str] | None = None) -> list[str]:
    """Return sentences about the facts in force whose values governance cannot read, the first few and a count."""
    found = sorted({(fact.node, fact.key, fact.value) for fact in facts if unread(fact.key, fact.value, levels)})
    sentences = [
        f"{key} of {node} has no effect: {unread(key, value, levels)}" + _CLOSED * key.startswith(GRANT)
        for node, key, value in found[:MAX_SENTENCES]
    ]
    left = len(found) - len(sentences)
    return [*sentences, f"{left:,} other values that are stated have no effect either"] if left else sentences


def block_source(key: str) -> str | None:
    """Return the node whose edges a key blocks for labels; None for another key, and for one that names no node."""
    return key.removeprefix(BLOCK).strip() or None if key.startswith(BLOCK) else None


#: What a grant that cannot be read does nevertheless.
_CLOSED: Final = "; the node counts as one with grants, and is open only to those whom others of its grants name"


def _near_key(key: str) -> tuple[str, ...]:
    """Return the key that a text was probably meant to be, none for a known key and for one that resembles none."""
    head, colon, rest = key.partition(":")
    if key in _KEYS or key.startswith(_PREFIXES):
        return ()
    near = near_names(head + colon, _PREFIXES if colon else _KEYS, _ALIKE, any_case=True)
    return tuple(each + rest for each in near)
