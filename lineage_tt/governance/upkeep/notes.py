"""Notes on why an answer is empty now: nothing is stated, set or stored yet. For the command line and the service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lineage_tt.model.answers import Basis
from lineage_tt.model.times import format_instant

if TYPE_CHECKING:
    from lineage_tt.governance.labels.labelled import Labelled
    from lineage_tt.governance.rules.engine import Checked
    from lineage_tt.read.questions import Questions

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


def of_labels(labelled: Labelled) -> list[str]:
    """Return a note if no label is stated."""
    if labelled.stated.labels:
        return []
    return ["no label is stated at this point: state one with lineage-tt annotate NODE --label NAME"]


def of_levels(labelled: Labelled) -> list[str]:
    """Return a note if the scene has no levels, so that a scan finds nothing."""
    if labelled.scene.levels:
        return []
    return ["there are no levels, so that none can fall: name them in [labels] of governance.toml"]


def of_rules(checked: Checked) -> list[str]:
    """Return notes on the rules that were not checked, and on each layer and allowance that has no effect."""
    notes = [
        f"the allowance of {each.rule} for {each.subject} covers no violation here: take it out of governance.toml, or"
        " name the subject that lineage-tt rules shows"
        for each in checked.idle
    ]
    notes += [
        f"no table here is in the layer {name}: see whether its patterns fit, and whether an earlier layer takes all"
        for name in checked.empty
    ]
    if checked.unset:
        notes.insert(0, f"not checked, as governance.toml sets no layers: {', '.join(checked.unset)}")
    return notes
