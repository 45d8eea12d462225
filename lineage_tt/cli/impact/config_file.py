"""``impact.toml``: which file defines which task, and the team's policy for releases.

dialect = "spark"                      # for all texts; options of the command line take precedence
namespace = "hive"
default_database = "dw"

[[paths]]                              # the first match applies
match = "jobs/**/*.sql"
task_id = "jobs.{stem}"                # {stem} {name} {parent} {path}: of the file, from this file's folder
target = "hive:dw.{stem}"              # what a bare SELECT writes

[dbt]
manifest = "target/manifest.json"
dialect = "spark"

[policy]
fail_on = ["breaking"]                 # "unknown" also trips the gate,
allow_unknown = false                  # unless this is true
protected = ["hive:dws.*"]
layers = ["hive:ods.*", "hive:dw.*", "hive:ads.*"]      # from the lowest up

[[policy.approve]]
owner = "team-finance"
datasets = ["hive:ads.finance_*"]

[[policy.allow]]
reason = "the board is switched off in May"
until = 2026-05-31
subject = "hive:dw.orders#*"           # and task, kind: patterns

[owners]
"bi:board/42" = ["ana"]

[labels]
"hive:ods.users#email" = ["pii"]
"""

from __future__ import annotations

import datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lineage_tt.cli.impact.config import Config, DbtRule, PathRule, check_dialect, checked_gates
from lineage_tt.impact.policy import Allowed, Approval, Policy
from lineage_tt.impact.render.sarif_page import KINDS
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.storage.toml_files import parse_toml

Listed = Annotated[list[str], Field(default_factory=list)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Approval(_Strict):
    """The owner who must approve changes of datasets."""

    owner: str
    datasets: Annotated[list[str], Field(min_length=1)]


class _Allow(_Strict):
    """An allowance: the findings, the reason, and the last day on which it applies."""

    reason: Annotated[str, Field(min_length=1)]
    until: datetime.date
    task: str = "*"
    subject: str = "*"
    kind: str = "*"


class _Policy(_Strict):
    """The team's policy for a release."""

    fail_on: list[str] | None = None
    allow_unknown: bool = False
    protected: Listed
    layers: Listed
    approve: Annotated[list[_Approval], Field(default_factory=list)]
    allow: Annotated[list[_Allow], Field(default_factory=list)]


class _File(_Strict):
    """The content of ``impact.toml``."""

    dialect: str | None = None
    namespace: str | None = None
    default_database: str | None = None
    paths: Annotated[list[PathRule], Field(default_factory=list)]
    dbt: DbtRule | None = None
    policy: _Policy = Field(default_factory=lambda: _Policy.model_validate({}))
    owners: Annotated[dict[str, list[str]], Field(default_factory=dict)]
    labels: Annotated[dict[str, list[str]], Field(default_factory=dict)]


def load(file: Path) -> Config:
    """Return the configuration in a file; InvalidRequestError, with the place, where it is wrong."""
    try:
        content = _File.model_validate(parse_toml(file.read_bytes(), file.name))
    except OSError as error:
        raise InvalidRequestError(f"{file.name} cannot be read: {error}") from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InvalidRequestError(
            f"{file.name}: {where}: {first['msg']}", hint="see docs/reference/impact.md for its fields"
        ) from None
    _check_dialects(file.name, content)
    _check_kinds(file.name, content)
    return Config(
        root=file.resolve().parent,
        dialect=content.dialect,
        namespace=content.namespace,
        default_database=content.default_database,
        paths=tuple(content.paths),
        dbt=content.dbt,
        rules=_policy(content),
    )


def _check_dialects(name: str, content: _File) -> None:
    """Raise InvalidRequestError for an unknown dialect, with the nearest known name."""
    stated = {"dialect": content.dialect, "dbt.dialect": content.dbt.dialect if content.dbt else None}
    stated |= {f"paths.{place}.dialect": rule.dialect for place, rule in enumerate(content.paths)}
    for place, dialect in stated.items():
        check_dialect(dialect, f"{name}: {place}")


def _check_kinds(name: str, content: _File) -> None:
    """Raise InvalidRequestError, with the nearest kind, for an allowance of a kind that no finding has."""
    for place, rule in enumerate(content.policy.allow):
        if not any(fnmatchcase(kind, rule.kind) for kind in KINDS):
            from ingest.messages.wording import nearest

            raise InvalidRequestError(
                f"{name}: policy.allow.{place}.kind: there is no kind {rule.kind!r} of findings"
                f"{nearest(rule.kind, KINDS)}",
                hint=f"known are {', '.join(KINDS)}",
            )


def _policy(content: _File) -> Policy:
    rules = content.policy
    return Policy(
        fail_on=checked_gates(rules.fail_on or ["none"]),
        allow_unknown=rules.allow_unknown,
        protected=tuple(rules.protected),
        approvals=tuple(Approval(rule.owner, tuple(rule.datasets)) for rule in rules.approve),
        allow=tuple(
            Allowed(rule.reason, rule.until.isoformat(), rule.task, rule.subject, rule.kind) for rule in rules.allow
        ),
        layers=tuple(rules.layers),
        owners={node: tuple(owners) for node, owners in content.owners.items()},
        labels={node: tuple(labels) for node, labels in content.labels.items()},
    )
