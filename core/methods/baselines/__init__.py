"""The online methods that the papers compare theirs with, one rule a file (`core.methods.rules.StreamRule`)."""
