// The greeting of a simulated station: what this is, and how to begin. It goes when one way was chosen.

import { h, t } from "./dom.js";

export class Welcome {
  /** `ways`: what each choice does, by name; the first one is the one to try first. */
  constructor(ways) {
    this.root = document.getElementById("welcome");
    this.ways = ways;
  }

  speak() {
    this.root.hidden = Boolean(localStorage.getItem("welcomed"));
    this.root.replaceChildren(
      h("div", {}, h("h2", {}, t("welcome_title")), h("p", {}, t("welcome_words"))),
      h("div", { class: "choices" }, Object.keys(this.ways).map((way, n) => this.#way(way, n === 0)),
        h("a", { href: "#setup", class: "build-one", on: { click: () => this.#done() } }, t("build_one"))));
  }

  #way(way, isFirst) {
    return h("button", { type: "button", id: way, class: isFirst ? "main" : "", on: { click: () => { this.#done(); this.ways[way](); } } }, t(`welcome_${way}`));
  }

  #done() {
    localStorage.setItem("welcomed", "yes");
    this.root.hidden = true;
  }
}
