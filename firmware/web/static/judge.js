// Putting right: undo, pause, end, rule on a verdict, correct a misread card. Every act is an entry of the journal.

import { cardName, explain, h, post, t, toast } from "./dom.js";
import { openLogin } from "./login.js";
import { cards, ruleLink } from "./panel.js";

const CARD = /\b([rygbpo][1-9]|joker[12]|spy|shield|bluff|mud|recruiter|strategist|banshee|traitor)\b/;

/** Every card as a button. */
function cardButtons(choose) {
  const clans = [..."rygbpo"].flatMap((colour) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((strength) => `${colour}${strength}`));
  const codes = [...clans, "joker1", "joker2", "spy", "shield", "bluff", "mud", "recruiter", "strategist", "banshee", "traitor"];
  return codes.map((code) => h("button", { type: "button", class: "pick", title: cardName(code), data: { code }, on: { click: () => choose(code) } },
    h("img", { src: `/art/${code}.svg`, alt: cardName(code), width: 42, height: 60 })));
}

export class JudgeView {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.body = h("div", { class: "judge" });
    root.append(this.body);
  }

  speak() {
    this.entered();
  }

  entered() {
    this.shown = null;
    if (this.page.state) this.show(this.page.state);
  }

  show(state) {
    const key = JSON.stringify([state.verdicts, state.put_right, state.paused, state.over, state.players, this.page.hello.who, this.page.language]);
    if (key === this.shown || this.root.querySelector("details[open]")) return;
    this.shown = key;
    if (!this.page.hello.who) {
      this.body.replaceChildren(h("div", { class: "card-note" }, h("p", {}, t("judge_needs_pin")),
        h("button", { type: "button", class: "main", id: "judge-log-in", on: { click: () => openLogin(this.page) } }, t("log_in"))));
      return;
    }
    this.body.replaceChildren(
      h("div", { class: "choices" },
        this.#button("undo", t("undo"), { act: "undo" }),
        this.#button("pause", t(state.paused ? "resume" : "pause"), { act: "pause" }),
        state.put_right.length ? this.#asking("accept", t("accept"), { act: "accept" }) : null,
        this.page.hello.event ? this.#asking("call", t("call_judge"), { act: "call" }) : null,
        this.#end(state.players)),
      h("h2", {}, t("verdicts")),
      h("ol", { class: "rulings" }, state.verdicts.map((one) => this.#entry(one))));
  }

  #button(id, words, body) {
    return h("button", { type: "button", id: `act-${id}`, on: { click: () => this.#act(body) } }, words);
  }

  async #act(body) {
    const done = explain(await post("/act", body));
    if (done) {
      for (const open of this.root.querySelectorAll("details[open]")) open.open = false;
      this.shown = null;
      toast(t("done"));
    }
  }

  /** Something that needs a reason. */
  #asking(id, words, body, extra = null) {
    const reason = h("input", { maxlength: "80", required: true, "aria-label": t("reason"), placeholder: t("reason"), id: `reason-${id}` });
    const form = h("form", {}, extra, reason, h("button", { type: "submit", class: "main" }, words));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const more = extra ? { [extra.name]: extra.value } : {};
      this.#act({ ...body, ...more, reason: reason.value });
    });
    return h("details", { id: `ask-${id}` }, h("summary", {}, words), form);
  }

  #end(players) {
    const named = Object.entries(players).map(([seat, name]) => [seat, name === seat ? seat : `${seat} · ${name}`]);
    const winner = h("select", { name: "winner", "aria-label": t("winner") },
      [...named, ["draw", t("draw")]].map(([value, words]) => h("option", { value }, words)));
    return this.#asking("end", t("end_game"), { act: "end" }, winner);
  }

  #entry(one) {
    const line = h("input", { value: one.line, maxlength: "80", required: true, "aria-label": t("what_happened"), id: `line-${one.number}` });
    const card = CARD.exec(one.line);
    const palette = h("div", { class: "palette", role: "group", "aria-label": t("which_card") });
    const choose = (code) => { line.value = line.value.replace(CARD, code); };
    const correct = h("form", {}, palette, h("p", {}, t("correct_words")), line, h("button", { type: "submit", class: "main" }, t("correct")));
    correct.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#act({ act: "correct", number: one.number, line: line.value });
    });
    return h("li", { class: one.counts ? "legal" : "foul", data: { number: one.number } },
      card ? h("img", { src: `/art/${card[1]}.svg`, alt: cardName(card[1]), width: 42, height: 60 }) : h("span", { class: "no-card" }),
      h("div", { class: "words" }, h("strong", {}, `${one.number}. `), one.sentence, " ", one.rules.map(ruleLink),
        one.counterexample.length ? cards(one.counterexample) : null,
        h("code", {}, one.line),
        h("div", { class: "choices" },
          one.counts ? this.#asking(`overrule-${one.number}`, t("overrule"), { act: "overrule", number: one.number })
            : this.#asking(`uphold-${one.number}`, t("uphold"), { act: "uphold", number: one.number }),
          h("details", { id: `ask-correct-${one.number}`, on: { toggle: () => { if (card && !palette.children.length) palette.append(...cardButtons(choose)); } } },
            h("summary", {}, t("correct")), correct))));
  }
}
