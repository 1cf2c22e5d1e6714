"""Where results go: picture sequences and films, complete under their final name or not there at all."""
