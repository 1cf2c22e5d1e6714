"""The mathematics of factorization: constraints, penalties, losses, encoders and dictionary rules."""
