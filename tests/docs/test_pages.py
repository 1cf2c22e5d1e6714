"""The documentation: pages made from the program are up to date, links lead somewhere, examples run."""

import re
import sys
import tomllib
import zlib
from pathlib import Path

import pytest

from app.cli.main import invoke

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
sys.path.insert(0, str(ROOT / "scripts"))

import reference_pages  # noqa: E402

PAGES = sorted(DOCS.glob("*.md"))
SITE = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!\\)!?\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)")

MOST_BYTES = 4_200_000
"""All pictures together: a checkout stays small."""


def links(page: Path) -> list[re.Match[str]]:
    return list(LINK.finditer(CODE.sub("", page.read_text(encoding="utf-8"))))


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page: of its headings, as the site makes them, and those that it names."""
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    plain = (re.sub(r"[^\w\s-]", "", heading).strip().lower() for heading in headings)
    return {re.sub(r"[-\s]+", "-", heading) for heading in plain} | set(re.findall(r'<a id="([\w-]+)">', text))


@pytest.mark.parametrize("name", reference_pages.PAGES)
def test_a_page_made_from_the_program_is_up_to_date(name):
    written = (DOCS / name).read_text(encoding="utf-8")
    assert written == reference_pages.PAGES[name](), f"docs/{name} is out of date: run scripts/reference_pages.py"


def test_every_parameter_is_on_its_page():
    page = (DOCS / "parameters.md").read_text(encoding="utf-8")
    for method in reference_pages.catalogue.METHODS.values():
        part = page.split(f"### `{method.key}`:")[1].split("\n##")[0]
        for parameter in method.parameters:
            assert f"| `{parameter.name}` |" in part, (method.key, parameter.name)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for link in links(page):
        target, _, anchor = link["target"].partition("#")
        if "://" in target:
            continue
        aim = (page.parent / target) if target else page
        assert aim.exists(), link[0]
        assert aim.resolve().is_relative_to(DOCS), f"{link[0]} leaves the site"
        assert not anchor or anchor in anchors(aim), link[0]


def test_pages_of_the_project_link_to_what_is_there():
    for page in ROOT.glob("*.md"):
        for link in links(page):
            target = link["target"].partition("#")[0]
            assert "://" in target or not target or (ROOT / target).exists(), (page.name, link[0])


def test_the_site_lists_every_page_and_no_other():
    listed = re.findall(r": ([\w-]+\.md)$", SITE, re.MULTILINE)
    assert sorted(listed) == [page.name for page in PAGES]


def test_every_picture_is_shown_and_all_are_small():
    shown = {(DOCS / link["target"]).resolve() for page in PAGES for link in links(page)}
    shown |= {
        (ROOT / target).resolve() for target in re.findall(r"docs/[\w/-]+\.png", (ROOT / "README.md").read_text())
    }
    pictures = set(DOCS.rglob("*.png"))
    assert pictures <= shown, f"no page shows {sorted(path.name for path in pictures - shown)}"
    assert sum(path.stat().st_size for path in pictures) < MOST_BYTES
    for page in PAGES:
        for link in links(page):
            assert not link[0].startswith("!") or link["text"], f"{page.name}: {link[0]} says nothing to who cannot see"


def test_the_pictures_of_jobs_are_those_that_the_script_takes():
    script = (ROOT / "scripts" / "job_steps.py").read_text(encoding="utf-8")
    taken = re.findall(r"robot\.picture\(\"([\w-]+)\"", script)
    assert sorted(taken) == sorted(path.stem for path in (DOCS / "jobs").iterdir())


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A folder with what a small run wrote, as the examples name it."""
    folder = tmp_path_factory.mktemp("results")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        words = "run sample:street -o out --frames 1:30 --passes 1 --quiet --save"
        assert invoke([*words.split(), "plate,mask,coefficients,curves,events,model"]) == 0
        (folder / "day.cleanplate").write_text('{"method": "fast"}')
    return folder


@pytest.mark.parametrize("name", ["python.md", "formats.md"])
def test_examples_run(name, results, tmp_path, monkeypatch):
    monkeypatch.chdir(results if name == "formats.md" else tmp_path)
    page = (DOCS / name).read_text(encoding="utf-8")
    examples = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(examples) >= 5
    known: dict[str, object] = {}
    for example in examples:
        exec(compile(example, name, "exec"), known)
    if name == "python.md":
        assert len(known["masks"]) == 20
        assert known["summary"].frames == len(known["share"]) == 40
        assert zlib.crc32(known["mask"].tobytes())
    else:
        assert known["mask"].ndim == 2
        assert known["h"].shape[0] == len(known["frame"]) == 30
        assert known["header"]["method"] == known["project"]["method"] == "fast"


def test_commands_in_the_pages_are_understood(monkeypatch):
    """Every ``cleanplate run`` of the pages names options and values that there are."""
    import typer

    from app.cli import main

    options = {name for p in typer.main.get_command(main.app).commands["run"].params for name in p.opts}
    known = reference_pages.catalogue.METHODS["fast"]
    names = set(reference_pages.catalogue.parameters(known))
    for page in PAGES:
        for command in re.findall(r"cleanplate run [^`\n]*", page.read_text(encoding="utf-8")):
            words = command.split("#")[0].split()
            assert {word for word in words if word.startswith("-")} <= options, (page.name, command)
            for setting in (words[i + 1] for i, word in enumerate(words) if word == "--set" and "=" in words[i + 1]):
                assert setting.split("=")[0] in names | {"NAME"}, (page.name, command)


def test_the_site_needs_only_what_the_extra_brings():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert any(name.startswith("mkdocs-material") for name in extras["docs"])
