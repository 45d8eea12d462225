"""Files put in the place of others, and the removal of files that no commit names; no version is added.

Imports the log; nothing that appends imports it.
"""
