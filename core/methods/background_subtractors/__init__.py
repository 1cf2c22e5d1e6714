"""What people use without factorization: the temporal median, and OpenCV's MOG2 and KNN."""
