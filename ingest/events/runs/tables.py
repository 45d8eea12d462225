"""The tables of the journal, and how those of an older format become these."""

from __future__ import annotations

from typing import Final

#: Raised when the tables change; a journal of an older format is upgraded, one of a newer format is refused.
FORMAT: Final = 5
TABLES: Final = """
CREATE TABLE IF NOT EXISTS shapes (id INTEGER PRIMARY KEY, digest BLOB UNIQUE, streaming INTEGER, body BLOB,
    extras BLOB);
CREATE TABLE IF NOT EXISTS runs (id INTEGER PRIMARY KEY, kind TEXT, namespace TEXT, name TEXT, run_id TEXT,
    streaming INTEGER NOT NULL DEFAULT 0, dirty INTEGER NOT NULL DEFAULT 0, task TEXT, state TEXT, at INTEGER,
    began INTEGER, ended INTEGER, row_count INTEGER, byte_count INTEGER, meaning BLOB, seen INTEGER,
    UNIQUE (namespace, name, run_id));
CREATE INDEX IF NOT EXISTS dirty_runs ON runs (id) WHERE dirty;
CREATE INDEX IF NOT EXISTS open_runs ON runs (seen) WHERE state IS NULL;
CREATE INDEX IF NOT EXISTS runs_by_id ON runs (run_id);
CREATE INDEX IF NOT EXISTS runs_by_day ON runs (at) WHERE at IS NOT NULL;
CREATE TABLE IF NOT EXISTS events (run INTEGER, at INTEGER, type TEXT, shape INTEGER, nominal INTEGER, figures TEXT,
    PRIMARY KEY (run, at, type, shape)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS meanings (key BLOB PRIMARY KEY, task TEXT, claims TEXT, about BLOB,
    final INTEGER NOT NULL DEFAULT 1) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS contents (fingerprint BLOB PRIMARY KEY, packed BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rules (subject TEXT PRIMARY KEY, rule TEXT, unseen_runs INTEGER, unseen_time INTEGER)
    WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS points (subject TEXT, at INTEGER, tie TEXT, run INTEGER, fingerprint BLOB, weight INTEGER,
    PRIMARY KEY (subject, at, tie)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS points_of_run ON points (run);
CREATE TABLE IF NOT EXISTS affected (subject TEXT, at INTEGER, PRIMARY KEY (subject, at)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS placed (member TEXT, at INTEGER, subject TEXT, fingerprint BLOB, event TEXT,
    events BLOB, PRIMARY KEY (member, at)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS withdrawn (member TEXT, at INTEGER, times INTEGER, PRIMARY KEY (member, at)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS placed_of_subject ON placed (subject);
CREATE TABLE IF NOT EXISTS outbox (id INTEGER PRIMARY KEY AUTOINCREMENT, message BLOB);
CREATE TABLE IF NOT EXISTS positions (source TEXT PRIMARY KEY, position INTEGER, digest TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS days (day INTEGER PRIMARY KEY, stamp INTEGER NOT NULL DEFAULT 1);
"""
#: From one format to the next.
UPGRADES: Final = {
    1: """
ALTER TABLE runs ADD COLUMN seen INTEGER;
CREATE INDEX IF NOT EXISTS open_runs ON runs (seen) WHERE state IS NULL;
""",
    2: "ALTER TABLE meanings ADD COLUMN final INTEGER NOT NULL DEFAULT 1",
    3: """
ALTER TABLE placed ADD COLUMN events BLOB;
CREATE TABLE IF NOT EXISTS withdrawn (member TEXT, at INTEGER, times INTEGER, PRIMARY KEY (member, at)) WITHOUT ROWID;
""",
    4: "CREATE INDEX IF NOT EXISTS runs_by_id ON runs (run_id)",
}
