"""How runs become valid time, by source: the ``[openlineage]`` table of a mapping file.

    [openlineage]                                # for every source
    task = "{job.namespace}/{job.name}"          # what tasks are called
    trim = ["date", "uuid", "attempt"]           # parts of job names that differ from run to run
    edges = "replace"                            # or "union", or "declared"
    effective_at = "start"                       # or "nominal", or "completion"
    unfinished = "30d"                           # how long a run that has not ended is waited for; for all sources

    [openlineage.namespaces]                     # of datasets: by engine, or by what its events say
    trino = "trino://prod:443"

    [openlineage.sessions]                       # of queries whose listener does not report it: catalog.schema
    trino = "hive.dw"

    [[openlineage.source]]                       # the first that fits, for some
    when = { "job.namespace" = "spark*" }        # patterns: * and ?
    edges = "union"
    unseen = { runs = 5, time = "30d" }          # an edge ends after 5 runs, and 30 days, without it

Places in a template: ``job.namespace``, ``job.name``, ``parent.namespace``, ``parent.name``, ``root.namespace``,
``root.name``, ``integration``, ``producer``, ``outputs``, ``tag.NAME``; for queries of Trino and Presto also
``query.client``, ``query.source``, ``query.tags``, ``query.user``, ``query.fingerprint`` and ``query.tables``, which is
what they write. With ``|``, the first one that has a value counts: ``{parent.name|job.name}``.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from ingest.events.trino import naming
from ingest.sql.dialects.names import is_known, unknown_words
from ingest.sql.dialects.registry import SIMILAR
from lineage_tt.model.names import clipped

Trim = Literal["date", "uuid", "attempt"]
PLACE: Final = re.compile(r"\{([^{}]*)\}")
_PLACES: Final = frozenset(
    ["job.namespace", "job.name", "parent.namespace", "parent.name", "root.namespace", "root.name", "integration",
     "producer", "outputs", *naming.PLACES]
)  # fmt: skip
_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_LENGTH: Final = re.compile(r"(\d{1,9})([smhdw])")


def length(value: Any) -> Any:
    """Return a length of time as microseconds: ``90s``, ``10m``, ``12h``, ``30d``, ``2w``; None as it is.

    Raises ValueError for anything else: a bare number other than 0 does not say its unit.
    """
    match = _LENGTH.fullmatch(value) if isinstance(value, str) else None
    if match:
        return int(match[1]) * _UNITS[match[2]] * 1_000_000
    if value is None or (value == 0 and type(value) is int):
        return value
    raise ValueError(f"{clipped(str(value))} is not a length of time: write 90s, 10m, 12h, 30d or 2w")


#: Microseconds, written as ``length`` reads them.
Length = Annotated[int | None, BeforeValidator(length)]


class Unseen(BaseModel):
    """When an edge of a union ends: after ``runs`` runs without it, or ``time``; with both set, after both."""

    model_config = ConfigDict(extra="forbid")

    runs: int | None = Field(None, ge=1)
    time: Length = None


class Rules(BaseModel):
    """The rules that a source may have."""

    model_config = ConfigDict(extra="forbid")

    task: str | None = None
    trim: list[Trim] | None = None
    edges: Literal["replace", "union", "declared"] | None = None
    unseen: Unseen | None = None
    effective_at: Literal["start", "nominal", "completion"] | None = None
    dialect: str | None = None
    debounce: Length = None

    @field_validator("dialect")
    @classmethod
    def _dialect(cls, dialect: str | None) -> str | None:
        if dialect and not is_known(dialect) and dialect.lower() not in SIMILAR:
            raise ValueError(f"{unknown_words(dialect)} (`lineage-tt extract --help` lists the dialects)")
        return dialect

    @field_validator("task")
    @classmethod
    def _places(cls, template: str | None) -> str | None:
        for place in PLACE.findall(template or ""):
            for name in place.split("|"):
                if name not in _PLACES and not name.startswith("tag."):
                    raise ValueError(f"there is no {{{name}}}: use {', '.join(sorted(_PLACES))} or tag.NAME")
        if template is not None and not PLACE.search(template):
            raise ValueError("the template names no part of the job, so that all jobs would be one task")
        return template


class SourceRules(Rules):
    """What is stated about the sources that fit ``when``."""

    when: dict[str, str]

    @model_validator(mode="after")
    def _known(self) -> SourceRules:
        if not self.when:
            write = 'write when = { "job.namespace" = "spark*" }'
            raise ValueError(f"when is empty, so that it fits every job: {write}, or put the rules into [openlineage]")
        for name in self.when:
            if name not in _PLACES and not name.startswith("tag."):
                raise ValueError(f"when: there is no {name}: use {', '.join(sorted(_PLACES))} or tag.NAME")
        return self


class PolicyFile(Rules):
    """The table ``[openlineage]``."""

    unfinished: Length = None
    source: list[SourceRules] = Field(default_factory=list)
    namespaces: dict[str, str] = Field(default_factory=dict)
    sessions: dict[str, str] = Field(default_factory=dict)

    @field_validator("sessions")
    @classmethod
    def _two_parts(cls, sessions: dict[str, str]) -> dict[str, str]:
        for session in sessions.values():
            if not all(session.partition(".")):
                raise ValueError(f"{session!r} is not a session: write CATALOG.SCHEMA")
        return sessions

    @model_validator(mode="after")
    def _effective(self) -> PolicyFile:
        """Refuse what could never have an effect: ``unseen`` without a union, and a source that none can reach."""
        own = self.edges or "replace"
        sources = [each.edges or own for each in self.source]
        for number, (source, edges) in enumerate(zip(self.source, sources, strict=True)):
            if source.unseen is not None and edges != "union":
                raise ValueError(_without_union(f"source.{number}.unseen", edges))
            if source.when in [each.when for each in self.source[:number]]:
                raise ValueError(f"source.{number}.when is that of an earlier source, and only the first one counts: "
                                 "put their rules together")  # fmt: skip
        if self.unseen is not None and "union" not in (own, *sources):
            raise ValueError(_without_union("unseen", own))
        return self


def _without_union(place: str, edges: str) -> str:
    return f'{place} has no effect with edges = "{edges}": write edges = "union", or leave it out'
