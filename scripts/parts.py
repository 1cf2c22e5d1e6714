"""List what the hand-outs are made of: every part with its licence, and all of them as CycloneDX; in dist/.

    make sbom                           dist/LICENCES.txt and dist/cleanplate-VERSION.cdx.json
    python scripts/parts.py --check     only tell of parts without a licence; ends with status 1 where there are any

The parts are the distributions that the program needs, as they are installed here, Python, and, once the bundle was
made, the libraries of the system that it took in.
"""

from __future__ import annotations

import argparse
import ast
import json
import platform
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
NAME = "cleanplate"
TABLES = ROOT / "build" / "bundle" / NAME
"""Where PyInstaller writes down what it took."""

BUNDLED = ROOT / "dist" / NAME / "_internal"
"""What is left of that."""

SYSTEM = ("/usr/lib/", "/lib/", "/usr/share/fonts/")
TEXTS = ("licen", "copying", "copyright", "notice", "authors")
"""How the names of files with the words of a licence begin."""


@dataclass(frozen=True)
class Part:
    """A part of the hand-outs.

    Attributes
    ----------
    name, version : str
    licence : str
        In short; empty where nobody says.
    texts : tuple of str
        The licence's words.
    purl : str
        The part's address among packages.
    """

    name: str
    version: str
    licence: str
    texts: tuple[str, ...]
    purl: str


def main(arguments: list[str]) -> int:
    """Write both lists; returns 1 where a part has no licence."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where they go")
    options = parser.parse_args(arguments)
    parts = all_parts()
    if not options.check:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "LICENCES.txt").write_text(licences(parts), encoding="utf-8")
        bill = options.out / f"{NAME}-{parts[0].version}.cdx.json"
        bill.write_text(json.dumps(bill_of_materials(parts), indent=2, sort_keys=True) + "\n", encoding="utf-8")
        print(f"{len(parts)} parts: {options.out / 'LICENCES.txt'}, {bill}")
    unknown = [part.name for part in parts if not part.licence]
    if unknown:
        print(f"Without a licence: {', '.join(unknown)}.", file=sys.stderr)
    return 1 if unknown else 0


def all_parts() -> list[Part]:
    """Return the program, all that it needs, Python, and what a bundle took of the system."""
    needed = {canonicalize_name(NAME): distribution(NAME)}
    waiting = [NAME]
    while waiting:
        for line in distribution(waiting.pop()).requires or []:
            requirement = Requirement(line)
            key = canonicalize_name(requirement.name)
            if key not in needed and (requirement.marker is None or requirement.marker.evaluate({"extra": ""})):
                needed[key] = distribution(key)
                waiting.append(key)
    own = needed.pop(canonicalize_name(NAME))
    parts = [of_distribution(own), *(of_distribution(needed[key]) for key in sorted(needed)), python()]
    return [*parts, *map(of_debian, system_packages())]


def of_distribution(found: Distribution) -> Part:
    """Return an installed distribution as a part."""
    name, about = canonicalize_name(found.metadata["Name"]), found.metadata
    classified = [x.rpartition(" :: ")[2] for x in about.get_all("Classifier") or [] if x.startswith("License ::")]
    said = (about.get("License") or "").strip()
    licence = about.get("License-Expression") or "; ".join(classified) or (said.splitlines() or [""])[0]
    files = [path for path in found.files or [] if ".dist-info" in str(path) and path.name.lower().startswith(TEXTS)]
    texts = [Path(str(found.locate_file(path))).read_text(errors="replace") for path in sorted(files)]
    return Part(name, found.version, licence, tuple(texts), f"pkg:pypi/{name}@{found.version}")


def python() -> Part:
    """Return Python itself."""
    path = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    version = platform.python_version()
    text = (path.read_text(errors="replace"),) if path.exists() else ()
    return Part("python", version, "PSF-2.0", text, f"pkg:generic/python@{version}")


def system_packages() -> list[str]:
    """Return the Debian packages of the files that the last bundle took of the system and still has, sorted."""
    files: set[str] = set()
    for table in TABLES.glob("COLLECT-*.toc"):
        for entry in ast.literal_eval(table.read_text())[0]:
            kept = BUNDLED / entry[0]
            if str(entry[1]).startswith(SYSTEM) and kept.is_file() and not kept.is_symlink():
                files.add(str(Path(entry[1]).resolve()))
    names = set()
    for file in files:
        # Debian lists files below /lib or below /usr/lib, which are one folder.
        for path in (file, file.removeprefix("/usr")):
            told = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True, check=False).stdout
            names |= {line.partition(":")[0] for line in told.splitlines()}
    return sorted(names)


def of_debian(name: str) -> Part:
    """Return a package of Debian as a part; its copyright file names the licences."""
    query = ["dpkg-query", "-W", "-f", "${Version}", name]
    version = subprocess.run(query, capture_output=True, text=True, check=True).stdout
    path = Path("/usr/share/doc") / name / "copyright"
    text = path.read_text(errors="replace") if path.exists() else ""
    short = sorted({line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("License:")} - {""})
    licence = "; ".join(short) or ("see its copyright file" if text else "")
    return Part(name, version, licence, (text,), f"pkg:deb/debian/{name}@{version}")


def licences(parts: list[Part]) -> str:
    """Return a table of the parts, and below it the words of each licence."""
    width = max(len(f"{part.name} {part.version}") for part in parts)
    lines = [f"{f'{part.name} {part.version}':{width}}  {part.licence or 'unknown'}" for part in parts]
    words = [f"\n{'=' * 100}\n{part.name} {part.version}\n\n" + "\n\n".join(part.texts) for part in parts if part.texts]
    return "\n".join(["What Cleanplate is made of, and under which licences.", "", *lines, *words]) + "\n"


def bill_of_materials(parts: list[Part]) -> dict[str, object]:
    """Return the parts as CycloneDX: what its own tool says of this environment, less what only makes hand-outs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "all.json"
        tool = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible", "--spec-version", "1.6"]
        project = ["--pyproject", str(ROOT / "pyproject.toml"), "-o", str(path), sys.executable]
        subprocess.run([*tool, *project], check=True)
        bill: dict[str, object] = json.loads(path.read_text())
    wanted = {part.purl.partition("@")[0]: part for part in parts[1:]}
    listed = bill["components"]
    assert isinstance(listed, list)
    kept = [item for item in listed if str(item.get("purl", "")).partition("@")[0] in wanted]
    there = {str(item["purl"]).partition("@")[0] for item in kept}
    kept += [as_component(part) for purl, part in wanted.items() if purl not in there]
    refs = {item["bom-ref"] for item in kept} | {"root-component"}
    tied = bill.get("dependencies", [])
    assert isinstance(tied, list)
    links = [
        {**link, "dependsOn": [ref for ref in link.get("dependsOn", []) if ref in refs]}
        for link in tied
        if link["ref"] in refs
    ]
    return {**bill, "components": kept, "dependencies": links}


def as_component(part: Part) -> dict[str, object]:
    """Return what CycloneDX's tool does not know of: Python, and libraries of the system."""
    return {
        "type": "library", "bom-ref": part.purl, "name": part.name, "version": part.version, "purl": part.purl,
        "licenses": [{"license": {"name": part.licence or "unknown"}}],
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
