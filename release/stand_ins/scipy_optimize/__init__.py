"""In a bundle, in the place of SciPy's package of this name: the one function of it that the program calls."""

from scipy.optimize._lsap import linear_sum_assignment

__all__ = ["linear_sum_assignment"]
