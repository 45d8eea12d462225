"""Texts inside a text that another database reads, and in which dialects they are tried."""

from __future__ import annotations

from typing import Final

#: Dialects in which texts for other databases are read, in this order: EXTERNAL_QUERY names none.
FOREIGN_QUERIES: Final = ("mysql", "postgres", "bigquery", "oracle", "tsql")
#: Words that call a function in the engines such texts are for, and are seldom a column's name in another.
FOREIGN_NILADIC: Final = frozenset(["sysdate", "systimestamp", "rownum", "uid", "sessiontimezone", "localtimestamp"])
#: The dialect in which the types of columns are written where a type is built from fields.
TYPES_OF_FIELDS: Final = "bigquery"
