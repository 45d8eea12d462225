"""Notes on why an answer is empty now: nothing is stated, set or stored yet. For the command line and the service."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from lineage_tt.governance.upkeep.stated import MAX_SENTENCES, unread_of
from lineage_tt.model.answers import Basis, Level
from lineage_tt.model.edges import dataset_of, is_column
from lineage_tt.model.names import clipped, meaning, near_names
from lineage_tt.model.times import format_instant

if TYPE_CHECKING:
    from lineage_tt.governance.labels.labelled import Labelled
    from lineage_tt.governance.permissions.grants import Grants
    from lineage_tt.governance.rules.engine import Checked
    from lineage_tt.read.questions import Questions

#: How far apart, in microseconds, the two times may be that one question reads from the clock: both are now.
_SAME_NOW: Final = 60_000_000
_FIRST: Final = """
    SELECT epoch_us(min(effective_at) FILTER (version <= $version)), epoch_us(min(effective_at)),
        epoch_us(min(system_time)) FROM log WHERE status = 'accepted'"""


def of_point(store: Questions, basis: Basis) -> list[str]:
    """Return a note if a question is about a time or a version at which the store holds nothing yet."""
    ((first, ever, known),) = store.fetch(_FIRST, version=basis.version)
    if ever is None:
        return ["the store holds no message: nothing is known at any time"]
    if first is not None and basis.valid_at >= first:
        return []
    return [
        f"the store holds nothing at this point: its first message takes effect at {format_instant(first or ever)} and"
        f" is known since {format_instant(known)}"
    ]


def of_points(store: Questions, first: Basis, second: Basis) -> list[str]:
    """Return the notes of a question about two points: those of either."""
    return list(dict.fromkeys([*of_point(store, first), *of_point(store, second)]))


def of_since(since: Basis, basis: Basis) -> list[str]:
    """Return a note if what is new at a point is asked since a later point."""
    is_later = since.valid_at > basis.valid_at + _SAME_NOW
    is_known_later = since.version > basis.version and since.valid_at >= basis.valid_at
    if not (is_later or is_known_later):
        return []
    return ["since names a later point than the one asked about: what is listed as new went until then"]


def of_labels(labelled: Labelled, label: str | None = None) -> list[str]:
    """Return notes if no label is stated or none spreads, on decisions without effect, and on an unknown ``label``."""
    words, scene = labelled.stated.words, labelled.scene
    if not words:
        none = "no label is stated at this point: state one with lineage-tt annotate NODE --label NAME"
        return [none, *of_decisions(labelled)]
    notes = []
    if not any(scene.spreads(word) for word in words):
        shown = ", ".join(words[:MAX_SENTENCES]) + (", …" if len(words) > MAX_SENTENCES else "")
        notes.append(f"none of the labels that are stated spreads in the scene {scene.name}, because of only: {shown}")
    elif label is not None and label in words and not scene.spreads(label):
        notes.append(f"the label {label!r} does not spread in the scene {scene.name}, because of only")
    if label is not None and label not in words:
        notes.append(_unstated(label, words))
    return [*notes, *of_decisions(labelled)]


def of_words(labels: Iterable[str], stated: Iterable[str], levels: Iterable[str]) -> list[str]:
    """Return notes on the labels of a decision that no node states and that are not a level."""
    known = sorted({*stated, *levels})
    unknown = [label for label in labels if label not in known]
    return [f"the decision has no effect so far: {_unstated(label, known)}" for label in unknown]


def _unstated(label: str, words: Iterable[str]) -> str:
    near = near_names(label, words, any_case=True)
    return f"no node states the label {label!r} at this point{meaning(near)}"


def of_stops(labelled: Labelled) -> list[str]:
    """Return notes on the patterns of a scene that match nothing at the point, so that they stop or keep nothing."""
    where = f"of the scene {labelled.scene.name}"
    return [f"{key} {where}: {pattern} matches nothing at this point" for key, pattern in labelled.idle]


def of_decisions(labelled: Labelled) -> list[str]:
    """Return notes on decisions about labels that cannot be read, and on blocks of edges from what no edge names."""
    stated, point = labelled.stated, labelled.point
    decided = [fact for facts in (*stated.decisions.values(), *stated.blocks.values()) for fact in facts]
    sources = sorted({source for source, _ in stated.blocks if source.strip() and point.number(source) < 0})
    notes = unread_of(decided, labelled.scene.levels)
    notes += [f"no edge here names {each}: the block of its labels has no effect" for each in sources[:MAX_SENTENCES]]
    if len(sources) > MAX_SENTENCES:
        notes.append(f"{len(sources) - MAX_SENTENCES:,} other blocks have no effect either")
    return notes


def of_grants(grants: Grants) -> list[str]:
    """Return notes on grants that cannot be read."""
    return unread_of(grants.unread)


def of_selection(grants: Grants, node: str | None, principal: str | None) -> list[str]:
    """Return notes on a principal that no grant names, and on grants of a node that a list for it leaves out."""
    notes = []
    principals = {grant.principal for grant in grants.all}
    if principal is not None and principal not in principals:
        near = meaning(near_names(principal, principals))
        notes.append(f"no grant at this point names the principal {clipped(principal)}{near}")
    if node is not None:
        below = sum(grant.node.startswith(f"{node}#") for grant in grants.all)
        if below:
            notes.append(
                f"{_grants(below)} on columns of {clipped(node)}, and not listed: ask for a column, or for all"
            )
    return notes


def of_dataset(grants: Grants, node: str | None) -> list[str]:
    """Return a note if grants on a column's dataset apply to it that a list for the column alone leaves out."""
    dataset = dataset_of(node or "")
    above = sum(grant.node == dataset for grant in grants.all) if dataset != node else 0
    words = f"{_grants(above)} on {clipped(dataset)}, and not listed: a grant on a dataset also applies to its columns"
    return [words] if above else []


def of_rank(node: str | None, level: Level, total: int) -> list[str]:
    """Return a note if a ranking of tables has no row because its only node is a column, or the reverse."""
    if node is None or total or is_column(node) == (level == "column"):
        return []
    kind = "column" if is_column(node) else "table"
    return [f"{clipped(node)} is a {kind}, and {level}s are ranked: give level={kind}"]


def _grants(number: int) -> str:
    return f"{number:,} grant{'s' if number != 1 else ''} {'are' if number != 1 else 'is'}"


def of_levels(labelled: Labelled) -> list[str]:
    """Return a note if the scene has no levels, or none is stated, so that a scan finds nothing."""
    levels = labelled.scene.levels
    if levels and not set(levels).isdisjoint(labelled.stated.words):
        return []
    if levels:
        return [f"no level is stated at this point, so that none can fall; the levels are {', '.join(levels)}"]
    return ["there are no levels, so that none can fall: name them in [labels] of governance.toml"]


def of_rules(checked: Checked) -> list[str]:
    """Return notes on the rules that were not checked, and on layers, allowances and facts that have no effect."""
    notes = [
        f"the allowance of {each.rule} for {each.subject} covers no violation here: take it out of governance.toml, or"
        " name the subject that lineage-tt rules shows"
        for each in checked.idle
    ]
    notes += [
        f"no table here is in the layer {name}: see whether its patterns fit, and whether an earlier layer takes all"
        for name in checked.empty
    ]
    notes += unread_of(checked.stated)
    if checked.unset:
        notes.insert(0, f"not checked, as governance.toml sets no layers: {', '.join(checked.unset)}")
    return notes
