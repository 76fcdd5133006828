"""Laboratory kit: builds its rounds and checks their answers."""
