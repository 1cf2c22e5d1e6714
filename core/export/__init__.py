"""One run into files: what is asked, its products, and their writer."""
