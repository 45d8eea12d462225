"""SQL to edges: :func:`extract` resolves a text in one walk over its scopes.

The way of a text, one file a step:

- ``parse`` splits a script into statements (``rewrite`` and ``pipes`` put some forms into plainer ones before,
``repair``
  after the parser gave up); ``scan`` finds the tables of one that does not parse.
- ``script`` runs the statements in order over one ``catalog``; ``statements`` knows each kind (``creates``, ``alters``,
  ``changes``, ``commands``, ``multi_insert``), ``inserts`` which target column an output goes to, ``emit`` makes the
  edges.
- ``query`` walks a query: FROM (``sources``, ``joins``, ``pivots``, ``match``, ``generators``, ``external``), then the
  select list (``items``, ``stars``, ``column_sets``), then the clauses (``deciding``); ``setops`` lays unions together.
  Each step gives a relation (``flow``): columns with their sources, all at once; ``overlay`` makes one of several.
- ``values`` walks an expression: which columns it takes its value from and in what way (``structs`` for fields,
  ``functions`` for SQL functions, ``lookup`` and ``scope`` for names, ``render`` for its text).
"""

from ingest.sql.extract import extract
from ingest.sql.result import Extraction, Problem, StatementLineage

__all__ = ["Extraction", "Problem", "StatementLineage", "extract"]
