// Forms of the hub's page: something to do, with what has to be said for it.

import { explain, h, post, t, toast } from "./dom.js";

let fields = 0;

/** Asks the hub for an act; says what became of it. */
export async function act(body, done = t("done")) {
  const answer = await post("/act", body);
  if (answer.refused === "bad-list") return answer;
  if (explain(answer) && done) toast(done);
  return answer;
}

export function button(words, does, attributes = {}) {
  return h("button", { type: "button", ...attributes, on: { click: does } }, words);
}

/** Who it was, in the visitor's language: journals have "Anna, head judge", "players" or "station". */
export function signed(by) {
  const [, name, role] = by.match(/^(.*), (player|judge|head judge|organiser)$/) ?? [];
  if (role) return `${name}, ${t(`role_${role.replace(" ", "-")}`)}`;
  return ["players", "station"].includes(by) ? t(`by_${by}`) : by;
}

export function field(words, input) {
  return h("label", { class: "field" }, h("span", {}, words), input);
}

export function choice(name, options, chosen = null) {
  return h("select", { name }, options.map(([value, words]) => h("option", { value, selected: value === chosen }, words)));
}

export function words(name, label, attributes = {}) {
  return field(label, h("input", { name, maxlength: "120", autocomplete: "off", ...attributes }));
}

export function number(name, label, value, low, high) {
  return field(label, h("input", { name, type: "number", min: low, max: high, value, required: true, inputmode: "numeric" }));
}

/** Something that opens, asks, and is sent; `send` gets the values and returns the hub's answer. */
export function asking(summary, inside, submit, send, attributes = {}) {
  const said = h("p", { class: "refusal", role: "alert" });
  const form = h("form", {}, inside, h("button", { type: "submit", class: "main" }, submit), said);
  const box = h("details", { class: "asking", id: attributes.id ?? `asking-${++fields}`, ...attributes }, h("summary", {}, summary), form);
  box.addEventListener("toggle", () => { if (!box.open) dispatchEvent(new Event("settled")); });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(form));
    const answer = await send(values);
    if (answer?.done) {
      box.open = false;
      form.reset();
    }
    said.textContent = refusal(answer);
  });
  return box;
}

/** Why something was refused, to stay in its form until it is sent again: the toast goes away. */
function refusal(answer) {
  if (answer?.mistakes) return [...answer.mistakes, answer.count > answer.mistakes.length ? "…" : ""].join("\n");
  return answer?.refused ? answer.words ?? t(`refused_${answer.refused}`, answer) : "";
}

/** Whether somebody is in the middle of filling something in: then the view is left as it is until they are done. */
export function isBusy(root) {
  return Boolean(root.querySelector("details.asking[open]"));
}

export const GROUNDS = ["misread", "missed", "wrong-player", "rule", "agreed", "conceded", "time", "conduct", "other"];
export const OUTCOMES = ["explained", "put-right", "ruled", "result-entered", "repaired", "no-cause", "other"];

export function grounds() {
  return field(t("ground"), choice("ground", GROUNDS.map((name) => [name, t(`ground_${name}`)])));
}
