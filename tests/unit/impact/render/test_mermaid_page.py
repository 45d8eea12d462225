"""The datasets that a release touches as a graph: which are kept, with which class, and how many are not."""

from __future__ import annotations

import re

from reports import BOARD, SALES, TOTALS, large, reader, report, story, task

from lineage_tt.impact.render.mermaid_page import graph, page, touched
from lineage_tt.impact.report import ADDITIVE, BREAKING, NONE, POTENTIALLY, UNKNOWN


def test_a_graph_of_a_small_release_has_all_of_it() -> None:
    """Changed datasets first, then readers over their way, each with its class; columns are of their dataset."""
    assert page(story()).splitlines()[:7] == [
        "flowchart LR",
        '  n0["hive:dw.sales"]:::breaking',
        '  n1["hive:dw.fresh"]:::additive',
        '  n2["hive:dw.totals"]:::breaking',
        '  n3["bi:board/42"]:::potentially_breaking',
        "  n0 --> n2",
        "  n2 --> n3",
    ]


def test_it_is_cut_to_size() -> None:
    """A graph of a large release has at most so many nodes, and says how many it leaves out."""
    text = page(large(400))

    assert len(re.findall(r"(?m)^  n\d+\[", text)) <= 40
    assert re.search(r'more\["… and [\d,]+ more"\]', text)


def test_a_reader_whose_way_does_not_fit_is_counted_whole() -> None:
    """No way is drawn in part; a shorter one after it still is."""
    far = reader("n:c", BREAKING, "hive:dw.sales", "n:a", "n:b", "n:c")
    made = report([task("t", writes=(SALES,))], readers=[far, reader("n:d", BREAKING, SALES, "n:d")])

    kept, links, left_out = touched(made, 3)

    assert kept == {SALES: BREAKING, "n:d": BREAKING}
    assert (links, left_out) == ([(SALES, "n:d")], 1)


def test_changed_datasets_beyond_the_bound_are_counted() -> None:
    """They take their places in the order of the tasks; a task without impact has none."""
    made = report([task("a", BREAKING, writes=("n:1", "n:2")), task("b", NONE, writes=("n:4",)),
                   task("c", ADDITIVE, writes=("n:2", "n:3"))])  # fmt: skip

    assert touched(made, 2) == ({"n:1": BREAKING, "n:2": BREAKING}, [], 1)
    assert touched(report(), 5) == ({}, [], 0)


def test_what_lies_on_a_way_is_potentially_breaking_until_it_is_a_reader() -> None:
    """A reader's own class counts where it is worse, never where it is less."""
    made = report(
        [task("t", BREAKING, writes=(SALES,))],
        readers=[reader(BOARD, UNKNOWN, SALES, TOTALS, BOARD), reader(SALES, POTENTIALLY, TOTALS, SALES)],
    )

    kept, links, _ = touched(made, 9)

    assert kept == {SALES: BREAKING, TOTALS: POTENTIALLY, BOARD: UNKNOWN}
    assert links == [(SALES, TOTALS), (TOTALS, BOARD), (TOTALS, SALES)]


def test_a_step_within_a_dataset_is_no_link() -> None:
    """A column made of another one of its own dataset draws no ring."""
    made = report(readers=[reader(TOTALS, BREAKING, f"{SALES}#a", f"{SALES}#b", f"{TOTALS}#b")])

    assert touched(made, 9)[1] == [(SALES, TOTALS)]


def test_a_name_cannot_end_its_box() -> None:
    """What Mermaid reads is written as an entity, an apostrophe as it is; a long name is cut."""
    (line,) = [each for each in graph(report([task("t", writes=("n:a\"b'c`d#e;\n" + "x" * 99,))])) if "n0[" in each]

    assert line.startswith("  n0[\"n:a&quot;b'cˋd&num;e;\\u000a")
    assert line.endswith('x"]:::breaking')
    assert len(line) < 130


def test_files_that_were_not_judged_are_a_node_and_named_in_comments() -> None:
    """They were missing here; a file cannot give Mermaid a directive by its name."""
    plain, lines = page(story()), page(story().with_unmapped(["z.sql", "%%{init: {}}%%.sql"])).splitlines()

    assert lines[: len(plain.splitlines())] == plain.splitlines()
    assert lines[len(plain.splitlines()) :] == [
        '  unjudged["2 changed .sql files not judged: no path rule matches"]',
        "  %% not judged: % %{init: {}}% %.sql",
        "  %% not judged: z.sql",
    ]
