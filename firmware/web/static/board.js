// The board: a mat, pieces where they lie, lamps as they shine. Draws what it is given and knows no rule.

import { cardName, h, s, t } from "./dom.js";

const CALM = matchMedia("(prefers-reduced-motion: reduce)");
let boards = 0;
const LIGHTS = { green: "#3ddc74", red: "#ff4d46", amber: "#ffb52e", off: "none" };

const ARMY_SIGNS = new Set(["offered", "held", "tie"]); // what they mean where lamps stand for players

export class Board {
  /** `movable`: pieces can be reached with the keyboard. */
  constructor(layout, movable = false) {
    this.layout = layout;
    this.movable = movable;
    this.arrowHead = `arrow-${++boards}`;
    const [width, height] = layout.size;
    this.pieces = s("g", { class: "pieces" });
    this.zones = s("g", { class: "zones" });
    this.arrows = s("g", { class: "arrows" });
    this.lamps = s("g", { class: "lamps" });
    this.above = s("g", { class: "above" });
    this.svg = s("svg", { viewBox: `0 0 ${width} ${height}`, class: "board", role: "group" },
      s("defs", {}, s("marker", { id: this.arrowHead, viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 5, markerHeight: 5, orient: "auto-start-reverse" },
        s("path", { d: "M0 0L10 5L0 10z", class: "arrow-head" }))),
      s("image", { href: `/art/mat.svg?${layout.game}`, width, height, class: "mat" }),
      this.zones, this.pieces, this.lamps, this.arrows, this.above);
    this.scroller = h("div", { class: "scroller", tabindex: "0", role: "group" }, this.svg);
    this.known = new Map();
    this.lampNodes = layout.lamps.map(([x, y]) => this.#lamp(x, y));
    this.lamps.append(...this.lampNodes.map((lamp) => lamp.group));
    this.beats = [];
    setInterval(() => this.#beat(), 125);
  }

  label(words) {
    this.svg.setAttribute("aria-label", words);
    this.scroller.setAttribute("aria-label", words);
  }

  /** Shows these pieces, the lowest first: {code, shown?, x, y, turn, place, wrong?}. Those already there glide. */
  show(pieces) {
    const seen = new Set();
    const counts = {};
    let before = null;
    for (const piece of pieces) {
      counts[piece.code] = (counts[piece.code] ?? 0) + 1;
      const key = `${piece.code} ${counts[piece.code]}`;
      seen.add(key);
      const node = this.known.get(key) ?? this.#piece(key, piece);
      this.#place(node, piece);
      const next = before ? before.nextSibling : this.pieces.firstChild;
      if (node !== next) this.pieces.insertBefore(node, next);
      before = node;
    }
    for (const [key, node] of this.known) {
      if (!seen.has(key)) {
        node.remove();
        this.known.delete(key);
      }
    }
  }

  /** What has to go where: an arrow for each piece. */
  putRight(changes) {
    this.arrows.replaceChildren(...changes.map((change) => this.#arrow(change)).filter(Boolean));
  }

  shine(lamps) {
    this.beats = lamps;
    lamps.forEach((lamp, n) => {
      const node = this.lampNodes[n];
      if (!node) return;
      node.group.dataset.sign = lamp.sign;
      const who = lamp.side === null ? "" : this.layout.seats[lamp.side];
      const ofStone = this.layout.tile_codes.length > 1;
      const name = ofStone ? t("stone", { number: n + 1 }) : t("lamp_of", { player: this.layout.seats[n] });
      const sign = `sign_${lamp.sign.replace(" ", "_")}${ofStone || !ARMY_SIGNS.has(lamp.sign) ? "" : "_army"}`;
      node.title.textContent = `${name}: ${t(sign, { player: who })}`;
    });
    this.#beat();
  }

  /** Where on the mat, in millimetres, a point of the window lies; null when outside. */
  locate(clientX, clientY) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return null;
    const point = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    const [width, height] = this.layout.size;
    return point.x >= 0 && point.y >= 0 && point.x <= width && point.y <= height ? { x: point.x, y: point.y } : null;
  }

  get scale() {
    return this.svg.getScreenCTM()?.a ?? 1;
  }

  /** The place under a point for this piece, as a zone of the layout. */
  zoneAt(code, point) {
    const inside = ([x, y, w, height]) => point.x >= x && point.x <= x + w && point.y >= y && point.y <= y + height;
    return this.zonesFor(code).find((zone) => inside(zone.box)) ?? null;
  }

  zonesFor(code) {
    if (this.isTile(code)) return this.layout.tiles.filter((zone) => zone.place.startsWith(`${code}:`));
    return this.layout.places;
  }

  /** A tile of the layout, or a token named after the card it lies on. */
  isTile(code) {
    return this.layout.tile_codes.includes(code) || code.includes("!");
  }

  #piece(key, piece) {
    const isTile = this.isTile(piece.code);
    const [width, height] = isTile ? this.layout.tile : this.layout.card;
    const image = s("image", { x: -width / 2, y: -height / 2, width, height });
    const node = s("g", { class: `piece ${isTile ? "tile" : "card"} new` },
      s("title"), s("rect", { class: "shadow", x: -width / 2 + 0.8, y: -height / 2 + 1.4, width, height, rx: 3 }),
      image, s("rect", { class: "edge", x: -width / 2, y: -height / 2, width, height, rx: isTile ? 2 : 3 }));
    this.known.set(key, node);
    if (this.movable) {
      node.setAttribute("role", "button");
      node.setAttribute("tabindex", piece.code === this.layout.tile_codes[0] ? "0" : "-1"); // one stop for all; arrows go on from there
    }
    requestAnimationFrame(() => requestAnimationFrame(() => node.classList.remove("new")));
    return node;
  }

  #place(node, piece) {
    const shown = piece.shown ?? piece.code;
    const image = node.querySelector("image");
    const href = `/art/${shown === "?" ? "back" : shown}.svg`;
    if (image.getAttribute("href") !== href) image.setAttribute("href", href);
    // Turn the short way round: 350° is next to 10°.
    const before = node.turned ?? piece.turn;
    const turn = before + ((((piece.turn - before) % 360) + 540) % 360) - 180;
    node.turned = turn;
    node.at = { x: piece.x, y: piece.y };
    node.style.transform = `translate(${piece.x}px, ${piece.y}px) rotate(${turn}deg)`;
    node.classList.toggle("wrong", Boolean(piece.wrong));
    node.dataset.code = piece.code;
    node.dataset.place = piece.place ?? "";
    node.querySelector("title").textContent = cardName(shown);
    if (this.movable) node.setAttribute("aria-label", `${cardName(shown)}. ${t("move_keys")}`);
  }

  #arrow(change) {
    const from = this.#middle(change.code, change.from), to = this.#middle(change.code, change.to);
    if (from && to) return s("path", { class: "arrow", d: `M${from.x} ${from.y} L${to.x} ${to.y}`, "marker-end": `url(#${this.arrowHead})` });
    const at = from ?? to;
    return at ? s("circle", { class: "arrow", cx: at.x, cy: at.y, r: 24 }) : null;
  }

  #middle(code, place) {
    const at = place && this.layout.where[place];
    return at ? { x: at[0], y: at[1] } : null;
  }

  #lamp(x, y) {
    const [width, height] = this.layout.tile;
    const title = s("title");
    const ring = s("rect", { class: "ring", x: x - width / 2, y: y - height / 2, width, height, rx: 3 });
    const bulb = s("circle", { class: "bulb", cx: x, cy: y + height / 2 + 8, r: 5 });
    const glow = s("circle", { class: "glow", cx: x, cy: y + height / 2 + 8, r: 11 });
    return { group: s("g", { class: "lamp" }, title, ring, glow, bulb), ring, bulb, glow, title };
  }

  #beat() {
    this.beats.forEach((lamp, n) => {
      const node = this.lampNodes[n];
      if (!node) return;
      const light = lightOf(lamp);
      if (node.light !== light) {
        node.light = light;
        node.group.dataset.light = light;
        node.bulb.style.fill = light === "off" ? "" : LIGHTS[light];
        node.glow.style.fill = LIGHTS[light];
        node.ring.style.stroke = LIGHTS[light];
      }
    });
  }
}

/** The light of a lamp at this moment; steady where motion is not wanted. */
export function lightOf(lamp) {
  const beats = lamp.beats;
  if (CALM.matches) return beats.find(([light]) => light !== "off")?.[0] ?? "off";
  let into = (performance.now() / 1000) % beats.reduce((sum, [, length]) => sum + length, 0);
  for (const [light, length] of beats) {
    if (into < length) return light;
    into -= length;
  }
  return beats.at(-1)[0];
}
