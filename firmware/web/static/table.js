// The table as the referee believes it to lie: for players between turns, spectators and projectors.

import { Board } from "./board.js";
import { h, t } from "./dom.js";

export class TableView {
  constructor(root, page) {
    this.root = root;
    this.board = new Board(page.layout);
    this.status = h("div", { class: "status" });
    root.append(this.status, this.board.scroller);
  }

  speak() {
    this.board.label(t("board"));
  }

  show(state) {
    this.status.replaceChildren(...score(state));
    this.board.show(state.pieces);
    this.board.shine(state.lamps);
    this.board.putRight(state.put_right);
  }
}

/** Who plays, how it stands, and whose turn it is. */
export function score(state) {
  const side = (player) => h("div", { class: `side ${state.turn === player ? "turn" : ""} ${state.winner === player && state.over ? "won" : ""}`, data: { player } },
    h("span", { class: "name" }, state.players[player]),
    h("span", { class: "points", "aria-label": t(isLords(state) ? "points_held" : "stones_held", { count: state.score[player] }) }, String(state.score[player])),
    h("span", { class: "turn-word" }, state.over ? (state.winner === player ? t("won") : "") : state.turn === player ? t("to_play") : ""));
  const middle = h("div", { class: "middle" }, t("game_number", { number: state.game }), h("small", {}, t(`rules_${rulesName(state.rules)}`)));
  const [first, ...others] = Object.keys(state.players);
  return others.length > 1 ? [middle, side(first), ...others.map(side)] : [side(first), middle, ...others.map(side)];
}

export function isLords(state) {
  return state.rules.includes("seats");
}

/** By which name the words know a game's rules. */
export function rulesName(rules) {
  const seats = /seats=(\d)/.exec(rules)?.[1];
  if (seats) return `${seats === "2" ? "" : seats}${rules.includes("bruce") ? `${seats === "2" ? "" : "-"}bruce` : ""}` || "lords";
  return rules.includes("expert") ? "expert" : rules.includes("tactics") ? "tactic" : "base";
}
