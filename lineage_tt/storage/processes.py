"""Processes of this machine as seen by other processes: alive, stopped, or replaced by another with the same id."""

from __future__ import annotations

import gc
import hashlib
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import get_ident
from typing import Any

import orjson


def this_process() -> dict[str, Any]:
    """Return what identifies this process among all others: machine, process id and start, as a JSON object."""
    return dict(_described(os.getpid()))


def this_thread() -> dict[str, Any]:
    """Return what the holder of a lock notes about itself: its process and thread."""
    return {"holder": this_process(), "thread": get_ident()}


def is_of_this_thread(note: bytes) -> bool:
    """Return whether a lock's holder, by its note, is another writer in this same thread."""
    noted = _noted(note)
    return noted.get("thread") == get_ident() and noted.get("holder") == this_process()


def number_in(note: bytes, name: str) -> int:
    """Return a number that a lock's holder noted; 0 where the note does not have it."""
    number = _noted(note).get(name)
    return number if isinstance(number, int) else 0


def _noted(note: bytes) -> dict[str, Any]:
    try:
        noted = orjson.loads(note)
        return noted if isinstance(noted, dict) else {}
    except ValueError:  # being written, or none yet
        return {}


def is_here(who: dict[str, Any]) -> bool:
    """Return whether a process described by ``this_process`` runs on this machine, where this process can see it."""
    return bool(machine()) and who.get("machine") == machine()


def is_stopped(who: dict[str, Any]) -> bool:
    """Return whether a process is known to be suspended (SIGSTOP, a debugger); False where this is not known."""
    if not is_here(who):
        return False
    fields = _stat(int(who["process"]))
    return len(fields) > 19 and fields[19] == who.get("started") and fields[0] in "Tt"


@lru_cache(maxsize=1)
def _described(process: int) -> dict[str, Any]:
    return {"machine": machine(), "process": process, "started": started(process)}


@lru_cache(maxsize=1)
def machine() -> str:
    """Return what identifies one boot of one machine and one process namespace in it; empty if nothing does."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            boot = file.read().strip()
        named = f"{socket.gethostname()} {boot} {os.readlink('/proc/self/ns/pid')}"
        return hashlib.sha256(named.encode()).hexdigest()[:32]  # readers of the store need not know the machine
    except OSError:
        return ""


def started(process: int) -> str:
    """Return when a process started, in the kernel's ticks; empty where it does not exist or is a zombie."""
    fields = _stat(process)
    return "" if not fields or fields[0] in "ZX" else fields[19]


def _stat(process: int) -> list[str]:
    """Return the fields of ``/proc/<process>/stat`` from the state on, empty where there is no such process."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return []


@contextmanager
def no_collections() -> Iterator[None]:
    """Stop the garbage collector inside the block: it would repeatedly scan millions of values that form no cycle."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
