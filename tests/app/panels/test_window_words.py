import ast
import re
from pathlib import Path

import pytest

import core
from app.panels.window_words import in_window


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("1 % was never seen: show a guess there (--save confidence).",
         "1 % was never seen: show a guess there (tick Confidence)."),
        ("It is not there; say where it is now (--input), or put it back.",
         "It is not there; say where it is now, or put it back."),
        ("Do it again (--resume), replace all (--overwrite), or leave it.", "Do it again, replace all, or leave it."),
        ("It needs H.264; choose another --format.", "It needs H.264; choose another format."),
        ("mkv.mkv has none; --format prores or mp4 does.",
         "mkv.mkv has none; “ProRes 422 HQ film” or “H.264 film” does."),
        ("It has 8 bits; --format av1 has 10, mkv and png keep all.",
         "It has 8 bits; “AV1 film” has 10, “Lossless film (FFV1)” and “PNG images” keep all."),
        ("Work at its size (on the command line --size 64x48).", "Work at its size."),
        ("Give a file that a run with --save model wrote.", "Give a file that a run with “Model” wrote."),
        ("walk--day (2).mkv ends early.", "walk--day (2).mkv ends early."),
    ],
)  # fmt: skip
def test_a_sentence_names_what_the_window_has(said, shown):
    assert in_window(said) == shown


def sentences():
    """Return what is written as text in the program behind the window, its own commands aside."""
    for path in Path(core.__file__).parent.rglob("*.py"):
        if not {"bench", "training"} & set(path.parts):
            nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
            docstrings = {node.value for node in nodes if isinstance(node, ast.Expr)}
            written = (node.value for node in nodes if isinstance(node, ast.Constant) and node not in docstrings)
            yield from (text for text in written if isinstance(text, str) and re.search(r"[ (]--[a-z]", text))


def test_no_sentence_reaches_the_window_with_an_option():
    found = list(sentences())
    assert len(found) > 10
    assert [said for said in found if re.search(r"--[a-z]", in_window(said))] == []
