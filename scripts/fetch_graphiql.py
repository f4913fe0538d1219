"""Fetch GraphiQL and its peers with npm and vendor their unmodified browser builds; or check the vendored
files.

    python scripts/fetch_graphiql.py            fetch, copy, write manifest.json
    python scripts/fetch_graphiql.py --check    verify the checksums offline; exit 1 when a file differs

GraphiQL 3 is the last line with a self-contained browser build; later ones need a bundler.
"""

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

TARGET = Path(__file__).resolve().parent.parent / "catalog" / "server" / "static" / "graphiql"

PACKAGES: dict[str, tuple[str, dict[str, str]]] = {
    "graphiql": (
        "3.8.3",
        {
            "graphiql.min.js": "graphiql.min.js",
            "graphiql.min.css": "graphiql.min.css",
            "LICENSE": "LICENSE-graphiql",
        },
    ),
    "react": (
        "18.3.1",
        {"umd/react.production.min.js": "react.production.min.js", "LICENSE": "LICENSE-react"},
    ),
    "react-dom": (
        "18.3.1",
        {"umd/react-dom.production.min.js": "react-dom.production.min.js", "LICENSE": "LICENSE-react-dom"},
    ),
}
"""Package -> version and the files taken from it, each with its name here."""


def main() -> int:
    """Run the command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="verify the vendored files, without network")
    parser.add_argument("--target", type=Path, default=TARGET, help="folder of the vendored files")
    arguments = parser.parse_args()
    return check(arguments.target) if arguments.check else fetch(arguments.target)


def fetch(target: Path) -> int:
    """Fetch every package and copy its files."""
    npm = shutil.which("npm")
    if npm is None:
        print("npm is needed", file=sys.stderr)
        return 2
    target.mkdir(parents=True, exist_ok=True)
    entries: list[dict[str, Any]] = []
    for package, (version, wanted) in PACKAGES.items():
        with tempfile.TemporaryDirectory() as folder:
            command = [npm, "pack", "--silent", "--pack-destination", folder, f"{package}@{version}"]
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
            [archive] = Path(folder).glob("*.tgz")
            entries += copy(archive, package, version, wanted, target)
    manifest = json.dumps({"files": entries}, indent=2) + "\n"
    (target / "manifest.json").write_text(manifest, encoding="utf-8")
    return check(target)


def copy(
    archive: Path, package: str, version: str, wanted: dict[str, str], target: Path
) -> list[dict[str, Any]]:
    """Copy the wanted files out of a package archive; their manifest entries."""
    entries: list[dict[str, Any]] = []
    with tarfile.open(archive) as tar:
        for path, name in wanted.items():
            member = tar.extractfile(f"package/{path}")
            if member is None:
                raise FileNotFoundError(f"{package}@{version} has no {path}")
            data = member.read()
            (target / name).write_bytes(data)
            entries.append(
                {
                    "file": name,
                    "package": package,
                    "version": version,
                    "path": path,
                    "bytes": len(data),
                    "sha256": hashlib.sha256(data).hexdigest(),
                }
            )
    return entries


def check(target: Path) -> int:
    """Compare every vendored file with the manifest."""
    manifest = json.loads((target / "manifest.json").read_text(encoding="utf-8"))
    faults = 0
    for entry in manifest["files"]:
        path = target / entry["file"]
        good = path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == entry["sha256"]
        faults += not good
        print(f"{'ok     ' if good else 'DIFFERS'} {entry['file']} ({entry['package']} {entry['version']})")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
