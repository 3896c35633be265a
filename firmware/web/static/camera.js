// What the camera sees, with what was read drawn over it.

import { cardName, h, s, t } from "./dom.js";
import { Corners } from "./corners.js";

/** A live picture; `drawn` is told of each one that is shown. The line is open only while somebody looks. */
export class LivePicture {
  constructor(page, drawn = () => {}) {
    this.page = page;
    this.drawn = drawn;
    this.picture = h("img", { class: "frame", alt: "" });
    this.overlay = s("svg", { class: "overlay", "aria-hidden": "true" });
    this.root = h("div", { class: "frame-box" }, this.picture, this.overlay);
  }

  speak() {
    this.picture.alt = t("camera_alt");
    if (this.source) this.open();
  }

  open() {
    this.close();
    this.source = new EventSource(`/camera/events?lang=${this.page.language}`);
    this.source.addEventListener("look", (event) => this.#look(JSON.parse(event.data), event.lastEventId));
  }

  close() {
    this.source?.close();
    this.source = null;
  }

  async #look(look, number) {
    if (this.busy) return; // a slow line gets fewer pictures, not older ones
    this.busy = true;
    const next = new Image();
    next.src = `/camera.jpg?n=${number}`;
    try {
      await next.decode();
      this.picture.src = next.src;
      this.#draw(look);
    } catch {
      // the picture was lost on the way; the next one comes soon
    } finally {
      this.busy = false;
    }
  }

  #draw(look) {
    this.overlay.setAttribute("viewBox", `0 0 ${look.width} ${look.height}`);
    this.overlay.style.fontSize = `${look.width / 80}px`;
    // A camera hung the other way round shows A above: the page turns the picture, and the words in it back.
    this.root.classList.toggle("turned", look.turned === 180);
    this.overlay.replaceChildren(...look.cards.flatMap((card) => outline(card, look.turned === 180, look.width / 80)));
    this.drawn(look);
  }
}

export class CameraView {
  constructor(root, page) {
    this.root = root;
    this.live = new LivePicture(page, (look) => this.#tell(look));
    this.figures = h("dl", { class: "figures" });
    this.stages = h("dl", { class: "stages" });
    this.hints = h("ul", { class: "hints" });
    this.corners = new Corners(this.live);
    root.append(this.live.root, this.corners.done, this.hints, this.figures, this.stages, this.corners.root);
  }

  speak() {
    this.live.speak();
    this.corners.speak();
  }

  open() {
    this.live.open();
  }

  close() {
    this.live.close();
  }

  #tell(look) {
    this.corners.note(look);
    const stages = Object.entries(look.stages);
    const unread = look.cards.filter((card) => !card.code);
    const figure = (name, value) => [h("div", {}, h("dt", {}, t(name)), h("dd", {}, value))];
    this.figures.replaceChildren(
      ...figure("frames_per_second", String(look.fps)), ...figure("time_to_look", `${Math.round(stages.reduce((sum, [, ms]) => sum + ms, 0))} ms`),
      ...figure("time_to_read", look.read_ms === null ? "–" : `${look.read_ms} ms`),
      ...figure("cards_read", String(look.cards.filter((card) => card.code && !isTile(card.code)).length)),
      ...figure("cards_unread", String(unread.length)));
    const longest = Math.max(1, ...stages.map(([, ms]) => ms));
    this.stages.replaceChildren(...stages.map(([name, ms]) => h("div", {}, h("dt", {}, t(`stage_${name}`)),
      h("dd", {}, h("meter", { min: "0", max: String(longest), value: String(ms), "aria-label": t(`stage_${name}`) }), ` ${ms.toFixed(1)} ms`))));
    this.hints.replaceChildren(...(look.troubles.length ? look.troubles : [t("view_is_good")]).map((words) => h("li", {}, words)));
    this.hints.dataset.good = String(!look.troubles.length);
    this.root.dataset.frame = look.frame;
  }
}

const isTile = (code) => code === "initiative" || /^(stone|power-)/.test(code);

function outline(card, turned, em) {
  const points = card.corners.map((corner) => corner.join(",")).join(" ");
  const kind = card.code ? (isTile(card.code) ? "tile" : "read") : "unread";
  const middle = [0, 1].map((axis) => card.corners.reduce((sum, corner) => sum + corner[axis], 0) / card.corners.length);
  const sure = `${Math.round(card.confidence * 100)}`;
  // Long names stand above how sure they are, no wider than their card: the next one may lie close by.
  const lines = !card.code ? ["?"] : card.code.length > 5 ? [card.code, sure] : [`${card.code} ${sure}`];
  const across = card.corners.map((corner) => corner[0]);
  const size = Math.min(1, (Math.max(...across) - Math.min(...across)) / (0.6 * em * lines[0].length));
  const words = lines.map((line, n) => s("tspan", { x: middle[0], dy: n ? "1em" : `${-(lines.length - 1) / 2}em` }, line));
  const title = s("title", {}, card.code ? `${cardName(card.code)}, ${card.where}, ${card.confidence}` : `${card.where}: ${card.why}`);
  const label = kind === "tile" ? null : s("text", { x: middle[0], y: middle[1], class: `code ${kind}`, "font-size": `${size}em`, transform: turned && `rotate(180 ${middle.join(" ")})` }, words);
  return [s("polygon", { points, class: kind }, title), label].filter(Boolean);
}
