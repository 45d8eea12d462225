"""What a query reads from: each item of FROM as a relation.

Imports the binder's names, relations and expressions, and nothing of the query around it.
"""
