"""Phrases in Spanish, with the terms of the Spanish rulebook."""

from __future__ import annotations

from engine.schotten_totten.phrases import Phrase

FOULS: dict[str, Phrase] = {
    "out-of-turn": ("NO ES TU TURNO: {player}", "Le toca a {turn}", "No es el turno de {player}: le toca a {turn}."),
    "second-card": (
        "2.ª CARTA DE {player}",
        "Hay que retirarla",
        "{player} ya jugó en este turno; solo se juega una carta por turno.",
    ),
    "cards-at-once": (
        "2 CARTAS EN UN TURNO",
        "Hay que retirar una",
        "{player} jugó varias cartas a la vez ({cards}): ninguna cuenta hasta que quede una sola.",
    ),
    "face-down": (
        "CARTA BOCA ABAJO",
        "Dar vuelta: {place}",
        "La carta en {place} está boca abajo; se juega boca arriba.",
    ),
    "opponents-side": (
        "LADO AJENO, PIEDRA {stone}",
        "Jugar de tu lado",
        "{player} jugó una carta del lado del oponente de la Piedra {stone}.",
    ),
    "not-beside-the-stone": (
        "NO SOBRE LA PIEDRA {stone}",
        "Va junto a ella",
        "Solo los modos de combate van sobre una Piedra; esta carta va junto a la Piedra {stone}.",
    ),
    "side-full": (
        "PIEDRA {stone} COMPLETA",
        "{limit} cartas por lado",
        "El lado de {player} de la Piedra {stone} ya tiene sus {limit} cartas.",
    ),
    "stone-claimed": ("PIEDRA {stone} RECLAMADA", "Jugar en otra", "La Piedra {stone} ya fue reclamada."),
    "card-moved": (
        "{CARD} MOVIDO|CARTA MOVIDA",
        "Devolver a {place}",
        "La carta {card} no puede moverse; su lugar es {place}.",
    ),
    "card-removed": (
        "FALTA {CARD}|FALTA UNA CARTA",
        "Devolver a {place}",
        "Falta la carta {card}; su lugar es {place}.",
    ),
    "card-swapped": (
        "CAMBIADA EN {place}",
        "Era {card}|Devolver la primera",
        "En {place} la carta {card} fue cambiada por {come}; una carta jugada no se mueve.",
    ),
    "duplicate": (
        "{CARD} DOS VECES|UNA CARTA, DOS VECES",
        "Revisar las dos",
        "La carta {card} existe una sola vez y ya está en {place}.",
    ),
    "must-play": (
        "{player} DEBE JUGAR",
        "Puede una de Clan",
        "{player} no puede pasar: seguro tiene en la mano una carta de Clan que puede jugar.",
    ),
    "claim-too-early": (
        "MUY PRONTO",
        "Primero una carta",
        "{player} solo puede reclamar la Piedra {stone} luego de jugar una carta.",
    ),
    "claim-too-late": (
        "MUY TARDE",
        "En el próximo turno",
        "{player} solo puede reclamar la Piedra {stone} en su turno, luego de jugar y antes de que juegue el oponente.",
    ),
    "expert-claim-too-early": (
        "MUY PRONTO",
        "Esperar el turno",
        "{player} solo puede reclamar la Piedra {stone} al principio de su turno.",
    ),
    "expert-claim-too-late": (
        "MUY TARDE",
        "Antes de jugar",
        "{player} ya jugó: en modo experto se reclama al principio del turno; la Piedra {stone} debe esperar.",
    ),
    "claim-incomplete": (
        "AÚN NO: PIEDRA {stone}",
        "Tu lado: incompleto",
        "{player} no puede reclamar la Piedra {stone}: su lado no está completo.",
    ),
    "claim-weaker": (
        "NO: PIEDRA {stone}",
        "La tuya es menor",
        "{player} no puede reclamar la Piedra {stone}: la combinación del oponente es mayor.",
    ),
    "claim-tie-second": (
        "NO: PIEDRA {stone}",
        "Empate: 2.º lugar",
        "{player} no puede reclamar la Piedra {stone}: en un empate es de quien completó primero.",
    ),
    "claim-could-be-beaten": (
        "SIN PRUEBA: PIEDRA {stone}",
        "Aún se puede superar",
        "{player} aún no puede reclamar la Piedra {stone}: {cards} la superaría.",
    ),
    "already-claimed": ("PIEDRA {stone} RECLAMADA", "Así se queda", "La Piedra {stone} ya fue reclamada."),
    "stone-given-back": (
        "PIEDRA {stone} ES DE {player}",
        "Hay que devolverla",
        "La Piedra {stone} es de {player}; una Piedra reclamada no se devuelve.",
    ),
    "stone-misplaced": (
        "DEVOLVER PIEDRA {stone}",
        "No fue reclamada",
        "La Piedra {stone} pasó al lado de {player} sin ser reclamada.",
    ),
    "stone-missing": ("FALTA LA PIEDRA {stone}", "Hay que devolverla", "Falta la ficha de la Piedra {stone}."),
    "game-over": ("FIN: GANÓ {player}", "Ya nada cuenta", "La partida terminó: ganó {player}."),
    "no-tactics": (
        "SIN CARTAS TÁCTICAS",
        "Retirar la carta",
        "{card} no puede jugarse: esta partida se juega sin cartas Tácticas.",
    ),
    "tactic-limit": (
        "LÍMITE TÁCTICO: {player}",
        "Retirar la carta",
        "Cartas Tácticas jugadas: {player} {mine}, el oponente {theirs}; el límite es una más que el oponente.",
    ),
    "second-joker": ("2.º COMODÍN: {player}", "Retirar la carta", "{player} solo puede tener un Comodín de su lado."),
    "mode-misplaced": (
        "MODO DE COMBATE",
        "Va sobre la Piedra",
        "{card} es un modo de combate y se juega sobre una Piedra, no en un lado.",
    ),
    "mode-on-claimed": (
        "PIEDRA {stone} RECLAMADA",
        "Ahí no va un modo",
        "{card} no puede jugarse sobre la Piedra {stone}: ya fue reclamada.",
    ),
    "mode-stays": (
        "EL MODO SE QUEDA",
        "Devolver: Piedra {stone}",
        "{card} es un modo de combate: se queda sobre la Piedra {stone}, ninguna artimaña lo toma.",
    ),
    "discarded": (
        "NO VA AL DESCARTE",
        "Retirar la carta",
        "Solo las artimañas, y las cartas que ellas descartan, van al lado del mazo.",
    ),
    "ruse-misplaced": (
        "ES UNA ARTIMAÑA",
        "Va al lado del mazo",
        "{card} es una artimaña: se cumple su efecto y se coloca al lado del mazo.",
    ),
    "ruse-unfinished": (
        "TERMINAR LA ARTIMAÑA",
        "Primero su efecto",
        "{player} mostró {ruse} y primero debe cumplir su efecto, o retirar la carta.",
    ),
    "strategist-card": (
        "ESTRATEGA: ESA NO",
        "Una carta tuya",
        "El Estratega mueve una carta del propio lado; {card} en {place} no es de {player}.",
    ),
    "strategist-target": (
        "ESTRATEGA: AHÍ NO",
        "Otra Piedra, tu lado",
        "El Estratega coloca {card} del propio lado de otra Piedra, o la descarta; no en {place}.",
    ),
    "banshee-card": (
        "BANSHEE: ESA NO",
        "Una del oponente",
        "La Banshee toma una carta del lado del oponente; {card} en {place} no lo es.",
    ),
    "traitor-card": (
        "TRAIDOR: ESA NO",
        "Una del oponente",
        "El Traidor toma una carta de Clan del lado del oponente; {card} en {place} no lo es.",
    ),
    "traitor-tactic": (
        "TRAIDOR: ESA NO",
        "Solo cartas de Clan",
        "El Traidor solo toma cartas de Clan, nunca {card}.",
    ),
    "traitor-target": (
        "TRAIDOR: AHÍ NO",
        "A tu propio lado",
        "El Traidor lleva {card} al propio lado de una Piedra; no a {place}.",
    ),
    "ruse-from-claimed": (
        "PIEDRA {stone} RECLAMADA",
        "Sus cartas se quedan",
        "{ruse} no puede tomar una carta de la Piedra {stone}: ya fue reclamada.",
    ),
    "ruse-onto-claimed": (
        "PIEDRA {stone} RECLAMADA",
        "Elegir otra Piedra",
        "{ruse} no puede llevar una carta a la Piedra {stone}: ya fue reclamada.",
    ),
    "ruse-onto-full": (
        "PIEDRA {stone} COMPLETA",
        "{limit} cartas por lado",
        "{ruse} no puede llevar una carta a la Piedra {stone}: ese lado ya tiene sus {limit} cartas.",
    ),
}

ACTS: dict[str, Phrase] = {
    "laid": ("{player}: PIEDRA {stone}", "{card}", "{player} juega {card} en la Piedra {stone}."),
    "mode": ("PIEDRA {stone}: MODO", "{card}", "{player} juega {card} sobre la Piedra {stone}."),
    "ruse": ("ARTIMAÑA DE {player}", "{ruse}", "{player} juega {ruse}."),
    "ruse-moved": ("ARTIMAÑA DE {player}", "{ruse}", "{player} juega {ruse}: {card} va de {origin} a {target}."),
    "ruse-shown": ("ARTIMAÑA: SU EFECTO", "{ruse}", "{player} muestra {ruse} y ahora debe cumplir su efecto."),
    "claim-stronger": ("PIEDRA {stone} PARA {player}", "Es la mayor", ""),
    "claim-tie-completed-first": ("EMPATE: {player} PRIMERO", "Piedra {stone} para {player}", ""),
    "claim-proof": ("PIEDRA {stone} PARA {player}", "Insuperable", ""),
    "passed": ("{player} PASA", "No jugó carta", "{player} pasa."),
    "ended": ("FIN DEL TURNO: {player}", "Le toca a {turn}", "Terminó el turno de {player}; le toca a {turn}."),
    "righted": ("GRACIAS", "Todo en orden", "Quedó todo en orden."),
    "ignored": ("FIN DE LA PARTIDA", "Juntar las cartas", "La partida terminó; se pueden juntar las cartas."),
    "won-three": ("GANÓ {player}", "3 Piedras adyacentes", "{player} gana con tres Piedras adyacentes."),
    "won-five": ("GANÓ {player}", "5 Piedras", "{player} gana con cinco Piedras."),
}

REMEDIES: dict[str, Phrase] = {
    "lay": ("DEVOLVER A {place}", "{card}", "Hay que devolver {card} a {place}."),
    "take": ("RETIRAR DE {place}", "{card}", "Hay que retirar {card} de {place}."),
    "move": ("DEVOLVER A {place}", "{card}", "Hay que devolver {card} de {origin} a {place}."),
    "tile-border": ("DEVOLVER PIEDRA {stone}", "A la Frontera", "Hay que devolver la Piedra {stone} a la Frontera."),
    "tile-side": (
        "PIEDRA {stone} ES DE {player}",
        "Va de su lado",
        "Hay que llevar la Piedra {stone} al lado de {player}.",
    ),
}

HIDDEN = "carta oculta"
DISCARD = "descarte"
