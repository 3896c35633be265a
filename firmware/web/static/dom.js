// Small tools for building the page: elements, SVG elements, words in the reader's language, requests.

const SVG = "http://www.w3.org/2000/svg";

let dictionary = {};
let token = null;

export function speak(words) {
  dictionary = words;
}

/** The words of this name, with {names} filled in. A name without words shows itself, so that a gap is seen. */
export function t(name, about = {}) {
  const words = dictionary[name] ?? name;
  return words.replace(/\{(\w+)\}/g, (_, key) => about[key] ?? "");
}

/** What a variant is called: the plain game of the second one is the one for two. */
export function variantName(game, name) {
  return t(game === "lords-of-scotland" && name === "base" ? "rules_lords" : `rules_${name}`);
}

/** What a card is called. */
export function cardName(code) {
  if (code.startsWith("stone")) return t("stone", { number: code.slice(5) });
  if (code === "initiative") return t("place_initiative", { player: "" }).trim();
  return dictionary.cards?.[code] ?? t("card_back");
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (name === "data") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function h(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function s(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

export function setToken(value) {
  token = value;
}

/** Asks something of the station. Returns null when it was done, else {refused, wait_s}. */
export async function post(path, body = {}) {
  const headers = { "content-type": "application/json", "x-marchwarden": "page", "accept-language": document.documentElement.lang };
  if (token) headers["x-token"] = token;
  try {
    const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    const said = await answer.json().catch(() => ({}));
    return answer.ok ? { ...said, done: true } : { refused: said.refused ?? answer.statusText, ...said };
  } catch {
    return { refused: "lost" };
  }
}

export function toast(words) {
  const box = document.getElementById("toast");
  box.textContent = words;
  box.classList.add("shown");
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => box.classList.remove("shown"), 5000);
}

/** Says why something was refused: as the station put it, or by its name in the dictionary. */
export function explain(answer) {
  if (answer.refused) toast(answer.words ?? t(`refused_${answer.refused}`, answer));
  return Boolean(answer.done);
}
