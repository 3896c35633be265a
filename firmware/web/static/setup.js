// Setting the station up: a new game with names and variant, its parts, and how they are wired.

import { explain, h, post, t, toast, variantName } from "./dom.js";
import { GuideBox } from "./guide.js";
import { openLogin } from "./login.js";
import { pushButtons } from "./panel.js";

export class SetupView {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.body = h("div", { class: "setup" });
    this.guide = new GuideBox(page);
    this.tried = h("p", { class: "tried", role: "status" });
    this.push = h("div", { class: "buttons" });
    root.append(this.body);
  }

  speak() {
    this.guide.speak();
    this.push.replaceChildren();
    this.entered();
  }

  close() {
    this.guide.close();
  }

  show() {
    if (this.page.guide?.kind === "buttons") {
      this.tried.textContent = this.page.guide.sentence ?? "";
      if (!this.push.children.length) this.push.append(...pushButtons());
    }
    else if (this.page.hello.who) this.guide.show(this.page.guide);
  }

  entered() {
    const hello = this.page.hello;
    const parts = Object.entries(hello.parts).map(([name, settings]) => h("li", {}, h("strong", {}, `${name}: `),
      Object.entries(settings).map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(", ")));
    this.body.replaceChildren(
      h("section", {}, h("h2", {}, t("new_game")), hello.who ? this.#newGame() : this.#logIn()),
      h("section", {}, h("h2", {}, t("pin")), h("p", {}, t("pin_words")), hello.who ? this.#changePin() : null),
      h("section", {}, h("h2", {}, t("try_parts")), hello.who ? [h("div", { class: "choices" }, this.#try("lamps"), this.#try("display"), this.#try("buttons")), this.tried, this.push] : this.#logIn()),
      ...(hello.who && hello.camera ? [this.guide.root] : []),
      h("section", {}, h("h2", {}, t("parts")), h("p", {}, `${hello.profile.name}: ${hello.profile.description}`), h("ul", { class: "parts" }, parts)),
      this.#build());
  }

  /** How the parts are wired; a station without any shows what it could be built of. */
  #build() {
    const { hello } = this.page;
    const picture = h("img", { class: "wiring", alt: t("wiring") });
    const show = (name) => { picture.src = `/wiring.svg?profile=${encodeURIComponent(name)}`; };
    const choice = h("select", { id: "wired", "aria-label": t("wiring"), on: { change: (event) => show(event.target.value) } },
      Object.keys(hello.wirings).map((name) => h("option", { value: name, selected: name === (hello.simulated ? "pi-oled" : hello.profile.name) }, hello.wirings[name])));
    show(choice.value);
    const parts = hello.simulated ? [h("h2", {}, t("build_one")), h("p", {}, t("build_words")),
      h("ul", {}, ["pi", "camera", "display", "lamps", "buttons", "mat"].map((part) => h("li", {}, t(`build_${part}`))))] : [];
    return h("section", { id: "build" }, parts, h("h2", {}, t("wiring")), choice, picture);
  }

  #logIn() {
    return h("button", { type: "button", on: { click: () => openLogin(this.page) } }, t("log_in"));
  }

  #try(part) {
    return h("button", { type: "button", id: `try-${part}`, on: { click: async () => explain(await post("/try", { part })) } }, t(`try_${part}`));
  }

  #newGame() {
    const { hello } = this.page;
    const choice = (name, words, values, called, chosen) => h("label", { class: "field" }, h("span", {}, words),
      h("select", { name }, values.map((value) => h("option", { value, selected: value === chosen }, called(value)))));
    const field = (name, words) => h("label", { class: "field" }, h("span", {}, words), h("input", { name, maxlength: "40", autocomplete: "off" }));
    const rest = h("div", { class: "new-game" });
    const game = choice("game", t("game"), Object.keys(hello.games), (name) => t(`game_${name}`), hello.game);
    const fill = (name) => {
      const variant = choice("variant", t("variant"), hello.games[name].variants, (one) => variantName(name, one));
      const names = h("div", { class: "new-game" });
      const seat = (one) => names.replaceChildren(...hello.games[name].seats.slice(0, Number.parseInt(one) || 2)
        .map((player) => field(`player ${player}`, t("name_of", { player }))));
      variant.querySelector("select").addEventListener("change", (event) => seat(event.target.value));
      seat("");
      rest.replaceChildren(variant, names);
    };
    game.querySelector("select").addEventListener("change", (event) => fill(event.target.value));
    fill(hello.game);
    const begin = h("button", { type: "submit", class: "main" }, t("begin"));
    const form = h("form", { class: "new-game", id: "new-game-form" }, game, rest, field("round", t("round")),
      choice("deck", t("deck"), hello.decks, (name) => (name === "drawn" ? t("deck_drawn") : name), hello.deck), begin);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      begin.disabled = true; // another game's deck takes a moment to get ready
      const answer = await post("/act", { act: "new-game", ...Object.fromEntries(new FormData(form)) });
      begin.disabled = false;
      if (explain(answer)) toast(t(answer.changes ? "table_changes" : "done"));
    });
    return form;
  }

  #changePin() {
    return h("button", { type: "button", id: "change-pin", on: { click: async () => {
      if (explain(await post("/pin/change"))) this.page.loggedIn(null, null);
    } } }, t("change_pin"));
  }
}
