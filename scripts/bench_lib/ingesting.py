"""One ingest of a file into a fresh store, in a process of its own: ``python -m bench_lib.ingesting FILE STORE``.

Prints the rate, and the greatest memory of this process and of its largest child.
"""

from __future__ import annotations

import resource
import sys
import time

import orjson

from ingest.pipeline import Ingester
from lineage_tt.store import Store


def main() -> None:
    path, folder = sys.argv[1:]
    store = Store.create(folder)
    begun, busy_before = time.perf_counter(), time.process_time()
    with Ingester(store) as ingester:
        summary = ingester.ingest_file(path)
    spent = time.perf_counter() - begun
    main_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    child_kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    found = {
        "accepted": summary.accepted,
        "rejected": summary.rejected,
        "changes": summary.changes,
        "seconds": spent,
        "cpu_s": time.process_time() - busy_before,
        "messages_per_s": summary.accepted / spent,
        "rss_mib": main_kib / 1024,
        "child_rss_mib": child_kib / 1024,
    }
    sys.stdout.buffer.write(orjson.dumps(found))


if __name__ == "__main__":
    main()
