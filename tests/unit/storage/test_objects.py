"""Objects under the verbs of a path, in a store in memory; errors of a server in words that say what to do."""

from __future__ import annotations

import pytest
from memory_objects import memory_place

from lineage_tt.model.errors import InvalidRequestError, UnavailableError
from lineage_tt.storage.objects import Bucket, open_place
from lineage_tt.storage.options import Options

OPTIONS = {"region": "x", "access_key_id": "idOfMine", "secret_access_key": "s3cr3tW0rd", "endpoint": "https://h:9"}


def test_an_object_is_read_as_it_was_written() -> None:
    """And is gone after it was deleted; deleting what is not there is no error."""
    place = memory_place() / "a" / "b.json"
    tag = place.write_bytes(b"x")

    assert (place.read_bytes(), place.read().tag, place.head_tag(), place.exists()) == (b"x", tag, tag, True)
    place.unlink()
    assert not place.exists()
    place.unlink(missing_ok=True)
    for ask in (place.read, place.head_tag, place.read_bytes):
        with pytest.raises(FileNotFoundError):
            ask()


def test_a_conditional_put_decides_between_writers() -> None:
    """In the place of nothing, or of the object with a tag; whoever comes second is informed."""
    place = memory_place() / "head"
    first = place.write_if(b"1", None)
    with pytest.raises(FileExistsError):
        place.write_if(b"2", None)
    second = place.write_if(b"2", first)
    with pytest.raises(FileExistsError):
        place.write_if(b"3", first)

    assert (place.read_bytes(), place.head_tag()) == (b"2", second)


def test_a_folder_lists_what_is_below_in_order() -> None:
    """Names are those within the folder; another folder that begins alike is not in it."""
    folder = memory_place()
    for name in ("b", "a", "c/d"):
        (folder / name).write_bytes(name.encode())
    (folder.parent / "log2").write_bytes(b"")

    assert [(entry.name, entry.size) for entry in folder.below()] == [("a", 1), ("b", 1), ("c/d", 3)]
    assert [entry.name for entry in folder.below("a")] == ["b", "c/d"]
    assert [place.name for place in folder.iterdir()] == ["a", "b"]
    assert (folder.is_dir(), (folder / "none").is_dir()) == (True, False)


@pytest.mark.parametrize(
    ("pattern", "names"),
    [("*.json", ["1.json", "2.json"]), ("1*", ["1.json", "1.txt"]), ("2.json", ["2.json"]), ("[12].txt", ["1.txt"]),
     ("3*", [])],
)  # fmt: skip
def test_names_are_found_by_a_pattern(pattern: str, names: list[str]) -> None:
    """In the folder itself alone."""
    folder = memory_place()
    for name in ("1.json", "1.txt", "2.json", "0", "1/x.json"):
        (folder / name).write_bytes(b"")

    assert [place.name for place in folder.glob(pattern)] == names


def test_places_are_keys() -> None:
    """Equal by bucket and key, in the order of the keys, with a parent and a name."""
    folder = memory_place("a/b")

    assert (str(folder), folder.name, str(folder.parent), str(folder.parent.parent)) == (
        "s3://memory/a/b", "b", "s3://memory/a", "s3://memory",
    )  # fmt: skip
    assert folder / "c" == memory_place("a/b/c")
    assert len({folder, memory_place("a/b"), folder / "c"}) == 2
    assert sorted([folder / "y", folder / "x"]) == [folder / "x", folder / "y"]
    assert folder.parent.parent / "a" == folder.parent


def test_a_place_is_a_bucket_and_a_prefix() -> None:
    """Slashes more or less say nothing; places of one bucket share its connections."""
    one, two = open_place("bucket//a/b/", OPTIONS), open_place("bucket/c", OPTIONS)

    assert str(one) == "s3://bucket/a/b"
    assert one.bucket is two.bucket
    assert one.bucket is not open_place("bucket/c", OPTIONS | {"region": "y"}).bucket


@pytest.mark.parametrize("text", ["", "UPPER/x", "b", "bucket/../x", "bucket/a\\b", "bucket/a\x00", "-bucket/x"])
def test_what_cannot_be_a_place_is_rejected(text: str) -> None:
    """Before anything is asked of a server."""
    with pytest.raises(InvalidRequestError):
        open_place(text, OPTIONS)


@pytest.mark.parametrize(
    ("said", "hint"),
    [("<Code>NoSuchBucket</Code><Message>none</Message>", "there is no bucket mine at https://h:9"),
     ("<Code>SignatureDoesNotMatch</Code>", "fix the credentials"), ("error 503 SlowDown", "asks for fewer requests"),
     ("error sending request: dns error", "does not answer"), ("MissingCredentials", "no credentials are given"),
     ("anything else", "run the same command again")],
)  # fmt: skip
def test_a_servers_error_says_what_to_do(said: str, hint: str) -> None:
    """By the code that it gives, or the client's words."""
    bucket = Bucket("mine", Options(OPTIONS))

    assert hint in (bucket.failure("read", RuntimeError(said)).hint or "")


def test_an_error_shows_no_secret_and_no_request() -> None:
    """The client's debug output has both."""
    bucket = Bucket("mine", Options(OPTIONS))
    words = bucket.failure(
        "read", RuntimeError("url - no - after 8 retries, key s3cr3tW0rd\nDebug source: s3cr3t")
    ).message

    assert "s3cr3t" not in words
    assert words.startswith("cannot read: ")


def test_errors_of_the_system_are_the_products() -> None:
    """Those that say that there is no object, or another, stay what they are."""
    bucket = memory_place().bucket

    def fails(error: Exception) -> None:
        raise error

    with pytest.raises(UnavailableError, match="cannot list"):
        bucket.ask("list", lambda _: fails(OSError("broken")))
    with pytest.raises(FileExistsError):
        bucket.ask("list", lambda _: fails(FileExistsError()))
    with pytest.raises(UnavailableError):
        bucket.ask("list", lambda _: fails(FileNotFoundError("NoSuchBucket")))
