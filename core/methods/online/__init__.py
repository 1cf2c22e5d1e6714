"""Online robust NMF of Zhao and Tan (2016, 2017)."""
