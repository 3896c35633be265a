"""Phrases in French, with the terms of the French rulebook."""

from __future__ import annotations

from engine.schotten_totten.phrases import Phrase

FOULS: dict[str, Phrase] = {
    "out-of-turn": (
        "PAS TON TOUR : {player}",
        "{turn} doit jouer",
        "Ce n'est pas le tour de {player} : {turn} doit jouer.",
    ),
    "second-card": (
        "2e CARTE DE {player}",
        "Reprends-la",
        "{player} a déjà joué ce tour-ci ; on ne joue qu'une carte par tour.",
    ),
    "cards-at-once": (
        "2 CARTES CE TOUR",
        "Reprends-en une",
        "{player} a posé plusieurs cartes à la fois ({cards}) : aucune ne compte tant qu'il en reste plus d'une.",
    ),
    "face-down": (
        "CARTE FACE CACHÉE",
        "Retourne : {place}",
        "La carte en {place} est face cachée ; on joue face visible.",
    ),
    "opponents-side": (
        "MAUVAIS CÔTÉ, {stone}",
        "Pose de ton côté",
        "{player} a posé une carte du côté adverse de la Borne {stone}.",
    ),
    "not-beside-the-stone": (
        "PAS SUR LA BORNE {stone}",
        "Pose-la devant",
        "Seuls les modes de combat se jouent sur une Borne ; cette carte va devant la Borne {stone}.",
    ),
    "side-full": (
        "BORNE {stone} COMPLÈTE",
        "{limit} cartes par côté",
        "Le côté de {player} de la Borne {stone} a déjà ses {limit} cartes.",
    ),
    "stone-claimed": ("BORNE {stone} PRISE", "Joue ailleurs", "La Borne {stone} est déjà revendiquée."),
    "card-moved": (
        "{CARD} DÉPLACÉ|CARTE DÉPLACÉE",
        "Remettre en {place}",
        "La carte {card} ne peut pas être déplacée ; sa place est en {place}.",
    ),
    "card-removed": (
        "{CARD} MANQUE|IL MANQUE UNE CARTE",
        "Remettre en {place}",
        "La carte {card} manque ; sa place est en {place}.",
    ),
    "card-swapped": (
        "CHANGÉE EN {place}",
        "C'était {card}|Remets la première",
        "En {place}, la carte {card} a été changée pour {come} ; une carte posée reste posée.",
    ),
    "duplicate": (
        "{CARD} VU 2 FOIS|CARTE VUE 2 FOIS",
        "Vérifie les deux",
        "La carte {card} n'existe qu'une fois et se trouve déjà en {place}.",
    ),
    "must-play": (
        "{player} DOIT JOUER",
        "Une carte Clan va",
        "{player} ne peut pas passer : sa main contient sûrement une carte Clan qui peut être posée.",
    ),
    "claim-too-early": (
        "TROP TÔT",
        "Joue d'abord",
        "{player} ne peut revendiquer la Borne {stone} qu'après avoir posé une carte.",
    ),
    "claim-too-late": (
        "TROP TARD",
        "Au prochain tour",
        "{player} ne peut revendiquer la Borne {stone} qu'à son tour, après sa carte et avant celle de l'adversaire.",
    ),
    "expert-claim-too-early": (
        "TROP TÔT",
        "Attends ton tour",
        "{player} ne peut revendiquer la Borne {stone} qu'au début de son tour.",
    ),
    "expert-claim-too-late": (
        "TROP TARD",
        "Avant de jouer",
        "{player} a déjà joué : les experts revendiquent au début de leur tour ; la Borne {stone} attendra.",
    ),
    "claim-incomplete": (
        "PAS ENCORE : BORNE {stone}",
        "Ton côté : incomplet",
        "{player} ne peut pas revendiquer la Borne {stone} : son côté n'est pas complet.",
    ),
    "claim-weaker": (
        "NON : BORNE {stone}",
        "La tienne est faible",
        "{player} ne peut pas revendiquer la Borne {stone} : la combinaison adverse est plus forte.",
    ),
    "claim-tie-second": (
        "NON : BORNE {stone}",
        "Égalité, 2e",
        "{player} ne peut pas revendiquer la Borne {stone} : à égalité, elle va à qui a complété en premier.",
    ),
    "claim-could-be-beaten": (
        "PAS PROUVÉ : BORNE {stone}",
        "On peut te battre",
        "{player} ne peut pas encore revendiquer la Borne {stone} : {cards} la battrait.",
    ),
    "already-claimed": ("BORNE {stone} PRISE", "Elle le reste", "La Borne {stone} est déjà revendiquée."),
    "stone-given-back": (
        "LA BORNE {stone} EST À {player}",
        "Remets-la-lui",
        "La Borne {stone} est à {player} ; une Borne revendiquée ne se rend pas.",
    ),
    "stone-misplaced": (
        "REMETS LA BORNE {stone}",
        "Pas revendiquée",
        "La Borne {stone} est passée du côté de {player} sans revendication.",
    ),
    "stone-missing": ("BORNE {stone} DISPARUE", "Remets-la", "La tuile de la Borne {stone} manque."),
    "game-over": ("PARTIE FINIE : {player}", "Plus rien ne compte", "La partie est finie : {player} a gagné."),
    "no-tactics": (
        "PAS DE TACTIQUE ICI",
        "Reprends la carte",
        "{card} ne peut pas être jouée : cette partie se joue sans cartes Tactique.",
    ),
    "tactic-limit": (
        "LIMITE TACTIQUE : {player}",
        "Reprends la carte",
        "Cartes Tactique jouées : {player} {mine}, l'adversaire {theirs} ; une de plus que lui est la limite.",
    ),
    "second-joker": (
        "2e JOKER : {player}",
        "Reprends la carte",
        "{player} ne peut avoir qu'un seul Joker de son côté.",
    ),
    "mode-misplaced": (
        "MODE DE COMBAT",
        "Sur la Borne même",
        "{card} est un mode de combat et se joue sur une tuile Borne, pas sur un côté.",
    ),
    "mode-on-claimed": (
        "BORNE {stone} PRISE",
        "Pas de mode ici",
        "{card} ne peut pas être posé sur la Borne {stone} : elle est déjà revendiquée.",
    ),
    "mode-stays": (
        "LE MODE RESTE",
        "À remettre : Borne {stone}",
        "{card} est un mode de combat : il reste sur la Borne {stone}, aucune ruse ne le prend.",
    ),
    "discarded": (
        "PAS À LA DÉFAUSSE",
        "Reprends la carte",
        "Seules les ruses, et les cartes qu'elles défaussent, vont à côté de la pioche.",
    ),
    "ruse-misplaced": (
        "C'EST UNE RUSE",
        "À côté de la pioche",
        "{card} est une ruse : réalisez son action et posez-la à côté de la pioche.",
    ),
    "ruse-unfinished": (
        "TERMINE LA RUSE",
        "L'action d'abord",
        "{player} a montré {ruse} et doit d'abord réaliser son action, ou reprendre la carte.",
    ),
    "strategist-card": (
        "STRATÈGE : PAS ELLE",
        "Une carte à toi",
        "Le Stratège déplace une carte de son propre côté ; {card} en {place} n'est pas à {player}.",
    ),
    "strategist-target": (
        "STRATÈGE : PAS LÀ",
        "Une autre Borne à toi",
        "Le Stratège place {card} de son propre côté d'une autre Borne, ou la défausse ; pas en {place}.",
    ),
    "banshee-card": (
        "BANSHEE : PAS ELLE",
        "Une carte adverse",
        "La Banshee prend une carte du côté adverse ; {card} en {place} n'en est pas une.",
    ),
    "traitor-card": (
        "TRAÎTRE : PAS ELLE",
        "Une carte adverse",
        "Le Traître prend une carte Clan du côté adverse ; {card} en {place} n'en est pas une.",
    ),
    "traitor-tactic": (
        "TRAÎTRE : PAS ELLE",
        "Cartes Clan seulement",
        "Le Traître ne prend que des cartes Clan, jamais {card}.",
    ),
    "traitor-target": (
        "TRAÎTRE : PAS LÀ",
        "De ton propre côté",
        "Le Traître amène {card} de son propre côté d'une Borne ; pas en {place}.",
    ),
    "ruse-from-claimed": (
        "BORNE {stone} PRISE",
        "Ses cartes restent",
        "{ruse} ne peut rien prendre à la Borne {stone} : elle est déjà revendiquée.",
    ),
    "ruse-onto-claimed": (
        "BORNE {stone} PRISE",
        "Choisis une autre",
        "{ruse} ne peut rien amener à la Borne {stone} : elle est déjà revendiquée.",
    ),
    "ruse-onto-full": (
        "BORNE {stone} COMPLÈTE",
        "{limit} cartes par côté",
        "{ruse} ne peut rien amener à la Borne {stone} : ce côté a déjà ses {limit} cartes.",
    ),
}

ACTS: dict[str, Phrase] = {
    "laid": ("{player} : BORNE {stone}", "{card}", "{player} pose {card} devant la Borne {stone}."),
    "mode": ("BORNE {stone} : MODE", "{card}", "{player} pose {card} sur la Borne {stone}."),
    "ruse": ("RUSE DE {player}", "{ruse}", "{player} joue {ruse}."),
    "ruse-moved": ("RUSE DE {player}", "{ruse}", "{player} joue {ruse} : {card} va de {origin} à {target}."),
    "ruse-shown": ("RUSE : À L'ACTION", "{ruse}", "{player} montre {ruse} et doit maintenant réaliser son action."),
    "claim-stronger": ("{player} PREND LA BORNE {stone}", "La plus forte", ""),
    "claim-tie-completed-first": ("{player} PREND LA BORNE {stone}", "Égalité, 1er complet", ""),
    "claim-proof": ("{player} PREND LA BORNE {stone}", "Imbattable", ""),
    "passed": ("{player} PASSE", "Aucune carte posée", "{player} passe."),
    "ended": ("FIN DU TOUR : {player}", "{turn} doit jouer", "Le tour de {player} est fini ; {turn} doit jouer."),
    "righted": ("MERCI", "Tout est en ordre", "C'est remis en ordre."),
    "ignored": ("PARTIE FINIE", "Ramassez les cartes", "La partie est finie ; les cartes peuvent être ramassées."),
    "won-three": ("{player} A GAGNÉ", "3 Bornes adjacentes", "{player} gagne avec trois Bornes adjacentes."),
    "won-five": ("{player} A GAGNÉ", "5 Bornes", "{player} gagne avec cinq Bornes."),
}

REMEDIES: dict[str, Phrase] = {
    "lay": ("REMETTRE EN {place}", "{card}", "Remettez {card} en {place}."),
    "take": ("REPRENDRE : {place}", "{card}", "Reprenez {card} en {place}."),
    "move": ("REMETTRE EN {place}", "{card}", "Remettez {card} de {origin} en {place}."),
    "tile-border": ("REMETS LA BORNE {stone}", "Sur la frontière", "Remettez la Borne {stone} sur la frontière."),
    "tile-side": (
        "LA BORNE {stone} EST À {player}",
        "Mets-la de son côté",
        "Mettez la Borne {stone} du côté de {player}.",
    ),
}

HIDDEN = "carte cachée"
DISCARD = "défausse"
