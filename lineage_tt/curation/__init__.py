"""What people state over what engines report: aliases, edges of their own, annotations. Each is a task's timeline.

``messages`` makes the messages, and imports ``model`` alone, so that ``ingest`` may use it; the other modules append
them to a store and answer what is in force. ``docs/how-to/aliases-and-people.md`` shows them at work.
"""
