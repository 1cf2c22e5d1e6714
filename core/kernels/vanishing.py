"""The size below which numbers that shrink by factors count as 0."""

VANISHED = 2.0**-126
"""The smallest normal number of float32.

What is below takes a processor some ten times as long, and multiplicative updates end there: what shrinks by a part
in each never reaches 0. Larger numbers stay, as an update may let them grow again.
"""
