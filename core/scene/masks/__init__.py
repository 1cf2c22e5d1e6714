"""From splits to masks and mattes."""
