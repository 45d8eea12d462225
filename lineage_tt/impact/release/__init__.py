"""The release as it would be deployed: its candidates, what each edits, and how they resolve together.

Imports ``impact.base``.
"""
