"""The words of the game, one file a language, each with the same keys."""
