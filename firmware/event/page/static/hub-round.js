// The round: who plays whom, its clock, results, and for the organiser everything that moves it on.

import { h, t } from "./dom.js";
import { act, asking, button, choice, field, isBusy, number, signed, words } from "./hub-forms.js";
import { clock } from "./hub-clock.js";

const HOWS = ["played", "time", "forfeit", "decided"];

/** What counts of each game of a pairing's match, in their order. */
export function legs(pairing) {
  const last = [...new Map(pairing.results.map((one) => [one.leg, one])).values()];
  return last.filter((one) => one.how !== "reopened").sort((a, b) => a.leg - b.leg);
}

/** What a pairing came to: points of everybody in it, and the games of a match that each has won. */
export function scored(pairing) {
  const wins = pairing.wins ? `${pairing.wins[0]}–${pairing.wins[1]}` : "";
  return pairing.points ? `${pairing.points.join(" : ")}${wins ? ` (${wins})` : ""}` : wins || "–";
}

/** A result for a table, or a correction of the one it has; in a match, of one of its games. */
export function resultForm(round, pairing, { best_of: bestOf, most, game }) {
  const known = legs(pairing);
  const open = !pairing.points;
  const has = known.length > 0;
  const last = open ? undefined : known.at(-1);
  const title = has && !open ? t("correct_result") : t("enter_result");
  const held = (name) => t(game === "lords-of-scotland" ? "points_of" : "stones_of", { name });
  const count = known.length + (open ? 1 : 0);
  return asking(title, [
    bestOf > 1 ? field(t("game_of_match"), choice("leg", Array.from({ length: count }, (_, n) => [String(n + 1), `${n + 1} / ${bestOf}`]), String(count))) : null,
    field(t("winner"), choice("winner", [["A", `A · ${pairing.a.name}`], ["B", `B · ${pairing.b.name}`], ["draw", t("draw")]], last?.winner ?? "A")),
    number("stones_a", held(pairing.a.name), last?.stones[0] ?? (most > 9 ? 40 : 5), 0, most),
    number("stones_b", held(pairing.b.name), last?.stones[1] ?? 0, 0, most),
    field(t("how"), choice("how", HOWS.map((name) => [name, t(`how_${name}`)]), last?.how)),
    has ? words("reason", t("reason"), { required: !open }) : null,
  ], t("enter"), (values) => act({
    act: "result", round: round.round, table: pairing.table, leg: Number(values.leg ?? 1), winner: values.winner, how: values.how,
    stones_a: Number(values.stones_a), stones_b: Number(values.stones_b), reason: values.reason ?? "",
  }), { id: `result-${pairing.table}` });
}

export class RoundView {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.head = h("div", { class: "round-head" });
    this.acts = h("div", { class: "choices round-acts" });
    this.papers = h("p", { class: "choices papers" });
    this.table = h("div", { class: "wide", tabindex: "0" });
    this.search = h("input", { type: "search", maxlength: "40", on: { input: () => this.#filter() } });
    root.append(this.head, this.acts, h("div", { class: "hall-tools" }, h("label", { class: "field search" }, this.search), this.papers), this.table);
  }

  speak() {
    this.search.placeholder = t("search");
    this.search.setAttribute("aria-label", t("search"));
    this.shown = null;
  }

  open([asked]) {
    this.asked = asked ? Number(asked) : null;
    this.other = this.shown = null;
    if (this.asked) fetch(`/rounds/${this.asked}`).then((answer) => (answer.ok ? answer.json() : null)).then((round) => { this.other = round; this.shown = null; this.show(); });
  }

  show(kind) {
    if (this.asked && kind === "round") this.open([this.asked]);
    const round = this.asked ? this.other ?? null : this.page.round;
    const key = JSON.stringify([round, this.page.event, this.page.hello.role, this.page.language]);
    if (key === this.shown || isBusy(this.root)) return;
    this.shown = key;
    this.#drawHead(round);
    this.acts.replaceChildren(...(this.page.may("rounds") && !this.asked ? this.#organising(round) : []));
    this.#drawPapers(round);
    this.table.replaceChildren(round ? this.#pairings(round) : h("p", { class: "none" }, t("no_round")));
    this.#filter();
    this.tick();
  }

  tick() {
    const left = clock(this.asked ? this.other : this.page.round);
    const node = this.head.querySelector(".big-clock");
    if (node) {
      node.textContent = left?.text ?? "";
      node.dataset.tone = left?.tone ?? "";
    }
  }

  #drawHead(round) {
    const count = this.page.event?.rounds ?? 0;
    const links = Array.from({ length: count }, (_, n) => n + 1).map((n) =>
      h("a", { href: n === count ? "#round" : `#round/${n}`, "aria-current": round?.round === n ? "true" : null }, String(n)));
    this.head.replaceChildren(...[
      h("h2", {}, round ? t("round_number", { round: round.round }) : t("nav_round"), round ? h("small", {}, t(`style_${round.style}`)) : null),
      h("span", { class: "big-clock", role: "timer" }),
      round ? h("span", { class: "progress-words" }, round.over ? t("round_over") : round.started ? t("tables_left", { count: round.waiting.length }) : t("not_started")) : null,
      count > 1 ? h("nav", { class: "rounds", "aria-label": t("rounds") }, links) : null,
    ].filter(Boolean));
  }

  #organising(round) {
    const event = this.page.event;
    const can_pair = event.opened && (!round || round.over);
    const styles = ["swiss", "round-robin", "knock-out"].map((name) => [name, t(`style_${name}`)]);
    return [
      can_pair ? asking(t("pair_next"), [
        field(t("style"), choice("style", styles, event.style)),
        field(t("top_only"), h("input", { name: "top", type: "number", min: "2", max: "4096", placeholder: t("all_of_them") })),
      ], t("pair"), (values) => act({ act: "pair", style: values.style, ...(values.top && values.style === "knock-out" ? { top: Number(values.top) } : {}) }), { id: "pair" }) : null,
      round && !round.started ? asking(t("start_round"), [number("minutes", t("minutes"), event.minutes, 1, 1440)], t("start_round"), (values) => act({ act: "start", minutes: Number(values.minutes) }), { id: "start" }) : null,
      round && !round.started ? asking(t("swap"), [number("one", t("player_number"), "", 1, 99999), number("other", t("player_number"), "", 1, 99999), words("reason", t("reason"), { required: true })], t("swap"),
        (values) => act({ act: "swap", one: Number(values.one), other: Number(values.other), reason: values.reason }), { id: "swap" }) : null,
      round && !round.started ? asking(t("withdraw_round"), [words("reason", t("reason"), { required: true })], t("withdraw_round"), (values) => act({ act: "withdraw", ...values }), { id: "withdraw" }) : null,
      round?.started && !round.over ? button(t(round.ends === null ? "run_clock" : "stop_clock"), () => act({ act: round.ends === null ? "run-clock" : "stop-clock" }), { id: "clock" }) : null,
      round?.started && !round.over ? asking(t("more_time_all"), [number("minutes", t("minutes"), 5, -60, 60), words("words", t("reason"))], t("more_time_all"),
        (values) => act({ act: "time", seconds: Number(values.minutes) * 60, words: values.words }), { id: "time-all" }) : null,
    ].filter(Boolean);
  }

  #drawPapers(round) {
    const paper = (href, says) => h("a", { href: `${href}?lang=${this.page.language}`, download: "" }, says);
    this.papers.replaceChildren(...(round ? [
      paper(`/rounds/${round.round}/pairings.pdf`, t("pairings_pdf")),
      paper(`/rounds/${round.round}/slips.pdf`, t("slips_pdf")),
      ...(this.page.may("result") ? [paper("/take-away/results.csv", t("results_csv")), paper("/take-away/event.json", "JSON")] : []),
    ] : []));
  }

  #pairings(round) {
    const may = this.page.may("result") && round.started;
    const heads = [t("table"), t("seat_a"), "", t("seat_b"), may ? t("result") : null].filter((one) => one !== null);
    return h("table", { class: "pairings" }, h("thead", {}, h("tr", {}, heads.map((one) => h("th", { scope: "col" }, one || h("span", { class: "only-read" }, t("points")))))),
      h("tbody", {}, round.pairings.map((one) => this.#pairing(round, one, may))));
  }

  #pairing(round, one, may) {
    const result = one.points ? one.results.at(-1) : null;
    const name = (player, seat) => h("td", { class: `name ${one.winner === seat ? "won" : ""}` }, player.name, h("small", {}, ` ${player.number}`));
    const said = result ? [h("b", {}, scored(one)), one.results.length > legs(one).length ? h("small", { title: result.reason }, t("corrected_by", { who: signed(result.by) })) : result.how === "played" ? null : h("small", {}, t(`how_${result.how}`))] : scored(one);
    return h("tr", { data: { names: `${one.a.name} ${one.b?.name ?? ""}`.toLowerCase(), table: one.table ?? "" }, class: result ? "has-result" : "" },
      h("td", { class: "no" }, one.table === null ? "–" : h("a", { href: `#table/${one.table}` }, String(one.table))),
      name(one.a, "A"), h("td", { class: "score" }, said),
      one.b ? name(one.b, "B") : h("td", { class: "bye" }, t("bye")),
      may ? h("td", { class: "enter" }, one.b ? resultForm(round, one, this.page.event) : null) : null);
  }

  #filter() {
    const asked = this.search.value.trim().toLowerCase();
    for (const row of this.table.querySelectorAll("tbody tr")) row.hidden = Boolean(asked) && !(row.dataset.names.includes(asked) || row.dataset.table === asked);
  }
}
