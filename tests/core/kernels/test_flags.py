"""Every kernel states its flags, where it stands and what the compiler may assume."""

import ast
from pathlib import Path

import pytest

import core

ROOT = Path(core.__file__).parents[1]
KERNELS = ROOT / "core" / "kernels"

FLAGS = {"cache", "nogil", "fastmath", "error_model", "inline"}

HARMLESS = {"reassoc", "contract", "nsz", "arcp"}
"""What fastmath may allow. With nnan, ninf or all of it the compiler may assume that nothing is nan or infinite."""


def is_compiler(node: ast.expr) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name in {"njit", "jit", "vectorize", "guvectorize", "stencil", "cfunc", "jitclass"}


def faults(source: str, *, is_kernels: bool = True) -> list[str]:
    """Return what is wrong with the compiled functions of a module; only those of kernels may have any."""
    tree = ast.parse(source)
    compilers = [n for n in ast.walk(tree) if isinstance(n, ast.Name | ast.Attribute) and is_compiler(n)]
    if not is_kernels:
        return [f"line {n.lineno}: compiled, but no kernel" for n in compilers]
    found, stated, emitted = [], [], emitting(tree)
    for function in (n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name not in emitted):
        calls = [d for d in function.decorator_list if isinstance(d, ast.Call) and is_compiler(d.func)]
        stated += [call.func for call in calls]
        if len(calls) != 1:
            found.append(f"{function.name}: not compiled, or without flags")
        for call in calls:
            found += [f"{function.name}: {fault}" for fault in faulty_flags(call)]
    return found + [f"line {n.lineno}: compiled within a function, or not as a decorator" for n in compilers
                    if n not in stated]  # fmt: skip


def emitting(tree: ast.Module) -> set[str]:
    """Names of functions that write instructions while others are compiled, and of those that they stand for."""
    found = set()
    for function in (n for n in tree.body if isinstance(n, ast.FunctionDef)):
        for d in function.decorator_list:
            if isinstance(d, ast.Name) and d.id == "intrinsic":
                found.add(function.name)
            elif isinstance(d, ast.Call) and isinstance(d.func, ast.Name) and d.func.id == "overload":
                found |= {function.name, *(x.id for x in d.args if isinstance(x, ast.Name))}
    return found


def faulty_flags(call: ast.Call) -> list[str]:
    flags = {k.arg: ast.literal_eval(k.value) for k in call.keywords}
    name = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id
    fastmath = flags.get("fastmath", set())
    rules = {
        f"{name} instead of njit": name != "njit",
        "signatures miss numba's cache": bool(call.args),
        "cache=True, nogil=True not stated": not flags.get("cache") is flags.get("nogil") is True,
        "fastmath names what is harmless": not isinstance(fastmath, set) or not fastmath <= HARMLESS,
        # parallel=True could be called from one thread only: numba's workqueue ends the process on concurrent use.
        f"flags beside {', '.join(sorted(FLAGS))}": not flags.keys() <= FLAGS,
    }
    return [rule for rule, is_broken in rules.items() if is_broken]


def test_every_kernel_states_its_flags():
    modules = sorted(KERNELS.rglob("*.py"))
    assert len(modules) > 10
    assert [f"{path.name}: {fault}" for path in modules for fault in faults(path.read_text())] == []


def test_nothing_is_compiled_elsewhere():
    modules = [p for folder in ("core", "app", "scripts") for p in sorted((ROOT / folder).rglob("*.py"))]
    others = [path for path in modules if KERNELS not in path.parents]
    found = [f"{p.relative_to(ROOT)}: {fault}" for p in others for fault in faults(p.read_text(), is_kernels=False)]
    assert found == []


GOOD = "@njit(cache=True, nogil=True)\ndef f(x): return x\n"


def test_what_instructions_are_written_for_needs_none():
    written = "def f(x): return x\n@intrinsic\ndef _f(_, x): return x\n@overload(f)\ndef _of_f(x): return _f\n"
    assert faults(written) == []
    assert faults(written.replace("overload(f)", "overload(_f)")) == ["f: not compiled, or without flags"]


@pytest.mark.parametrize("flags", ["", ", fastmath={'reassoc', 'nsz'}", ", error_model='numpy'", ", inline='always'"])
def test_these_flags_are_right(flags):
    assert faults(GOOD.replace(")\ndef", f"{flags})\ndef")) == []


@pytest.mark.parametrize(
    "source",
    [
        "def f(x): return x",
        "@njit\ndef f(x): return x",
        "@njit(cache=True)\ndef f(x): return x",
        "@njit(nogil=True, cache=False)\ndef f(x): return x",
        "@numba.njit(nogil=True)\ndef f(x): return x",
        "@njit('f8(f8)', cache=True, nogil=True)\ndef f(x): return x",
        "@njit(cache=True, nogil=True, fastmath=True)\ndef f(x): return x",
        "@njit(cache=True, nogil=True, fastmath={'nnan'})\ndef f(x): return x",
        "@njit(cache=True, nogil=True, fastmath={'reassoc', 'ninf'})\ndef f(x): return x",
        "@njit(cache=True, nogil=True, parallel=True)\ndef f(x): return x",
        "@jit(cache=True, nogil=True)\ndef f(x): return x",
        "@vectorize(cache=True, nogil=True)\ndef f(x): return x",
        "f = njit(cache=True, nogil=True)(abs)",
        f"{GOOD}def g():\n    @njit(cache=True, nogil=True)\n    def h(x): return x\n    return h",
        f"{GOOD}@jitclass\nclass Kernel: pass",
    ],
)
def test_wrong_flags_are_found(source):
    assert len(faults(source)) > 0


def test_a_compiled_function_is_found_among_others():
    assert faults(GOOD, is_kernels=False) == ["line 1: compiled, but no kernel"]
    assert faults("from core.kernels import masks\nmasks.f(3)", is_kernels=False) == []
