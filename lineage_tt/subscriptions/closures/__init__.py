"""What closures watch: nodes in one direction, and walks that leave out rejected edges.

Imports ``lineage_tt.graph`` and ``lineage_tt.model``.
"""
