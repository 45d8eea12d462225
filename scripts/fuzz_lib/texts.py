"""Random and damaged SQL, each text a function of the seed and its number alone."""

from __future__ import annotations

import gzip
import json
import random
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "oracle"), str(ROOT)]

from grammar import Grammar  # noqa: E402

from ingest.sql.words import words  # noqa: E402

DIALECTS = sorted(
    words("hive spark bigquery trino presto snowflake clickhouse postgres redshift duckdb mysql tsql oracle databricks")
)
PIECES = re.compile(r"\w+|\s+|[^\w\s]")
WORDS = sorted(
    words(
        """SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT JOIN LEFT FULL CROSS NATURAL LATERAL UNNEST USING ON UNION ALL
        EXCEPT INTERSECT WITH RECURSIVE AS INSERT INTO OVERWRITE TABLE VALUES MERGE WHEN MATCHED THEN UPDATE SET DELETE
        CREATE VIEW DROP ALTER BEGIN END IF ELSE CASE OVER PARTITION PIVOT UNPIVOT EXISTS IN NOT NULL * STRUCT ARRAY MAP
        CAST QUALIFY WINDOW EXPLODE INLINE STACK TRANSFORM LOOP WHILE DECLARE CALL EXECUTE IMMEDIATE FUNCTION RETURN
        FOR"""
    )
)
SIGNS = [*"().,*`;:[]{}<>=|&^%$#@!?~-+/\\", "'", '"', "--", "/*", "*/", "|>", "=>", "->", "::", "${", "}", "{{", "}}"]
STRANGE = ["\0", "é", "\u200b", "\u202e", "a\u0301", "😀", "\ud800", "\r", "\t", "\ufeff", "\x1a", "١", "名"]
MAX_CHARACTERS = 200_000


NAMED = re.compile(r"\b(?:from|join|into|table|view|using|update)\s+([A-Za-z_][\w.]*)", re.I)
MAX_COLUMNS = 40


@dataclass(frozen=True)
class Text:
    """One text to be read: its number, how it was made, dialect and SQL, and the columns that tables shall have."""

    number: int
    made: str
    dialect: str
    sql: str
    columns: dict[str, tuple[str, ...]] = field(default_factory=dict)


def real_texts(shared: Path, longest: int = 20_000) -> list[tuple[str, str]]:
    """Return (dialect, SQL) of the real statements: the case files, and the stream's texts that are not too long."""
    texts = []
    for path in sorted((shared / "data" / "sql_cases").glob("*.jsonl*")):
        for line in _lines(path):
            case = json.loads(line)
            dialect = {"sparksql": "spark", "ansi": "trino"}.get(case["dialect"], case["dialect"])
            texts += [(dialect, statement["sql"]) for statement in case["statements"]]
    for path in sorted((shared / "data" / "bqetl_stream").glob("messages-*.jsonl.gz"))[-2:]:
        texts += [("bigquery", sql) for line in _lines(path) if (sql := json.loads(line)["sql"])]
    return [(dialect, sql) for dialect, sql in texts if len(sql) <= longest]


def _lines(path: Path) -> list[str]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return list(lines)


class Maker:
    """Makes the texts of one seed over real ones."""

    def __init__(self, seed: int, real: list[tuple[str, str]]) -> None:
        self.seed = seed
        self.real = real

    def text(self, number: int) -> Text:
        """Return the text of a number."""
        chance = random.Random(f"{self.seed}/{number}")
        kind = chance.choices(["grammar", "grammar damaged", "damaged", "grown", "noise"], [2, 2, 6, 1, 1])[0]
        if kind.startswith("grammar"):
            dialect, sql = "spark", Grammar(chance).statement()
        elif kind == "noise":
            dialect = chance.choice(DIALECTS)
            sql = " ".join(
                chance.choice(chance.choice([WORDS, SIGNS, STRANGE, ["t", "a", "1", "'x'"]])) for _ in range(60)
            )
        else:
            dialect, sql = chance.choice(self.real)
        if kind == "grown":
            sql = grown(sql, chance)
        elif kind.endswith("damaged"):
            sql = damaged(sql, chance, lambda: chance.choice(self.real)[1])
        if chance.random() < 0.15:
            dialect = chance.choice(DIALECTS)
        sql = sql[:MAX_CHARACTERS]
        return Text(number, kind, dialect, sql, likely_columns(sql) if chance.random() < 0.7 else {})


def likely_columns(sql: str) -> dict[str, tuple[str, ...]]:
    """Return columns for the tables that a text seems to name: the words of the text, so that most names are found."""
    words = tuple(dict.fromkeys(word.lower() for word in re.findall(r"[A-Za-z_]\w*", sql)))[-MAX_COLUMNS:]
    names = {name.lower().strip(".") for name in NAMED.findall(sql)}
    return {f"fuzz:{prefix}{name}": words for name in names for prefix in ("", "d.")} if words else {}


def damaged(sql: str, chance: random.Random, other: Callable[[], str]) -> str:
    """Return a text with some of its pieces lost, doubled, moved, replaced or taken from another text."""
    pieces = PIECES.findall(sql) or [" "]
    for _ in range(chance.randint(1, 6)):
        place = chance.randrange(len(pieces))
        end = min(len(pieces), place + chance.randint(1, 8))
        kind = chance.randrange(9)
        if kind == 0:
            del pieces[place:end]
        elif kind == 1:
            pieces[place:place] = pieces[place:end]
        elif kind == 2:
            goal = chance.randrange(len(pieces))
            pieces[place], pieces[goal] = pieces[goal], pieces[place]
        elif kind == 3:
            pieces.insert(place, f" {chance.choice(WORDS)} ")
        elif kind == 4:
            pieces.insert(place, chance.choice(SIGNS))
        elif kind == 5:
            pieces.insert(place, chance.choice(STRANGE))
        elif kind == 6:
            theirs = PIECES.findall(other()) or [" "]
            start = chance.randrange(len(theirs))
            pieces[place:end] = theirs[start : start + chance.randint(1, 40)]
        elif kind == 7:
            pieces = pieces[:end] if chance.random() < 0.5 else pieces[place:]
        else:
            pieces[place:end] = ["(", *pieces[place:end], ")"]
        pieces = pieces or [" "]
    return "".join(pieces)


def grown(sql: str, chance: random.Random) -> str:
    """Return a text of which one part is there very often, beside itself or inside itself."""
    pieces = PIECES.findall(sql) or [" "]
    place = chance.randrange(len(pieces))
    end = min(len(pieces), place + chance.randint(1, 12))
    part, times = "".join(pieces[place:end]), chance.choice([20, 60, 300, 3000])
    before, after = "".join(pieces[:place]), "".join(pieces[end:])
    if chance.random() < 0.5:
        return before + chance.choice(["", " ", ", ", " AND ", " UNION ALL ", ";\n"]).join([part] * times) + after
    opens, closes = chance.choice(
        [("(", ")"), ("[", "]"), ("CASE WHEN ", " THEN 1 END"), ("f(", ")"), ("(SELECT ", ")")]
    )
    return before + opens * times + part + closes * times + after
