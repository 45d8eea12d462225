"""Namespaces of datasets as the platform names them: ``[openlineage.namespaces]`` in the mapping file.

A producer names a database by its address (``duckdb://shop.duckdb``, ``postgres://10.0.0.7:5432``). Where SQL, dbt or
people have another name for the same database, the mapping file says so, and both are one. A dataset without a
namespace gets the one that the mapping file gives for ``""``, else that of its job.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def renamed(event: Mapping[str, Any], namespaces: Mapping[str, str]) -> Mapping[str, Any]:
    """Return an event in which each reference to a dataset of these namespaces has the name given for it.

    A reference is an object with a ``namespace`` and a ``name``, wherever it is: inputs, outputs, and what facets
    name. The event itself is not changed. ValueError where it is nested too deep.
    """
    if "" not in namespaces and (own := _unnamed(event)):
        namespaces = {**namespaces, "": own}
    if not namespaces:
        return event
    try:
        return {key: _copied(value, namespaces, is_job=key == "job") for key, value in event.items()}
    except RecursionError:
        raise ValueError("the event is nested too deep") from None


def _unnamed(event: Mapping[str, Any]) -> str | None:
    """Return the namespace of the job where a dataset that it reads or writes has none, else None.

    Flink names tables of its catalogs in this way if their connector gives no address: they get the job's namespace.
    """
    for side in ("inputs", "outputs"):
        each = event.get(side)
        if isinstance(each, list) and any(isinstance(one, dict) and one.get("namespace") == "" for one in each):
            job = event.get("job")
            namespace = job.get("namespace") if isinstance(job, dict) else None
            return namespace if isinstance(namespace, str) else None
    return None


def _copied(value: Any, namespaces: Mapping[str, str], *, is_job: bool) -> Any:
    """Return a copy with the names replaced; a job's own namespace is not one of datasets."""
    if isinstance(value, list):
        return [_copied(each, namespaces, is_job=False) for each in value]
    if not isinstance(value, dict):
        return value
    copy = {key: _copied(each, namespaces, is_job=key == "job") for key, each in value.items()}
    if not is_job and "name" in copy and str(copy.get("type", "")).upper() != "JOB":
        namespace = copy.get("namespace")
        if isinstance(namespace, str):
            copy["namespace"] = namespaces.get(namespace, namespace)
    return copy
