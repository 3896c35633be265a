// Setting the station up: a new game with names and variant, its parts, and how they are wired.

import { explain, h, post, t, toast, variantName } from "./dom.js";
import { GuideBox } from "./guide.js";
import { openLogin } from "./login.js";

export class SetupView {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.body = h("div", { class: "setup" });
    this.guide = new GuideBox(page);
    this.tried = h("p", { class: "tried", role: "status" });
    root.append(this.body);
  }

  speak() {
    this.guide.speak();
    this.entered();
  }

  close() {
    this.guide.close();
  }

  show() {
    if (this.page.guide?.kind === "buttons") this.tried.textContent = this.page.guide.sentence ?? "";
    else this.guide.show(this.page.guide);
  }

  entered() {
    const hello = this.page.hello;
    const parts = Object.entries(hello.parts).map(([name, settings]) => h("li", {}, h("strong", {}, `${name}: `),
      Object.entries(settings).map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(", ")));
    this.body.replaceChildren(
      h("section", {}, h("h2", {}, t("new_game")), hello.who ? this.#newGame() : this.#logIn()),
      h("section", {}, h("h2", {}, t("pin")), h("p", {}, t("pin_words")), hello.who ? this.#changePin() : null),
      h("section", {}, h("h2", {}, t("try_parts")), hello.who ? [h("div", { class: "choices" }, this.#try("lamps"), this.#try("display"), this.#try("buttons")), this.tried] : this.#logIn()),
      ...(hello.who && hello.camera ? [this.guide.root] : []),
      h("section", {}, h("h2", {}, t("parts")), h("p", {}, `${hello.profile.name}: ${hello.profile.description}`), h("ul", { class: "parts" }, parts)),
      h("section", {}, h("h2", {}, t("wiring")), h("img", { class: "wiring", src: "/wiring.svg", alt: t("wiring") })));
  }

  #logIn() {
    return h("button", { type: "button", on: { click: () => openLogin(this.page) } }, t("log_in"));
  }

  #try(part) {
    return h("button", { type: "button", id: `try-${part}`, on: { click: async () => explain(await post("/try", { part })) } }, t(`try_${part}`));
  }

  #newGame() {
    const field = (name, words) => h("label", { class: "field" }, h("span", {}, words), h("input", { name, maxlength: "40", autocomplete: "off" }));
    const form = h("form", { class: "new-game" },
      h("label", { class: "field" }, h("span", {}, t("variant")), h("select", { name: "variant" },
        this.page.hello.variants.map((name) => h("option", { value: name }, variantName(this.page, name))))),
      ...this.page.layout.seats.map((player) => field(`player ${player}`, t("name_of", { player }))), field("round", t("round")),
      h("button", { type: "submit", class: "main" }, t("begin")));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (explain(await post("/act", { act: "new-game", ...Object.fromEntries(new FormData(form)) }))) toast(t("done"));
    });
    return form;
  }

  #changePin() {
    return h("button", { type: "button", id: "change-pin", on: { click: async () => {
      if (explain(await post("/pin/change"))) this.page.loggedIn(null, null);
    } } }, t("change_pin"));
  }
}
