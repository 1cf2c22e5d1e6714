"""A cluster and a store of objects on this machine, and what is tried on them: python -m tests.cluster."""
