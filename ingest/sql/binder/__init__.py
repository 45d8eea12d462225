"""Names to columns: a parsed query becomes a relation with the sources of each column.

Knows no statement but queries; imports ``parser`` and below.
"""
