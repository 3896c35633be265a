// The organiser's page: opening the event, players and tables by list or one by one, badges for the others.

import { explain, h, post, t, toast } from "./dom.js";
import { act, asking, button, choice, field, isBusy, number, words } from "./hub-forms.js";

const ROLES = ["judge", "head-judge", "player", "organiser"];

export class PeopleView {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.code = h("div", { class: "code", role: "status" });
    this.body = h("div", { class: "setup" });
    root.append(this.code, this.body);
  }

  speak() {
    this.shown = null;
  }

  show() {
    const people = this.page.people;
    const key = JSON.stringify([people, this.page.event, this.page.language]);
    if (!people || key === this.shown || isBusy(this.root)) return;
    this.shown = key;
    this.body.replaceChildren(...(this.page.event.opened ? [this.#players(people), this.#tables(people), this.#stations(), this.#badges(people)] : [this.#open(), this.#stations(), this.#badges(people)]));
  }

  #open() {
    const styles = ["swiss", "round-robin", "knock-out"].map((name) => [name, t(`style_${name}`)]);
    const games = { "schotten-totten": ["base", "tactic", "expert"], "lords-of-scotland": ["base", "bruce"] };
    const said = (game, name) => t(game === "lords-of-scotland" && name === "base" ? "rules_lords" : `rules_${name}`);
    const rules = Object.entries(games).flatMap(([game, names]) => names.map((name) => [`${game} ${name}`, `${t(`game_${game}`)} · ${said(game, name)}`]));
    const matches = [1, 3, 5].map((count) => [String(count), count === 1 ? t("one_game") : t("best_of", { count })]);
    const form = asking(t("open_event"), [
      words("name", t("event_name"), { required: true, maxlength: "60" }), field(t("style"), choice("style", styles)), field(t("rules"), choice("rules", rules)),
      field(t("match"), choice("best_of", matches)),
      number("minutes", t("minutes_round"), 40, 1, 1440), number("seed", t("seed"), Math.floor(Math.random() * 1e6), 0, 2147483647),
    ], t("open_event"), ({ rules: chosen, ...values }) => {
      const [game, variant] = chosen.split(" ");
      return act({ act: "open", ...values, game, variant, best_of: Number(values.best_of), minutes: Number(values.minutes), seed: Number(values.seed) });
    }, { id: "open-event" });
    form.open = true;
    return h("section", {}, h("h2", {}, t("open_event")), form);
  }

  #list(what, summary, example) {
    const text = h("textarea", { name: "list", rows: "6", required: true, placeholder: example, spellcheck: "false" });
    const file = h("input", { type: "file", accept: ".csv,text/csv,text/plain", on: { change: async () => { text.value = (await file.files[0]?.text()) ?? text.value; } } });
    return asking(summary, [field(t("csv_file"), file), field(t("csv_or_paste"), text)], t("enter"), (values) => act({ act: what, list: values.list, lang: this.page.language }), { id: `list-${what}` });
  }

  #players(people) {
    const line = (one) => h("tr", { class: one.in ? "" : "out" }, h("td", { class: "no" }, String(one.number)), h("td", { class: "name" }, one.name, one.club ? h("small", {}, ` ${one.club}`) : null),
      h("td", {}, one.in ? button(t("leaves"), () => act({ act: "leave", number: one.number }), { "aria-label": `${t("leaves")}: ${one.name}` }) : button(t("comes_back"), () => act({ act: "return", number: one.number }), { "aria-label": `${t("comes_back")}: ${one.name}` })));
    return h("section", {}, h("h2", {}, `${t("players")} (${people.players.filter((one) => one.in).length})`),
      h("div", { class: "choices" }, this.#list("players", t("players_csv"), "number,name,club\n1,Anna Bell,Leith"),
        asking(t("one_player"), [words("name", t("name"), { required: true }), words("club", t("club"))], t("enter"), (values) => act({ act: "player", ...values }), { id: "one-player" }),
        people.players.length ? h("a", { href: "/take-away/players.csv", download: "" }, "CSV") : null),
      people.players.length ? h("div", { class: "wide tall", tabindex: "0" }, h("table", {}, h("tbody", {}, people.players.map(line)))) : h("p", { class: "none" }, t("no_players")));
  }

  #tables(people) {
    const line = (one) => h("tr", {}, h("td", { class: "no" }, String(one.table)), h("td", {}, one.station ?? t("no_station")));
    return h("section", {}, h("h2", {}, `${t("tables")} (${people.tables.length})`),
      h("div", { class: "choices" }, this.#list("tables", t("tables_csv"), "table,station\n1,oak\n2,"),
        asking(t("one_table"), [number("table", t("table"), people.tables.length + 1, 1, 99999), words("station", t("station_name"))], t("enter"),
          (values) => act({ act: "table", table: Number(values.table), station: values.station }), { id: "one-table" })),
      people.tables.length ? h("div", { class: "wide tall", tabindex: "0" }, h("table", {}, h("tbody", {}, people.tables.map(line)))) : h("p", { class: "none" }, t("tables_as_needed")));
  }

  /** A station that shows a code on its display is let in under a name. */
  #stations() {
    return h("section", {}, h("h2", {}, t("stations")), h("p", {}, t("stations_words")), h("p", {}, h("code", {}, "marchwarden event join --display")),
      asking(t("let_in"), [words("code", t("code_on_display"), { required: true, maxlength: "24", autocapitalize: "characters", spellcheck: "false" }), words("station", t("name"), { required: true, maxlength: "32", autocapitalize: "none", spellcheck: "false", placeholder: "table-7" })],
        t("let_in"), (values) => act({ act: "let-in", ...values }, t("let_in_done", { station: values.station })), { id: "let-in" }));
  }

  #badges(people) {
    const role = choice("role", ROLES.map((name) => [name, t(`role_${name}`)]));
    const line = (one) => h("tr", {}, h("td", { class: "name" }, one.name, h("small", {}, ` ${t(`role_${one.role}`)} · ${t(one.used ? "badge_used" : "badge_unused")}`)),
      h("td", { class: "act" }, button(t("withdraw_badge"), () => act({ act: "withdraw-badge", badge: one.id }), { "aria-label": `${t("withdraw_badge")}: ${one.name}` })));
    return h("section", {}, h("h2", {}, t("badges")), h("p", {}, t("badges_words")),
      asking(t("give_badge"), [field(t("role"), role), words("name", t("name_or_number"), { required: true })], t("give_badge"), (values) => this.#give(values), { id: "give-badge" }),
      h("div", { class: "wide tall", tabindex: "0" }, h("table", {}, h("tbody", {}, people.badges.map(line)))));
  }

  /** The code is shown until the page is left, and nowhere else. */
  async #give(values) {
    const asked = values.role === "player" ? { role: "player", player: Number(values.name) || 0 } : values;
    const answer = await post("/act", { act: "give-badge", ...asked });
    if (!explain(answer)) return answer;
    this.code.replaceChildren(h("p", {}, t("code_for", { name: answer.name })), h("strong", { id: "new-code" }, answer.code), button(t("close"), () => this.code.replaceChildren()));
    toast(t("done"));
    return answer;
  }
}
