// Logging in with the PIN that the station's display shows.

import { h, post, t } from "./dom.js";

export function openLogin(page) {
  const dialog = document.getElementById("login");
  const pin = h("input", { id: "pin", inputmode: "numeric", autocomplete: "off", pattern: "[0-9]*", maxlength: "6", required: true });
  const who = h("input", { id: "name", autocomplete: "name", maxlength: "40", required: true, value: localStorage.getItem("name") ?? "" });
  const said = h("p", { class: "refusal", role: "alert" });
  const form = h("form", { method: "dialog" },
    h("h2", { id: "login-title" }, t("log_in")),
    h("p", {}, t("pin_words"), " ", page.hello.simulated ? t("pin_words_simulated") : ""),
    h("button", { type: "button", id: "show-pin", on: { click: async () => { await post("/pin/show"); said.textContent = t("pin_shown"); } } }, t("show_pin")),
    h("label", { class: "field" }, h("span", {}, t("pin")), pin),
    h("label", { class: "field" }, h("span", {}, t("your_name")), who),
    said,
    h("div", { class: "choices" },
      h("button", { type: "submit", class: "main", id: "enter" }, t("log_in")),
      h("button", { type: "button", on: { click: () => dialog.close() } }, t("cancel"))));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await post("/login", { pin: pin.value, who: who.value });
    if (answer.refused) {
      said.textContent = t(`refused_${answer.refused}`, { wait_s: answer.wait_s });
      pin.value = "";
      pin.focus();
      return;
    }
    localStorage.setItem("name", who.value);
    page.loggedIn(answer.who, answer.token);
    dialog.close();
  });
  dialog.replaceChildren(form);
  dialog.showModal();
  pin.focus();
}
