// The mat's four corners shown by hand on the live picture, with mouse, finger or keyboard, where its markers fail.

import { explain, h, post, s, t, toast } from "./dom.js";

const START = [[.08, .08], [.92, .08], [.92, .92], [.08, .92]];
const STEP = .002, STRIDE = .02; // an arrow key, and with Shift, in shares of the picture

export class Corners {
  /** Belongs to a live picture: `live.drawn` has to be passed on to `note`. */
  constructor(live) {
    this.live = live;
    this.shape = s("polygon", { class: "mat" });
    this.handles = START.map((_, n) => this.#handle(n));
    this.layer = s("svg", { class: "overlay corners", viewBox: "0 0 1 1", preserveAspectRatio: "none", hidden: true }, this.shape);
    this.edges = ["B", "A"].map((player) => h("span", { class: "whose", hidden: true, "aria-hidden": "true" }, player));
    live.root.append(this.layer, ...this.edges, ...this.handles);
    this.title = h("h2", {});
    this.words = h("p", {});
    this.begin = h("button", { type: "button", class: "corners-begin", on: { click: () => this.#open() } });
    this.use = h("button", { type: "button", class: "main corners-use", hidden: true, on: { click: () => this.#send(this.points, "corners_kept") } });
    this.round = h("button", { type: "button", class: "corners-round", hidden: true, on: { click: () => this.#turn() } });
    this.forget = h("button", { type: "button", class: "corners-forget", hidden: true, on: { click: () => this.#send([], "corners_forgotten") } });
    this.root = h("section", { class: "corners-by-hand" }, this.title, this.words, this.begin);
    this.done = h("div", { class: "choices corners-by-hand" }, this.use, this.round, this.forget); // belongs right below the picture
    this.#show(false);
  }

  speak() {
    this.title.textContent = t("corners_title");
    this.words.textContent = t("corners_words");
    this.begin.textContent = t("corners_begin");
    this.use.textContent = t("corners_use");
    this.round.textContent = t("corners_round");
    this.forget.textContent = t("corners_forget");
    if (this.points) this.#draw();
  }

  /** Where the station believes the mat to be, for a first guess. */
  note(look) {
    this.mat = look.mat?.length === 4 ? look.mat : null;
    if (this.points && !this.touched && this.mat) this.#guess();
  }

  #guess() {
    this.points = (this.mat ?? START).map((point) => point.map((share) => Math.min(1, Math.max(0, share))));
    this.#draw();
  }

  #open() {
    this.touched = false;
    this.#guess();
    this.#show(true);
    this.live.root.scrollIntoView({ block: "center" });
    this.handles[0].focus({ preventScroll: true });
  }

  #show(open) {
    for (const one of [this.use, this.round, this.forget, ...this.edges, ...this.handles]) one.hidden = !open;
    this.layer.toggleAttribute("hidden", !open);
  }

  async #send(corners, done) {
    if (!explain(await post("/guide", { do: "corners", corners }))) return;
    toast(t(done));
    this.#show(false);
    this.begin.focus();
  }

  #handle(n) {
    const handle = h("button", { type: "button", class: "corner", hidden: true, data: { corner: n } }, h("span", {}, String(n + 1)));
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      handle.focus();
      handle.setPointerCapture(event.pointerId);
      const move = (now) => this.#move(n, this.#share(now));
      const end = () => { handle.removeEventListener("pointermove", move); };
      handle.addEventListener("pointermove", move);
      handle.addEventListener("pointerup", end, { once: true });
      handle.addEventListener("pointercancel", end, { once: true });
    });
    handle.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!step) return;
      event.preventDefault();
      const by = (event.shiftKey ? STRIDE : STEP) * (this.#isTurned() ? -1 : 1);
      this.#move(n, this.points[n].map((share, axis) => share + by * step[axis]));
    });
    return handle;
  }

  #isTurned() {
    return this.live.root.classList.contains("turned"); // the picture is shown the other way round
  }

  #share(event) {
    const box = this.live.root.getBoundingClientRect();
    const shares = [(event.clientX - box.x) / box.width, (event.clientY - box.y) / box.height];
    return this.#isTurned() ? shares.map((share) => 1 - share) : shares;
  }

  #move(n, point) {
    this.touched = true;
    this.points[n] = point.map((share) => Math.min(1, Math.max(0, share)));
    this.#draw();
  }

  /** The same corners, with A's side a quarter further round. */
  #turn() {
    this.touched = true;
    this.points = [...this.points.slice(1), this.points[0]];
    this.#draw();
  }

  #at(element, point) {
    const [x, y] = this.#isTurned() ? point.map((share) => 1 - share) : point;
    element.style.left = `${100 * x}%`;
    element.style.top = `${100 * y}%`;
  }

  #draw() {
    const between = (n, m) => this.points[n].map((share, axis) => (share + this.points[m][axis]) / 2);
    this.#at(this.edges[0], between(0, 1));
    this.#at(this.edges[1], between(2, 3));
    this.shape.setAttribute("points", this.points.map((point) => point.join(",")).join(" "));
    for (const [n, handle] of this.handles.entries()) {
      this.#at(handle, this.points[n]);
      const [across, down] = this.points[n].map((share) => Math.round(100 * share));
      handle.setAttribute("aria-label", t("corner_label", { corner: t(`corner_${n}`), x: String(across), y: String(down) }));
      handle.title = t(`corner_${n}`);
    }
  }
}
