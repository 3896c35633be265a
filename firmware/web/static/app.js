// The page: which view is open, in which language, and the line to the station. Each view is a module of its own.

import { explain, post, setToken, t } from "./dom.js";
import { $, drawNav, json, markView, translate, warn, wire } from "./shell.js";
import { Panel } from "./panel.js";
import { PlayView } from "./play.js";
import { TableView } from "./table.js";
import { CameraView } from "./camera.js";
import { JudgeView } from "./judge.js";
import { HistoryView } from "./history.js";
import { SetupView } from "./setup.js";
import { openLogin } from "./login.js";

const first = JSON.parse($("first").textContent); // what the station put into the page
const page = { hello: first.hello, layout: first.layout, state: null, play: first.play, guide: first.guide, views: {}, panel: null, source: null };

async function begin() {
  setToken(page.hello.token);
  page.panel = new Panel($("panel"));
  const views = { play: PlayView, table: TableView, camera: CameraView, judge: JudgeView, history: HistoryView, setup: SetupView };
  for (const [name, View] of Object.entries(views)) {
    if (name === "play" && !page.hello.simulated) continue;
    page.views[name] = new View($(`view-${name}`), page);
  }
  wire({ language: setLanguage, who: () => (page.hello.who ? logOut() : openLogin(page)) });
  addEventListener("hashchange", route);
  page.loggedIn = loggedIn;
  page.newDecks = newDecks;
  await setLanguage(localStorage.getItem("language") ?? first.language);
}

async function setLanguage(language) {
  page.language = language;
  const isFirst = language === first.language;
  translate(language, isFirst ? first.words : await json(`/words/${language}.json`));
  if (isFirst) page.state ??= first.state; // in another language it comes with the first event
  $("station").textContent = t(page.hello.simulated ? "simulated_station" : "station_named", { name: page.hello.station });
  page.panel.name();
  for (const view of Object.values(page.views)) view.speak?.();
  drawNav(Object.keys(page.views));
  drawWho();
  route();
  follow();
}

function drawWho() {
  $("who").textContent = page.hello.who ? t("log_out", { who: page.hello.who }) : t("log_in");
}

function loggedIn(who, token) {
  page.hello.who = who;
  page.hello.token = token;
  setToken(token);
  drawWho();
  for (const view of Object.values(page.views)) view.entered?.();
}

/** Decks that were enrolled meanwhile can be chosen for the next game. */
async function newDecks() {
  const { decks } = await (await fetch("/hello")).json();
  if (decks.length === page.hello.decks.length) return;
  page.hello.decks = decks;
  page.views.setup.entered();
}

async function logOut() {
  if (explain(await post("/logout"))) loggedIn(null, null);
}

function route() {
  const first = page.hello.simulated ? "play" : "table";
  const asked = location.hash.slice(1).split("/")[0];
  const name = page.views[asked] ? asked : first;
  if (page.open && page.open !== name) {
    page.views[page.open].close?.();
    scrollTo(0, 0);
  }
  page.open = name;
  markView(name);
  document.title = `${t(`nav_${name}`)} · Marchwarden`;
  for (const [other, view] of Object.entries(page.views)) view.root.hidden = other !== name;
  page.views[name].open?.(location.hash.slice(1).split("/").slice(1));
  show();
}

/** Follows what happens; the browser comes back by itself after a break and gets everything whole. */
function follow() {
  page.source?.close();
  const source = new EventSource(`/events?lang=${page.language}`);
  page.source = source;
  source.addEventListener("state", (event) => {
    page.state = JSON.parse(event.data);
    if (page.state.name !== page.layout.game) location.reload(); // another game was chosen: another table, other cards
    else show();
  });
  source.addEventListener("play", (event) => { page.play = JSON.parse(event.data); show(); });
  source.addEventListener("guide", (event) => { page.guide = JSON.parse(event.data); show(); });
  source.addEventListener("open", () => warn(""));
  source.addEventListener("error", () => warn(t("lost")));
}

function show() {
  if (!page.state) return;
  document.body.dataset.tone = page.state.tone;
  page.panel.show(page.state);
  page.views[page.open]?.show?.(page.state, page.play);
  document.body.dataset.number = page.state.number;
}

begin();
