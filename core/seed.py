"""The range of random seeds, from 0 on, the same wherever one is given."""

LARGEST_SEED = 2**31 - 1
"""A form's field for whole numbers holds no larger one."""
