// The hub's page: which view is open, in which language, for whom, and the line to the hub. Each view is a module.

import { explain, h, post, setToken, t } from "./dom.js";
import { $, drawNav, json, markView, translate, warn, wire } from "./shell.js";
import { CallsView } from "./hub-calls.js";
import { clock, syncClock } from "./hub-clock.js";
import { HallView } from "./hub-hall.js";
import { enter } from "./hub-login.js";
import { MineView } from "./hub-mine.js";
import { PeopleView } from "./hub-people.js";
import { ProjectorView } from "./hub-projector.js";
import { RoundView } from "./hub-round.js";
import { StandingsView } from "./hub-standings.js";
import { TableView } from "./hub-table.js";

const page = {
  hello: null, layout: null, views: {}, source: null, open: null,
  event: null, round: null, standings: [], calls: [], people: null, mine: null,
  rows: new Map(), order: [], callsById: new Map(), callOrder: [],
  may: (act) => page.hello.may.includes(act),
};

async function begin() {
  page.layout = await json("/layout.json");
  shorten(matchMedia("(max-width: 700px)"));
  wire({ language: setLanguage, who: () => (page.hello.who ? logOut() : enter(page)) });
  addEventListener("hashchange", route);
  addEventListener("settled", () => show());
  page.entered = entered;
  await entered();
  setInterval(tick, 1000);
}

/** Who is asking decides what there is to see. */
async function entered() {
  page.hello = await json("/hello");
  setToken(page.hello.token);
  syncClock(page.hello.now);
  document.body.dataset.role = page.hello.role;
  const shown = {
    hall: HallView, table: TableView, mine: page.hello.role === "player" && MineView,
    calls: page.may("see-calls") && CallsView, round: RoundView, standings: StandingsView,
    people: page.may("players") && PeopleView, projector: ProjectorView,
  };
  for (const view of Object.values(page.views)) view.close?.();
  const views = {};
  for (const [name, View] of Object.entries(shown)) {
    $(`view-${name}`).replaceChildren();
    if (View) views[name] = new View($(`view-${name}`), page);
  }
  page.views = views;
  page.calls = [];
  page.people = page.mine = null;
  page.language = localStorage.getItem("language") ?? preferred();
  await setLanguage(page.language);
}

function preferred() {
  const wanted = navigator.languages.map((name) => name.slice(0, 2));
  return wanted.find((name) => page.hello.languages.includes(name)) ?? page.hello.language;
}

/** A phone's head has no room for the languages' whole names. */
function shorten(narrow) {
  const label = () => { for (const one of document.getElementById("language").options) one.label = narrow.matches ? one.value.toUpperCase() : one.text; };
  narrow.addEventListener("change", label);
  label();
}

async function setLanguage(language) {
  page.language = language;
  translate(language, await json(`/words/${language}.json`));
  for (const view of Object.values(page.views)) view.speak?.();
  $("who").textContent = page.hello.who ? t("log_out_short") : t("log_in");
  const role = t(`role_${page.hello.role}`);
  $("who-am-i").textContent = page.hello.who && page.hello.who !== page.hello.role ? `${page.hello.who} · ${role}` : role;
  drawNav(LINKS.filter((name) => page.views[name]), (name) => (name === "calls" ? h("span", { class: "count", id: "open-calls" }) : null));
  route();
  follow();
}

const LINKS = ["mine", "hall", "calls", "round", "standings", "people", "projector"];

function countCalls() {
  const badge = $("open-calls");
  if (!badge) return;
  const open = page.calls.filter((call) => call.open);
  badge.textContent = open.length ? String(open.length) : "";
  badge.hidden = !open.length;
  document.title = `${open.length ? `(${open.length}) ` : ""}${t(`nav_${page.open ?? "hall"}`)} · ${page.event?.name || "Marchwarden"}`;
}

async function logOut() {
  if (!explain(await post("/logout"))) return;
  location.hash = "hall";
  await entered();
}

function route() {
  if (!page.views.hall) return; // not yet known who is asking
  const [asked, ...rest] = location.hash.slice(1).split("/");
  const first = page.views.mine ? "mine" : page.event && !page.event.opened && page.views.people ? "people" : "hall";
  const name = page.views[asked] ? asked : first;
  if (page.open && page.open !== name) page.views[page.open]?.close?.();
  page.open = name;
  markView(name);
  for (const section of document.querySelectorAll(".view")) section.hidden = section.id !== `view-${name}`;
  countCalls();
  page.views[name].open?.(rest.map(decodeURIComponent));
  show();
}

/** Follows what happens; the browser comes back by itself after a break and gets everything whole. */
function follow() {
  page.source?.close();
  const source = new EventSource("/events");
  page.source = source;
  const take = (kind, name = kind) => source.addEventListener(kind, (event) => { page[name] = JSON.parse(event.data); show(kind); });
  for (const kind of ["round", "standings", "people"]) take(kind);
  source.addEventListener("event", ({ data }) => {
    const first = !page.event && !location.hash; // only now is it known whether anybody has opened the event
    page.event = JSON.parse(data);
    if (first) route(); else show("event");
  });
  take("my-call", "mine");
  source.addEventListener("calls", (event) => { takeCalls(JSON.parse(event.data)); countCalls(); page.views.calls?.alarm(); show("calls"); });
  source.addEventListener("hall", (event) => { page.order = merged(page.rows, page.order, JSON.parse(event.data), "key"); show("hall"); });
  source.addEventListener("open", () => warn(trouble()));
  source.addEventListener("error", () => {
    warn(t("lost_hub"));
    if (source.readyState === EventSource.CLOSED) setTimeout(again, 3000);
  });
}

const MANY = 1000; // messages: fewer are gone before anybody has read that they wait

/** What keeps news from coming in, in words; empty when nothing does. */
function trouble() {
  if (page.event?.connected === false) return t("no_broker");
  return page.event?.behind >= MANY ? t("hub_behind", { count: page.event.behind }) : "";
}

/** The hub closed the line: perhaps whoever is logged in no longer is. */
async function again() {
  try {
    await entered();
  } catch {
    setTimeout(again, 3000);
  }
}

/** Takes what changed in a list into a map of it; the order of its keys. */
function merged(map, order, changed, key) {
  for (const one of changed.rows) map.set(one[key], one);
  const now = changed.order ?? order;
  const kept = new Set(now);
  for (const name of map.keys()) if (!kept.has(name)) map.delete(name);
  return now;
}

function takeCalls(changed) {
  page.callOrder = merged(page.callsById, page.callOrder, changed, "id");
  page.calls = page.callOrder.map((id) => page.callsById.get(id));
}

function show(kind = null) {
  if (!page.event) return;
  if (page.event.game !== page.layout.game) return location.reload(); // another game has another table
  $("event-name").textContent = page.event.name || "Marchwarden";
  if (page.source?.readyState === EventSource.OPEN) warn(trouble());
  page.views[page.open]?.show?.(kind);
  tick();
  document.body.dataset.shown = String(Number(document.body.dataset.shown ?? 0) + 1);
}

/** What changes with every second. */
function tick() {
  const left = clock(page.round);
  $("head-clock").hidden = left === null;
  if (left !== null) {
    $("head-clock").textContent = left.text;
    $("head-clock").dataset.tone = left.tone;
    $("head-clock").setAttribute("aria-label", t("clock_words", { round: page.round.round, left: left.text }));
  }
  page.views[page.open]?.tick?.();
}

begin();
