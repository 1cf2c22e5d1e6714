"""The batch counterparts of Zhao and Tan's online methods."""
