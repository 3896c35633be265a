// Games played: a list, and each one move by move.

import { Board } from "./board.js";
import { h, t } from "./dom.js";
import { verdict } from "./panel.js";
import { rulesName } from "./table.js";

export class HistoryView {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.board = new Board(page.layout);
    this.list = h("div", { class: "games" });
    this.game = h("div", { class: "replay" });
    root.append(this.list, this.game);
  }

  speak() {
    this.board.label(t("board"));
  }

  async open([number]) {
    if (number) await this.#openGame(Number(number));
    else await this.#openList();
  }

  async #openList() {
    this.game.replaceChildren();
    const { games, score, matches } = await (await fetch("/games")).json();
    const newest = games[0]?.game;
    const begun = games.filter((game) => game.facts || game.by || game.game === newest); // not each start of a station is a game
    const row = (game) => h("tr", {},
      h("td", {}, h("a", { href: `#history/${game.game}` }, t("game_number", { number: game.game }))),
      h("td", {}, h("time", { datetime: game.at }, new Date(game.at).toLocaleString(this.page.language))),
      h("td", {}, playersOf(game.head)),
      h("td", {}, gameName(game.head, this.page.layout.game)), h("td", {}, String(game.facts)),
      h("td", {}, game.winner ? game.head[`player ${game.winner}`] ?? game.winner : (game.by ? t("draw") : t("open_game"))));
    const heads = ["game", "date", "players", "rules", "moves", "winner"].map((name) => h("th", { scope: "col" }, t(name)));
    this.list.replaceChildren(
      h("h2", {}, t("games_played")),
      h("p", { class: "match" }, t("match_score", { who: [...new Set(["A", "B", ...Object.keys(score)])].sort().map((player) => `${player} ${score[player] ?? 0}`).join(", ") })),
      ...matches.map(match),
      h("div", { class: "scroller", tabindex: "0", role: "group", "aria-label": t("games_played") },
        h("table", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, begun.map(row)))));
  }

  async #openGame(number) {
    this.list.replaceChildren(h("a", { href: "#history", class: "back" }, t("all_games")));
    const answer = await fetch(`/games/${number}?lang=${this.page.language}`);
    if (!answer.ok) { this.game.replaceChildren(h("p", {}, await answer.text())); return; }
    const game = await answer.json();
    const last = game.steps.length - 1;
    const isHere = game.name === this.page.layout.game; // the cards of another game are at its own table
    const slider = h("input", { type: "range", min: "0", max: String(last), value: String(last), id: "step", "aria-label": t("step") });
    const said = h("ul", { class: "list verdicts", "aria-live": "polite" });
    const show = (n) => {
      const at = Math.max(0, Math.min(last, n));
      slider.value = String(at);
      slider.setAttribute("aria-valuetext", `${at} / ${last}`);
      const step = game.steps[at];
      if (isHere) this.board.show(step.pieces);
      said.replaceChildren(step.verdict ? verdict(step.verdict) : h("li", {}, t("opening")));
    };
    slider.addEventListener("input", () => show(Number(slider.value)));
    const hop = (words, by, id) => h("button", { type: "button", id, on: { click: () => show(Number(slider.value) + by) } }, words);
    const file = (kind, words) => h("a", { href: `/games/${number}.${kind}?lang=${this.page.language}`, download: "" }, words);
    this.game.replaceChildren(
      h("h2", {}, t("game_number", { number }), " ", h("small", {}, new Date(game.at).toLocaleString(this.page.language))),
      isHere ? this.board.scroller : h("p", {}, t("other_table", { game: t(`game_${game.name}`) })),
      h("div", { class: "stepper" }, hop("◀ " + t("before"), -1, "step-back"), slider, hop(t("next") + " ▶", 1, "step-on")),
      said,
      acts(game.acts, this.page.language),
      h("p", { class: "choices" }, file("record", t("as_record")), file("json", "JSON"), file("pdf", t("score_sheet"))));
    show(last);
  }
}

/** What people did besides playing: who, when, what, and the entry as it stands in the journal. */
function acts(done, language) {
  if (!done.length) return "";
  const row = ({ at, who, what, line }) => h("li", {}, h("span", { class: "words" },
    h("time", { datetime: at }, new Date(at).toLocaleTimeString(language)), " ", h("strong", {}, who), ` ${t(`act_${what}`)} `, h("code", {}, line)));
  return h("section", { class: "list acts" }, h("h2", {}, t("acts")), h("ul", {}, done.map(row)));
}

/** What was played: the game, where it is not this table's, and its rules. */
function gameName(head, here) {
  const rules = t(`rules_${rulesName(head.rules ?? "base")}`);
  return (head.game ?? "schotten-totten") === here ? rules : `${t(`game_${head.game ?? "schotten-totten"}`)}, ${rules}`;
}

/** A match over its rounds, with the points of each. */
function match({ players, rounds, total }) {
  const row = (head, points) => h("tr", {}, h("th", { scope: "row" }, head), points.map((one) => h("td", {}, String(one))));
  return h("section", { class: "match" }, h("h2", {}, t("match_of", { a: players[0], b: players[1] })),
    h("div", { class: "scroller", tabindex: "0", role: "group", "aria-label": t("match_of", { a: players[0], b: players[1] }) }, h("table", {},
      h("thead", {}, h("tr", {}, [t("round"), ...players].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, rounds.map((one) => row(h("a", { href: `#history/${one.game}` }, one.round), one.points)), row(t("points"), total)))));
}

/** Who played: the names in the head, or the letters of the seats. */
function playersOf(head) {
  const seats = Number(/seats=(\d)/.exec(head.rules ?? "")?.[1] ?? 2);
  return [..."ABCDE"].slice(0, seats).map((seat) => head[`player ${seat}`] ?? seat).join(" – ");
}
