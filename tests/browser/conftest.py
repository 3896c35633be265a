"""A real browser: Debian's chromium, driven through Debian's chromium-driver. Nothing is fetched from anywhere else."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

Open = Callable[..., Any]


def _needed() -> None:
    missing = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    if not missing:
        return
    words = f"{' and '.join(missing)} not found: apt-get install chromium chromium-driver"
    if os.environ.get("MARCHWARDEN_REQUIRE_ALL") == "1":
        pytest.fail(words)
    pytest.skip(words)


@pytest.fixture(scope="session")
def browsers() -> Iterator[Open]:
    """Opens browsers by size and language; all are closed at the end."""
    _needed()
    known: dict[tuple[Any, ...], Any] = {}

    def browser(width: int = 1400, height: int = 1300, language: str = "en", phone: bool = False) -> Any:
        key = (width, height, language, phone)
        if key not in known:
            known[key] = opened(width, height, language, phone)
        return known[key]

    yield browser
    for driver in known.values():
        driver.quit()


def opened(width: int, height: int, language: str, phone: bool = False) -> Any:
    """A browser of this size that asks for pages in this language."""
    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        f"--window-size={width},{height}",
        f"--lang={language}",
    ):
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"intl.accept_languages": language})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    if phone:
        metrics = {"width": width, "height": height, "pixelRatio": 2, "touch": True}
        options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
    driver = webdriver.Chrome(options=options, service=Service(str(shutil.which("chromedriver"))))
    driver.set_page_load_timeout(120)  # a busy machine is slow, not broken
    driver.set_script_timeout(120)
    return driver
