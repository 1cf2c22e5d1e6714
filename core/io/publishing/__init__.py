"""How results get their final names: all together or none, also where the program is killed meanwhile."""
