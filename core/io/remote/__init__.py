"""Inputs and results at addresses such as ``s3://bucket/clips``: fetched before a run, uploaded after it."""
