"""A list that people watch: each gets what is new to them, whenever they looked last."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from firmware.event.page.listing import Listing

THINGS = st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 2), max_size=6)


def shown(listing: Listing[int], things: dict[str, int]) -> None:
    listing.show(things.items(), lambda what: {"what": what})


@given(st.lists(THINGS, min_size=1, max_size=8), st.lists(st.booleans(), min_size=8, max_size=8))
def test_who_looks_now_and_then_has_the_same_list_in_the_end(showings: list[dict[str, int]], looks: list[bool]) -> None:
    listing, seen = Listing[tuple[str, int]](), 0
    mine: dict[str, int] = {}
    for things, look in zip(showings, [*looks[: len(showings) - 1], True], strict=False):
        listing.show(((key, (key, what)) for key, what in things.items()), list)
        changed = listing.since(seen) if look else None
        seen = listing.number if look else seen
        if changed is not None:
            document = json.loads(changed)
            mine |= dict(document["rows"])
            order = document["order"]
            mine = mine if order is None else {key: mine[key] for key in order}
    assert list(mine.items()) == list(showings[-1].items())


def test_what_did_not_change_is_not_told_again() -> None:
    listing = Listing[int]()
    shown(listing, {"a": 1, "b": 2})
    assert listing.since(0) == '{"order":["a", "b"],"rows":[{"what":1},{"what":2}]}'
    shown(listing, {"a": 1, "b": 3})
    assert listing.since(1) == '{"order":null,"rows":[{"what":3}]}'
    assert listing.since(2) is None
    shown(listing, {"b": 3})
    assert listing.since(2) == '{"order":["b"],"rows":[]}'
    assert (listing.get("b"), listing.get("a")) == (3, None)
