"""The configuration in ``impact.toml``; empty if the file does not exist."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Final

from lineage_tt.impact.policy import FAIL_ON, Policy
from lineage_tt.impact.report import UNKNOWN
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.names import meaning

#: Files of the configuration, and what a change of one means for a release.
CONFIGURATION: Final = {
    "impact.toml": "the release is judged by its own policy, and tasks whose files do not change are not read again",
    "governance.toml": "the release is judged by its own rules",
    "functions.toml": "tasks whose files do not change are not read again",
}


@dataclass(frozen=True)
class PathRule:
    """The task that files matching a pattern define."""

    match: str
    task_id: str = "{stem}"
    dialect: str | None = None
    namespace: str | None = None
    default_database: str | None = None
    target: str | None = None
    __pydantic_config__: ClassVar = {"extra": "forbid"}  # for config_file, which reads them


@dataclass(frozen=True)
class DbtRule:
    """The path of dbt's manifest, and the dialect and namespace of its models."""

    manifest: str = "target/manifest.json"
    dialect: str | None = None
    namespace: str | None = None
    __pydantic_config__: ClassVar = {"extra": "forbid"}


@dataclass(frozen=True)
class Config:
    """A configuration, and the folder to which its paths are relative."""

    root: Path
    dialect: str | None = None
    namespace: str | None = None
    default_database: str | None = None
    paths: tuple[PathRule, ...] = ()
    dbt: DbtRule | None = None
    rules: Policy = field(default_factory=Policy)

    def defaults(self, dialect: str | None, namespace: str | None, default_database: str | None) -> dict[str, Any]:
        """Return the default context of SQL texts; options of the command line take precedence."""
        context = {
            "dialect": dialect or self.dialect,
            "namespace": namespace or (self.namespace if dialect is None else None),
            "default_database": default_database or self.default_database,
        }
        return {name: value for name, value in context.items() if value is not None}

    def policy(
        self, fail_on: list[str] | None, approved_by: list[str] | None, today: str, allow: list[str] | None = None
    ) -> Policy:
        """Return the team's policy with the gates of the command line; InvalidRequestError for an invalid gate."""
        gates = checked_gates(fail_on or list(self.rules.fail_on))
        for word in allow or ():
            if word != UNKNOWN:
                raise InvalidRequestError(
                    f"{word!r} cannot be allowed", hint="give --allow unknown; other findings: policy.allow"
                )
        if allow and UNKNOWN in (fail_on or ()):
            raise InvalidRequestError("--allow unknown contradicts --fail-on unknown", hint="give one of the two")
        allowed = bool(allow) or (self.rules.allow_unknown and UNKNOWN not in (fail_on or ()))
        approved = tuple(approved_by or ())
        return replace(self.rules, fail_on=gates, approved_by=approved, today=today, allow_unknown=allowed)


def check_dialect(dialect: str | None, place: str) -> None:
    """Raise InvalidRequestError, with the nearest known name, for an unknown dialect; None means no dialect."""
    from ingest.sql.dialects.names import is_known, known_names, nearest

    if dialect is None or is_known(dialect):
        return
    hint = meaning(nearest(dialect), "") or f"known are {', '.join(known_names())}"
    raise InvalidRequestError(f"{place}: there is no dialect {dialect!r}", hint=hint)


def checked_gates(gates: list[str]) -> tuple[str, ...]:
    """Return the gates; InvalidRequestError for an invalid gate."""
    for gate in gates:
        if gate not in FAIL_ON:
            raise InvalidRequestError(f"there is no gate {gate!r}", hint=f"give --fail-on {', '.join(FAIL_ON)}")
    return tuple(dict.fromkeys(gates))
