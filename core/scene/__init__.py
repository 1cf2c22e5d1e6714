"""What is known of one scene: the clean plate, its light, the camera's shake; and the masks."""
