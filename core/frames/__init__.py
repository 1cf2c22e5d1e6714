"""What goes down the path: frames, their layout and colours, splits; and what is done to pictures as such."""
