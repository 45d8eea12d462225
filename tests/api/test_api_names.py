"""Search: names by beginning, part, words, and in spite of a typo; the same list from every reader."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from loops import complete
from services import Served, serving

from lineage_tt import Store
from lineage_tt.api.app import create_app
from lineage_tt.api.reads import names as module
from lineage_tt.api.reads.frozen_log import FrozenLog
from lineage_tt.api.reads.names import Names
from lineage_tt.api.reads.reading import Reading
from lineage_tt.api.reads.similarity import score
from lineage_tt.api.reads.tail import Tail
from lineage_tt.api.service import Service
from lineage_tt.api.settings import Settings
from lineage_tt.testing import task_change

CASES = [
    ("hive:dws.sales_daily", "hive:dws.sales_daily"),
    ("HIVE:DWS.SALES_DAILY", "hive:dws.sales_daily"),
    ("sales_daily", "hive:dws.sales_daily"),
    ("hive:dws.sales_d", "hive:dws.sales_daily"),
    ("daily sales", "hive:dws.sales_daily"),
    ("sales daily", "dws_sales_daily"),
    ("custmer_360", "ads_customer_360"),
    ("ordered_valeu", "hive:dws.sales_daily#ordered_value"),
    ("revenue", "bi:board/42#revenue"),
]


@pytest.mark.parametrize(("text", "wanted"), CASES)
def test_what_somebody_types_is_found(sample: Served, text: str, wanted: str) -> None:
    """Beginnings, parts, words in any order, typos, any case."""
    found = sample.get("/v1/search", params={"q": text, "limit": 50}).json()["result"]

    assert wanted in [hit["name"] for hit in found]
    bands = [int(hit["score"] * 20 + 1e-9) for hit in found]
    assert bands == sorted(bands, reverse=True)


def test_the_name_itself_comes_first(sample: Served) -> None:
    """With the score 1."""
    first = sample.get("/v1/search", params={"q": "hive:dws.sales_daily"}).json()["result"][0]

    assert first == {
        "name": "hive:dws.sales_daily", "kind": "dataset", "subject": "hive:dws.sales_daily", "score": 1.0,
        "valid_from": None, "valid_to": None,
    }  # fmt: skip


def test_of_names_that_fit_alike_those_come_first_of_which_most_is_made(sample: Served) -> None:
    """Within a twentieth of the score the nodes that one step down reaches decide, as of the version's own time."""
    answer = sample.get("/v1/search", params={"q": "orders", "kind": "dataset", "limit": 20}).json()
    known = answer["basis"]["system_time"]
    rows = []
    for hit in answer["result"]:
        asked = {"node": hit["name"], "direction": "down", "depth": 1, "valid_at": known}
        walk = sample.get("/v1/lineage", params=asked).json()["result"]
        rows.append((-int(hit["score"] * 20 + 1e-9), -len(walk["nodes"])))

    assert rows == sorted(rows)
    assert len({worth for band, worth in rows if band == rows[0][0]}) > 1  # the order says something


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("id", "hive:dwd.o#id"),
        ("fx", "hive:dwd.fx"),
        ("F", "hive:dwd.fx"),
        ("手机", "hive:ods.用户#用户手机号"),
        ("看板", "bi:销售看板/1"),
        ("号", "hive:ods.用户#用户手机号"),
    ],
)
def test_parts_shorter_than_three_letters_are_found(tmp_path: Path, text: str, wanted: str) -> None:
    """A short part of a name finds it, in writing without spaces too, whether it was there at first or came later."""
    for late in (False, True):
        store = Store.create(tmp_path / f"store-{late}")
        names = Names()
        if late:
            names.fill(Reading.of(store))
        before = store.version
        pairs = [("hive:dwd.fx#rate", "hive:ods.用户#用户手机号"), ("hive:dwd.o#id", "bi:销售看板/1#x")]
        store.append([task_change("t", "online", "2024-01-01T00:00:00Z", pairs)])
        if late:
            names.advance(Tail(FrozenLog(store.opened_log), before, None))
        else:
            names.fill(Reading.of(store))

        assert wanted in [hit.name for hit in names.search(text, None, 10)[0]]


@pytest.mark.parametrize("kind", ["column", "dataset", "task"])
def test_only_one_kind_if_asked(sample: Served, kind: str) -> None:
    """Columns, datasets and tasks have names that are alike."""
    found = sample.get("/v1/search", params={"q": "sales", "kind": kind}).json()["result"]

    assert {hit["kind"] for hit in found} == {kind}


def test_every_name_is_found_by_itself(sample_store: Path) -> None:
    """Each node and each task, whatever is in its name, in the first place."""
    store = Store.open(sample_store)
    names = Names()
    names.fill(Reading.of(store))
    for node in [node for (node,) in store.sql("SELECT node FROM nodes ORDER BY node")[1]][::7]:
        assert names.search(node, None, 1)[0][0].name == node


def test_owners_and_descriptions_lead_to_what_they_are_of(served: Served) -> None:
    """They are found while somebody says so, and no longer."""
    fact = {"kind": "fact", "node": "hive:hr.staff", "op": "set", "effective_at": "2024-01-01T00:00:00Z"}
    first = served.send(
        fact | {"event_id": "1", "key": "owner", "values": ["ada@example.org"]},
        fact | {"event_id": "2", "key": "description", "values": ["Everybody on the payroll, leavers included"]},
    )
    assert first.json()["result"]["accepted"] == 2, first.text

    def found(text: str) -> list[tuple[str, str, str]]:
        hits = served.get("/v1/search", params={"q": text}).json()["result"]
        return [(hit["kind"], hit["name"], hit["subject"]) for hit in hits]

    assert ("owner", "ada@example.org", "hive:hr.staff") in found("ada")
    assert ("description", "Everybody on the payroll, leavers included", "hive:hr.staff") in found("payroll")
    back = {"kind": "fact", "node": "hive:hr.staff", "op": "retract", "key": "owner", "event_id": "3", "retracts": "1"}
    assert served.send(back).json()["result"]["accepted"] == 1
    assert found("ada@example") == []


def test_an_owner_who_no_longer_is_one_is_marked(served: Served) -> None:
    """The answer says until when an owner holds; the one that is in force has no end."""
    fact = {"kind": "fact", "node": "hive:hr.pay", "op": "set", "key": "owner"}
    sent = served.send(
        fact | {"event_id": "1", "values": ["eve@example.org"], "effective_at": "2024-01-01T00:00:00Z"},
        fact | {"event_id": "2", "values": ["bob@example.org"], "effective_at": "2024-06-01T00:00:00Z"},
    )
    assert sent.json()["result"]["accepted"] == 2, sent.text

    def held(text: str) -> list[tuple[str, str | None]]:
        hits = served.get("/v1/search", params={"q": text, "kind": "owner"}).json()["result"]
        return [(hit["valid_from"], hit["valid_to"]) for hit in hits if hit["name"] == text]

    assert held("eve@example.org") == [("2024-01-01T00:00:00Z", "2024-06-01T00:00:00Z")]
    assert held("bob@example.org") == [("2024-06-01T00:00:00Z", None)]


@pytest.mark.parametrize(
    "text", ['"', "'", "*", "a*", "NEAR(", "AND", "a OR b", "\x00", "😀😀😀", "-", "  ", "a" * 200, "İ"]
)
def test_signs_of_the_index_are_plain_text(sample: Served, text: str) -> None:
    """What means something to a full-text engine means nothing here."""
    assert sample.get("/v1/search", params={"q": text}).status_code == 200


def test_the_index_follows_the_log(tmp_path: Path) -> None:
    """Filled at once or kept up commit by commit, in any portions, the index gives the same lists (I7)."""
    seed = 11
    print("seed", seed)
    draw = random.Random(seed)
    store = Store.create(tmp_path / "s")
    followed = Names()
    followed.fill(Reading.of(store))
    late = Names()
    for turn in range(12):
        before = store.version
        store.append([
            task_change(f"etl/{draw.choice(WORDS)}_{turn}_{n}", "online", turn, [
                (f"hive:{draw.choice(WORDS)}.{draw.choice(WORDS)}#{draw.choice(WORDS)}", f"hive:dw.{draw.choice('ab')}")
            ])
            for n in range(draw.randint(1, 5))
        ])  # fmt: skip
        tail = Tail(FrozenLog(store.opened_log), before, None)
        followed.advance(tail)
        if turn > 3:
            late.advance(tail)
        if turn == 6:
            late.fill(Reading.of(store))
    whole = Names()
    whole.fill(Reading.of(store))

    assert followed.version == late.version == whole.version == store.version
    for text in [*WORDS, "ordres", "etl/", "hive:dw", "orders_1", "nothing"]:
        assert followed.search(text, None, 20) == whole.search(text, None, 20) == late.search(text, None, 20)


def test_an_index_that_is_let_go_of_while_it_fills_is_empty(sample_store: Path) -> None:
    """A service that stops does not wait for its names, and what filled them ends by itself."""
    names = Names()

    class Stopped(Reading):
        def portions(self, query: str, size: int, **parameters: Any) -> Iterator[list[tuple[Any, ...]]]:
            for rows in super().portions(query, 10, **parameters):
                names.close()
                yield rows

    names.fill(Stopped.of(Store.open(sample_store)))

    assert (names.version, names.count(), names.search("orders", None, 5)) == (-1, 0, ([], -1))
    names.fill(Reading.of(Store.open(sample_store)))
    assert names.version == -1


def test_names_that_are_not_compared_are_noted(tmp_path: Path) -> None:
    """Of 400 names with a word, or like it, 300 were compared, and one of the others was missing without a word."""
    store = Store.create(tmp_path / "store")
    pairs = [(f"hive:a.parcel_{number}#x", f"hive:b.letter_{number % 10}#x") for number in range(400)]
    store.append([task_change("t", "online", "2024-01-01T00:00:00Z", pairs)])
    names = Names()
    names.fill(Reading.of(store))

    assert names.all_hits("parcel", "dataset")[2].matches
    assert names.all_hits("hive:a.parcel", "dataset")[2].matches
    assert not names.all_hits("letter", "dataset")[2].matches
    assert not names.all_hits("parcel_399", "dataset")[2].matches
    assert names.all_hits("parcle_39", "dataset")[2] == (False, True, False)
    assert names.all_hits("parcel_399", "dataset")[2].similar
    assert not names.all_hits("bord 42", "dataset")[2].similar
    with serving(tmp_path / "store", "--workers", "1") as served:
        asked = ("parcel", "bord 42", "parcle_39")
        answer, few, similar = (served.get("/v1/search", params={"q": q}).json() for q in asked)
    assert answer["notes"][0] == "more names match than the 300 that were compared: give more of the name, or a kind"
    assert answer["notes"][1].endswith("further matches are left out: give a greater limit")
    assert "notes" not in few
    words = "more names are similar than the 300 that were compared: give more of the name, or a kind"
    assert similar["notes"][0] == words


def test_letters_that_too_many_names_have_are_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names that contain them, and do not begin with them, are not looked for: the list was short without a word."""
    store = Store.create(tmp_path / "store")
    pairs = [(f"hive:a.parcel_{number}#x", f"hive:b.letter_{number}_ab#x") for number in range(40)]
    store.append([task_change("t", "online", "2024-01-01T00:00:00Z", pairs)])
    names = Names()
    names.fill(Reading.of(store))
    found, _, before = names.all_hits("arcel", "dataset")
    monkeypatch.setattr(module, "MAX_COMMON", 30)

    assert len(found) == 40
    assert before == (False, False, False)
    assert names.all_hits("arcel", "dataset")[2].common
    assert names.all_hits("a", "dataset")[2].common
    assert not names.all_hits("parcel_39", "dataset")[2].common
    assert not names.all_hits("39", "dataset")[2].common
    service = Service(store, Settings(graph=False))
    service.names = names
    app = create_app(store, settings=Settings(graph=False))
    app.state.service = service

    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
            return await client.get("/v1/search", params={"q": "arcel"})

    (note,) = complete(ask()).json()["notes"]
    assert note.startswith("more than 50,000 names have these letters, so only names that begin with them")


WORDS = ["orders", "customers", "payments", "sales_daily", "refunds", "sessions", "items"]


@pytest.mark.parametrize(
    ("better", "worse", "wanted"),
    [("orders", "orders_archive", "orders"), ("hive:dw.orders", "hive:dw.reorders", "orders"),
     ("orders", "ordres", "orders"), ("sales_daily", "daily_resale_s", "sales daily")],
)  # fmt: skip
def test_the_better_fit_scores_higher(better: str, worse: str, wanted: str) -> None:
    """The whole before a part, a part before a likeness."""
    assert score(wanted, better) > score(wanted, worse)


@pytest.mark.parametrize(
    ("path", "asked", "said"),
    [("/v1/search", {"q": "a", "kind": "nosuch"},
      "'nosuch' is none of column, dataset, task, owner, label, description"),
     ("/v1/lineage", {"node": "hive:dws.sales_daily", "cursor": "xyz"}, "'xyz' does not have the required form"),
     ("/v1/lineage", {"node": "hive:dws.sales_daily", "valid_at": "xyz"}, "cannot read the time 'xyz'")],
)  # fmt: skip
def test_a_value_is_refused_for_its_own_reason(sample: Served, path: str, asked: dict[str, str], said: str) -> None:
    """Whatever had a pattern was called a time that cannot be read."""
    answer = sample.get(path, params=asked)

    assert answer.status_code == 400
    assert said in answer.json()["detail"]
