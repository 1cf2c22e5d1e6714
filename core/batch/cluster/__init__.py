"""Runs jobs on the workers of a dask scheduler (dask.distributed, of the extra ``cluster``)."""
