"""The mathematics and the stream: sources, methods, masks, sessions and sinks, without a window."""
