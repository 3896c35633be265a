"""The law: facts to verdicts. Knows the rules; knows no pixel, clock, file or socket."""
