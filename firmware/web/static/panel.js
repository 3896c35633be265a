// The panel beside the table: the station itself (display, lamps, buttons) and what it says, claims, verdicts.

import { cardName, explain, h, post, t } from "./dom.js";
import { lightOf } from "./board.js";
import { isLords } from "./table.js";

const HELD_MS = 800;

export class Panel {
  constructor(root) {
    this.canvas = h("canvas", { class: "oled", width: 128, height: 64, role: "img" });
    this.row = h("div", { class: "lamp-row", "aria-hidden": "true" });
    this.buttons = h("div", { class: "buttons" });
    this.said = h("p", { class: "said", role: "status", "aria-live": "polite" });
    this.aside = h("div", { class: "aside" }); // where a view may put something of its own
    this.lists = h("div", { class: "lists" });
    root.append(h("div", { class: "device" }, this.canvas, this.row, this.buttons), this.said, this.aside, this.lists);
    this.lamps = [];
    setInterval(() => this.#beat(), 125);
  }

  /** Once the language is known. */
  name() {
    this.canvas.setAttribute("aria-label", t("display"));
    this.buttons.replaceChildren(...pushButtons());
  }

  show(state) {
    this.#mirror(state.display);
    for (const push of this.buttons.children) push.hidden = push.dataset.button === "claim" && isLords(state);
    if (this.lamps.length !== state.lamps.length) this.row.replaceChildren(...state.lamps.map(() => h("i")));
    this.lamps = state.lamps;
    this.said.textContent = state.said;
    this.said.dataset.tone = state.tone;
    this.canvas.setAttribute("aria-label", `${t("display")}: ${state.headline}`);
    this.lists.replaceChildren(...[
      list(t("put_right"), state.put_right.map((one) => h("li", { class: "foul" }, one.words)), "wrong"),
      list(t("cannot_read"), [...state.unread, ...state.troubles].map((words) => h("li", {}, words)), "amber"),
      list(t("can_claim"), state.claims.filter((one) => one.allowed).map(claim), "good"),
      list(t("armies"), (state.notes ?? []).map((line) => h("li", {}, line)), "quiet notes"),
      list(t("not_yet"), state.claims.filter((one) => !one.allowed).slice(0, 4).map(claim), "quiet"),
      list(t("verdicts"), state.verdicts.map(verdict), "verdicts"),
    ].filter(Boolean));
  }

  async #mirror(display) {
    if (this.shown === display.png) return;
    this.shown = display.png;
    const bytes = Uint8Array.from(atob(display.png), (sign) => sign.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    this.canvas.width = display.width;
    this.canvas.height = display.height;
    this.canvas.getContext("2d").drawImage(picture, 0, 0);
  }

  #beat() {
    this.lamps.forEach((lamp, n) => {
      const node = this.row.children[n], light = lightOf(lamp);
      if (node && node.dataset.light !== light) node.dataset.light = light;
    });
  }
}

export function pushButtons() {
  return ["turn", "claim", "undo", "pause"].map((name) => button(name));
}

/** One of the station's buttons: a short press, or held for more. */
function button(name) {
  let down = 0;
  const send = async (held) => explain(await post("/press", { button: name, held }));
  const node = h("button", { type: "button", class: "push", title: t(`button_${name}_hint`), data: { button: name } },
    h("span", { class: "cap", "aria-hidden": "true" }), h("span", {}, t(`button_${name}`)));
  node.addEventListener("pointerdown", () => { down = performance.now(); });
  node.addEventListener("click", (event) => {
    const held = event.shiftKey || (down > 0 && performance.now() - down > HELD_MS);
    down = 0;
    send(held);
  });
  return node;
}

function list(title, items, kind) {
  if (!items.length) return null;
  return h("section", { class: `list ${kind}` }, h("h2", {}, title), h("ul", {}, items));
}

export function cards(codes) {
  return h("span", { class: "cards" }, codes.map((code) => h("img", { src: `/art/${code}.svg`, alt: cardName(code), width: 42, height: 60 })));
}

function claim(one) {
  const beaten = one.counterexample ? cards(one.counterexample) : null;
  return h("li", { class: one.allowed ? "good" : "", data: { stone: one.stone, player: one.player } },
    h("img", { class: "stone", src: `/art/stone${one.stone}.svg`, alt: t("stone", { number: one.stone }), width: 64, height: 37 }),
    h("span", { class: "words" }, one.words, beaten));
}

/** A rule's number, which shows its words. */
export function ruleLink(rule) {
  return h("button", { type: "button", class: "rule", title: t("rule"), on: { click: () => showRule(rule) } }, rule);
}

const rules = {}; // by language

async function showRule(id) {
  const language = document.documentElement.lang;
  rules[language] ??= await (await fetch(`/rules/${language}.json`)).json();
  const dialog = document.getElementById("rule");
  const found = rules[language][id] ?? { title: id, text: "" };
  dialog.replaceChildren(h("form", { method: "dialog" }, h("h2", { id: "rule-title" }, `${id} ${found.title}`),
    h("p", {}, found.text), h("button", { class: "main", autofocus: true }, t("close"))));
  dialog.showModal();
}

export function verdict(one) {
  const rules = one.rules.map(ruleLink);
  const beaten = one.counterexample.length && !one.counts ? h("span", { class: "beaten" }, t("would_beat"), cards(one.counterexample)) : null;
  const ruling = one.ruling ? h("em", {}, t(one.ruling.stands ? "ruled_stands" : "ruled_void", one.ruling)) : null;
  return h("li", { class: one.counts ? "legal" : "foul", data: { number: one.number, line: one.line } },
    h("span", { class: "mark", "aria-hidden": "true" }, one.counts ? "✓" : "✗"),
    h("span", { class: "words" }, h("span", {}, `${one.number}. ${one.sentence} `), rules.map((rule) => [rule, " "]).flat(), ruling, beaten));
}
