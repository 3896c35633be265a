"""Lords of Scotland en français, avec les termes de la règle. | sépare des variantes : la première qui tient sert."""

from __future__ import annotations

PLACES = {
    "recruit": "recrue {0}",
    "supporters": "parmi les partisans",
    "army": "dans l'armée de {0}",
    "won": "sur la pile de victoire de {0}",
    "discard": "dans la défausse",
    "initiative": "devant {0}",
}

POWERS = {
    "cockburn": "l'échanger contre un partisan",
    "fergusson": "l'échanger contre un allié adverse",
    "forsyth": "piocher une carte",
    "makgill": "engager un autre allié",
    "wemyss": "défausser un autre allié",
    "bruce": "n'importe quel clan à la fin de la manche",
    "cochrane": "deux partisans à la fin de la manche",
    "macdonnell": "reste une manche de plus",
}

FACE_DOWN = "une carte face cachée"
HIDDEN = "face cachée"
INITIATIVE = "le jeton Initiative"
POWER_TOKEN = "le jeton Pouvoir {clan}"
TOKEN = "jeton"
FOUL = "{player} : non permis"
FOUL_OF_NOBODY = "non permis"

FOULS = {
    "card-twice": ("{card} : double|double {card}", "{card} est déjà en jeu ({place}) : chaque carte est unique."),
    "no-bruce": ("partie sans Bruce", "{card} : on joue cette partie sans le clan Bruce."),
    "recruit-face-up": ("face cachée !", "Les recrues sont posées face cachée : retournez la recrue {slot}."),
    "recruit-too-many": ("recrue déjà posée", "La recrue {slot} est déjà en place : on n'y pose pas de carte."),
    "supporter-face-down": ("partisans visibles", "Les partisans sont posés face visible."),
    "supporter-too-many": ("un partisan de trop", "Il y a assez de partisans : {card} est de trop."),
    "was-discarded": (
        "{card} est sorti|{card} sorti",
        "{card} est dans la défausse et ne revient pas avant que la pioche soit refaite.",
    ),
    "moved": (
        "{card} : déplacé|{card} déplacé",
        "Aucune règle ne permet de déplacer {card} ; remettez en place ({place}).",
    ),
    "no-skirmish": ("pas d'escarmouche", "Aucune escarmouche n'est en cours à ce moment."),
    "out-of-turn": ("c'est à {turn}", "C'est à {turn} de jouer, pas à {player}."),
    "not-face-down": ("recrue {slot} visible", "La recrue {slot} n'est pas face cachée : il n'y a rien à retourner."),
    "not-leftmost": (
        "retourner recrue {expected}",
        "On retourne la première recrue en partant de la gauche : la {expected}, pas la {slot}.",
    ),
    "recruit-not-turned": (
        "recrue à retourner",
        "{player} a le jeton Initiative et doit retourner une recrue avant d'agir.",
    ),
    "turned-by-other": (
        "{holder} les retourne",
        "Seul {holder}, qui a le jeton Initiative, retourne les recrues ; pas {player}.",
    ),
    "turned-out-of-time": (
        "rien à retourner",
        "On ne retourne pas de recrue maintenant : la recrue {slot} reste comme elle est.",
    ),
    "passed": ("recruter ou engager", "{player} doit recruter ou engager un allié : on ne peut pas passer."),
    "second-action": ("a déjà agi", "{player} a déjà agi ce tour-ci : recruter ou engager, une fois."),
    "turn-not-over": ("tour non terminé", "Le tour n'est pas terminé : {turn} doit encore agir."),
    "no-such-recruit": ("pas en recrue {slot}", "{card} n'est pas la recrue {slot} : on ne peut pas l'y prendre."),
    "not-replaced": (
        "remplacer recrue {slot}",
        "La recrue {slot} a été prise et doit d'abord être remplacée depuis la pioche.",
    ),
    "wrong-face": (
        "recrue {slot} {face}",
        "La carte qui remplace la recrue {slot} se pose face {face}, comme celle qui a été prise.",
    ),
    "eleventh-card": ("dix cartes en main", "{player} a déjà dix cartes en main et ne peut pas recruter."),
    "empty-hand": ("main vide", "{player} n'a pas de carte en main à engager."),
    "nothing-face-down": ("rien de caché", "{player} n'a pas d'allié face cachée à retourner."),
    "revealed-early": ("pas avant la fin", "L'allié de {player} reste face cachée jusqu'à la fin de l'escarmouche."),
    "blocked": (
        "bloqué par {by}|bloqué: {by}",
        "Le pouvoir de {card} est bloqué par {by}, un allié face visible de force inférieure.",
    ),
    "blocked-by-kin": (
        "bloqué par {by}|bloqué: {by}",
        "Le pouvoir de {card} est bloqué par {by}, un allié du même clan qui n'est pas plus fort.",
    ),
    "no-such-ally": ("{card} absent", "{card} n'est pas un allié de {player}."),
    "not-just-engaged": ("seulement si engagé", "Le pouvoir de {card} ne s'utilise qu'au moment où on l'engage."),
    "face-down-power": (
        "caché: sans pouvoir",
        "Une carte face cachée n'a pas de pouvoir : {player} ne peut pas l'utiliser.",
    ),
    "lies-otherwise": (
        "{card} mal posé|{card} ?",
        "{card} ne se trouve pas ainsi dans l'armée de {player} : à la verticale ou à l'horizontale ?",
    ),
    "sideways": ("{card} droit", "{card} est à l'horizontale sans pouvoir activé ; redressez la carte."),
    "wrong-power": ("pas ce pouvoir", "{card} n'a pas le pouvoir du clan {clan}."),
    "not-a-supporter": ("{card} : non", "{card} n'est pas un partisan : Cockburn s'échange contre un partisan."),
    "own-ally": ("un allié adverse", "{card} est un allié à soi : Fergusson s'échange contre un allié adverse."),
    "swap-target": ("{card} absent", "{player} n'a pas cet allié ({card}) à échanger contre Fergusson."),
    "nothing-to-draw": ("rien à piocher", "La pioche et la défausse sont vides : il n'y a rien à piocher."),
    "ally-owed": ("engager un allié", "{player} a utilisé Makgill et doit engager un autre allié, pas recruter."),
    "no-card-in-hand": ("main vide", "{player} n'a pas de carte en main à engager avec Makgill."),
    "nothing-to-copy": (
        "pas de {clan}",
        "Il n'y a pas d'autre allié face visible du clan {clan} que {card} puisse copier.",
    ),
    "wrong-copy": ("copie d'un autre", "{card} doit copier le pouvoir utilisé : celui du clan {clan} ne convient pas."),
    "discard-target": ("{card} absent", "{player} n'a pas cet allié ({card}) que Wemyss puisse défausser."),
    "discards-itself": ("un autre allié", "{card} défausse un autre allié, jamais lui-même."),
    "reactivated": (
        "pas deux fois",
        "{card} est resté de la manche précédente ou est actif : son pouvoir ne se réactive pas.",
    ),
    "not-revealed": (
        "{player} : alliés cachés",
        "{player} a encore des alliés face cachée : on les retourne avant de prendre les partisans.",
    ),
    "no-such-supporter": ("pas un partisan", "{card} n'est pas parmi les partisans."),
    "out-of-order": ("{turn} prend d'abord", "{player} ne peut pas encore prendre de partisan : c'est à {turn}."),
    "taken-early": ("manche non finie", "{player} ne prend pas de partisan avant la fin de l'escarmouche."),
    "no-ally": ("sans allié : rien", "{player} n'a aucun allié dans l'escarmouche et ne récupère pas de partisan."),
    "second-supporter": ("a déjà pris", "{player} a déjà pris : un partisan chacun, deux avec un Cochrane actif."),
    "cleared-early": ("pas encore défaussé", "On ne défausse pas {card} avant que tous les partisans soient pris."),
    "not-due": ("{card} reste", "On ne défausse pas {card} ({place}) : cela fait partie de la nouvelle escarmouche."),
    "not-there": ("{card} absent", "{card} n'est pas là ({place}) : on ne peut rien y défausser."),
    "supporters-left": ("d'abord les anciens", "On défausse les partisans restants avant d'en dévoiler de nouveaux."),
    "stays": ("{card} reste", "{card} reste une manche de plus et n'est pas défaussé."),
    "straightened": ("{card} couché", "{card} reste à l'horizontale jusqu'à la fin de la manche."),
    "initiative": ("il revient à {holder}", "Le jeton Initiative revient à {holder}, pas à {player}."),
    "game-over": ("partie terminée", "La partie est terminée : plus rien ne compte."),
}

FACES = {"up": "visible", "down": "cachée"}

ACTS = {
    "turned": (
        "{player} retourne {slot}",
        "tour {turn} sur 5",
        "{player} retourne la recrue {slot} : {card}. Le tour {turn} sur 5 commence.",
    ),
    "recruited": ("{player} recrute {slot}", "{card}", "{player} recrute à la place {slot} : {card}."),
    "engaged-down": (
        "{player} : face cachée",
        "sans pouvoir",
        "{player} engage un allié face cachée ; il n'a pas de pouvoir.",
    ),
    "engaged-usable": (
        "{player} : {card}",
        "pouvoir possible",
        "{player} engage {card}. Son pouvoir peut être utilisé : {power}.",
    ),
    "engaged-blocked": (
        "{player} : {card}",
        "bloqué par {by}|bloqué: {by}",
        "{player} engage {card}. Son pouvoir est bloqué par {by}.",
    ),
    "engaged-idle": (
        "{player} : {card}",
        "pouvoir sans objet",
        "{player} engage {card}. Il n'y a rien sur quoi utiliser son pouvoir.",
    ),
    "passed": ("{player} passe", "rien n'est possible", "{player} ne peut ni recruter ni engager et passe."),
    "ended": ("{player} : tour fini", "{next}", "Le tour de {player} est terminé."),
    "recruited-unseen": (
        "{player} recrute",
        "sans être vu",
        "{player} dit son tour terminé : rien n'a été vu, une recrue a donc été prise face cachée.",
    ),
    "exchange": ("{card}", "pour {target}", "{player} échange {card} contre le partisan {target}."),
    "swap": ("{card}", "pour {target}", "{player} échange {card} contre {target}, un allié de {owner}."),
    "draw": ("{card}", "une carte piochée", "{player} utilise {card} et pioche une carte."),
    "again": ("{card}", "un autre allié", "{player} utilise {card} et engage un autre allié."),
    "discard": (
        "{card}",
        "défausse {target}|adieu {target}",
        "{player} utilise {card} et défausse {target}, un allié de {owner}.",
    ),
    "activate": ("{card}", "activé", "{player} active {card} : {power}."),
    "token-to-come": (
        "{card}",
        "posez le jeton",
        "{player} tourne {card} : le jeton Pouvoir dira quel pouvoir est copié.",
    ),
    "revealed": ("{player} : {card}", "{next}", "{player} retourne un allié face visible : {card}."),
    "taken": (
        "{player} gagne {card}|{card}",
        "points : {points}",
        "{player} récupère le partisan {card} ; points : {points}.",
    ),
    "straightened": ("{card}", "reste", "{card} est redressé et reste pour la manche suivante."),
    "cleared": ("{card}", "défaussé", "{card} est défaussé."),
    "dealt": ("{card}", "de la pioche", "{card} vient de la pioche ({place})."),
    "dealt-together": ("{count} cartes", "de la pioche", "{count} cartes viennent de la pioche."),
    "cleared-together": ("{count} cartes", "défaussées", "{count} cartes sont défaussées."),
    "initiative": (
        "Initiative : {player}",
        "commence la manche",
        "{player} reçoit le jeton Initiative et commence la manche suivante.",
    ),
    "put-right": ("remis en ordre", "{card}", "C'est remis en ordre : {card}."),
}

NEXT = {
    "turn": "au tour de {player}",
    "turn-recruit": "{player} : une recrue",
    "replace": "remplacer recrue {slot}",
    "reveal": "retourner les alliés",
    "take": "{player} prend ensuite",
    "set-out": "mise en place",
    "over": "{player} a gagné",
}

STANDINGS = {
    "stronger": "{place}. {player} avec {worth} : plus fort que l'armée suivante.",
    "tie-rank": "{place}. {player} avec {worth} : à égalité avec la suivante, au rang plus élevé : {rank}.",
    "last": "{place}. {player} avec {worth}.",
    "no-ally": "{player} n'a aucun allié et ne récupère pas de partisan.",
    "doubled": " (doublé)",
    "hidden": " et {hidden} face cachée",
    "two": " Récupère deux partisans.",
    "none": " Il ne lui reste aucun partisan.",
    "waits": "Ce n'est pas définitif : les alliés face cachée ne comptent qu'une fois retournés.",
}

REMEDIES = {
    "take": ("à rectifier", "retirer {card}|ôter {card}", "Retirez {card} ({place})."),
    "lay": ("à rectifier", "poser {card}", "Remettez {card} ({place})."),
    "move": ("à rectifier", "placer {card}", "Replacez {card} ({place})."),
    "upright": ("à rectifier", "dresser {card}", "Redressez {card} ({place})."),
    "sideways": ("à rectifier", "coucher {card}", "Posez {card} à l'horizontale ({place})."),
    "initiative": ("à rectifier", "Initiative à {player}", "Remettez le jeton Initiative à {player}."),
}
