// For everybody in the hall: the clock, and in turn the pairings, the tables and the standings, large.

import { h, t } from "./dom.js";
import { clock } from "./hub-clock.js";
import { shape } from "./hub-hall.js";
import { scored } from "./hub-round.js";

const TURN_S = 12;

export class ProjectorView {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.title = h("h2");
    this.clock = h("div", { class: "huge-clock", role: "timer" });
    this.left = h("div", { class: "progress-words" });
    this.body = h("div", { class: "slides" });
    this.leave = h("a", { href: "#hall", class: "leave" });
    this.stop = h("button", { type: "button", "aria-pressed": "false", on: { click: () => this.#hold() } });
    root.append(h("div", { class: "projector-head" }, this.title, this.clock, this.left, h("div", { class: "choices" }, this.stop, this.leave)), this.body);
    this.slide = 0;
  }

  speak() {
    this.leave.textContent = t("leave_projector");
    this.stop.textContent = t("hold");
    this.shown = null;
  }

  open() {
    this.timer = setInterval(() => { if (this.stop.getAttribute("aria-pressed") === "false") { this.slide += 1; this.show(); } }, TURN_S * 1000);
  }

  close() {
    clearInterval(this.timer);
  }

  #hold() {
    this.stop.setAttribute("aria-pressed", String(this.stop.getAttribute("aria-pressed") === "false"));
  }

  show() {
    const { round, event } = this.page;
    this.title.replaceChildren(event.name || "Marchwarden", h("small", {}, round ? t("round_number", { round: round.round }) : ""));
    this.left.textContent = !round ? "" : round.over ? t("round_over") : round.started ? t("tables_left", { count: round.waiting.length }) : t("not_started");
    const slides = this.#slides();
    const slide = slides[this.slide % slides.length];
    const key = JSON.stringify([slide.key, slide.data, this.page.language]);
    if (key !== this.shown) {
      this.shown = key;
      this.body.replaceChildren(h("h3", {}, slide.title), slide.draw());
      this.body.dataset.slide = slide.key;
    }
    this.tick();
  }

  tick() {
    const left = clock(this.page.round);
    this.clock.textContent = left?.text ?? "";
    this.clock.dataset.tone = left?.tone ?? "";
  }

  #slides() {
    const { round, standings, rows, order } = this.page;
    const room = linesOnScreen();
    const cut = (list, size) => Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, n * size + size));
    const tables = order.map((key) => rows.get(key)).filter((row) => row?.table !== undefined);
    const paged = (name, pages, draw) => pages.map((data, n) => ({ key: `${name} ${n}`, title: `${t(name)}${pages.length > 1 ? ` ${n + 1}/${pages.length}` : ""}`, data, draw: () => draw(data) }));
    const found = [
      ...(round && !round.over ? paged("pairings", cut(round.pairings, room), pairingList) : []),
      ...(tables.length && round?.started && !round.over ? [{ key: "hall", title: t("nav_hall"), data: tables.map((row) => [row.table, row.condition, row.a, row.b, row.score, row.winner]), draw: () => tableCells(tables) }] : []),
      ...(standings.some((one) => one.games || one.byes) || !round ? paged("standings", cut(standings, room), standingList) : []),
    ];
    return found.length ? found : [{ key: "none", title: "", data: null, draw: () => h("p", { class: "none" }, t("no_round")) }];
  }
}

/** How many lines of a list the wall has room for below the clock, in the letters of hub.css. */
function linesOnScreen() {
  const letter = Math.min(27.2, Math.max(16.8, 0.015 * innerWidth));
  const line = Math.max(40, 1.45 * letter + 10);
  return Math.max(6, Math.floor((innerHeight - 265) / line)) * (innerWidth > 1100 ? 2 : 1);
}

/** A short list has larger letters. */
function size(lines) {
  return lines.length <= 10 ? "few" : lines.length <= 0.6 * linesOnScreen() ? "some" : "";
}

function pairingList(pairings) {
  return h("ol", { class: `big-list pairings ${size(pairings)}` }, pairings.map((one) => {
    return h("li", {}, h("b", {}, one.table === null ? "–" : String(one.table)),
      h("span", { class: one.winner === "A" ? "won" : "" }, one.a.name), h("i", {}, scored(one)),
      h("span", { class: one.winner === "B" ? "won" : "" }, one.b ? one.b.name : t("bye")));
  }));
}

function standingList(lines) {
  return h("ol", { class: `big-list standing ${size(lines)}` }, lines.map((one) => h("li", {}, h("b", {}, String(one.place)), h("span", {}, one.name), h("i", {}, String(one.points)))));
}

/** Every table; with names and score, where there is room for them. */
function tableCells(rows) {
  const letter = Math.min(25.6, Math.max(16, 0.0135 * innerWidth)); // as in hub.css
  const named = rows.length <= 4 * Math.floor((innerHeight - 250) / (4.1 * letter + 32)) && innerWidth > 1100;
  const side = (row, seat, n) => h("span", { class: `side ${row.winner === seat ? "won" : ""}` }, h("span", { class: "name" }, row[seat.toLowerCase()] ?? ""), h("b", {}, String(row.score?.[n] ?? "")));
  return h("ul", { class: `hall projected ${named ? "named" : ""}`, data: { density: named ? "" : "small" } }, rows.map((row) => h("li", { class: `cell ${row.condition}` },
    h("span", { class: "plain-cell" }, h("span", { class: "top" }, h("b", {}, String(row.table)), shape(row.condition), h("span", { class: "word" }, t(named ? `is_${row.condition}` : `is_${row.condition}_short`))),
      named ? [side(row, "A", 0), side(row, "B", 1)] : null))));
}
