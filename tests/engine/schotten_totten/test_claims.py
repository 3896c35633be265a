"""Claims: what the prover finds, by example, by law, and beside a prover that tries everything."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.schotten_totten.cards import CLAN_CARDS, ELITE_TROOPS, Card, ClanCard, Player, Tactic, parse_card
from engine.schotten_totten.claims import Finding, Proof, Why, judge_all, judge_claim, supply_for
from engine.schotten_totten.document import from_json
from engine.schotten_totten.formations import Formation, Kind
from engine.schotten_totten.stones import Stone
from tests.engine.schotten_totten import exhaustive
from tests.engine.schotten_totten.random_positions import contested
from tests.engine.schotten_totten.strategies import complete_sides, contested_positions

QUICK_CLAIMS = 400
LONG_CLAIMS = 24_000
LONG_PARTS = 8


def side(codes: str) -> tuple[Card, ...]:
    return tuple(parse_card(code) for code in codes.split())


def claim_by_a(stone: Stone, *others: Stone, discard: str = "", proof: Proof = Proof.CLAN) -> Finding:
    return judge_all((stone, *others), side(discard), proof)[0][0]


def short(formation: Formation | None) -> tuple[str, int] | None:
    return None if formation is None else (formation.kind.value, formation.sum)


@pytest.mark.rule("ST-303")
def test_a_stronger_formation_may_claim_and_the_weaker_may_not() -> None:
    (by_a, by_b), *_ = judge_all([Stone(side("g5 r5 b5"), side("g7 p4 b3"), completed_first=Player.B)])
    three_fives, fourteen = Formation(Kind.THREE_OF_A_KIND, 15), Formation(Kind.SUM, 14)
    assert by_a == Finding(Player.A, Why.STRONGER, three_fives, fourteen)
    assert by_b == Finding(Player.B, Why.WEAKER, fourteen, three_fives)
    assert by_a.allowed
    assert not by_b.allowed


@pytest.mark.rule("ST-306")
@pytest.mark.parametrize("first", Player)
def test_a_tie_goes_to_whoever_completed_first(first: Player) -> None:
    stone = Stone(side("r4 g5 b6"), side("y4 p5 o6"), completed_first=first)
    whys = {finding.player: finding.why for finding in judge_all([stone])[0]}
    assert whys == {first: Why.TIE_COMPLETED_FIRST, first.opponent: Why.TIE_COMPLETED_SECOND}


def test_a_tie_of_which_nobody_knows_the_first_goes_to_neither() -> None:
    stone = Stone(side("r4 g5 b6"), side("y4 p5 o6"))
    assert [finding.why for finding in judge_all([stone])[0]] == [Why.TIE_COMPLETED_SECOND] * 2


@pytest.mark.rule("ST-307")
def test_claim_is_refused_when_one_unseen_card_would_beat_it() -> None:
    finding = claim_by_a(Stone(side("r5 y5 g5"), side("b8 b9")))
    assert (finding.why, finding.counterexample) == (Why.COULD_BE_BEATEN, side("b7"))
    assert finding.theirs == Formation(Kind.COLOR_RUN, 24)


@pytest.mark.rule("ST-308")
def test_claim_is_proved_when_that_card_lies_in_the_discard() -> None:
    finding = claim_by_a(Stone(side("r5 y5 g5"), side("b8 b9")), discard="b7")
    assert (finding.why, finding.theirs, finding.counterexample) == (Why.PROOF, Formation(Kind.COLOR, 23), ())


@pytest.mark.rule("ST-309")
def test_claim_is_proved_when_the_opponent_could_only_level_it() -> None:
    finding = claim_by_a(Stone(side("g7 g8 g9")))
    assert (finding.why, finding.theirs) == (Why.PROOF, finding.mine)


@pytest.mark.rule("ST-309")
def test_claim_is_proved_when_too_few_clan_cards_are_left() -> None:
    stone = Stone(side("r1 g1 b2"), side("o9"))
    lying = {*stone.a, *stone.b, parse_card("o8")}
    discard = " ".join(str(card) for card in CLAN_CARDS if card not in lying)
    assert claim_by_a(stone, discard=discard) == Finding(Player.A, Why.PROOF, Formation(Kind.SUM, 4), None)


@pytest.mark.rule("ST-302", "ST-522")
def test_an_incomplete_side_claims_nothing_even_if_the_opponent_can_no_longer_win() -> None:
    stone = Stone(side("g8 g9"), side("r1 y2 b4"))
    assert claim_by_a(stone).why is Why.INCOMPLETE
    assert claim_by_a(replace(stone, a=side("g7 g8 g9"), modes=(Tactic.MUD_FIGHT,))).why is Why.INCOMPLETE


@pytest.mark.rule("ST-310")
@pytest.mark.parametrize("owner", Player)
def test_a_claimed_stone_is_claimed_for_both(owner: Player) -> None:
    stone = Stone(side("g7 g8 g9"), side("r1"), owner=owner)
    assert [finding.why for finding in judge_all([stone])[0]] == [Why.ALREADY_CLAIMED] * 2


@pytest.mark.rule("ST-308")
def test_an_unplayed_joker_defeats_a_proof_only_by_option() -> None:
    stone = Stone(side("r5 y5 g5"), side("b8 b9"))
    assert claim_by_a(stone, discard="b7 spy").why is Why.PROOF
    finding = claim_by_a(stone, discard="b7 spy", proof=Proof.TACTICS)
    assert (finding.why, finding.counterexample) == (Why.COULD_BE_BEATEN, (Tactic.JOKER_1,))


@pytest.mark.rule("ST-308", "ST-512")
def test_a_joker_anywhere_on_the_opponents_side_keeps_the_other_away() -> None:
    stone = Stone(side("r5 y5 g5"), side("b8 b9"))
    theirs, mine = Stone(b=(Tactic.JOKER_1,)), Stone(a=(Tactic.JOKER_1,))
    assert claim_by_a(stone, theirs, discard="b7 spy", proof=Proof.TACTICS).why is Why.PROOF
    finding = claim_by_a(stone, mine, discard="b7 spy", proof=Proof.TACTICS)
    assert finding.counterexample == (Tactic.JOKER_2,)


def test_a_clan_card_is_preferred_to_a_tactic_card_that_does_no_better() -> None:
    finding = claim_by_a(Stone(side("r5 y5 g5"), side("b8 b9")), proof=Proof.TACTICS)
    assert finding.counterexample == side("b7")


@pytest.mark.rule("ST-510")
def test_readings_of_both_sides_are_told() -> None:
    finding = claim_by_a(Stone(side("joker1 g7 g8"), side("spy r7 b7")))
    assert [str(reading) for reading in finding.my_readings + finding.their_readings] == ["joker1=g9", "spy=7"]


@pytest.mark.rule("ST-307")
@given(contested_positions, st.data())
def test_a_proved_claim_stays_proved_whatever_card_comes_next(position: dict[str, Any], data: st.DataObject) -> None:
    document = from_json(position)
    stone, *others = document.stones
    finding = claim_by_a(stone, *others, discard=" ".join(map(str, document.discard)), proof=document.rules.proof)
    supply = supply_for(Player.B, document.stones, document.discard, document.rules.proof)
    may_come: tuple[Card, ...] = (*supply.clan, *supply.elite)
    assume(finding.why is Why.PROOF and may_come)
    card = data.draw(st.sampled_from(may_come))
    on_this_stone = data.draw(st.booleans())
    discard = document.discard if on_this_stone else (*document.discard, card)
    if on_this_stone:
        stone = replace(stone, b=(*stone.b, card), completed_first=Player.A)
    assert judge_all((stone, *others), discard, document.rules.proof)[0][0].allowed


@pytest.mark.rule("ST-307")
@given(contested_positions)
def test_a_counterexample_once_laid_makes_the_claim_weaker(position: dict[str, Any]) -> None:
    document = from_json(position)
    stone, *others = document.stones
    finding = judge_all(document.stones, document.discard, document.rules.proof)[0][0]
    assume(finding.why is Why.COULD_BE_BEATEN)
    face_up = {card for each in document.stones for card in (*each.a, *each.b)} | {*document.discard}
    assert not face_up & {*finding.counterexample}
    assert len({*finding.counterexample}) == len(finding.counterexample)
    allowed = (ClanCard,) if document.rules.proof is Proof.CLAN else (ClanCard, Tactic)
    assert all(isinstance(card, allowed) for card in finding.counterexample)
    laid = replace(stone, b=stone.b + finding.counterexample)
    after = judge_all((laid, *others), document.discard, document.rules.proof)[0][0]
    assert (after.why, after.theirs) == (Why.WEAKER, finding.theirs)


@pytest.mark.rule("ST-308")
@given(contested_positions)
def test_the_supply_is_every_card_that_does_not_lie_face_up(position: dict[str, Any]) -> None:
    document = from_json(position)
    supply = supply_for(Player.B, document.stones, document.discard, Proof.TACTICS)
    face_up = {card for each in document.stones for card in (*each.a, *each.b)} | {*document.discard}
    assert {*supply.clan} == {*CLAN_CARDS} - face_up
    assert all(card in supply for card in supply.clan)
    assert {*supply.elite} <= {*ELITE_TROOPS} - face_up
    assert sum(card.startswith("joker") for card in supply.elite) <= 1


@given(contested_positions)
def test_both_players_are_judged_alike_when_they_change_seats(position: dict[str, Any]) -> None:
    document = from_json(position)
    turned = [
        replace(
            stone,
            a=stone.b,
            b=stone.a,
            owner=stone.owner and stone.owner.opponent,
            completed_first=stone.completed_first and stone.completed_first.opponent,
        )
        for stone in document.stones
    ]
    for (by_a, by_b), (turned_a, turned_b) in zip(
        judge_all(document.stones, document.discard, document.rules.proof),
        judge_all(turned, document.discard, document.rules.proof),
        strict=True,
    ):
        assert replace(by_a, player=Player.B) == turned_b
        assert replace(by_b, player=Player.A) == turned_a


@pytest.mark.rule("ST-406")
@given(complete_sides, complete_sides, st.sampled_from(Player))
def test_a_full_stone_belongs_to_exactly_one_of_them(
    one: tuple[Card, ...], two: tuple[Card, ...], first: Player
) -> None:
    assume(len(one) == len(two))
    modes = (Tactic.MUD_FIGHT,) if len(one) == 4 else ()
    findings = judge_all([Stone(one, two, modes=modes, completed_first=first)])[0]
    assert sum(finding.allowed for finding in findings) == 1


def agreement(position: dict[str, Any], note: str) -> Why:
    """Both provers say the same of A's claim to Stone 1, and a counterexample is worth what it is said to be."""
    document = from_json(position)
    supply = supply_for(Player.B, document.stones, document.discard, document.rules.proof)
    finding = judge_claim(document.stones[0], Player.A, supply)
    why, *worths = exhaustive.judge(position, 1, "A")
    mine, theirs = (worth and (exhaustive.KIND_OF_RANK[worth[0]], worth[1]) for worth in worths)
    assert (finding.why.value, short(finding.mine), short(finding.theirs)) == (why, mine, theirs), note
    if finding.counterexample:
        stone = position["stones"][0]
        counterexample = [str(card) for card in finding.counterexample]
        ways = exhaustive.ways_to_complete(position, stone, "B")
        assert any({*way} == {*counterexample} for way in ways), note
        assert exhaustive.worth([*stone["B"], *counterexample], "bluff" in stone["modes"]) == worths[1], note
    return finding.why


def agreements(seed: int, count: int, **wanted: int) -> Counter[Why]:
    print(f"seed {seed}")
    return Counter(
        agreement(contested(Random(f"{seed} {number}"), **wanted), f"seed '{seed} {number}'") for number in range(count)
    )


@pytest.mark.rule("ST-307", "ST-308", "ST-309")
def test_the_prover_agrees_with_one_that_tries_everything() -> None:
    found = agreements(2026, QUICK_CLAIMS)
    assert found[Why.PROOF] > QUICK_CLAIMS // 10
    assert found[Why.COULD_BE_BEATEN] > QUICK_CLAIMS // 10


@pytest.mark.long
@pytest.mark.parametrize("part", range(LONG_PARTS))
def test_the_prover_agrees_on_many_thousand_claims(part: int) -> None:
    found = agreements(part, LONG_CLAIMS // LONG_PARTS)
    possible = {why for why in Why if why not in (Why.ALREADY_CLAIMED, Why.INCOMPLETE)}
    assert possible == {*found}


@pytest.mark.long
@pytest.mark.parametrize(("missing", "unseen", "count"), [(3, 46, 30), (4, 44, 6)])
def test_the_prover_agrees_when_almost_everything_may_still_come(missing: int, unseen: int, count: int) -> None:
    assert agreements(77, count, missing=missing, unseen=unseen).total() == count
