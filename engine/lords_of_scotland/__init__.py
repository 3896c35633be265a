"""Lords of Scotland for two to five players: its cards, its position, its powers and its law."""
