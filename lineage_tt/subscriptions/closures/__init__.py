"""What closures watch: nodes in one direction, and walks that leave out what people reject.

Imports ``lineage_tt.graph`` and ``lineage_tt.model``.
"""
