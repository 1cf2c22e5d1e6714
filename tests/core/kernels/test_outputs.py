"""What a kernel writes comes last among its arguments: a call reads from what is known to what is found."""

import ast

import pytest

from tests.core.kernels.test_flags import KERNELS

NUMBERS = {"int", "float", "bool", "Scalar"}
"""Annotations of arguments that no kernel can write to."""

UPDATED = {"learn_band": "W, B", "drop_small": "runs"}
"""Kernels that bring up to date, or use up, what they also go by: no outputs."""


def written(function: ast.FunctionDef) -> set[str]:
    """Return the names whose entries a function assigns, itself or by the name of a row of them."""
    targets, rows = [], {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            targets += node.targets
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            names = node.targets[0].elts if isinstance(node.targets[0], ast.Tuple) else node.targets
            rows |= {
                name.id: value.value.id for name, value in zip(names, values, strict=False)
                if isinstance(name, ast.Name) and isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name)
            }  # fmt: skip
        elif isinstance(node, ast.AugAssign):
            targets.append(node.target)
    entries = [n for target in targets for n in ast.walk(target) if isinstance(n, ast.Subscript)]
    found = {n.value.id for n in entries if isinstance(n.value, ast.Name)}
    return found | {rows[name] for name in found if name in rows}


def late_inputs(source: str) -> list[str]:
    """Return the numbers that public functions of a module take after what they write."""
    found = []
    for function in (n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef) and n.name[0] != "_"):
        known = UPDATED.get(function.name, "").split(", ")
        arguments, changed = function.args.args, written(function) - set(known)
        first = next((i for i, a in enumerate(arguments) if a.arg in changed), len(arguments))
        found += [f"{function.name}: {a.arg}" for a in arguments[first:] if ast.unparse(a.annotation) in NUMBERS]
    return found


@pytest.mark.parametrize("path", sorted(KERNELS.glob("*.py")), ids=lambda path: path.stem)
def test_kernels_take_what_they_write_last(path):
    assert late_inputs(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("body", "found"),
    [("out[n] = 1", ["k: n"]), ("out[n, 0] += 1", ["k: n"]), ("a, b = 1, out[n]; b[0] = 2", ["k: n"]),
     ("a = out[n]", []), ("n = 2", [])],
)  # fmt: skip
def test_a_number_behind_an_output_is_found(body, found):
    assert late_inputs(f"def k(v: Floats, out: Floats, n: int) -> None:\n    {body}\n") == found
    assert late_inputs(f"def k(v: Floats, n: int, out: Floats) -> None:\n    {body}\n") == []
