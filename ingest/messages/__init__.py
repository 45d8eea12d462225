"""Bytes to validated messages: lines, field mappings, the native format.

Parses no SQL; imports ``lineage_tt.model``.
"""
