"""Measurements that anyone can repeat: speed, and later masks, plates and convergence."""
