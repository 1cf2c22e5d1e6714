"""Every kernel beside its twin: how they are found, compared, and how a twin is made wrong."""

import ast
import copy
import importlib
import inspect
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import ANY

import numpy as np

import core.kernels

KERNELS = Path(core.kernels.__file__).parent


@dataclass(frozen=True)
class Tolerance:
    """How far a kernel may be from its twin: nowhere, unless said.

    Attributes
    ----------
    relative : float
        Of floating point: in parts of the largest value of the array.
    rounded : float
        Of whole numbers: the share of them that may be off by one, as rounding falls the other way.
    """

    relative: float = 0.0
    rounded: float = 0.0


EXACT = Tolerance()


@dataclass(frozen=True)
class Twin:
    """A row of the table.

    Attributes
    ----------
    kernel : str
        Its name; ``name(first parameter)`` where several modules have one of that name.
    obvious : function
        Takes what the kernel takes, writes where it writes, and returns what it returns; ANY where the docstring
        leaves that open, and masked where it leaves values of an array open.
    cases : function
        Yields the arguments of one call after the other; masked where the kernel may write anything and its twin
        writes nothing.
    wrong : pairs of str
        What stands once in the source of the twin, and what makes it wrong in its place.
    tolerance : Tolerance
    scratch : names of parameters
        That the kernel overwrites with what nobody reads.
    """

    kernel: str
    obvious: Callable
    cases: Callable[[], Iterable[tuple]]
    wrong: tuple[tuple[str, str], ...]
    tolerance: Tolerance = EXACT
    scratch: tuple[str, ...] = ()

    def mutants(self):
        for old, new in self.wrong:
            yield f"{old!r} -> {new!r}", mutant(self.obvious, old, new)


def mutant(function, old, new):
    """A function with a piece of its source replaced."""
    source = inspect.getsource(function)
    assert source.count(old) == 1, f"{function.__name__}: {old!r} stands there {source.count(old)} times"
    scope = dict(vars(sys.modules[function.__module__]))
    exec(source.replace(old, new), scope)
    return scope[function.__name__]


def difference(kernel, twin, arguments, tolerance=EXACT, scratch=()):
    """Run both on copies of the arguments; return what differs first, in words, or None."""
    got, wanted = [_copied(a) for a in arguments], copy.deepcopy(arguments)
    results = [("what is returned", kernel(*got), twin(*wanted))]
    names = inspect.signature(getattr(kernel, "py_func", kernel)).parameters
    results += [(name, *pair) for name, *pair in zip(names, got, wanted, strict=True) if name not in scratch]
    return next((found for result in results if (found := _apart(*result, tolerance))), None)


def _copied(argument):
    """Return a copy, of an array a part of a wider one where this is one: kernels are compiled for either anew."""
    if isinstance(argument, tuple) and hasattr(argument, "_make"):
        return argument._make(map(_copied, argument))
    if not isinstance(argument, np.ndarray):
        return argument
    array = np.ma.getdata(argument)
    if array.flags.forc:
        return array.copy()
    part = np.empty((*array.shape[:-1], array.shape[-1] + 1), array.dtype)[..., :-1]
    part[...] = array
    return part


def _apart(name, got, wanted, tolerance):
    if wanted is ANY:
        return None
    if isinstance(wanted, tuple):
        assert len(got) == len(wanted)
        parts = enumerate(zip(got, wanted, strict=True))
        return next((found for i, pair in parts if (found := _apart(f"{name}, {i}", *pair, tolerance))), None)
    if wanted is None or got is None:
        return None if wanted is got else f"{name}: {got} instead of {wanted}"
    got, wanted = np.asarray(got), np.ma.asarray(wanted)
    if got.shape != wanted.shape:
        return f"{name}: shape {got.shape} instead of {wanted.shape}"
    is_set = ~np.ma.getmaskarray(wanted)
    got, wanted = got[is_set], np.ma.getdata(wanted)[is_set]
    if np.issubdtype(got.dtype, np.floating):
        finite = np.isfinite(wanted)
        if not np.array_equal(got[~finite], wanted[~finite], equal_nan=True):
            return f"{name}: what is not finite differs"
        off = np.abs(got[finite].astype(float) - wanted[finite])
        largest = np.abs(wanted[finite]).max(initial=0)
        if not (off <= tolerance.relative * largest).all():
            return f"{name}: off by {off.max():.3g} where the largest is {largest:.3g}"
        return None
    off = np.abs(got.astype(np.int64) - wanted.astype(np.int64))
    if off.max(initial=0) > (tolerance.rounded > 0) or np.count_nonzero(off) > tolerance.rounded * off.size:
        return f"{name}: {np.count_nonzero(off)} of {off.size} differ, by {off.max()} at most"
    return None


def kernels():
    """Every public compiled function of ``core/kernels``, by the name that the table gives it."""
    found = {}
    for path in sorted(KERNELS.glob("*.py")):
        for function in ast.parse(path.read_text()).body:
            if isinstance(function, ast.FunctionDef) and not function.name.startswith("_") and _is_compiled(function):
                found.setdefault(function.name, []).append((path.stem, function.args.args[0].arg))
    return {
        name if len(places) == 1 else f"{name}({first})": getattr(importlib.import_module(f"core.kernels.{stem}"), name)
        for name, places in found.items()
        for stem, first in places
    }


def _is_compiled(function):
    calls = (d.func if isinstance(d, ast.Call) else d for d in function.decorator_list)
    return any((c.attr if isinstance(c, ast.Attribute) else getattr(c, "id", "")) == "njit" for c in calls)
