"""The release as it would be: candidates, what each edits, and how they resolve together.

Imports ``impact.base``.
"""
