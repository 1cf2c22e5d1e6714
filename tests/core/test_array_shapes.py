"""What functions say of the arrays that they take."""

import ast
import re
from pathlib import Path

import core

FOLDER = Path(core.__file__).parent
SIZE = r"(\d+ )?\w+( ?[+−×/] ?\w+)*"
SHAPE = re.compile(rf"\((\.\.\.|{SIZE}),( {SIZE},?)*\)|\bshapes?\b")
"""As in (H, W), (2 CELLS,), (K − 1, F) and "of any shape"."""

DRAWN = ["io/sources/samples/painting.py: rounded", "io/sources/samples/painting.py: softened"]
"""Still to be said: of what draws the samples."""


def array_types(trees):
    """Return the names by which modules call arrays."""
    names = {"NDArray"}
    for tree in trees:
        for node in tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("NDArray["):
                names.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return names


def takes_arrays(function, names):
    """Tell whether a function has parameters that are arrays; what was saved has a schema, which says its shapes."""
    arguments = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    said = [one.annotation for one in arguments if one.annotation is not None]
    return any(
        isinstance(node, ast.Name) and node.id in names
        for annotation in said if "Mapping" not in ast.unparse(annotation) for node in ast.walk(annotation)
    )  # fmt: skip


def silent(trees):
    """Return the public functions of modules that take arrays and say nothing of their shape."""
    names = array_types(trees.values())
    return [
        f"{where}: {node.name}"
        for where, tree in trees.items() for node in tree.body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and takes_arrays(node, names)
        and not SHAPE.search(ast.get_docstring(node) or "")
    ]  # fmt: skip


def test_public_functions_with_arrays_say_their_shapes():
    trees = {
        path.relative_to(FOLDER).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(FOLDER.rglob("*.py"))
    }
    assert silent(trees) == DRAWN


def test_that_sees_a_function_that_says_nothing():
    source = '''
Map = NDArray[np.float32]
def scaled(x: Map) -> Map:
    """Return (twice) an array, or more (of it, mostly)."""
def told(x: Map | None) -> Map:
    """Return an array (n, F) again."""
def _own(x: Map) -> Map:
    """Return an array."""
def of_number(x: float) -> Map:
    """Return an array."""
'''
    assert silent({"a.py": ast.parse(source)}) == ["a.py: scaled"]
