"""The machine underneath: libraries, display, logs."""
