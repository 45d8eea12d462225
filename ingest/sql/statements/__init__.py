"""Statements and scripts: what each writes, reads and makes known to the later ones.

Imports ``binder`` and below.
"""
