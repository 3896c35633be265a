// Logging in with the code of a badge.

import { h, t } from "./dom.js";
import { openDoor } from "./shell.js";

export function enter(page) {
  openDoor(() => h("p", {}, t("code_words")), [
    ["code", t("code"), { name: "code", autocomplete: "one-time-code", autocapitalize: "characters", spellcheck: "false", maxlength: "20" }],
  ], () => page.entered());
}
