"""What is said of fouls and acts, a module a language: two lines of at most 21 characters, and a sentence.

`{player}` is a letter, `{stone}` a number, `{place}` a spot such as 3A, `{card}` a card's name in the language and
`{CARD}` its name in capitals. Of lines with a `|` between them the first that fits is shown. The sentence about a
claim comes from `claim_words`, which says what was found.
"""

Phrase = tuple[str, str, str]
