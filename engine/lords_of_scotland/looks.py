"""How the acts of the game look from above: each look finds one kind of act in the difference of two tables.

Looks at the position only to tell apart acts that look alike (a supporter that is gone was taken or discarded), never
to find an act allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from engine.lords_of_scotland.aftermath import put_away, supporters_dealt, supporters_set_out, supporters_taken
from engine.lords_of_scotland.cards import LASTING, Clan, clan_of
from engine.lords_of_scotland.course import enforce, pass_turn
from engine.lords_of_scotland.effects import Activate, Again, Discard, Exchange, Swap
from engine.lords_of_scotland.facts import (
    Cleared,
    Engaged,
    Fact,
    Revealed,
    Used,
)
from engine.lords_of_scotland.places import SUPPORTERS, army_of, face
from engine.lords_of_scotland.position import Position, Stage
from engine.lords_of_scotland.powers import blocker, copyable, usable
from engine.lords_of_scotland.recruits import (
    faces_changed,
    recruit_taken,
    recruit_turned_or_replaced,
    recruit_turned_when_due,
    recruits_refilled,
)
from engine.lords_of_scotland.scene import Scene
from engine.table import UNKNOWN, Code, Player


def _exchanged(scene: Scene) -> Iterator[Fact]:
    """A supporter comes into an army while a card of that army joins the supporters."""
    for player in scene.position.players:
        army = army_of(player)
        gained = [code for code in scene.come_to(army) if code in scene.gone_from(SUPPORTERS)]
        for code in gained:
            for card in scene.come_to(SUPPORTERS):
                if card in scene.gone_from(army):
                    yield Used(player, card, Exchange(code), _copied(card, Clan.COCKBURN))


def _engaged_and_used(scene: Scene) -> Iterator[Fact]:
    """A card was engaged and left the army again between two looks, by the player on turn."""
    yield from _exchanging(scene, (scene.position.on_turn, scene.now.on_turn))
    yield from _swapping(scene, (scene.position.on_turn, scene.now.on_turn))


def _engaged_and_used_by_others(scene: Scene) -> Iterator[Fact]:
    yield from _exchanging(scene, scene.position.players)
    yield from _swapping(scene, scene.position.players)


def _exchanging(scene: Scene, players: Iterable[Player]) -> Iterator[Fact]:
    """A new card lies among the supporters, and one of them in an army."""
    for player in players:
        if any(code in scene.gone_from(SUPPORTERS) for code in scene.come_to(army_of(player))):
            new = [code for code in scene.come_to(SUPPORTERS) if scene.is_new(code)]
            yield from _engaging(scene, player, (code for code in new if _may_use(code, Clan.COCKBURN)))


def _swapped(scene: Scene) -> Iterator[Fact]:
    """A card of an army went to another army and one came back for it."""
    player = scene.position.on_turn
    mine = army_of(player)
    for opponent in scene.position.players:
        theirs = army_of(opponent)
        if opponent == player:
            continue
        # A card face down that came back is not missed where its owner has engaged another one since.
        hidden = {UNKNOWN} if face(UNKNOWN) in scene.told.at(theirs) else set()
        gained = [code for code in scene.come_to(mine) if code in {*scene.gone_from(theirs), *hidden}]
        if UNKNOWN in scene.gone_from(theirs) and any(scene.is_new(code) for code in scene.come_to(mine)):
            gained.append(UNKNOWN)  # and shows its face already
        for code in gained:
            # The card just engaged is the one that calls for the swap, whatever else was moved.
            for card in sorted(scene.come_to(theirs), key=lambda card: card != scene.position.laid):
                lying = scene.lying(scene.told, theirs, code)
                is_missed = code in scene.gone_from(theirs) and code in scene.come_to(mine)
                if card in scene.gone_from(mine) and card != code and (is_missed or _may_use(card, Clan.FERGUSSON)):
                    yield Used(player, card, Swap(opponent, lying), _copied(card, Clan.FERGUSSON))


def _swapping(scene: Scene, players: Iterable[Player]) -> Iterator[Fact]:
    """A new card lies in an opponent's army, for which one came back."""
    for player, opponent in product(players, scene.position.players):
        if player != opponent and any(
            code in scene.gone_from(army_of(opponent)) for code in scene.come_to(army_of(player))
        ):
            new = [code for code in scene.come_to(army_of(opponent)) if scene.is_new(code)]
            using = [
                code for code in new if _may_use(code, Clan.FERGUSSON) and not _may_be_revealed(scene, player, code)
            ]
            yield from _engaging(scene, player, using)


def _may_be_revealed(scene: Scene, player: Player, code: Code) -> bool:
    """One of the last two allies of a skirmish engaged face down and another one turned look like a swap that was not
    possible."""
    if Clan.FERGUSSON in usable(enforce(scene.position, Engaged(player, code))):
        return False
    laid = enforce(scene.position, Engaged(player, UNKNOWN))
    return _is_last(scene.position, player) or _is_last(laid, laid.after_turn)


def _is_last(position: Position, player: Player) -> bool:
    """Once this player has acted the skirmish is over, and allies are turned as they should be."""
    laid = enforce(position, Engaged(player, UNKNOWN))
    return laid.is_turn_over and pass_turn(laid).stage is Stage.SHARING


def _lasting(scene: Scene) -> Iterator[Fact]:
    """An ally is turned sideways, or gets a token: a power that works at the end is activated. Which one a Scott copies
    is told by its token, that may come a while later."""
    for player in scene.position.players:
        army = army_of(player)
        for code in {piece.code.partition("!")[0] for place, piece in scene.come if place == army}:
            lying = scene.lying(scene.seen, army, Code(code))
            is_power = lying.active is Clan.SCOTT or lying.active in LASTING
            if is_power and lying.active is not None and scene.told.places_of(lying.code) == (army,):
                yield Used(player, lying.code, Activate(lying.active), lying.active if lying.tokens() else None)


def _discarded(scene: Scene) -> Iterator[Fact]:
    """Another ally is gone off the table, and the card just engaged may have discarded it."""
    if Clan.WEMYSS in usable(scene.position):
        for fact in _left(scene):
            if not isinstance(fact, Used) or not isinstance(fact.effect, Discard):
                continue
            if fact.effect.ally.code != fact.code and not _was_turned(scene, fact.effect):
                yield fact


def _was_turned(scene: Scene, effect: Discard) -> bool:
    """The card face down that is gone from an army may be the one that lies there face up, unless its owner could have
    engaged that one in a turn of their own."""
    if effect.ally.code != UNKNOWN:
        return False
    owner, now = effect.owner, scene.now
    can_turn = not now.must_turn or any(faces_changed(scene))
    if owner == now.on_turn and now.stage is Stage.FIGHTING and not now.acted and can_turn:
        return False
    shown = [code for code in scene.come_to(army_of(owner)) if code != UNKNOWN and scene.is_new(code)]
    return len(shown) >= scene.gone_from(army_of(owner)).count(UNKNOWN)


def _chained(scene: Scene) -> Iterator[Fact]:
    """One more ally of the player on turn, where the one before could call for it."""
    player = scene.position.on_turn
    if not _was_swapped(scene, player) and (scene.position.owes or any(_mustered(scene, player))):
        yield from _swapping(scene, (player,))  # before a card face down that came is told to be engaged
        yield from (fact for fact in _came(scene, player) if not isinstance(fact, Revealed))


def _was_swapped(scene: Scene, player: Player) -> bool:
    """An ally of this player lies in another army: what came for it was no further ally of the turn."""
    gone = scene.gone_from(army_of(player))
    return any(
        code in gone for other in scene.position.players if other != player for code in scene.come_to(army_of(other))
    )


def _calling(scene: Scene) -> Iterator[Fact]:
    """Of several cards that came in one turn, first the one that could call for the others."""
    player = scene.now.on_turn
    was_turned = UNKNOWN in scene.gone_from(army_of(player))
    if scene.now.stage is Stage.FIGHTING and not scene.now.acted and not was_turned:
        calling = [code for code in scene.come_to(army_of(player)) if scene.is_new(code)]
        yield from (Engaged(player, code) for code in _in_order(scene, calling) if clan_of(code) is Clan.MAKGILL)


def _engaged_over_own(scene: Scene) -> Iterator[Fact]:
    """A card came face up and one face down is gone from the army of the player on turn. That may be one card turned,
    or an ally that was engaged, and it or the next player's discarded the other: where that could be, nobody is told to
    have turned it. Where the last act was to take a recruit, it was turned."""
    now, player = scene.now, scene.now.on_turn
    has_recruited = _is_last(now, player) and any(recruit_taken(scene))
    if now.stage is Stage.FIGHTING and not now.acted and UNKNOWN in scene.gone_from(army_of(player)):
        for fact in _faces(scene, player) if not has_recruited else ():
            laid = enforce(now, fact)
            following = (enforce(laid, next_fact) for next_fact in _faces(scene, laid.after_turn))
            if any(Clan.WEMYSS in usable(position) for position in (laid, *following)):
                yield fact


def _faces(scene: Scene, player: Player) -> Iterator[Engaged]:
    new = (code for code in scene.come_to(army_of(player)) if code != UNKNOWN and scene.is_new(code))
    return (Engaged(player, code) for code in new)


def _engaged_in_turn(scene: Scene) -> Iterator[Fact]:
    if not scene.now.acted:
        yield from (fact for fact in _came(scene, scene.now.on_turn) if not isinstance(fact, Revealed))


def _engaged(scene: Scene) -> Iterator[Fact]:
    for player in scene.position.players:
        yield from _came(scene, player)


def _came(scene: Scene, player: Player) -> Iterator[Fact]:
    """A card comes into an army from off the table, or was turned there: as many as are gone face down."""
    army = army_of(player)
    new = [code for code in _in_order(scene, scene.come_to(army)) if scene.is_new(code)]
    named = [code for code in new if code != UNKNOWN]
    engaged = max(0, len(named) - scene.gone_from(army).count(UNKNOWN))
    if engaged == 0:
        yield from (Revealed(player, code) for code in named)
    sideways = {code for code in named if scene.lying(scene.seen, army, code).active}  # nobody turns a card so
    engaged_up = sorted(named, key=lambda code: code not in sideways)[:engaged]
    yield from _engaging(scene, player, (code for code in new if code == UNKNOWN or code in engaged_up))


def _in_order(scene: Scene, codes: Iterable[Code]) -> list[Code]:
    """The order in which cards of one turn may have come: first those that call for another, the stronger before the
    weaker that it does not block, but none that is blocked already."""
    calls = [Clan.MAKGILL, Clan.SCOTT]
    deck = scene.position.deck.by_code

    def place(code: Code) -> tuple[bool, int, int]:
        card = deck.get(code)
        if card is None or card.clan not in calls:
            return (True, len(calls), 0)
        return (blocker(scene.position, code) is not None, calls.index(card.clan), -card.strength)

    return sorted(codes, key=place)


def _engaging(scene: Scene, player: Player, codes: Iterable[Code]) -> Iterator[Fact]:
    """Each of these cards engaged, called for by the one before if it could."""
    for code in codes:
        yield from _mustered(scene, player)
        yield Engaged(player, code)


def _mustered(scene: Scene, player: Player) -> Iterator[Fact]:
    """A second ally in one turn, and the first could call for it: that power was used."""
    position = scene.position
    if player != position.on_turn or position.laid is None or not position.acted:
        return
    if clan_of(position.laid) is Clan.MAKGILL:
        yield Used(player, position.laid, Again())
    elif clan_of(position.laid) is Clan.SCOTT and Clan.MAKGILL in copyable(position, position.laid):
        yield Used(player, position.laid, Again(), Clan.MAKGILL)


def _left(scene: Scene) -> Iterator[Fact]:
    """An ally is gone off the table: put away after the skirmish, else discarded by the power just laid, if it can."""
    laid = scene.position.laid
    for player in scene.position.players:
        army = army_of(player)
        for code in scene.gone_from(army):
            lying = scene.lying(scene.told, army, code)
            if not scene.has_left(code):
                continue
            if scene.now.stage is Stage.SETTING_OUT:
                yield Cleared(army, lying)
            elif laid is not None and (laid == UNKNOWN or _may_use(laid, Clan.WEMYSS)):
                yield Used(scene.position.on_turn, laid, Discard(player, lying), _copied(laid, Clan.WEMYSS))


LOOKS: tuple[Callable[[Scene], Iterator[Fact]], ...] = (
    # What finishes a turn comes before what the next one begins with.
    recruits_refilled,
    _exchanged,
    _swapped,
    _discarded,
    _lasting,
    _chained,
    supporters_set_out,
    recruit_turned_when_due,
    _calling,
    _engaged_and_used,
    _engaged_over_own,
    _engaged_in_turn,
    recruit_taken,
    recruit_turned_or_replaced,
    _engaged_and_used_by_others,
    _engaged,
    _left,
    supporters_taken,
    supporters_dealt,
    put_away,
)


def _may_use(code: Code, clan: Clan) -> bool:
    """The card has the power of this clan, or may copy it."""
    return clan_of(code) in (clan, Clan.SCOTT)


def _copied(code: Code, clan: Clan) -> Clan | None:
    return clan if clan_of(code) is Clan.SCOTT else None
