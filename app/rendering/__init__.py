"""Pictures of reports; no Qt here."""
