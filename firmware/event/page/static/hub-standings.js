// How everybody stands, and why.

import { h, t } from "./dom.js";

export const COLUMNS = ["points", "games", "wins", "opponents", "direct", "stones"];

export class StandingsView {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.search = h("input", { type: "search", maxlength: "40", on: { input: () => this.#filter() } });
    this.papers = h("p", { class: "choices papers" });
    this.body = h("div", { class: "wide", tabindex: "0" });
    root.append(h("div", { class: "hall-tools" }, h("label", { class: "field search" }, this.search), this.papers), this.body);
  }

  speak() {
    this.search.placeholder = t("search");
    this.search.setAttribute("aria-label", t("search"));
    this.shown = null;
  }

  show() {
    const key = JSON.stringify([this.page.standings, this.page.event, this.page.language]);
    if (key === this.shown) return;
    this.shown = key;
    this.papers.replaceChildren(...["csv", "pdf"].map((kind) => h("a", { href: `/take-away/standings.${kind}?lang=${this.page.language}`, download: "" }, `${t("standings")} (${kind.toUpperCase()})`)));
    this.body.replaceChildren(this.page.standings.length ? standingsTable(this.page.standings, this.page.event.game) : h("p", { class: "none" }, t("no_players")), h("p", { class: "small-print" }, this.page.event.style === "knock-out" ? `${t("tie_breaks_knock_out")} ` : "", t(this.page.event.game === "lords-of-scotland" ? "tie_breaks_lords" : "tie_breaks"), this.page.event.best_of > 1 ? ` ${t("match_points")}` : ""));
    this.#filter();
  }

  #filter() {
    const asked = this.search.value.trim().toLowerCase();
    for (const row of this.body.querySelectorAll("tbody tr")) row.hidden = Boolean(asked) && !row.dataset.name.includes(asked);
  }
}

export function standingsTable(lines, game) {
  const heading = (name) => t(name === "stones" && game === "lords-of-scotland" ? "held" : name);
  return h("table", { class: "standings" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "only-read" }, t("place"))), h("th", { scope: "col" }, t("player")), COLUMNS.map((name) => h("th", { scope: "col", class: "figure" }, heading(name))))),
    h("tbody", {}, lines.map((one) => h("tr", { data: { name: `${one.name} ${one.club}`.toLowerCase() }, class: one.in ? "" : "out" },
      h("td", { class: "place" }, String(one.place)),
      h("td", { class: "name" }, one.name, one.club ? h("small", {}, ` ${one.club}`) : null, one.in ? null : h("small", {}, ` ${t("has_left")}`)),
      COLUMNS.map((name) => h("td", { class: name === "points" ? "figure points" : "figure" }, name === "opponents" ? one[name].toFixed(2) : String(one[name])))))));
}
