"""NMF with six divergences, online and batch (Zhao, Tan and Xu 2017)."""
