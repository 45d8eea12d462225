"""Events of engines: what ran, and what it read and wrote, become task changes and observations.

This package has the readers of event formats (``openlineage``), the rules by which runs become valid time (``policy``,
``runs``) and the ways in (files, HTTP, Kafka). It has no SQL parser and does not write the log. Imports
``ingest.messages``, ``ingest.resolve``, ``ingest.batches``, ``ingest.kafka`` and the store's public names.
"""
