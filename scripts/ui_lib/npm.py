"""One package of npm at a version, checked against the checksum that we state."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path


def packed(package: str, version: str, integrity: str) -> dict[str, bytes]:
    """Return the files of a package by their paths in it; exits where the checksum is another.

    Asks the registry that npm is set up for.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", "--silent", "--ignore-scripts", f"{package}@{version}"]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        (path,) = Path(folder).glob("*.tgz")
        digest = base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()
        if f"sha512-{digest}" != integrity:
            sys.exit(f"error: {package} {version} has another checksum than we state")
        with tarfile.open(path) as archive:
            opened = {member.name: archive.extractfile(member) for member in archive.getmembers() if member.isfile()}
            return {name.partition("/")[2]: held.read() for name, held in opened.items() if held is not None}
