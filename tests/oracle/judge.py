"""What the extractor says about the oracle's statements, and where it differs from Spark."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grammar import Grammar

from ingest.sql.statements.script import Script
from lineage_tt.model.edges import DIRECT, column_of, dataset_of

HERE = Path(__file__).parent
CASES = HERE / "cases"
NAMESPACE = "oracle"
OUTPUT = "default.lineage_out"
INSIDE_ONE_COLUMN = ("CONDITIONAL", "WINDOW", "SORT")
Pairs = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Case:
    """One statement; ``run`` says that it is only executed, to be known to the later ones of its group."""

    id: str
    group: str
    sql: str
    run: bool = False


def read_cases(path: Path, group: str = "") -> list[Case]:
    """Return the statements of a file: each ends with ``;`` at a line's end, ``-- run`` is before those to run."""
    group = group or path.stem
    cases = []
    for place, text in enumerate(path.read_text(encoding="utf-8").split(";\n")):
        lines = [line for line in text.splitlines() if line.strip()]
        sql = "\n".join(line for line in lines if not line.startswith("-- "))
        if sql:
            run = "-- run" in lines or path.stem == "_world"
            cases.append(Case(f"{group}/{path.stem}/{place + 1}", group, sql, run))
    return cases


def family(name: str) -> list[Case]:
    """Return the statements of one family, those that make its tables first."""
    return read_cases(CASES / "_world.sql", name) + read_cases(CASES / f"{name}.sql")


def families() -> list[str]:
    """Return the names of the families."""
    return sorted(path.stem for path in CASES.glob("*.sql") if not path.stem.startswith("_"))


def random_cases(seed: int, count: int) -> list[Case]:
    """Return queries of the random grammar, the statements that make their tables first."""
    grammar = Grammar(random.Random(seed))
    made = [Case(f"random/{seed}/{place}", "random", grammar.statement()) for place in range(count)]
    return read_cases(CASES / "_world.sql", "random") + made


def ask_spark(cases: Iterable[Case]) -> dict[str, dict[str, Any]]:
    """Return Spark's answer to each statement, from a Spark of its own."""
    lines = "".join(json.dumps(vars_of(case)) + "\n" for case in cases)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, str(HERE / "answer.py")],
            input=lines,
            capture_output=True,
            text=True,
            check=False,
            timeout=900,
            env=environment(folder),
        )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode or not answers:
        raise RuntimeError(f"the oracle's Spark ended with {done.returncode}: {done.stderr[-2000:]}")
    return {answer["id"]: answer for answer in answers}


def vars_of(case: Case) -> dict[str, Any]:
    """Return a case as the oracle reads it."""
    return {"id": case.id, "group": case.group, "sql": case.sql, "run": case.run}


def environment(folder: str) -> dict[str, str]:
    """Return this process's environment, with what the oracle needs to know."""
    return {**os.environ, "ORACLE_WAREHOUSE": folder, "PYTHONWARNINGS": "ignore"}


def differences(cases: list[Case], answers: dict[str, dict[str, Any]]) -> Iterator[tuple[Case, str]]:
    """Yield each judged statement of one group with what is wrong about it, "" where it is exactly right."""
    script = Script(dialect="spark", namespace=NAMESPACE, default_database="default", keep_temporary=True)
    for case in cases:
        answer = answers[case.id]
        if "error" in answer:
            yield case, f"Spark: {answer['error']}"
        elif case.run:
            script.run(case.sql)
        else:
            yield case, _difference(script, case, answer)


def _difference(script: Script, case: Case, answer: dict[str, Any]) -> str:
    query = all(target.isdigit() for _, target, _ in answer["edges"]) and answer["width"] > 0
    sql = case.sql
    if query:
        outputs = [f"o{place + 1}" for place in range(answer["width"])]
        script.run(f"CREATE OR REPLACE TABLE lineage_out ({', '.join(f'{o} STRING' for o in outputs)})")
        sql = f"INSERT INTO lineage_out ({', '.join(outputs)}) {sql}"
    found = script.run(sql)
    expression, values = told(found.edges)
    want = {(source, f"{OUTPUT}.o{target}" if query else target, *ways) for source, target, ways in answer["edges"]}
    must = {(s, t) for s, t, *ways in want if set(ways) - {"subquery"}}
    may = {(s, t) for s, t, *_ in want}
    must_values = {(s, t) for s, t, *ways in want if "value" in ways}
    wrong = [*_apart("expression", must, expression, may), *_apart("values", must_values, values, must_values)]
    return "; ".join(wrong) + (f" {[p.detail for p in found.problems]}" if wrong and found.problems else "")


def _apart(what: str, must: set[Any], got: Pairs, may: set[Any]) -> list[str]:
    missing, extra = sorted(must - got), sorted(got - must - may)
    return [f"{what} {sign} {pairs}" for sign, pairs in (("lacks", missing), ("adds", extra)) if pairs]


def told(edges: Iterable[Any]) -> tuple[Pairs, Pairs]:
    """Return the column edges of an extraction: every column of an output's expression, and values only."""
    expression, values = set(), set()
    for edge in edges:
        source, target = column_of(edge.source), column_of(edge.target)
        if source is None or target is None:
            continue
        pair = (f"{name_of(edge.source)}.{source.split('.')[0]}", f"{name_of(edge.target)}.{target}")
        if edge.type == DIRECT:
            values.add(pair)
        if edge.type == DIRECT or edge.subtype in INSIDE_ONE_COLUMN:
            expression.add(pair)
    return frozenset(expression), frozenset(values)


def name_of(node: str) -> str:
    """Return a node's dataset as Spark calls it."""
    return dataset_of(node).removeprefix(f"{NAMESPACE}:").removeprefix("spark_catalog.")
