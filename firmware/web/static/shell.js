// What every page of ours has round its views: the language, the colours, the way between views, the door.

import { h, post, speak, t } from "./dom.js";
import { applyTheme, nextTheme } from "./theme.js";

export const $ = (id) => document.getElementById(id);

export async function json(path) {
  return (await fetch(path)).json();
}

/** The tools in the head. `language` is told what was chosen, `who` that somebody wants in or out. */
export function wire({ language, who }) {
  applyTheme(localStorage.getItem("theme") ?? "auto");
  $("language").addEventListener("change", (event) => { localStorage.setItem("language", event.target.value); language(event.target.value); });
  $("theme").addEventListener("click", nextTheme);
  $("who").addEventListener("click", who);
}

/** Everything in the page that is words, in this language. */
export function translate(language, words) {
  document.documentElement.lang = language;
  $("language").value = language;
  speak(words);
  for (const node of document.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of document.querySelectorAll("[data-label]")) node.setAttribute("aria-label", t(node.dataset.label));
  applyTheme(document.documentElement.dataset.theme);
}

/** A link for each view; `more` gives what else stands in it. */
export function drawNav(names, more = () => null) {
  $("nav").replaceChildren(...names.map((name) => h("a", { href: `#${name}`, data: { view: name } }, t(`nav_${name}`), more(name))));
}

/** Says which view is open, in the head and to who does not see it. */
export function markView(name) {
  document.body.dataset.view = name;
  $("title").textContent = t(`nav_${name}`);
  for (const link of $("nav").children) {
    if (link.dataset.view === name) {
      link.setAttribute("aria-current", "page");
      $("nav").scrollLeft = link.offsetLeft - ($("nav").offsetWidth - link.offsetWidth) / 2;
    } else link.removeAttribute("aria-current");
  }
}

/** A line of words above the page, for as long as they are true; none of them takes it away. */
export function warn(words) {
  $("lost").textContent = words;
  $("lost").hidden = !words;
}

/** The door: `about` are words and buttons before the fields, `fields` [name, words, attributes]; the first is the secret
 * one, which is asked again when it was wrong. */
export function openDoor(about, fields, entered) {
  const dialog = $("login");
  const inputs = fields.map(([id, , attributes]) => h("input", { id, required: true, ...attributes }));
  const said = h("p", { class: "refusal", role: "alert" });
  const form = h("form", { method: "dialog" },
    h("h2", { id: "login-title" }, t("log_in")),
    about(said),
    inputs.map((input, number) => h("label", { class: "field" }, h("span", {}, fields[number][1]), input)),
    said,
    h("div", { class: "choices" },
      h("button", { type: "submit", class: "main", id: "enter" }, t("log_in")),
      h("button", { type: "button", on: { click: () => dialog.close() } }, t("cancel"))));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const values = Object.fromEntries(inputs.map((input, number) => [fields[number][2].name, input.value]));
    const answer = await post("/login", values);
    if (answer.refused) {
      said.textContent = t(`refused_${answer.refused}`, answer);
      inputs[0].value = "";
      inputs[0].focus();
      return;
    }
    dialog.close();
    await entered(answer, values);
  });
  dialog.replaceChildren(form);
  dialog.showModal();
  inputs[0].focus();
}
