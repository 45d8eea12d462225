"""When a commit counts as made: on a local disk, and in an object store.

What is committed is not known here; imports ``storage`` and the log's commits.
"""
