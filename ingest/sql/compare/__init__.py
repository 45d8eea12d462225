"""Two texts of one task side by side.

Imports ``statements`` and below.
"""
