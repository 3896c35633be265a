"""What is printed and played with: the mat, loose markers and a deck of the project's own drawing."""
