"""A long run in pieces: what each of them wrote, put together."""
