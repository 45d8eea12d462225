"""Two texts of one task side by side: is it the same statement, and if not, which columns mean something else?

What cannot be followed counts as changed, never as the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from sqlglot import exp

from ingest.sql.compare.definitions import Definition
from ingest.sql.compare.frame import lost
from ingest.sql.compare.readings import Reading, Statement, read
from ingest.sql.compare.slices import NotSlicedError, Sliced, clauses_of, slice_query
from ingest.sql.dialects.dialects import Names
from lineage_tt.impact.texts import Side, TextDifference

_NOT_READ: Final = "not read"


def compare(before: Side, after: Side) -> TextDifference:
    """Return how the second text differs from the first in what it does."""
    other = read(after)
    one = other if before == after else read(before)
    if other is None:
        return TextDifference(failure=_NOT_READ)
    writes = tuple((item.dataset, item.kind) for item in other.statements if item.dataset)
    difference = _compared(one, other, writes)
    old, new = _defined(None if one is other else one), _defined(other)
    return replace(
        difference,
        makes=new.makes,
        drops=_without(new.drops, old.drops),
        empties=_without(new.empties, old.empties),
        fills=tuple(dataset for dataset in new.fills if not (dataset in new.makes and dataset in new.drops)),
        alters=tuple(pair for pair in new.alters if pair not in old.alters),
    )


def _defined(reading: Reading | None) -> Definition:
    """Return all that a text's statements do to tables and views themselves."""
    definitions = [item.defines for item in reading.statements] if reading is not None else []
    return Definition(
        tuple(sorted({each for one in definitions for each in one.makes})),
        tuple(sorted({each for one in definitions for each in one.drops})),
        tuple(sorted({each for one in definitions for each in one.empties})),
        tuple(sorted({each for one in definitions for each in one.alters})),
        tuple(sorted({each for one in definitions for each in one.fills})),
    )


def _without(datasets: tuple[str, ...], known: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dataset for dataset in datasets if dataset not in known)


def _compared(one: Reading | None, other: Reading, writes: tuple[tuple[str, str], ...]) -> TextDifference:
    if one is None:
        return TextDifference(writes=writes, reasons=("statement",), failure=_NOT_READ)
    if len(one.statements) != len(other.statements) or one.template != other.template:
        reason = "template" if one.template != other.template else "statement"
        last = _sliced(other, other.statements[-1]) if other.statements else None
        return _with_names(TextDifference(writes=writes, reasons=(reason,)), None, last)
    differences = [_pair(one, other, *pair) for pair in zip(one.statements, other.statements, strict=True)]
    difference = replace(_joined(differences, writes), positions=tuple(_positions(other)))
    if one.settings != other.settings:
        difference = replace(difference, same=False, reasons=tuple(sorted({*difference.reasons, "setting"})))
    if one.frame != other.frame:  # which statements run, and how often, is decided otherwise
        reasons = tuple(sorted({*difference.reasons, "script"}))
        return replace(difference, same=False, comparable=False, reasons=reasons)
    return difference


def _fits(statement: Statement, sliced: Sliced) -> bool:
    """Whether a query has as many outputs as the columns that it fills, so that they can be distinguished."""
    return statement.names is None or len(statement.names) == len(sliced.outputs)


def _positions(reading: Reading) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the names that a text gives to what it inserts by position into datasets of unknown columns."""
    for statement in reading.statements:
        sliced = _sliced(reading, statement, texts=False) if statement.dynamic is not None else None
        if sliced is None or not statement.dataset or statement.dynamic is None:
            continue
        names = [output.name for output in sliced.outputs]
        leading = len(names) - len(statement.dynamic)
        if leading > 0 and all(names) and "*" not in names:
            yield statement.dataset, (*names[:leading], *statement.dynamic)


def _joined(differences: list[TextDifference], writes: tuple[tuple[str, str], ...]) -> TextDifference:
    """Return the difference of scripts: a change before the last statement may reach everything after it."""
    last = len(differences) - 1
    early = any(not each.same for each in differences[:last])
    return TextDifference(
        same=all(each.same for each in differences),
        comparable=not early and all(each.comparable or each.same for each in differences),
        changed=tuple(sorted({name for each in differences for name in each.changed})),
        reasons=tuple(sorted({reason for each in differences for reason in each.reasons})),
        types=tuple(kind for each in differences for kind in each.types),
        types_after=tuple(kind for each in differences for kind in each.types_after),
        writes=writes,
        ambiguous=tuple(sorted({name for each in differences for name in each.ambiguous})),
        unknown=tuple(sorted({name for each in differences for name in each.unknown})),
        uses=tuple(sorted({use for each in differences for use in each.uses})),
    )


def _pair(one: Reading, other: Reading, before: Statement, after: Statement) -> TextDifference:
    """Compare two statements; where nothing differs, what their trees do not hold has to be the same as well."""
    difference = _by_trees(one, other, before, after)
    if difference.same and before is not after:
        mine, theirs = (
            lost(list(each.tokens), each.whole, reading.names) for each, reading in ((before, one), (after, other))
        )
        if mine != theirs:
            return replace(difference, same=False, comparable=False, reasons=("unread",))
    return difference


def _by_trees(one: Reading, other: Reading, before: Statement, after: Statement) -> TextDifference:
    theirs = _sliced(other, after, texts=before is not after)
    mine = theirs if before is after else _sliced(one, before)
    if mine is None or theirs is None or not (_fits(before, mine) and _fits(after, theirs)):
        return _with_names(_as_whole(one, other, before, after), mine, theirs)
    old, new = _by_name(before, mine), _by_name(after, theirs)
    common = [name for name in new if name in old]
    changed = tuple(name for name in common if old[name][0] != new[name][0])
    moved = before.kind not in ("select", "other") and before.dataset != after.dataset
    reasons = {"statement"} if before.shell != after.shell or moved else set()
    if _respelt(other.names, _names_of(before, mine), _names_of(after, theirs)):
        reasons.add("spelling")
    if changed:
        reasons |= _reasons(mine, theirs)
    if before.order != after.order:
        reasons.add("order")
    same = not reasons and not changed and list(old) == list(new)
    kinds = tuple((name, a, b) for name in common if (a := old[name][1]) and (b := new[name][1]) and a != b)
    after_kinds = tuple((name, kind) for name, (_, kind) in new.items() if kind)
    rows = not common or _writes_otherwise(before, after)
    difference = TextDifference(same, not rows, changed, tuple(sorted(reasons)), kinds, after_kinds)
    return _with_names(difference, mine, theirs)


def _writes_otherwise(before: Statement, after: Statement) -> bool:
    """Whether another way of writing may leave other rows; a rebuilt table, a view and a query hold the same."""
    rebuilds = ("ctas", "view", "select")
    return before.shell != after.shell and not (before.kind in rebuilds and after.kind in rebuilds)


def _by_name(statement: Statement, sliced: Sliced) -> dict[str, tuple[str, str | None]]:
    names = _names_of(statement, sliced)
    result: dict[str, tuple[str, str | None]] = {}
    for name, output in zip(names, sliced.outputs, strict=False):
        key, turn = name.lower(), 1
        while key in result:  # a name that occurs twice: kept apart, for either may change
            turn += 1
            key = f"{name.lower()} ({turn})"
        result[key] = (output.slice, output.type)
    return result


def _respelt(names: Names, old: Iterable[str], new: Iterable[str]) -> bool:
    """Whether a column's name changes in nothing but its letters' case, where quotes keep that."""
    plain, quoted = (names.spell(exp.to_identifier("aA", quoted=quoted)) for quoted in (False, True))
    return plain != quoted and any(a != b and a.lower() == b.lower() for a, b in zip(old, new, strict=False))


def _names_of(statement: Statement, sliced: Sliced) -> tuple[str, ...]:
    return statement.names or tuple(output.name for output in sliced.outputs)


def _reasons(mine: Sliced, theirs: Sliced) -> set[str]:
    differ = (mine.clauses - theirs.clauses) + (theirs.clauses - mine.clauses)
    return {kind for kind, _ in differ} or {"expression"}


def _as_whole(one: Reading, other: Reading, before: Statement, after: Statement) -> TextDifference:
    """Compare the texts of two statements that cannot be followed column by column."""
    if before.whole == after.whole and before.names == after.names:
        return TextDifference(same=True, types_after=after.types)
    reasons = {"statement"} if before.shell != after.shell else set()
    if before.query is not None and after.query is not None:
        mine, theirs = clauses_of(before.query, one.names), clauses_of(after.query, other.names)
        reasons |= {kind for kind, _ in (mine - theirs) + (theirs - mine)}
    return TextDifference(reasons=tuple(sorted(reasons or {"expression"})))


def _with_names(difference: TextDifference, mine: Sliced | None, theirs: Sliced | None) -> TextDifference:
    if theirs is None:
        return difference
    before = mine or Sliced((), theirs.clauses, frozenset(), frozenset(), frozenset())
    return replace(
        difference,
        ambiguous=tuple(sorted(theirs.ambiguous - before.ambiguous)),
        unknown=tuple(sorted(theirs.unknown - before.unknown)),
        uses=tuple(sorted(theirs.uses)),
        types_after=difference.types_after
        or tuple((output.name.lower(), output.type) for output in theirs.outputs if output.type),
    )


def _sliced(reading: Reading, statement: Statement, *, texts: bool = True) -> Sliced | None:
    if statement.query is None:
        return None
    try:
        side = reading.side
        return slice_query(statement.query, reading.names, side.columns, side.types, texts=texts, renames=side.renames)
    except NotSlicedError:
        return None
