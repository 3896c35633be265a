"""Schotten Totten: its cards, its formations, its claims and its law."""
