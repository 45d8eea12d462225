"""When a commit counts as made: on a local disk, and in an object store.

Nothing here depends on the content of a commit; imports ``storage`` and the log's commits.
"""
