"""The papers' experiments, each a module with one generator; `registry` lists them."""
