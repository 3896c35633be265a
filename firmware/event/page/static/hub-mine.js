// A player's own page: where they play, against whom, how long it takes still, and a judge at the press of a button.

import { h, t } from "./dom.js";
import { act, asking, choice, field, isBusy, words } from "./hub-forms.js";
import { clock } from "./hub-clock.js";
import { scored } from "./hub-round.js";

export class MineView {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.body = h("div", { class: "mine" });
    root.append(this.body);
  }

  speak() {
    this.shown = null;
  }

  show() {
    const { round, standings, mine, hello } = this.page;
    const key = JSON.stringify([round, mine, standings, this.page.language]);
    if (key === this.shown || isBusy(this.root)) return;
    this.shown = key;
    const pairing = round?.pairings.find((one) => one.a.number === hello.player || one.b?.number === hello.player);
    const line = standings.find((one) => one.number === hello.player);
    const opponent = pairing && (pairing.a.number === hello.player ? pairing.b : pairing.a);
    const seat = pairing && (pairing.a.number === hello.player ? "A" : "B");
    this.body.replaceChildren(...[
      h("p", { class: "hello" }, hello.who),
      pairing ? h("section", { class: "card-note own" },
        h("div", {}, h("h2", {}, t("round_number", { round: round.round })), opponent ? h("p", { class: "own-table" }, t("table_number", { number: pairing.table })) : null,
          h("p", {}, opponent ? t("you_against", { name: opponent.name, seat }) : t("you_bye")),
          pairing.b && (pairing.points || pairing.wins) ? h("p", {}, `${t(pairing.points ? "points" : "match")}: ${scored(pairing)}`) : null),
        h("span", { class: "big-clock", role: "timer" })) : h("p", { class: "none" }, t("no_round")),
      mine?.table ? mine.stage ? h("p", { class: "said", data: { tone: "warning" } }, t(`mine_${mine.stage}`)) : asking(t("call_judge"), [
        field(t("reason"), choice("reason", [["players", t("reason_players")], ["dispute", t("reason_dispute")]])), words("words", t("words_free")),
      ], t("call_judge"), (values) => act({ act: "call", ...values }), { id: "call-judge" }) : null,
      line ? h("p", {}, t("you_stand", { place: line.place, points: line.points })) : null,
    ].filter(Boolean));
    this.tick();
  }

  tick() {
    const row = this.page.rows.get(String(this.page.mine?.table));
    const left = clock(this.page.round, row);
    const node = this.root.querySelector(".big-clock");
    if (node) {
      node.textContent = left?.text ?? "";
      node.dataset.tone = left?.tone ?? "";
    }
  }
}
