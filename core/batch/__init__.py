"""Many runs: which jobs there are, where their results go, which are done, and who runs them."""
