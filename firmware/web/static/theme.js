// Light, dark, or as the device has it.

import { t } from "./dom.js";

const SIGNS = { auto: "◐", light: "☀", dark: "☾" };

export function applyTheme(theme) {
  document.documentElement.dataset.theme = theme;
  const button = document.getElementById("theme");
  button.textContent = SIGNS[theme];
  button.setAttribute("aria-label", t(`theme_${theme}`));
  button.title = t(`theme_${theme}`);
}

export function nextTheme() {
  const order = Object.keys(SIGNS);
  const next = order[(order.indexOf(document.documentElement.dataset.theme) + 1) % order.length];
  localStorage.setItem("theme", next);
  applyTheme(next);
}
