"""An answer at a basis never changes: tags, how long it may be kept, and packing."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from services import Served, await_, online, serving

NODE = "hive:dws.sales_daily#ordered_value"
PINNED = {"node": NODE, "valid_at": "2026-05-01T00:00:00Z", "version": "100"}
EDGE = {"source": "hive:dwd.orders", "target": "hive:dws.sales_daily"}
PINNED_EDGE = EDGE | {"valid_at": PINNED["valid_at"], "version": PINNED["version"]}
PATHS = [
    ("/v1/lineage", PINNED),
    ("/v1/lineage", PINNED | {"depth": "2"}),
    ("/v1/layout", {"node": NODE, "at": "2026-02-01T00:00:00Z@v50,2026-05-01T00:00:00Z@v100"}),
    ("/v1/timeline", {"node": NODE, "at": "2026-05-01T00:00:00Z@v100"}),
    ("/v1/diff", {"from": "2026-02-01T00:00:00Z@v50", "to": "2026-05-01T00:00:00Z@v100"}),
    ("/v1/blame", PINNED_EDGE),
    ("/v1/tasks", {"valid_at": "2026-05-01T00:00:00Z", "version": "100"}),
]  # fmt: skip


@pytest.mark.parametrize(("path", "asked"), PATHS)
def test_a_fixed_point_may_be_kept_for_ever(sample: Served, path: str, asked: dict[str, str]) -> None:
    """With both times given the answer is immutable, and who has it gets a 304."""
    answer = sample.get(path, params=asked)
    again = sample.get(path, params=asked)
    same = sample.get(path, params=asked, headers={"if-none-match": f'"other", {answer.headers["etag"]}'})

    assert answer.status_code == 200
    assert "immutable" in answer.headers["cache-control"]
    assert answer.content == again.content
    assert answer.headers["etag"] == again.headers["etag"]
    assert (same.status_code, same.content) == (304, b"")
    assert same.headers["etag"] == answer.headers["etag"]


@pytest.mark.parametrize(
    "asked",
    [{}, {"valid_at": "2026-05-01T00:00:00Z"}, {"version": "100"}, {"valid_at": "-1d", "version": "100"},
     {"valid_at": "2026-05-01T00:00:00Z", "system_at": "2999-01-01T00:00:00Z"}],
)  # fmt: skip
def test_a_point_that_moves_is_asked_for_again(sample: Served, asked: dict[str, str]) -> None:
    """Where a time is left open, relative, or not yet past, the answer has to be asked for again."""
    answer = sample.get("/v1/lineage", params={"node": NODE} | asked)

    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["etag"]


def test_a_system_time_that_is_past_is_fixed(sample: Served) -> None:
    """A system time up to the last version's is as good as a version."""
    last = sample.get("/v1/stats").json()["basis"]["system_time"]
    answer = sample.get("/v1/lineage", params={"node": NODE, "valid_at": "2026-05-01T00:00:00Z", "system_at": last})

    assert "immutable" in answer.headers["cache-control"]
    assert answer.json()["basis"]["version"] == 175


def test_of_a_system_time_and_a_version_the_earlier_holds(sample: Served) -> None:
    """Both may be given."""
    first = sample.get("/v1/tasks", params={"version": "1"}).json()["basis"]["system_time"]
    answer = sample.get("/v1/lineage", params={"node": NODE, "system_at": first, "version": "100"})

    assert answer.json()["basis"]["version"] == 1


def test_a_tag_is_of_its_point(sample: Served) -> None:
    """Other points have other tags; a tag of one is no use at another."""
    one = sample.get("/v1/lineage", params=PINNED)
    other = sample.get(
        "/v1/lineage", params=PINNED | {"version": "101"}, headers={"if-none-match": one.headers["etag"]}
    )

    assert other.status_code == 200
    assert other.headers["etag"] != one.headers["etag"]


def test_a_fixed_answer_stays_when_more_becomes_known(tmp_path: Path) -> None:
    """Bytes and tag at a basis are the same after later messages, and from a service started after them (N5)."""
    asked = {"node": "hive:a.b#c", "valid_at": "2024-06-01T00:00:00Z", "version": "1"}
    with serving(tmp_path / "s", "--workers", "1") as served:
        served.send(online("t", ("hive:a.b#c", "hive:a.d#e")))
        before = served.get("/v1/lineage", params=asked)
        served.send(online("t", ("hive:a.b#c", "hive:x.y#z"), event="2"), online("u", ("hive:a.d#e", "hive:v.w#x")))
        after = served.get("/v1/lineage", params=asked)
    with serving(tmp_path / "s", "--no-graph") as served:
        later = served.get("/v1/lineage", params=asked)

    assert before.content == after.content == later.content
    assert before.headers["etag"] == after.headers["etag"] == later.headers["etag"]


def test_answers_are_packed_for_those_who_can_unpack(sample: Served) -> None:
    """gzip where it is accepted, plain where not, the same after unpacking; caches see Vary."""
    packed = sample.get("/v1/lineage", params=PINNED, headers={"accept-encoding": "gzip"})
    plain = sample.get("/v1/lineage", params=PINNED, headers={"accept-encoding": "identity"})

    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content
    assert "accept-encoding" in packed.headers["vary"].lower()
    assert "accept-encoding" in plain.headers["vary"].lower()


def test_kept_answers_are_counted(sample: Served) -> None:
    """The second of two equal questions at a fixed point comes from memory."""
    asked = PINNED | {"depth": "5"}
    before = cached(sample)
    first, second = (sample.get("/v1/lineage", params=asked) for _ in range(2))

    assert first.content == second.content
    await_(lambda: cached(sample) == before + 1)


def cached(served: Served) -> float:
    """How many answers were given from memory."""
    page: httpx.Response = served.get("/metrics")
    (line,) = [line for line in page.text.splitlines() if line.startswith("lineage_tt_answers_cached_total ")]
    return float(line.split()[1])
