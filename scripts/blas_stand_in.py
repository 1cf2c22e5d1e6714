"""Make a bundle smaller: one OpenBLAS, NumPy's, serves OpenCV too.

NumPy's has the same functions under names of its own, and whole numbers of 64 bits where OpenCV's have 32. The library
that comes in the place of OpenCV's passes each call on.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import elf

PRODUCTS = {"s": "float", "d": "double", "c": "const void *", "z": "const void *"}
"""Of the products of matrices, the type that factors are passed in."""

LAPACK = {
    "geev": "letter letter number array number array array array number array number array number info",
    "gels": "letter number number number array number array number array number info",
    "geqrf": "number number array number array array number info",
    "gesdd": "letter number number array number array array number array number array number room:8 info",
    "gesv": "number number array number pivots:0:0 array number info",
    "getrf": "number number array number pivots:0:1 info",
    "posv": "letter number number array number array number info",
    "potrf": "letter number array number info",
}
"""Of each routine, for single and double precision, what its parameters are; see LAPACK's reference.

``pivots:I:J`` are as many whole numbers as the smaller of the parameters I and J says, written; ``room:N`` is room for
N times the smaller of the parameters 1 and 2; ``info`` is one number, written. Parameters are counted from 0.
"""

TYPES = {"letter": "char *", "array": "void *"}

NO_ROOM = -1010
"""What LAPACKE returns where there is no memory."""


def replace(internal: Path, own: Path) -> bool:
    """Put a library that passes calls on to NumPy's OpenBLAS in the place of OpenCV's; False where that cannot be.

    Parameters
    ----------
    internal : Path
        The bundle's folder of libraries.
    own : Path
        OpenCV's OpenBLAS, in a folder of ``internal``.
    """
    other = next((internal / "numpy.libs").glob("libscipy_openblas64_*"), None)
    if other is None or shutil.which("gcc") is None:
        return False
    wanted = {symbol.partition("@")[0] for symbol in elf.asked(internal, own)}
    if wanted - set(functions()):
        return False
    make(other, own, f"$ORIGIN/../{other.parent.name}")
    return True


def make(other: Path, library: Path, search: str) -> None:
    """Write a library with all of `functions`, which finds NumPy's OpenBLAS, ``other``, in the folder ``search``."""
    with tempfile.TemporaryDirectory() as folder:
        code, made = Path(folder) / "blas.c", Path(folder) / library.name
        code.write_text("#include <stdlib.h>\n" + "".join(functions().values()))
        names = [f"-Wl,-soname,{library.name}", f"-Wl,-rpath,{search}", "-Wl,--build-id=none"]
        subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-o", str(made), str(code), *names, str(other)], check=True)
        library.unlink(missing_ok=True)
        shutil.copy(made, library)


def functions() -> dict[str, str]:
    """Return the functions that the library has, each by its name, in C."""
    products = {f"cblas_{kind}gemm": _product(kind, factor) for kind, factor in PRODUCTS.items()}
    return products | {f"{kind}{name}_": _routine(kind + name, LAPACK[name]) for name in LAPACK for kind in "sd"}


def _product(kind: str, factor: str) -> str:
    """Return a product of matrices: C passes its whole numbers by value, and makes them longer itself."""
    parameters = (
        "{i} order, {i} ta, {i} tb, {n} m, {n} n, {n} k, {f} alpha, const void *a, {n} lda, const void *b, {n} ldb, "
        "{f} beta, void *c, {n} ldc"
    )
    narrow, wide = (parameters.format(i="int", n=number, f=factor) for number in ("int", "long"))
    return (
        f"void scipy_cblas_{kind}gemm64_({wide});\n"
        f"void cblas_{kind}gemm({narrow})\n"
        f"{{ scipy_cblas_{kind}gemm64_(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc); }}\n"
    )


def _routine(name: str, described: str) -> str:
    """Return a routine of LAPACK: Fortran passes addresses, and the lengths of letters behind all else."""
    kinds = [kind.split(":") for kind in described.split()]
    narrow = ", ".join(f"{TYPES.get(kind[0], 'int *')}x{i}" for i, kind in enumerate(kinds))
    wide = [TYPES.get(kind[0], "long *") for kind in kinds] + ["size_t "] * described.split().count("letter")
    before, after, passed, rooms = "", "", [], []
    for i, (kind, *sizes) in enumerate(kinds):
        if kind == "number":
            before += f"    long y{i} = *x{i};\n"
        elif kind == "info":
            before += f"    long y{i} = {NO_ROOM};\n"
            after += f"    *x{i} = (int)y{i};\n"
        elif kind in ("pivots", "room"):
            times, (first, second) = (1, sizes) if kind == "pivots" else (sizes[0], (1, 2))
            rooms.append(f"y{i}")
            count = f"{times} * (*x{first} < *x{second} ? *x{first} : *x{second})"
            before += f"    const long n{i} = {count};\n"
            before += f"    long *y{i} = malloc((n{i} > 0 ? n{i} : 1) * sizeof(long));\n"
            if kind == "pivots":
                after += f"    for (long i = 0; y{i} && i < n{i}; i++) x{i}[i] = (int)y{i}[i];\n"
            after += f"    free(y{i});\n"
        passed.append(f"x{i}" if kind in TYPES else f"y{i}" if kind in ("pivots", "room") else f"&y{i}")
    passed += ["1"] * described.split().count("letter")
    only_with_room = f"if ({' && '.join(rooms)}) " if rooms else ""
    call = f"    {only_with_room}scipy_{name}_64_({', '.join(passed)});\n"
    return f"void scipy_{name}_64_({', '.join(wide)});\nvoid {name}_({narrow})\n{{\n{before}{call}{after}}}\n"
