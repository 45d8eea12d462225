"""The sample: half a year of a made-up retail warehouse, as task changes.

An outdoor shop with stores and a web shop keeps its warehouse in Hive and Spark: copies of its sources (``ods``), clean
tables (``dwd``), aggregates (``dws``) and what its boards read (``ads``). From 5 January to 1 July 2026 its tasks go
online, are edited, go offline and come back. In between

- somebody repairs the revenue job by hand on 2 March and enters it on the 24th (a late correction between two known
  versions),
- a wrong file is corrected at the same ``effective_at``, and a platform's own counter decides against the order of
  arrival,
- messages are withdrawn: for good, to be said again with another day, and one withdrawal is withdrawn itself,
- ``dwd.orders`` renames a column on 4 May, and its readers follow one by one,
- customers' addresses stand on a board for eleven days in June,
- a plan for June is put off to August; July and August hold more plans,
- one text does not parse, and three messages are refused.

``STORY.md`` beside this file tells it with names and dates. ``retail.jsonl`` holds the messages in the native format,
one JSON object a line, in order of ``recorded_at``; ``scripts/make-sample`` writes it from the files in ``story``.

``governance.jsonl`` continues it to 6 July, and is ingested after it: people state labels, owners, promises, rights and
retention, a check fails, a table is there twice. ``governance.toml`` are the rules of that warehouse.
"""

from __future__ import annotations

from pathlib import Path


def messages() -> Path:
    """Return the path of the sample's messages (JSON Lines, native format, in order of ``recorded_at``)."""
    return Path(__file__).with_name("retail.jsonl")


def governance_messages() -> Path:
    """Return the path of the messages of July, which are ingested after ``messages()``."""
    return Path(__file__).with_name("governance.jsonl")


def governance_rules() -> Path:
    """Return the path of the sample's ``governance.toml``."""
    return Path(__file__).with_name("governance.toml")
