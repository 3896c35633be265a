// What a visitor may do besides playing: choose who plays and how honestly, and make the referee's life hard.

import { explain, h, post, t, variantName } from "./dom.js";

const PLAIN = new Set(["moved-card", "removed-card", "swapped-card", "second-card", "full-side", "on-the-stone", "pocket-a-stone", "claim-unproven"]); // anybody sees those

export class Mischief {
  constructor(page) {
    this.page = page;
    this.root = h("div", { class: "mischief" });
    this.crooked = false;
    this.handMode = false;
  }

  speak() {
    const deed = (name, more = {}) => async () => explain(await post("/play", { deed: name, ...more }));
    this.seats = Object.fromEntries(this.page.layout.seats.map((player) => [player, choice(t("seat_of", { player }), ["visitor", "computer"], (who) => t(`seat_${who}`),
      (who) => post("/play", { deed: "seat", player, who }).then(explain), `seat-${player}`)]));
    this.pace = choice(t("pace"), ["slow", "steady", "fast"], (pace) => t(`pace_${pace}`), (pace) => post("/play", { deed: "pace", pace }).then(explain), "pace");
    this.cheat = choice(t("cheating"), ["honest", ...this.page.hello.cheats], (name) => t(`cheat_${name}`),
      (name) => post("/play", { deed: "cheats", name }).then(explain), "cheats");
    this.variant = choice(t("variant"), this.page.hello.variants, (name) => variantName(this.page.layout.game, name), () => {}, "variant");
    this.played = null; // the variant that is on the table, chosen until another one is picked
    this.light = h("input", { type: "range", min: "0", max: "100", value: "100", id: "light" });
    this.light.addEventListener("change", () => post("/play", { deed: "light", light: Number(this.light.value) / 100 }).then(explain));
    this.crookedBox = toggle(t("crooked"), t("crooked_hint"), "crooked", (on) => { this.crooked = on; });
    this.handBox = toggle(t("hand_in_view"), t("hand_hint"), "hand", (on) => this.#hand(on));
    this.unplugBox = toggle(t("unplug"), t("unplug_hint"), "unplug", (on) => post("/play", { deed: "unplug", out: on }).then(explain));
    this.cheatNow = h("button", { type: "button", id: "cheat-now", on: { click: () => this.cheatAtOnce() } }, t("cheat_now"));
    this.root.replaceChildren(
      group(t("players"), ...Object.values(this.seats).map((seat) => seat.label), this.pace.label),
      group(t("foul_play"), this.cheat.label, this.cheatNow),
      group(t("trouble"), this.crookedBox.label, this.handBox.label,
        h("label", { class: "field" }, h("span", {}, t("light")), this.light),
        h("button", { type: "button", id: "bump", on: { click: deed("bump") } }, t("bump")), this.unplugBox.label),
      group(t("game"), this.variant.label,
        h("button", { type: "button", id: "new-game", on: { click: () => deed("new-game", { variant: this.variant.select.value })() } }, t("new_game"))));
  }

  show(play) {
    for (const player of this.page.layout.seats) {
      this.seats[player].label.hidden = !play.seats[player];
      if (play.seats[player]) this.seats[player].select.value = play.seats[player];
    }
    if (![...this.pace.select.options].some((option) => option.value === play.pace)) {
      this.pace.select.append(h("option", { value: play.pace, disabled: true }, play.pace)); // as the call wanted it
    }
    this.pace.select.value = play.pace;
    if (play.variant && play.variant !== this.played) this.variant.select.value = this.played = play.variant;
    if (document.activeElement !== this.cheat.select) this.cheat.select.value = play.cheats ?? "honest";
    this.unplugBox.input.checked = play.unplugged;
    if (!play.hand_in_view.length && !this.handMode) this.handBox.input.checked = false;
  }

  #hand(on) {
    this.handMode = on;
    const [width, height] = this.page.layout.size;
    post("/play", on ? { deed: "hand", in: true, x: width / 2, y: height * 0.7 } : { deed: "hand", in: false }).then(explain);
  }

  /** Has the computer cheat in the way that was picked, or in any that the table offers. */
  async cheatAtOnce() {
    explain(await this.#cheat());
  }

  /** The same for somebody who came to see one: as soon as the table offers a chance. */
  async cheatSoon(tries = 30) {
    const answer = await this.#cheat();
    if (answer.refused === "no-chance" && tries) setTimeout(() => this.cheatSoon(tries - 1), 1500);
    else explain(answer);
  }

  async #cheat() {
    const names = [...this.page.hello.cheats].sort(() => Math.random() - 0.5);
    const chosen = this.cheat.select.value;
    const tried = chosen === "honest" ? [...names.filter((name) => PLAIN.has(name)), ...names].slice(0, 12) : [chosen];
    for (const name of tried) {
      const answer = await post("/play", { deed: "cheat-now", name });
      if (answer.done || answer.refused !== "no-chance") return answer;
    }
    return { refused: "no-chance" };
  }
}

function group(title, ...children) {
  return h("fieldset", {}, h("legend", {}, title), children);
}

function choice(words, values, name, change, id) {
  const select = h("select", { id }, values.map((value) => h("option", { value }, name(value))));
  select.addEventListener("change", () => change(select.value));
  return { label: h("label", { class: "field" }, h("span", {}, words), select), select };
}

function toggle(words, hint, id, change) {
  const input = h("input", { type: "checkbox", role: "switch", id });
  input.addEventListener("change", () => change(input.checked));
  return { label: h("label", { class: "switch", title: hint }, input, h("span", {}, words)), input };
}
