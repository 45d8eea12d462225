"""Statements as they are deployed, with the lineage that they must have: how the case files are read and judged.

A file of ``tests/data/statements/<dialect>/`` begins with comments that hold its case, up to the first empty line:

    -- database: d                        what names without a database belong to
    -- target: ns:d.t                     what a bare SELECT writes
    -- columns: d.t(a, b STRUCT<x: INT>)  a table whose columns are known, in order
    -- edge: d.t#a -> d.o#b IDENTITY      an edge that must be there; no other may be
    -- completeness: complete | any       any: the text or missing columns make an incomplete answer right
    -- note: why
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ingest.sql import Extraction, extract
from ingest.sql.jobs import ExtractionJob
from ingest.workers.work import run_job

FOLDER = Path(__file__).resolve().parents[2] / "data" / "statements"
DIRECT = ("IDENTITY", "TRANSFORMATION", "AGGREGATION")
TEMPLATE = re.compile(r"\$\{|\$\[|\{\{|\{%|^:setvar|^\\copy", re.MULTILINE)
FILES = re.compile(r"^(file|s3|gs|hdfs|oss|external|kafka):")
Edge = tuple[str, str, str, str]
Shape = tuple[str | tuple[str, str], ...]


@dataclass(frozen=True)
class Case:
    """One file: the text, what is known before it, and what must come out."""

    name: str
    dialect: str
    sql: str
    database: str
    target: str | None
    columns: dict[str, Shape]
    edges: frozenset[Edge]
    complete: bool


@dataclass(frozen=True)
class Verdict:
    """How an answer differs from what must come out: ``right``, ``wrong`` or ``incomplete``."""

    case: Case
    coverage: str
    lacking: tuple[Edge, ...]
    extra: tuple[Edge, ...]
    reasons: tuple[str, ...]

    @property
    def kind(self) -> str:
        """Return "wrong" where an answer that calls itself complete is not right, "incomplete" where another is not."""
        same = not self.lacking and not self.extra
        if same and (self.coverage == "complete" or not self.case.complete):
            return "right"
        return "wrong" if self.coverage == "complete" else "incomplete"

    def __str__(self) -> str:
        """Return the case with its lacking and extra edges, a line each."""
        edges = [f"  {sign} {s} -> {t} {kind}" for sign, more in (("lacks", self.lacking), ("adds", self.extra))
                 for s, t, _, kind in more]  # fmt: skip
        return "\n".join([f"{self.case.name}: {self.kind}, told as {self.coverage}", *edges,
                          *(f"  says {reason}" for reason in self.reasons)])  # fmt: skip


def read_case(path: Path) -> Case:
    """Return the case of a file; a header that is not understood is a ValueError."""
    head, _, sql = path.read_text(encoding="utf-8").partition("\n\n")
    said: dict[str, list[str]] = {
        "columns": [],
        "edge": [],
        "database": [],
        "target": [],
        "completeness": [],
        "note": [],
    }
    for line in head.splitlines():
        match = re.fullmatch(r"-- (\w+): (.+)", line)
        if match is None or match[1] not in said:
            raise ValueError(f"{path}: the header line is not understood: {line}")
        said[match[1]].append(match[2])
    (completeness,) = said["completeness"]
    if completeness not in ("complete", "any"):
        raise ValueError(f"{path}: completeness is neither complete nor any: {completeness}")
    return Case(
        f"{path.parent.name}/{path.stem}",
        path.parent.name,
        sql,
        "".join(said["database"]),
        "".join(said["target"]) or None,
        dict(map(_shape, said["columns"])),
        frozenset(map(_edge, said["edge"])),
        completeness == "complete",
    )


def read_cases() -> list[Case]:
    """Return all cases, by dialect and number."""
    return [read_case(path) for path in sorted(FOLDER.glob("*/*.sql"))]


def judge(case: Case) -> Verdict:
    """Extract the case's text and say how the answer differs."""
    found = _extracted(case)
    told = {(edge.source, edge.target, edge.type, edge.subtype) for edge in found.edges}
    reasons = tuple(f"{problem.code}: {problem.detail}" for problem in found.problems)
    return Verdict(case, found.coverage, tuple(sorted(case.edges - told)), tuple(sorted(told - case.edges)), reasons)


def summary(verdicts: Sequence[Verdict]) -> str:
    """Return the verdicts that are not right, and how many are."""
    bad = [verdict for verdict in verdicts if verdict.kind != "right"]
    return "\n".join([*map(str, bad), f"{len(verdicts) - len(bad)} of {len(verdicts)} are right"])


def _extracted(case: Case) -> Extraction:
    if TEMPLATE.search(case.sql):
        return run_job(ExtractionJob(case.sql, case.dialect, "ns", case.database, case.target, columns=case.columns))
    return extract(
        case.sql, dialect=case.dialect, namespace="ns", default_database=case.database, target=case.target,
        columns=case.columns,
    )  # fmt: skip


def _node(name: str) -> str:
    return name if FILES.match(name) else f"ns:{name}"


def _edge(text: str) -> Edge:
    match = re.fullmatch(r"(.+) -> (.+) ([A-Z_]+)", text)
    if match is None:
        raise ValueError(f"an edge is written as source -> target KIND, not: {text}")
    return _node(match[1]), _node(match[2]), "DIRECT" if match[3] in DIRECT else "INDIRECT", match[3]


def _shape(text: str) -> tuple[str, Shape]:
    table, _, listed = text.removesuffix(")").partition("(")
    return _node(table), tuple(_column(column) for column in _split(listed))


def _column(text: str) -> str | tuple[str, str]:
    name, _, declared = text.partition(" ")
    return (name, declared) if declared else name


def _split(listed: str) -> list[str]:
    """Return what is between the commas that are in no bracket."""
    parts, depth = [""], 0
    for sign in listed:
        depth += (sign in "(<") - (sign in ")>")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]
