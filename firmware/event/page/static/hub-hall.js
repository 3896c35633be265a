// All tables at a glance, in three densities. A table is told by a shape, a word and a colour.

import { h, s, t } from "./dom.js";
import { clock, waited } from "./hub-clock.js";

const CONDITIONS = ["call", "gone", "wrong", "unread", "paused", "playing", "waiting", "by-hand", "over", "free"];
const URGENT = new Set(["call", "gone", "wrong", "unread"]);
const DENSITIES = ["large", "medium", "small"];
const SHAPES = {
  call: "M12 2 23 22H1Z M11 9h2v7h-2z M11 18h2v2h-2z",
  gone: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Z M5 17 17 5l2 2L7 19z",
  wrong: "M8 1h8l7 7v8l-7 7H8l-7-7V8Z M8 6l-2 2 4 4-4 4 2 2 4-4 4 4 2-2-4-4 4-4-2-2-4 4z",
  unread: "M12 1 23 12 12 23 1 12Z M9 9a3 3 0 1 1 4 3v2h-2v-3a2 2 0 1 0-1-2z M11 16h2v2h-2z",
  paused: "M4 2h6v20H4Z M14 2h6v20h-6Z",
  playing: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Z",
  waiting: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Z M12 6a6 6 0 1 1 0 12 6 6 0 0 1 0-12Z",
  "by-hand": "M2 18 15 5l4 4L6 22H2Z M17 3l2-2 4 4-2 2z",
  over: "M2 13l4-4 4 4 9-10 3 4-12 14z",
  free: "M3 10h18v4H3Z",
};

export function shape(condition) {
  return s("svg", { viewBox: "0 0 24 24", class: `shape ${condition}`, "aria-hidden": "true" }, s("path", { d: SHAPES[condition], "fill-rule": "evenodd" }));
}

export function tableName(row) {
  return row.table === undefined ? row.station : t("table_number", { number: row.table });
}

export class HallView {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.nodes = new Map();
    this.filter = new Set();
    this.density = localStorage.getItem("density");
    this.search = h("input", { type: "search", id: "search", maxlength: "40", on: { input: () => this.show() } });
    this.chips = h("div", { class: "chips", role: "group" });
    this.densities = h("div", { class: "segments", role: "group" });
    this.grid = h("ul", { class: "hall" });
    this.none = h("p", { class: "none" });
    root.append(h("div", { class: "hall-tools" }, h("label", { class: "field search" }, this.search), this.densities, this.chips), this.grid, this.none);
  }

  speak() {
    this.search.placeholder = t("search");
    this.search.setAttribute("aria-label", t("search"));
    this.chips.setAttribute("aria-label", t("filter"));
    this.densities.setAttribute("aria-label", t("density"));
    this.nodes.clear();
    this.grid.replaceChildren();
    this.drawn = null;
  }

  show() {
    const rows = this.page.order.map((key) => this.page.rows.get(key)).filter(Boolean);
    const density = this.density ?? (rows.length > 120 ? "small" : rows.length > 36 ? "medium" : "large");
    this.#drawTools(rows, density);
    this.grid.dataset.density = density;
    const wanted = rows.filter((row) => this.#isWanted(row));
    this.#place(wanted, density);
    this.none.textContent = rows.length ? (wanted.length ? "" : t("none_found")) : t("no_tables");
    this.tick();
  }

  tick() {
    for (const [key, cell] of this.nodes) {
      const row = this.page.rows.get(key);
      if (!row || !cell.clock) continue;
      const left = clock(this.page.round, row);
      const words = row.condition === "call" || row.condition === "gone" ? waited(row.since) : row.added_s && left ? left.text : "";
      if (cell.clock.textContent !== words) cell.clock.textContent = words;
    }
  }

  #isWanted(row) {
    if (this.filter.size && !this.filter.has(row.condition)) return false;
    const words = this.search.value.trim().toLowerCase();
    if (!words) return true;
    if (/^\d+$/.test(words)) return String(row.table) === words;
    return [row.station, row.a, row.b].some((name) => name?.toLowerCase().includes(words));
  }

  #drawTools(rows, density) {
    const counts = {};
    for (const row of rows) counts[row.condition] = (counts[row.condition] ?? 0) + 1;
    const key = JSON.stringify([counts, [...this.filter], density, this.page.language]);
    if (key === this.drawn) return;
    this.drawn = key;
    const focused = document.activeElement?.dataset?.chip;
    this.chips.replaceChildren(...CONDITIONS.filter((name) => counts[name] || this.filter.has(name)).map((name) =>
      h("button", { type: "button", class: `chip ${name}`, data: { chip: name }, "aria-pressed": String(this.filter.has(name)), on: { click: () => this.#toggle(name) } },
        shape(name), `${t(`is_${name}`)} `, h("b", {}, String(counts[name] ?? 0)))));
    if (focused) this.chips.querySelector(`[data-chip="${focused}"]`)?.focus();
    this.densities.replaceChildren(...DENSITIES.map((name) =>
      h("button", { type: "button", data: { density: name }, "aria-pressed": String(name === density), on: { click: () => this.#setDensity(name) } }, t(`density_${name}`))));
  }

  #toggle(name) {
    if (!this.filter.delete(name)) this.filter.add(name);
    this.show();
  }

  #setDensity(name) {
    this.density = name;
    localStorage.setItem("density", name);
    this.nodes.clear();
    this.grid.replaceChildren();
    this.show();
  }

  #place(rows, density) {
    const wanted = new Set(rows.map((row) => row.key));
    for (const [key, cell] of this.nodes) {
      if (!wanted.has(key)) {
        cell.node.remove();
        this.nodes.delete(key);
      }
    }
    let before = null;
    for (const row of rows) {
      let cell = this.nodes.get(row.key);
      if (!cell) {
        cell = { node: h("li"), row: null };
        this.nodes.set(row.key, cell);
      }
      if (cell.row !== row) {
        cell.row = row;
        fillCell(cell, row, density);
      }
      const next = before ? before.nextSibling : this.grid.firstChild;
      if (cell.node !== next) this.grid.insertBefore(cell.node, next);
      before = cell.node;
    }
  }
}

function fillCell(cell, row, density) {
  const word = t(`is_${row.condition}`);
  const score = row.points ?? row.score;
  cell.clock = h("span", { class: "cell-clock" });
  const side = (name, seat) => h("span", { class: `side ${row.turn === seat ? "turn" : ""} ${row.winner === seat ? "won" : ""}` },
    h("span", { class: "name" }, name || seat), score ? h("b", {}, String(score[seat === "A" ? 0 : 1])) : null);
  const who = row.a || score ? [side(row.a, "A"), side(row.b, "B")] : [];
  const says = row.condition === "over" ? (row.winner === "draw" ? t("draw") : "") : row.says;
  const number = row.table === undefined ? row.station : String(row.table);
  const inside = {
    small: () => [h("b", {}, number), shape(row.condition), h("span", { class: "word" }, t(`is_${row.condition}_short`))],
    medium: () => [h("b", { class: "no" }, number), shape(row.condition), h("span", { class: "word" }, word), cell.clock, h("span", { class: "pair" }, who)],
    large: () => [h("span", { class: "top" }, h("b", { class: "no" }, tableName(row)), shape(row.condition), h("span", { class: "word" }, row.call && row.call !== "open" ? t(`stage_${row.call}`) : word), cell.clock), h("span", { class: "pair" }, who), h("span", { class: "says" }, says || "\u00a0")],
  }[density]();
  const label = `${tableName(row)}: ${word}${row.a ? `, ${row.a} – ${row.b}` : ""}`;
  cell.node.className = `cell ${row.condition} ${URGENT.has(row.condition) ? "urgent" : ""}`;
  cell.node.dataset.key = row.key;
  cell.node.dataset.condition = row.condition;
  cell.node.replaceChildren(h("a", { href: `#table/${encodeURIComponent(row.key)}`, "aria-label": label, title: label }, inside));
}
