"""One walk over a query: FROM, the select list, the clauses, set operations.

Imports the other packages of the binder.
"""
