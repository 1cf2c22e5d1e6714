"""The commands `bench …`."""
