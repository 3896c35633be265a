"""The doctor: looks at everything that a station needs and says what is wrong and how to mend it.

Each check is a small function of a `Site`, with a time limit of its own, so that a part that hangs is one finding among
others. Nothing is changed and no device is taken from a station that runs.
"""
