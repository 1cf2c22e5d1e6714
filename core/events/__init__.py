"""What moved, and when: connected regions of masks, linked through the frames into events; activity over time."""
