"""What people state in addition to what engines report: aliases, edges, annotations. Each is a task's timeline.

``messages`` makes the messages, and imports only ``model``, so that ``ingest`` may use it; the other modules append
them to a store and return what is in force. ``docs/how-to/aliases-and-people.md`` shows how to use them.
"""
