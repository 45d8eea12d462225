"""Dataset messages as candidates: the columns that a message declares, and the lineage of a declaration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lineage_tt.model.edges import split_dataset
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.facts import Field, names_of, shape_of
from lineage_tt.model.messages import Lineage

#: Fields of structs in structs are read down to this level.
MAX_LEVELS = 32


def dataset_of_message(message: Mapping[str, Any]) -> tuple[str, tuple[Field, ...] | None]:
    """Return the dataset that a dataset message is about and its columns, None for ``drop``.

    Raises InvalidRequestError, with the field, if it is not a dataset message.
    """
    dataset = message.get("dataset")
    try:
        split_dataset(dataset if isinstance(dataset, str) else "")
    except ValueError:
        raise InvalidRequestError(
            f"a dataset candidate has dataset {dataset!r}", hint="write namespace:name, as in hive:ods.orders"
        ) from None
    about, op, columns = f"the candidate {dataset!r}", message.get("op", "define"), message.get("columns")
    if op == "drop" and not columns:
        return str(dataset), None
    if op != "define":
        raise InvalidRequestError(f"{about} has op {op!r}", hint="give define (default) with columns, or drop")
    if not isinstance(columns, list) or not columns:
        raise InvalidRequestError(f"{about} has no columns", hint="give all of them, in order, or op drop")
    fields = tuple(_fields(columns, about, "", 0))
    names = [field.name.lower() for field in fields]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidRequestError(f"the column {twice!r} of {about} occurs more than once")
    return str(dataset), fields


def _fields(columns: Any, about: str, above: str, level: int) -> list[Field]:
    if level > MAX_LEVELS:
        raise InvalidRequestError(f"the columns of {about} are nested more than {MAX_LEVELS} levels deep")
    fields = []
    for column in columns if isinstance(columns, list) else [columns]:
        name = column.get("name") if isinstance(column, Mapping) else None
        if not isinstance(name, str) or not name:
            raise InvalidRequestError(f"a column of {about} has no name", hint='write {"name": …, "type": …}')
        texts = [column.get(key) for key in ("type", "mode", "renamed_from")]
        if not all(text is None or isinstance(text, str) for text in texts):
            raise InvalidRequestError(f"type, mode or renamed_from of the column {name!r} of {about} is not a text")
        kind, mode, former = texts
        fields.append(Field(above + name, kind, mode, level > 0, None, above + former if former else None))
        if inside := column.get("fields"):
            fields += _fields(inside, about, f"{above}{name}.", level + 1)
    return fields


def lineage_of(dataset: str, fields: tuple[Field, ...]) -> Lineage:
    """Return the lineage of a declaration: only columns, with the types that it states."""
    shape = shape_of(fields)
    stated = {field.name: field.type for field in fields if field.type and not field.nested}
    stated |= dict(column for column in shape if not isinstance(column, str))
    return Lineage(outputs=[(dataset, names_of(shape))], types=[(dataset, tuple(stated.items()))], ordered=True)
