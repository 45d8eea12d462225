"""A change of a dataset itself: columns that its source system adds, removes or renames, or whose type it changes.

The change is a dataset message, or a text that only declares columns (CREATE TABLE, ALTER TABLE). It is judged like a
change of a task that writes the dataset, but it writes no rows, and nothing runs.
"""

from __future__ import annotations

from lineage_tt.impact.release.release import Change, Release
from lineage_tt.impact.release.types import family, narrows, same_type
from lineage_tt.impact.report import ColumnChange
from lineage_tt.model.facts import Types
from lineage_tt.model.names import and_more


def note_declared(release: Release) -> None:
    """Note the types that columns have after the release's declarations."""
    for change in release.changes.values():
        for dataset, types in change.declared.items():
            known = release.types_before([dataset]).get(dataset, {})
            release.types[dataset] = {**known, **{name.lower(): kind for name, kind in types}}


def note_untyped(release: Release) -> None:
    """Note the columns whose type is known and that a dataset message declares without one."""
    for change in release.changes.values():
        fields, dataset = change.candidate.fields, change.candidate.dataset
        known = release.types_before([dataset]).get(dataset, {}) if dataset is not None and fields else {}
        typed = {name.lower() for name in known}
        untyped = [
            f.name for f in fields or () if not f.type and not f.nested and (f.renamed_from or f.name).lower() in typed
        ]
        if untyped:
            release.notes.append(
                f"no type is given for {and_more(untyped)} of {dataset}, so a change of type is not looked for"
            )


def type_changes(release: Release, change: Change, dataset: str) -> list[ColumnChange]:
    """Return the columns whose declared type differs from before."""
    before = release.types_before([dataset]).get(dataset, {})
    stated: Types = change.declared.get(dataset, ())
    renamed = {new: old for old, new in renames_of(change, dataset).items()}
    changes = []
    for name, kind in stated:
        old = before.get(renamed.get(name, name).lower())
        if old is not None and not same_type(old, kind):
            changes.append(ColumnChange("type", dataset, name, old, kind))
    return changes


def renames_of(change: Change, dataset: str) -> dict[str, str]:
    """Return the renames that a dataset message itself states: former name → new name."""
    candidate = change.candidate
    if candidate.dataset != dataset or candidate.fields is None:
        return {}
    return {field.renamed_from: field.name for field in candidate.fields if field.renamed_from and not field.nested}


def matters(each: ColumnChange) -> bool:
    """Return whether a change of type may change values: the new type has another family, or holds less."""
    return each.change == "type" and (family(each.before) != family(each.after) or narrows(each.before, each.after))
