"""Changes of rows that a table has: what an assignment sets, and MERGE.

Imports what INSERT does, the binder and below.
"""
