"""The rounds of an event: who plays, who meets whom, what a result is worth and how everybody stands.

Pure: no file, clock or socket. Everything that happens is a fact (`facts`), a `Tournament` is the fold of all of them.
"""
