"""Tables, and how one differs from another."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.table import UNKNOWN, Change, Code, Piece, Place, Table, changes

pieces = st.builds(Piece, st.sampled_from([Code("g5"), Code("r1"), Code("joker"), Code("stone1")]))
places = st.sampled_from([Place("1A"), Place("1B"), Place("discard")])
tables = st.dictionaries(places, st.sets(pieces, max_size=3)).map(Table.of)
G5 = Piece(Code("g5"))


@given(tables, tables)
def test_the_changes_between_two_tables_turn_one_into_the_other(before: Table, after: Table) -> None:
    assert before.after(changes(before, after)) == after


@given(tables)
def test_a_table_differs_from_itself_in_nothing(table: Table) -> None:
    assert changes(table, table) == ()


def test_a_card_that_went_and_came_has_moved() -> None:
    before, after = Table.of({Place("1A"): [G5]}), Table.of({Place("1B"): [G5]})
    assert changes(before, after) == (Change(G5, Place("1A"), Place("1B")),)


def test_the_order_of_pieces_in_a_place_does_not_count() -> None:
    r1 = Piece(Code("r1"))
    assert Table.of({Place("1A"): [G5, r1]}) == Table.of({Place("1A"): [r1, G5]})


def test_taking_what_is_not_there_changes_nothing() -> None:
    table = Table.of({Place("1A"): [G5]})
    assert table.after([Change(Piece(Code("r1")), Place("1A"), None)]) == table


def test_a_known_card_is_not_laid_twice_in_one_place_but_backs_add_up() -> None:
    back = Piece(UNKNOWN, face_up=False)
    table = Table.of({Place("1A"): [G5]}).after([Change(G5, None, Place("1A"))])
    assert len(table) == 1
    assert len(table.after([Change(back, None, Place("1A"))] * 2)) == 3


def test_a_card_is_found_wherever_it_lies() -> None:
    table = Table.of({Place("1A"): [G5], Place("discard"): [G5]})
    assert table.places_of(Code("g5")) == ("1A", "discard")
    assert table.at(Place("1B")) == ()
