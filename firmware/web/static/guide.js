// Being led through work at the camera: calibrating it, enrolling a deck card by card.

import { LivePicture } from "./camera.js";
import { Corners } from "./corners.js";
import { cardName, explain, h, post, t, variantName } from "./dom.js";

export class GuideBox {
  constructor(page) {
    this.page = page;
    this.live = new LivePicture(page, (look) => this.corners.note(look));
    this.corners = new Corners(this.live);
    this.corners.begin.addEventListener("click", () => this.#watch(), { capture: true }); // there must be a picture first
    this.said = h("p", { class: "said", role: "status" });
    this.card = h("img", { class: "wanted", alt: "", hidden: true, width: 84, height: 120 });
    this.alike = h("div", { class: "alike", hidden: true });
    this.bar = h("progress", { max: "1", value: "0", hidden: true });
    this.root = h("section", { class: "guide" });
  }

  speak() {
    this.bar.setAttribute("aria-label", t("enrol"));
    const name = h("input", { id: "deck-name", maxlength: "40", value: "my-deck", autocomplete: "off" });
    const variant = h("select", { id: "deck-variant" }, this.page.hello.variants.map((one) => h("option", { value: one }, variantName(this.page.layout.game, one))));
    const ask = (id, words, body) => h("button", { type: "button", id, on: { click: () => this.#ask(body()) } }, words);
    this.live.speak();
    this.corners.speak();
    this.root.replaceChildren(
      h("h2", {}, t("calibrate")), h("p", {}, t("calibrate_words")), ask("calibrate", t("calibrate"), () => ({ do: "calibrate" })),
      this.corners.root,
      h("h2", {}, t("enrol")), h("p", {}, t("enrol_words")),
      h("div", { class: "choices" }, h("label", { class: "field" }, h("span", {}, t("deck_name")), name),
        h("label", { class: "field" }, h("span", {}, t("variant")), variant)),
      ask("enrol", t("enrol"), () => ({ do: "enrol", name: name.value, variant: variant.value })),
      this.work = h("div", { class: "work", hidden: true }, this.live.root, this.corners.done, this.bar, h("div", { class: "asked" }, this.card, this.said), this.alike,
        this.buttons = h("div", { class: "choices", hidden: !this.begun }, ask("guide-take", t("guide_take"), () => ({ do: "turn" })),
          ask("guide-again", t("guide_again"), () => ({ do: "undo" })), ask("guide-stop", t("guide_stop"), () => ({ do: "pause" })))));
  }

  async #ask(body) {
    if (explain(await post("/guide", body)) && (body.do === "calibrate" || body.do === "enrol")) {
      this.begun = true;
      this.buttons.hidden = false;
      this.#watch();
    }
  }

  #watch() {
    this.work.hidden = false;
    if (!this.live.source) this.live.open();
  }

  close() {
    this.live.close();
  }

  show(guide) {
    if (!guide || (guide.outcome && !this.begun)) return;
    this.begun = true; // also where another page began it, or this one before it was loaded anew
    if (!guide.outcome) this.#watch();
    this.said.textContent = guide.outcome ? t(`outcome_${guide.outcome}`) : guide.sentence ?? "";
    this.said.dataset.outcome = guide.outcome ?? "";
    this.bar.hidden = !guide.count;
    if (guide.count) this.bar.value = guide.outcome ? 1 : (guide.number - 1) / guide.count;
    this.card.hidden = !guide.card;
    if (guide.card) {
      this.card.src = `/art/${guide.card}.svg`;
      this.card.alt = cardName(guide.card);
    }
    this.alike.hidden = !guide.alike.length;
    this.alike.replaceChildren(h("p", {}, t("most_alike")), ...guide.alike.map((pair) => h("span", {}, pair.map((code) =>
      h("img", { src: `/art/${code}.svg`, alt: cardName(code), width: 56, height: 80 })))));
    if (guide.outcome) this.live.close();
    if (guide.outcome === "enrolled") this.page.newDecks();
    this.buttons.hidden = Boolean(guide.outcome);
  }
}
