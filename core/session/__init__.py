"""The loop: frames go down the path once, and a report comes out for each."""
