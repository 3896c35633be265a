// Judge calls: the longest waiting first, one alarm each, and what a judge does about them.

import { h, t } from "./dom.js";
import { act, asking, button, choice, field, isBusy, OUTCOMES, signed, words } from "./hub-forms.js";
import { spoken, now, waited } from "./hub-clock.js";

const STEP_S = 30;
const LONGEST_S = 3600;

export function callTable(call) {
  return call.table === null ? call.station : t("table_number", { number: call.table });
}

/** What a judge can do with an open call. */
export function callActs(call, page) {
  if (!call.open) return [];
  const mine = call.judge === page.hello.signature && call.stage === "taken";
  const escalated = call.steps.some((step) => step.stage === "escalated");
  const isHead = page.may("reverse");
  if (escalated && !isHead) return []; // it is the head judge's now
  const extension = h("input", { name: "extension_s", type: "number", min: "0", max: LONGEST_S, step: "1", inputmode: "numeric" });
  const extended = field("", extension);
  const resolving = asking(t("resolve"), [
    field(t("outcome"), choice("outcome", OUTCOMES.map((name) => [name, t(`outcome_${name}`)]))),
    words("words", t("words_free")),
    page.round?.started && call.table !== null ? extended : null,
  ], t("resolve"), (values) => act({ act: "resolve", call: call.id, ...values, extension_s: Number(values.extension_s ?? 0) }), { id: `resolve-${call.id}` });
  const propose = () => {
    const stood = Math.max(0, (now() - new Date(call.since).getTime()) / 1000);
    extension.value = page.round?.over ? 0 : Math.min(LONGEST_S, Math.ceil(stood / STEP_S) * STEP_S);
    extended.querySelector("span").textContent = t("extension", { stood: spoken(stood) });
  };
  propose();
  resolving.addEventListener("toggle", () => { if (resolving.open) propose(); }); // the clock has stood still until now
  return [
    mine ? null : button(t("take"), () => act({ act: "take", call: call.id }), { class: call.stage === "open" ? "main" : "", data: { take: call.id } }),
    isHead ? null : asking(t("escalate"), [words("words", t("words_free"))], t("escalate"), (values) => act({ act: "escalate", call: call.id, ...values }), { id: `escalate-${call.id}` }),
    resolving,
  ].filter(Boolean);
}

export function callCard(call, page, full = true) {
  const last = call.steps.at(-1);
  const state = call.open ? (call.judge && call.stage !== "open" ? t("stage_by", { stage: t(`stage_${call.stage}`), who: signed(last.by) }) : t(`stage_${call.stage}`))
    : t("closed_by", { who: signed(last.by), outcome: call.outcome ? t(`outcome_${call.outcome}`) : t("stage_withdrawn") });
  return h("li", { class: `call ${call.stage}`, data: { call: call.id, stage: call.stage } },
    h("div", { class: "call-head" },
      full ? h("a", { href: `#table/${encodeURIComponent(call.table ?? call.station)}`, class: "no" }, callTable(call)) : null,
      h("strong", {}, t(`reason_${call.reason}`)),
      call.open ? h("span", { class: "waited", data: { since: call.since } }, waited(call.since)) : null),
    call.words ? h("p", {}, `“${call.words}”`) : null,
    h("p", { class: "stage" }, state),
    call.open && call.settled ? h("p", { class: "settled" }, t("call_settled")) : null,
    ...call.steps.slice(1).filter((step) => step.words).map((step) => h("p", { class: "stage" }, `${signed(step.by)}: “${step.words}”`)),
    h("div", { class: "choices" }, callActs(call, page)));
}

export class CallsView {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.alarmed = new Set(JSON.parse(sessionStorage.getItem("alarmed") ?? "[]"));
    this.first = !sessionStorage.getItem("alarmed");
    this.open_ = h("ol", { class: "calls", id: "calls" });
    this.closed = h("ol", { class: "calls closed" });
    this.heads = [h("h2"), h("h2")];
    this.none = h("p", { class: "none" });
    root.append(this.heads[0], this.open_, this.none, this.heads[1], this.closed);
  }

  speak() {
    this.heads[0].textContent = t("calls_open");
    this.heads[1].textContent = t("calls_closed");
    this.shown = null;
  }

  show() {
    const key = JSON.stringify([this.page.calls, this.page.language]);
    if (key === this.shown || isBusy(this.root)) return;
    this.shown = key;
    const open = this.page.calls.filter((call) => call.open);
    const closed = this.page.calls.filter((call) => !call.open);
    this.open_.replaceChildren(...open.map((call) => callCard(call, this.page)));
    this.closed.replaceChildren(...closed.map((call) => callCard(call, this.page)));
    this.heads[1].hidden = !closed.length;
    this.none.textContent = open.length ? "" : t("no_calls");
  }

  tick() {
    for (const node of this.root.querySelectorAll(".waited")) node.textContent = waited(node.dataset.since);
    if (this.shown && !isBusy(this.root)) this.show();
  }

  /** Once for each call, and once more for the head judge when it is escalated. */
  alarm() {
    const fresh = this.page.calls.filter((call) => call.open && call.stage !== "taken" && !this.alarmed.has(this.#name(call)));
    for (const call of this.page.calls.filter((one) => one.open)) this.alarmed.add(this.#name(call)).add(call.id);
    sessionStorage.setItem("alarmed", JSON.stringify([...this.alarmed].slice(-500)));
    if (!fresh.length) return;
    const box = document.getElementById("alarm");
    const call = fresh[0];
    box.replaceChildren(h("a", { href: `#table/${encodeURIComponent(call.table ?? call.station)}`, on: { click: () => box.classList.remove("shown") } }, t("alarm", { table: callTable(call), reason: t(`reason_${call.reason}`) })));
    box.dataset.count = String(Number(box.dataset.count ?? 0) + fresh.length);
    box.classList.add("shown");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => box.classList.remove("shown"), 8000);
    if (!this.first && navigator.userActivation?.hasBeenActive !== false) {
      ring();
      navigator.vibrate?.([200, 100, 200]);
    }
    this.first = false;
  }

  #name(call) {
    return call.stage === "escalated" && this.page.hello.role === "head-judge" ? `${call.id} up` : call.id;
  }
}

/** Two notes. A browser that nobody has touched yet stays silent. */
function ring() {
  try {
    const audio = new AudioContext();
    [660, 880].forEach((tone, n) => {
      const note = audio.createOscillator(), loud = audio.createGain();
      note.frequency.value = tone;
      loud.gain.setValueAtTime(0.15, audio.currentTime + n * 0.2);
      loud.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + n * 0.2 + 0.3);
      note.connect(loud).connect(audio.destination);
      note.start(audio.currentTime + n * 0.2);
      note.stop(audio.currentTime + n * 0.2 + 0.35);
    });
    setTimeout(() => audio.close(), 1500);
  } catch {
    // no sound on this device; the words are there
  }
}
