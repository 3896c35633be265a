// Logging in with the code of a badge.

import { h, post, t } from "./dom.js";

export function enter(page) {
  const dialog = document.getElementById("login");
  const code = h("input", { id: "code", autocomplete: "one-time-code", autocapitalize: "characters", spellcheck: "false", maxlength: "20", required: true });
  const said = h("p", { class: "refusal", role: "alert" });
  const form = h("form", { method: "dialog" },
    h("h2", { id: "login-title" }, t("log_in")),
    h("p", {}, t("code_words")),
    h("label", { class: "field" }, h("span", {}, t("code")), code),
    said,
    h("div", { class: "choices" },
      h("button", { type: "submit", class: "main", id: "enter" }, t("log_in")),
      h("button", { type: "button", on: { click: () => dialog.close() } }, t("cancel"))));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await post("/login", { code: code.value });
    if (answer.refused) {
      said.textContent = t(`refused_${answer.refused}`, answer);
      code.value = "";
      code.focus();
      return;
    }
    dialog.close();
    await page.entered();
  });
  dialog.replaceChildren(form);
  dialog.showModal();
  code.focus();
}
