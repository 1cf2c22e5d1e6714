"""Online robust NMF for video: coefficients from a sample of pixels, the dictionary by coordinate descent."""
