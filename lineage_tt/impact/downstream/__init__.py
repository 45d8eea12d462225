"""What a release does to readers that nobody edits.

Imports ``impact.base`` and ``impact.release``.
"""
