// Logging in with the PIN that the station's display shows.

import { h, post, t } from "./dom.js";
import { openDoor } from "./shell.js";

export function openLogin(page) {
  const about = (said) => [
    h("p", {}, t("pin_words"), " ", page.hello.simulated ? t("pin_words_simulated") : ""),
    h("button", { type: "button", id: "show-pin", on: { click: async () => { await post("/pin/show"); said.textContent = t("pin_shown"); } } }, t("show_pin")),
  ];
  openDoor(about, [
    ["pin", t("pin"), { name: "pin", inputmode: "numeric", autocomplete: "off", pattern: "[0-9]*", maxlength: "6" }],
    ["name", t("your_name"), { name: "who", autocomplete: "name", maxlength: "40", value: localStorage.getItem("name") ?? "" }],
  ], (answer, values) => {
    localStorage.setItem("name", values.who);
    page.loggedIn(answer.who, answer.token);
  });
}
