"""Lords of Scotland en español. | separa variantes: se muestra la primera que cabe."""

from __future__ import annotations

PLACES = {
    "recruit": "recluta {0}",
    "supporters": "entre los partidarios",
    "army": "en el ejército de {0}",
    "won": "en la pila de victoria de {0}",
    "discard": "en el descarte",
    "initiative": "ante {0}",
}

POWERS = {
    "cockburn": "cambiarla por un partidario",
    "fergusson": "cambiarla por un aliado rival",
    "forsyth": "robar una carta",
    "makgill": "enrolar a otro aliado",
    "wemyss": "descartar a otro aliado",
    "bruce": "cualquier clan al final de la ronda",
    "cochrane": "dos partidarios al final de la ronda",
    "macdonnell": "se queda una ronda más",
}

FACE_DOWN = "una carta boca abajo"
HIDDEN = "boca abajo"
INITIATIVE = "la ficha de Iniciativa"
POWER_TOKEN = "la ficha de poder de {clan}"
TOKEN = "ficha"
FOUL = "{player}: no permitido"
FOUL_OF_NOBODY = "no permitido"

FOULS = {
    "card-twice": ("{card} doble", "{card} ya está en juego ({place}): cada carta existe una sola vez."),
    "no-bruce": ("partida sin Bruce", "{card}: esta partida se juega sin el clan Bruce."),
    "recruit-face-up": ("¡boca abajo!", "Los reclutas se colocan boca abajo: hay que volver el recluta {slot}."),
    "recruit-too-many": ("no falta recluta", "El recluta {slot} ya está en su sitio: ahí no se pone carta."),
    "supporter-face-down": ("boca arriba", "Los partidarios se colocan boca arriba."),
    "supporter-too-many": ("sobra un partidario", "Ya hay bastantes partidarios: {card} sobra."),
    "was-discarded": ("{card}: fuera", "{card} está en el descarte y no vuelve hasta que se rehaga el mazo."),
    "moved": ("{card} movida", "Ninguna regla permite mover {card}; déjalo como estaba ({place})."),
    "no-skirmish": ("no hay escaramuza", "En este momento no se libra ninguna escaramuza."),
    "out-of-turn": ("es el turno de {turn}", "Es el turno de {turn}, no de {player}."),
    "not-face-down": ("recluta {slot} a la vista", "El recluta {slot} no está boca abajo: no hay nada que volver."),
    "not-leftmost": (
        "vuelve el recluta {expected}",
        "Se vuelve el primer recluta desde la izquierda: el {expected}, no el {slot}.",
    ),
    "recruit-not-turned": (
        "vuelve un recluta",
        "{player} tiene la Iniciativa y debe volver un recluta antes de actuar.",
    ),
    "turned-by-other": (
        "los vuelve {holder}",
        "Solo {holder}, que tiene la Iniciativa, vuelve los reclutas; {player} no.",
    ),
    "turned-out-of-time": ("nada que volver", "Ahora no se vuelve ningún recluta: el {slot} se queda como está."),
    "passed": ("recluta o enrola", "{player} debe reclutar o enrolar a un aliado: no se puede pasar."),
    "second-action": ("ya ha actuado", "{player} ya ha actuado este turno: reclutar o enrolar, una vez."),
    "turn-not-over": ("turno sin terminar", "El turno no ha terminado: {turn} aún debe actuar."),
    "no-such-recruit": ("no es el recluta {slot}", "{card} no es el recluta {slot}: no se puede tomar de ahí."),
    "not-replaced": ("repón el recluta {slot}", "El recluta {slot} fue tomado y antes hay que reponerlo del mazo."),
    "wrong-face": ("{slot} {face}", "La carta que repone el recluta {slot} va {face}, como la que se tomó."),
    "eleventh-card": ("diez cartas en mano", "{player} ya tiene diez cartas en la mano y no puede reclutar."),
    "empty-hand": ("mano vacía", "{player} no tiene cartas en la mano para enrolar."),
    "nothing-face-down": ("nada boca abajo", "{player} no tiene ningún aliado boca abajo."),
    "revealed-early": ("no antes del final", "El aliado de {player} sigue boca abajo hasta el final de la escaramuza."),
    "blocked": (
        "bloqueada por {by}|bloq. {by}",
        "El poder de {card} está bloqueado por {by}, un aliado boca arriba más débil.",
    ),
    "blocked-by-kin": (
        "bloqueada por {by}|bloq. {by}",
        "El poder de {card} está bloqueado por {by}, un aliado de su clan que no es más fuerte.",
    ),
    "no-such-ally": ("{card} no está", "{card} no es un aliado de {player}."),
    "not-just-engaged": ("solo al enrolar", "El poder de {card} solo se usa en el momento de enrolarla."),
    "face-down-power": ("oculta: sin poder", "Una carta boca abajo no tiene poder: {player} no puede usarla."),
    "lies-otherwise": ("{card} mal", "{card} no está así en el ejército de {player}: ¿derecha o de lado?"),
    "sideways": ("{card} recta", "{card} está de lado sin poder activado; enderézala."),
    "wrong-power": ("no es su poder", "{card} no tiene el poder del clan {clan}."),
    "not-a-supporter": ("{card}: no", "{card} no es un partidario: Cockburn se cambia por un partidario."),
    "own-ally": ("un aliado rival", "{card} es un aliado propio: Fergusson se cambia por uno rival."),
    "swap-target": ("{card} no está", "{player} no tiene ese aliado ({card}) para cambiarlo por Fergusson."),
    "nothing-to-draw": ("nada que robar", "El mazo y el descarte están vacíos: no hay carta que robar."),
    "ally-owed": ("enrola a otro aliado", "{player} ha usado Makgill y debe enrolar a otro aliado, no reclutar."),
    "no-card-in-hand": ("mano vacía", "{player} no tiene cartas en la mano para enrolar con Makgill."),
    "nothing-to-copy": ("no hay {clan}", "No hay otro aliado boca arriba del clan {clan} que {card} pueda copiar."),
    "wrong-copy": ("Scott copia a otro", "{card} debe copiar el poder que usa: el del clan {clan} no encaja."),
    "discard-target": ("{card} no está", "{player} no tiene ese aliado ({card}) para que Wemyss lo descarte."),
    "discards-itself": ("a otro aliado", "{card} descarta a otro aliado, nunca a sí misma."),
    "reactivated": ("no otra vez", "{card} se quedó de la ronda anterior o ya está activa: su poder no se reactiva."),
    "not-revealed": (
        "{player}: vuelve aliados",
        "{player} aún tiene aliados boca abajo: se vuelven antes de tomar partidarios.",
    ),
    "no-such-supporter": ("no es partidario", "{card} no está entre los partidarios."),
    "out-of-order": ("{turn} toma antes", "{player} aún no puede tomar partidario: le toca a {turn}."),
    "taken-early": ("escaramuza sin acabar", "{player} no toma partidario antes de que acabe la escaramuza."),
    "no-ally": ("sin aliado, nada", "{player} no tiene ningún aliado en la escaramuza y no toma partidario."),
    "second-supporter": ("ya ha tomado", "{player} ya ha tomado: un partidario cada uno, dos con un Cochrane activo."),
    "cleared-early": ("aún no se descarta", "{card} no se descarta antes de que se tomen todos los partidarios."),
    "not-due": ("{card} queda", "{card} pertenece a la nueva escaramuza ({place}) y no se descarta."),
    "not-there": ("{card} no está", "{card} no está ahí ({place}): no se puede descartar."),
    "supporters-left": ("antes, los viejos", "Los partidarios que quedan se descartan antes de poner otros nuevos."),
    "stays": ("{card} queda", "{card} se queda una ronda más y no se descarta."),
    "straightened": ("{card} de lado", "{card} sigue de lado hasta que acabe la ronda y se reparta."),
    "initiative": ("le toca a {holder}", "La ficha de Iniciativa es de {holder}, no de {player}."),
    "game-over": ("la partida acabó", "La partida ha terminado: ya nada cuenta."),
}

FACES = {"up": "boca arriba", "down": "boca abajo"}

ACTS = {
    "turned": (
        "{player} vuelve {slot}",
        "turno {turn} de 5",
        "{player} vuelve el recluta {slot}: {card}. Empieza el turno {turn} de 5.",
    ),
    "recruited": ("{player} recluta {slot}", "{card}", "{player} recluta del sitio {slot}: {card}."),
    "engaged-down": ("{player}: boca abajo", "sin poder", "{player} enrola a un aliado boca abajo; no tiene poder."),
    "engaged-usable": ("{player}: {card}", "se puede usar", "{player} enrola {card}. Su poder se puede usar: {power}."),
    "engaged-blocked": (
        "{player}: {card}",
        "bloqueada por {by}|bloq. {by}",
        "{player} enrola {card}. Su poder está bloqueado por {by}.",
    ),
    "engaged-idle": (
        "{player}: {card}",
        "poder sin objeto",
        "{player} enrola {card}. No hay nada en lo que usar su poder.",
    ),
    "passed": ("{player} pasa", "nada es posible", "{player} no puede reclutar ni enrolar y pasa."),
    "ended": ("{player}: fin de turno", "{next}", "El turno de {player} ha terminado."),
    "recruited-unseen": (
        "{player} recluta",
        "sin que se viera",
        "{player} dice que su turno ha terminado: no se vio nada, así que tomó un recluta boca abajo.",
    ),
    "exchange": ("{card}", "por {target}", "{player} cambia {card} por el partidario {target}."),
    "swap": ("{card}", "por {target}", "{player} cambia {card} por {target}, un aliado de {owner}."),
    "draw": ("{card}", "carta robada", "{player} usa {card} y roba una carta."),
    "again": ("{card}", "otro aliado", "{player} usa {card} y enrola a otro aliado."),
    "discard": (
        "{card}",
        "descarta {target}|fuera {target}",
        "{player} usa {card}: se descarta {target}, un aliado de {owner}.",
    ),
    "activate": ("{card}", "activada", "{player} activa {card}: {power}."),
    "token-to-come": ("{card}", "pon la ficha", "{player} gira {card}: la ficha de poder dirá qué poder copia."),
    "revealed": ("{player}: {card}", "{next}", "{player} vuelve boca arriba a un aliado: {card}."),
    "taken": (
        "{player} gana {card}|{card}",
        "puntos: {points}",
        "{player} toma el partidario {card}; puntos: {points}.",
    ),
    "straightened": ("{card}", "se queda", "{card} se endereza y se queda para la próxima ronda."),
    "cleared": ("{card}", "descartada", "{card} se descarta."),
    "dealt": ("{card}", "del mazo", "{card} viene del mazo ({place})."),
    "dealt-together": ("{count} cartas", "del mazo", "{count} cartas vienen del mazo."),
    "cleared-together": ("{count} cartas", "descartadas", "Se descartan {count} cartas."),
    "initiative": (
        "Iniciativa: {player}",
        "empieza la ronda",
        "{player} recibe la Iniciativa y empieza la próxima ronda.",
    ),
    "put-right": ("corregido", "{card}", "{card} vuelve a estar bien."),
}

NEXT = {
    "turn": "turno de {player}",
    "turn-recruit": "{player} vuelve recluta",
    "replace": "repón el recluta {slot}",
    "reveal": "volver los aliados",
    "take": "{player} toma ahora",
    "set-out": "preparar la mesa",
    "over": "ha ganado {player}",
}

STANDINGS = {
    "stronger": "{place}. {player} con {worth}: más fuerte que el ejército siguiente.",
    "tie-rank": "{place}. {player} con {worth}: empata con el siguiente, con rango más alto: {rank}.",
    "last": "{place}. {player} con {worth}.",
    "no-ally": "{player} no tiene ningún aliado y no toma partidario.",
    "doubled": " (doblado)",
    "hidden": " y {hidden} boca abajo",
    "two": " Toma dos partidarios.",
    "none": " No le queda ningún partidario.",
    "waits": "Aún no es definitivo: los aliados boca abajo no cuentan hasta que se vuelvan.",
}

REMEDIES = {
    "take": ("a corregir", "quitar {card}", "Retira {card} ({place})."),
    "lay": ("a corregir", "poner {card}", "Devuelve {card} ({place})."),
    "move": ("a corregir", "mover {card}", "Vuelve a poner {card} en su sitio ({place})."),
    "upright": ("a corregir", "recta {card}", "Endereza {card} ({place})."),
    "sideways": ("a corregir", "de lado {card}|girar {card}", "Pon {card} de lado ({place})."),
    "initiative": ("a corregir", "Iniciativa a {player}", "Entrega la ficha de Iniciativa a {player}."),
}
