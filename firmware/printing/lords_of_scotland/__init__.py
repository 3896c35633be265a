"""The deck of Lords of Scotland in the project's own drawing."""
