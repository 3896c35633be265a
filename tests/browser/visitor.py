"""A visitor of the page: looks, drags, clicks, and waits for what should happen."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

PATIENCE_S = 60.0  # a busy machine is slow, not broken


class Visitor:
    """One browser at one page."""

    def __init__(self, browser: Any, address: str, view: str = "") -> None:
        self.browser = browser
        self.address = address
        browser.get("about:blank")
        browser.get_log("browser")
        browser.delete_all_cookies()
        browser.get(address)
        browser.execute_script("localStorage.clear(); localStorage.setItem('welcomed', 'yes')")
        browser.get(f"{address}#{view}")
        browser.refresh()
        self.until(lambda: self.body("number") is not None, "the page shows a state")

    def body(self, name: str) -> str | None:
        found = self.browser.execute_script("return document.body.dataset[arguments[0]] ?? null", name)
        return None if found is None else str(found)

    def until(self, true: Callable[[], Any], what: str) -> Any:
        end_s = time.monotonic() + PATIENCE_S
        while not (found := true()):
            assert time.monotonic() < end_s, f"waited in vain: {what}"
            time.sleep(0.05)
        return found

    def all(self, css: str) -> list[Any]:
        return list(self.browser.find_elements(By.CSS_SELECTOR, css))

    def one(self, css: str) -> Any:
        return self.until(lambda: self.all(css), f"there is {css}")[0]

    def text(self, css: str) -> str:
        return str(self.browser.execute_script("return document.querySelector(arguments[0])?.textContent ?? ''", css))

    def value(self, css: str) -> str:
        return str(self.browser.execute_script("return document.querySelector(arguments[0]).value", css))

    def click(self, css: str) -> None:
        self.one(css)
        self.browser.execute_script("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", css)
        self.one(css).click()

    def log_in(self, pin: str, who: str = "Anna") -> None:
        self.click("#who")
        self.one("#name").send_keys(who)
        self.one("#pin").send_keys(pin)
        self.click("#enter")
        self.until(lambda: who in self.text("#who"), "the page knows who is here")

    def box(self, css: str) -> tuple[float, float, float, float]:
        """Where something is in the window: left, top, width, height."""
        script = """const box = document.querySelector(arguments[0]).getBoundingClientRect();
            return [box.x, box.y, box.width, box.height]"""
        left, top, width, height = self.browser.execute_script(script, css)
        return left, top, width, height

    def has(self, css: str, kind: str) -> bool:
        """Whether what is there has this class."""
        script = "return document.querySelector(arguments[0]).classList.contains(arguments[1])"
        return bool(self.browser.execute_script(script, css, kind))

    def choose(self, css: str, value: str) -> None:
        self.browser.execute_script(
            """const field = document.querySelector(arguments[0]);
            field.value = arguments[1]; field.dispatchEvent(new Event('change'))""",
            css,
            value,
        )

    def spot(self, x_mm: float, y_mm: float) -> tuple[int, int]:
        """Where a point of the mat is in the window."""
        x, y = self.browser.execute_script(
            """const m = document.querySelector('#view-play .board').getScreenCTM();
            const p = new DOMPoint(arguments[0], arguments[1]).matrixTransform(m); return [p.x, p.y]""",
            x_mm,
            y_mm,
        )
        return round(x), round(y)

    def drag(self, css: str, x_mm: float, y_mm: float) -> None:
        """Takes what is there and lays it at a point of the mat."""
        self.one(css)
        box = self.browser.execute_script(
            """const box = document.querySelector(arguments[0]).getBoundingClientRect();
            return [box.x + Math.min(16, box.width / 4), box.y + box.height / 2]""",
            css,
        )
        self.drag_between((round(box[0]), round(box[1])), self.spot(x_mm, y_mm))

    def drag_between(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        actions = ActionChains(self.browser, duration=40)
        pointer: Any = actions.w3c_actions.pointer_action
        pointer.move_to_location(*start)
        pointer.pointer_down()
        pointer.move_to_location((start[0] + end[0]) // 2, (start[1] + end[1]) // 2)
        pointer.move_to_location(*end)
        pointer.pointer_up()
        actions.perform()

    def lay(self, code: str, stone: int, player: str) -> None:
        """Drags a card from a hand to a side of a Stone."""
        self.drag(f'.in-hand[data-code="{code}"]', 66 + 68 * (stone - 1), 356 if player == "A" else 156)

    def claim(self, stone: int, player: str) -> None:
        """Drags a Stone's tile to a player's side."""
        self.drag(f'#view-play .piece[data-code="stone{stone}"]', 66 + 68 * (stone - 1), 489 if player == "A" else 24)

    def wait_for_verdict(self, line: str) -> bool:
        """Waits until the panel tells of this; returns whether it counts."""
        css = f'#panel li[data-line="{line}"]'
        self.until(lambda: self.all(css), f"a verdict on {line}")
        return self.has(css, "legal")

    def complaints(self) -> list[str]:
        """Errors in the browser's console; a refused request (409, 403, 429) is an answer, not an error."""
        return [
            str(entry["message"])
            for entry in self.browser.get_log("browser")
            if entry["level"] == "SEVERE"
            and not any(code in entry["message"] for code in ("403", "409", "429", "ERR_INCOMPLETE", "ERR_CONNECTION"))
        ]
