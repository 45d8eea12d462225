"""Events of engines in: what ran, and what it read and wrote, made into task changes and observations.

Here live the readers of event formats (``openlineage``), the rules by which runs become valid time (``policy``,
``runs``) and the ways in (files, HTTP, Kafka). No parser of SQL and no writer of the log lives here. Imports
``ingest.messages``, ``ingest.resolve``, ``ingest.batches``, ``ingest.kafka`` and the store's public names.
"""
