"""A service whose store's policy is tightened for history: what it had in memory goes, too."""

from __future__ import annotations

from pathlib import Path

from policy_texts import CANARY, MESSAGES, ingest, made
from services import await_, serving

from ingest.resolve.resolver import SqlResolver

NODE = {"node": "n:b#y", "valid_at": "2024-02-01T00:00:00Z", "version": "9"}
ASKED = [
    ("/v1/lineage", NODE),
    ("/v1/tasks", {"valid_at": "2024-02-01T00:00:00Z", "version": "9"}),
    ("/v1/blame", {"source": "n:a#x", "target": "n:b#y", "valid_at": "2024-02-01T00:00:00Z", "version": "9"}),
    ("/v1/changes", {"after": "0"}),
]


def test_answers_that_it_kept_are_made_again(tmp_path: Path) -> None:
    """Answers at fixed points and events: none holds the text, and who has an old answer gets the new one."""
    (tmp_path / "in").mkdir()
    store = made(tmp_path, "keep")
    ingest(store, MESSAGES, tmp_path / "in")
    with serving(tmp_path / "store-keep") as served:
        before = [served.get(path, params=asked) for path, asked in ASKED]
        assert [answer.status_code for answer in before] == [200] * len(ASKED)
        assert sum(CANARY in answer.text for answer in before) >= 2
        with SqlResolver(1) as resolver:
            version = store.set_text_policy("mask-literals", "a test", history=True, resolver=resolver)
        await_(lambda: served.get("/v1/policy").headers["lineage-version"] == str(version))

        after = [
            served.get(path, params=asked, headers={"if-none-match": old.headers.get("etag", '"none"')})
            for (path, asked), old in zip(ASKED, before, strict=True)
        ]
        assert [answer.status_code for answer in after] == [200] * len(ASKED)
        assert [path for (path, _), answer in zip(ASKED, after, strict=True) if CANARY in answer.text] == []
        assert served.get("/v1/policy").json()["result"]["older_versions_hold_more"] is False
