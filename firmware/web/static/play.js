// The virtual table: cards and Stones that a visitor takes and lays with mouse, finger or keyboard. What is done here
// is only done to the table; the simulated camera has to see it, and the referee has its own opinion.

import { Board } from "./board.js";
import { cardName, explain, h, post, s, t } from "./dom.js";
import { score } from "./table.js";
import { Mischief } from "./mischief.js";
import { LivePicture } from "./camera.js";
import { Welcome } from "./welcome.js";

const WIDE = matchMedia("(min-width: 901px)"); // a phone's line and screen are spared the picture
const SLIP_PX = 6; // a pointer that moved less than this was a click

export class PlayView {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.board = new Board(page.layout, true);
    this.status = h("div", { class: "status" });
    this.hands = Object.fromEntries(page.layout.seats.map((player) => [player, h("div", { class: "hand", data: { player } })]));
    this.mischief = new Mischief(page);
    this.welcome = new Welcome({ cheat: () => this.mischief.cheatSoon(), sit: () => this.#sit(), watch: () => {} });
    this.live = new LivePicture(page);
    this.liveTitle = h("h2", {});
    this.liveBox = h("section", { class: "beside", hidden: true }, this.liveTitle, this.live.root);
    page.panel.aside.append(this.liveBox);
    const [mine, ...others] = Object.values(this.hands);
    const opponents = h("div", { class: "opponents" }, ...others.reverse());
    root.append(this.status, opponents, this.board.scroller, mine, this.mischief.root);
    this.picked = null;
    this.board.svg.addEventListener("pointerdown", (event) => this.#onBoard(event));
    this.board.svg.addEventListener("dblclick", (event) => this.#turnOver(event));
    this.board.svg.addEventListener("contextmenu", (event) => this.#turnAside(event));
    for (const hand of Object.values(this.hands)) hand.addEventListener("pointerdown", (event) => this.#onHand(event));
    root.addEventListener("keydown", (event) => this.#onKey(event));
  }

  speak() {
    this.board.label(t("virtual_table"));
    for (const [player, hand] of Object.entries(this.hands)) hand.setAttribute("aria-label", t("hand_of", { player }));
    for (const hand of Object.values(this.hands)) hand.setAttribute("role", "group");
    this.mischief.speak();
    this.live.speak();
    this.liveTitle.textContent = t("camera_sees");
    this.welcome.speak();
    this.shownHands = null;
  }

  open() {
    this.liveBox.hidden = !WIDE.matches;
    if (WIDE.matches) this.live.open();
  }

  close() {
    this.liveBox.hidden = true;
    this.live.close();
  }

  show(state, play) {
    this.status.replaceChildren(...score(state));
    this.board.shine(state.lamps);
    this.board.putRight(state.put_right);
    if (!play) return;
    this.play = play;
    const wrong = new Set(state.put_right.map((change) => change.code));
    this.board.show(play.pieces.map((piece) => ({ ...piece, wrong: wrong.has(piece.code) })));
    this.#drawHands(play);
    this.#drawHandInView(play.hand_in_view);
    this.mischief.show(play);
    this.root.dataset.dim = play.light < 0.5 ? "yes" : "no";
  }

  async #sit() {
    explain(await post("/play", { deed: "seat", player: "A", who: "visitor" }));
  }

  #drawHands(play) {
    const key = JSON.stringify([play.hands, play.seats, play.decks, play.pocketed]);
    if (key === this.shownHands) return;
    this.shownHands = key;
    for (const player of Object.keys(this.hands)) {
      this.hands[player].hidden = !play.hands[player];
      if (!play.hands[player]) continue;
      const mine = play.seats[player] === "visitor";
      const fan = play.hands[player].map((code) => this.#handCard(code, mine));
      const label = h("span", { class: "label" }, t("hand_of", { player }), h("small", {}, t(mine ? "seat_visitor" : "seat_computer")));
      const decks = player === "A" ? this.#decks(play) : null;
      const pocketed = player === "A" ? play.pocketed.map((code) => this.#handCard(code, true)) : [];
      this.hands[player].replaceChildren(label, h("div", { class: "fan" }, fan, pocketed), decks ?? "");
      this.hands[player].classList.toggle("mine", mine);
    }
    this.#markPicked();
  }

  #handCard(code, mine) {
    const art = mine ? code : "back";
    return h("button", { type: "button", class: `in-hand ${this.board.isTile(code) ? "tile" : ""}`, disabled: !mine, data: { code },
      "aria-label": mine ? cardName(code) : t("card_back") }, h("img", { src: `/art/${art}.svg`, alt: "", draggable: "false" }));
  }

  #decks(play) {
    const player = Object.keys(play.seats).find((name) => play.seats[name] === "visitor") ?? null;
    const pile = (deck, art) => h("button", { type: "button", class: "deck", disabled: !player || !play.decks[deck], data: { deck },
      title: t("draw_hint"), on: { click: async () => explain(await post("/play", { deed: "draw", player, deck })) } },
      h("img", { src: `/art/${art}.svg`, alt: t(`deck_${deck}`) }), h("span", {}, String(play.decks[deck])));
    const piles = Object.keys(play.decks).filter((deck) => deck !== "tactic" || play.decks[deck]);
    return h("div", { class: "decks" }, piles.map((deck) => pile(deck, deck === "tactic" ? "tactic-back" : "back")));
  }

  #drawHandInView(hands) {
    const zones = [...this.board.above.querySelectorAll(".zone")];
    this.board.above.replaceChildren(...hands.map(([x, y]) => reachingHand(x, y, y > this.page.layout.size[1] / 2)), ...zones);
  }

  // Taking and laying

  #onBoard(event) {
    const point = this.board.locate(event.clientX, event.clientY);
    if (this.mischief.handMode && point) {
      post("/play", { deed: "hand", in: true, x: point.x, y: point.y }).then(explain);
      return;
    }
    const zone = event.target.closest?.(".zone");
    if (zone) {
      event.preventDefault();
      this.#lay(this.picked, { x: Number(zone.dataset.x), y: Number(zone.dataset.y) });
      return;
    }
    const node = event.target.closest?.(".piece");
    if (node) this.#drag(event, node.dataset.code, node.querySelector("image").getAttribute("href"), node);
    else if (this.picked && point) this.#lay(this.picked, point);
  }

  #onHand(event) {
    const node = event.target.closest(".in-hand");
    if (node && !node.disabled) this.#drag(event, node.dataset.code, node.querySelector("img").getAttribute("src"), node);
    else if (this.picked && this.board.known.has(`${this.picked} 1`)) this.#takeBack(this.picked, event.currentTarget.dataset.player);
  }

  #drag(event, code, art, node) {
    if (event.button !== 0) return;
    event.preventDefault();
    node.focus?.({ preventScroll: true });
    const start = { x: event.clientX, y: event.clientY };
    const isTile = this.board.isTile(code);
    const [width, height] = isTile ? this.page.layout.tile : this.page.layout.card;
    const scale = this.board.scale;
    const ghost = h("img", { class: "ghost", src: art, alt: "", width: width * scale, height: height * scale });
    let moved = false;
    const move = (now) => {
      if (!moved && Math.hypot(now.clientX - start.x, now.clientY - start.y) < SLIP_PX) return;
      if (!moved) { document.body.append(ghost); node.classList.add("away"); this.#pick(null); }
      moved = true;
      ghost.style.transform = `translate(${now.clientX - (width * scale) / 2}px, ${now.clientY - (height * scale) / 2}px) rotate(-3deg)`;
      const point = this.board.locate(now.clientX, now.clientY);
      this.#hint(code, point);
    };
    const end = async (now) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      this.#hint(code, null);
      if (now.type === "pointercancel") moved = moved && false;
      else if (moved) await this.#drop(code, now.clientX, now.clientY);
      else this.#pick(this.picked === code ? null : code);
      ghost.remove();
      node.classList.remove("away");
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  async #drop(code, x, y) {
    const point = this.board.locate(x, y);
    if (point) return this.#lay(code, point);
    const hand = document.elementFromPoint(x, y)?.closest(".hand");
    return hand ? this.#takeBack(code, hand.dataset.player) : null;
  }

  async #lay(code, point) {
    this.#pick(null);
    explain(await post("/play", { deed: "put", code, x: point.x, y: point.y, crooked: this.mischief.crooked }));
  }

  async #takeBack(code, player) {
    this.#pick(null);
    explain(await post("/play", { deed: "take", code, player }));
  }

  async #turnOver(event) {
    const node = event.target.closest?.(".piece.card");
    if (node) explain(await post("/play", { deed: "turn-over", code: node.dataset.code }));
  }

  async #turnAside(event) {
    const node = event.target.closest?.(".piece.card");
    if (!node) return;
    event.preventDefault();
    explain(await post("/play", { deed: "turn", code: node.dataset.code, by: 90 }));
  }

  #hint(code, point) {
    const zone = point && this.board.zoneAt(code, point);
    this.board.zones.querySelector(".hint")?.remove();
    if (zone) this.board.zones.append(box(zone, { class: "hint" }));
  }

  /** Picks a piece up to be laid with the next click or key: every place becomes a button. */
  #pick(code) {
    this.picked = code;
    this.board.above.querySelectorAll(".zone").forEach((node) => node.remove());
    if (code) {
      const places = this.board.zonesFor(code);
      this.board.above.append(...places.map((zone) => box(zone, { class: "zone", tabindex: "0", role: "button",
        "aria-label": t("lay_here", { card: cardName(code), place: placeName(zone.place) }), data: { x: zone.x, y: zone.y, place: zone.place } })));
    }
    this.#markPicked();
  }

  #markPicked() {
    for (const node of this.root.querySelectorAll(".in-hand")) {
      node.classList.toggle("picked", node.dataset.code === this.picked);
      node.setAttribute("aria-pressed", String(node.dataset.code === this.picked));
    }
    for (const node of this.board.known.values()) node.classList.toggle("picked", node.dataset.code === this.picked);
  }

  /** Keys on a piece of the table: arrows to the next one, Enter picks it up, Delete takes it into a hand. */
  #onPieceKey(event, piece) {
    const code = piece.dataset.code;
    if (event.key.startsWith("Arrow")) {
      const all = [...this.board.known.values()].sort((one, other) => one.at.x - other.at.x || one.at.y - other.at.y);
      const step = event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : -1;
      all[(all.indexOf(piece) + step + all.length) % all.length].focus();
    } else if (event.key === "Enter" || event.key === " ") this.#pick(this.picked === code ? null : code);
    else if (event.key === "Delete" || event.key === "Backspace") this.#takeBack(code, piece.at.y > this.page.layout.size[1] / 2 ? "A" : "B");
    else return false;
    return true;
  }

  #onKey(event) {
    if (event.key === "Escape") { this.#pick(null); return; }
    const piece = event.target.closest?.(".piece");
    if (piece && this.#onPieceKey(event, piece)) { event.preventDefault(); return; }
    if (event.key !== "Enter" && event.key !== " ") return;
    const zone = event.target.closest?.(".zone"), card = event.target.closest?.(".in-hand");
    if (!zone && !card) return;
    event.preventDefault();
    if (zone) this.#lay(this.picked, { x: Number(zone.dataset.x), y: Number(zone.dataset.y) });
    else this.#pick(this.picked === card.dataset.code ? null : card.dataset.code);
  }
}

/** A hand and an arm that reach in from a player's edge, fingertips here. */
function reachingHand(x, y, fromA) {
  const finger = (x1, y1, x2, y2, width = 15) => s("line", { x1, y1, x2, y2, "stroke-width": width });
  return s("g", { class: "reaching", transform: `translate(${x} ${y}) scale(1 ${fromA ? 1 : -1})` }, s("title", {}, t("hand_in_view")),
    finger(-20, 70, -27, 18), finger(-7, 62, -9, 7), finger(8, 62, 10, 9), finger(22, 70, 27, 24, 13), finger(-30, 104, -48, 66, 16),
    s("rect", { x: -33, y: 58, width: 66, height: 72, rx: 26 }), s("rect", { x: -25, y: 108, width: 50, height: 420, rx: 20 }));
}

function box(zone, attributes) {
  const [x, y, width, height] = zone.box;
  return s("rect", { x, y, width, height, rx: 4, ...attributes });
}

/** What a person calls a place of the mat. */
export function placeName(place) {
  const fan = /^(\d)([AB])$/.exec(place), mode = /^(\d)M/.exec(place), tile = /^stone(\d):(\w+)$/.exec(place);
  if (fan) return t("place_side", { stone: fan[1], player: fan[2] });
  if (mode) return t("place_mode", { stone: mode[1] });
  if (tile) return tile[2] === "border" ? t("place_border") : t("place_claimed", { player: tile[2] });
  const army = /^army([A-E])$/.exec(place), recruit = /^recruit(\d)$/.exec(place), token = /^initiative:([A-E])$/.exec(place);
  if (army) return t("place_army", { player: army[1] });
  if (recruit) return t("place_recruit", { number: recruit[1] });
  if (token) return t("place_initiative", { player: token[1] });
  return t(place === "supporters" ? "place_supporters" : "place_discard");
}
