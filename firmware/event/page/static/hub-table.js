// One table: its live board, what was judged, and for judges what can be done about it.

import { Board } from "./board.js";
import { h, t } from "./dom.js";
import { act, asking, button, choice, field, grounds, isBusy, signed, words } from "./hub-forms.js";
import { callCard } from "./hub-calls.js";
import { clock, waited } from "./hub-clock.js";
import { shape, tableName } from "./hub-hall.js";
import { resultForm } from "./hub-round.js";
import { verdict } from "./panel.js";
import { score } from "./table.js";

export class TableView {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.head = h("div", { class: "table-head" });
    this.status = h("div", { class: "status" });
    this.board = new Board(page.layout);
    this.beside = h("div", { class: "beside-table" });
    this.empty = h("p", { class: "none" });
    this.picture = h("figure", { class: "picture", hidden: true });
    this.left = h("div", { class: "table-left" }, this.status, this.board.scroller, this.empty, this.picture);
    root.append(this.head, h("div", { class: "table-and-beside" }, this.left, this.beside));
  }

  speak() {
    this.board.label(t("board"));
    this.shown = null;
    if (this.page.open === "table" && this.key) this.open([this.key]);
  }

  open([key]) {
    this.key = key ?? this.page.order[0];
    this.close();
    this.data = this.shown = null;
    this.picture.dataset.at = "";
    this.source = new EventSource(`/tables/${encodeURIComponent(this.key)}/events?lang=${this.page.language}`);
    this.source.addEventListener("table", (event) => { this.data = JSON.parse(event.data); this.show(); });
  }

  close() {
    this.source?.close();
    this.source = null;
  }

  show() {
    const data = this.data;
    if (!data) return;
    this.#drawHead(data);
    const board = data.board;
    this.status.hidden = this.board.scroller.hidden = !board;
    this.empty.textContent = board ? "" : t("no_game");
    if (board) {
      this.status.replaceChildren(...score(board));
      this.board.show(board.pieces);
      this.board.shine(board.lamps);
      this.board.putRight(board.put_right);
    }
    this.#drawPicture(data.picture);
    const { round } = this.page;
    const key = JSON.stringify([{ ...data, picture: null }, this.page.hello.role, this.page.language, this.#pairing(), round?.started, round?.over, this.#spares()]);
    if (key === this.shown || isBusy(this.beside)) return;
    this.shown = key;
    this.beside.replaceChildren(...this.#beside(data).filter(Boolean));
    this.tick();
  }

  tick() {
    for (const node of this.root.querySelectorAll(".waited")) node.textContent = waited(node.dataset.since);
    const left = clock(this.page.round, this.data?.row);
    const node = this.head.querySelector(".cell-clock");
    if (node) {
      node.textContent = left ? left.text : "";
      node.dataset.tone = left?.tone ?? "";
    }
    if (this.data && !this.shown) this.show();
  }

  #drawHead({ row, game }) {
    const names = row.a ? `${row.a} – ${row.b}` : "";
    this.head.replaceChildren(
      h("a", { href: "#hall", class: "back" }, `◀ ${t("nav_hall")}`),
      h("h2", {}, tableName(row), names ? h("small", {}, names) : null),
      h("span", { class: `state ${row.condition}` }, shape(row.condition), t(`is_${row.condition}`)),
      h("span", { class: "cell-clock", "aria-label": t("clock") }),
      game ? h("a", { href: `/tables/${encodeURIComponent(this.key)}/game.txt`, download: "" }, t("as_record")) : null);
  }

  /** What the camera saw last; for judges. */
  #drawPicture(at) {
    this.picture.hidden = !at;
    if (!at || this.picture.dataset.at === at) return;
    this.picture.dataset.at = at;
    const words = t("picture_taken", { at: new Date(at).toLocaleTimeString(this.page.language) });
    this.picture.replaceChildren(h("img", { src: `/tables/${encodeURIComponent(this.key)}/picture.jpg?at=${encodeURIComponent(at)}`, alt: words }), h("figcaption", {}, words));
  }

  #beside(data) {
    const { row, board } = data;
    const judge = this.page.may("take");
    const orders = (data.orders ?? []).filter((one) => one.command.do !== "announce");
    const calls = (data.calls ?? []).filter((call) => call.open).sort((one, other) => one.since.localeCompare(other.since));
    return [
      row.says ? h("p", { class: "said", data: { tone: { wrong: "foul", unread: "warning", gone: "warning", call: "warning" }[row.condition] ?? "" } }, h("small", {}, t("on_display")), row.says) : null,
      calls.length ? h("ol", { class: "calls" }, calls.map((call) => callCard(call, this.page, false))) : null,
      judge ? this.#judging(data) : null,
      board?.put_right.length ? list(t("put_right"), board.put_right.map((one) => h("li", { class: "foul" }, one.words)), "wrong") : null,
      board?.verdicts.length ? list(t("verdicts"), board.verdicts.map((one) => this.#verdict(one, row)), "verdicts") : null,
      orders.length ? list(t("orders"), orders.map((one) => this.#order(one)), "orders") : null,
    ];
  }

  #callForm() {
    return asking(t("call_judge"), [
      field(t("reason"), choice("reason", [["players", t("reason_players")], ["dispute", t("reason_dispute")]])),
      words("words", t("words_free")),
    ], t("call_judge"), (values) => act({ act: "call", key: this.key, ...values }), { id: "call-judge" });
  }

  /** Who was paired at this table in the round. */
  #pairing() {
    return this.page.round?.pairings.find((one) => one.table === this.data.row.table && one.b);
  }

  #judging({ row, board }) {
    const pairing = this.#pairing();
    const live = board && row.online && !board.over;
    return h("div", { class: "choices judging" },
      row.call ? null : this.#callForm(),
      live ? button(t(board.paused ? "resume" : "pause"), () => act({ act: "pause-game", key: this.key })) : null,
      live ? asking(t("end_game"), [
        field(t("winner"), choice("winner", [...Object.entries(board.players), ["draw", t("draw")]])), grounds(), words("words", t("words_free")),
      ], t("end_game"), (values) => act({ act: "decide", key: this.key, ...values }), { id: "end-game" }) : null,
      board?.put_right.length && live ? asking(t("accept"), [grounds(), words("words", t("words_free"))], t("accept"), (values) => act({ act: "accept", key: this.key, ...values }), { id: "accept" }) : null,
      pairing && this.page.round.started && board ? this.#namePlayers(pairing) : null,
      row.condition === "gone" && board && !board.over ? this.#takeOver() : null,
      pairing && this.page.round.started ? resultForm(this.page.round, pairing, this.page.event) : null,
      pairing && this.page.round.started && !this.page.round.over ? asking(t("more_time"), [
        field(t("minutes"), h("input", { name: "minutes", type: "number", min: "1", max: "60", value: "3", required: true })), words("words", t("reason")),
      ], t("more_time"), (values) => act({ act: "time", table: row.table, seconds: Number(values.minutes) * 60, words: values.words }), { id: "more-time" }) : null);
  }

  /** Whatever names a game was begun under, it may be the one that was paired. */
  #namePlayers({ a, b }) {
    const seats = [["as-paired", `A ${a.name} · B ${b.name}`], ["swapped", `A ${b.name} · B ${a.name}`]];
    return asking(t("name_players"), [field(t("players_here"), choice("seats", seats)), grounds(), words("words", t("words_free"))], t("name_players"),
      (values) => act({ act: "name-players", key: this.key, ...values }), { id: "name-players" });
  }

  /** Stations that are there and have nothing to do. */
  #spares() {
    return [...this.page.rows.values()].filter((row) => row.online && ["free", "waiting", "over"].includes(row.condition)).map((row) => row.station);
  }

  #takeOver() {
    const spares = this.#spares();
    return spares.length ? asking(t("take_over"), [field(t("spare"), choice("spare", spares.map((name) => [name, name])))], t("take_over"),
      (values) => act({ act: "take-over", key: this.key, ...values }), { id: "take-over" }) : h("p", { class: "none" }, t("no_spare"));
  }

  #verdict(one, row) {
    const node = verdict(one);
    if (!this.page.may("rule") || !row.online) return node;
    const ask = asking(one.counts ? t("overrule") : t("uphold"), [grounds(), words("words", t("words_free"))], one.counts ? t("overrule") : t("uphold"),
      (values) => act({ act: "rule", key: this.key, number: one.number, stands: one.counts ? "no" : "yes", ...values }), { id: `rule-${one.number}` });
    const correct = asking(t("correct"), [field(t("what_happened"), h("input", { name: "line", value: one.line, maxlength: "80", required: true })), grounds(), words("words", t("words_free"))], t("correct"),
      (values) => act({ act: "correct", key: this.key, number: one.number, ...values }), { id: `correct-${one.number}` });
    node.querySelector(".words").append(h("div", { class: "choices" }, ask, correct));
    return node;
  }

  #order(one) {
    const { do: doing, number = "", line = "", winner, stands } = one.command;
    const what = t(doing === "rule" ? (stands ? "order_uphold" : "order_overrule") : `order_${doing}`, { number, line, winner: winner ?? t("draw") });
    const state = one.reversed ? t("order_reversed") : one.refused ? t("order_refused", { why: one.refused }) : one.done ? t("order_done") : t("order_waits");
    return h("li", { class: one.reversed || one.refused ? "void" : "", data: { order: one.number } }, h("span", { class: "words" },
      h("strong", {}, `${signed(one.by)}: `), what, ["new-game", "take-over"].includes(doing) ? null : h("em", {}, ` ${t(`ground_${one.ground}`)}${one.words ? `: ${one.words}` : ""}`),
      one.before ? h("small", {}, t("before_was", { before: one.before })) : null, h("small", {}, state),
      this.page.may("reverse") && one.done && !one.reversed && ["rule", "correct", "decide", "accept"].includes(doing)
        ? asking(t("reverse"), [words("words", t("reason"), { required: true })], t("reverse"), (values) => act({ act: "reverse", order: one.number, ...values }), { id: `reverse-${one.number}` }) : null));
  }
}

function list(title, items, kind) {
  return h("section", { class: `list ${kind}` }, h("h2", {}, title), h("ul", {}, items));
}
