"""Profiles are checked as a whole, every mistake is named, and it is known where each setting came from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hardware_config.load import BadProfile, check, chosen, leaves, load, shipped
from hardware_config.profile import HEADER

PI: dict[str, Any] = {"name": "x", "board": "pi"}


def mistakes(document: dict[str, Any]) -> list[str]:
    with pytest.raises(BadProfile) as caught:
        check(document, "f.toml")
    return caught.value.mistakes


@pytest.mark.parametrize("name", shipped())
def test_a_shipped_profile_is_right_and_says_what_it_is(name: str) -> None:
    profile = load(name).profile
    assert profile.name == name
    assert profile.description == shipped()[name] != ""
    assert all(pin in HEADER for _, _, pin in profile.wires())


def test_an_unknown_setting_is_named_with_the_one_that_was_meant() -> None:
    assert mistakes({**PI, "camra": {}}) == ["f.toml: camra is not a setting; did you mean camera?"]
    assert mistakes({**PI, "lamps": {"driver": "gpio", "green": [4], "red": [5], "activehigh": True}}) == [
        "f.toml: lamps.gpio.activehigh is not a setting; did you mean active_high?"
    ]


def test_a_wrong_type_and_an_unknown_driver_are_named_together() -> None:
    found = mistakes({**PI, "camera": {"driver": "v4l3"}, "patience": {"settle_frames": "many"}})
    assert len(found) == 2
    assert "no driver 'v4l3'; there are 'simulated', 'folder', 'v4l2', 'picamera2'" in found[0]
    assert "patience.settle_frames = 'many'" in found[1]


def test_a_pin_used_twice_is_named_with_both_users() -> None:
    found = mistakes({**PI, "lamps": {"driver": "gpio", "green": [4, 16], "red": [5, 6]},
                      "buttons": {"driver": "gpio", "turn": 16}})  # fmt: skip
    assert found == [
        "f.toml: GPIO 16 is used twice: by lamps (lamp 2 green) and buttons (button turn); give each a pin of its own"
    ]


def test_a_pin_that_the_board_has_not_is_named() -> None:
    assert "GPIO 40, which the Pi's header has not" in mistakes(
        {**PI, "buttons": {"driver": "gpio", "turn": 40}}
    )[0]  # fmt: skip
    assert "has no header" in mistakes({"name": "x", "buttons": {"driver": "gpio", "turn": 4}})[0]
    assert "ID EEPROM" in mistakes({**PI, "buttons": {"driver": "gpio", "turn": 1}})[0]


def test_a_pin_of_a_bus_in_use_is_named() -> None:
    luma = [{"driver": "luma", "options": {"display": "ssd1306"}}]
    assert "GPIO 2, which is I2C SDA" in mistakes(
        {**PI, "display": luma, "buttons": {"driver": "gpio", "turn": 2}}
    )[0]  # fmt: skip


def test_two_parts_with_one_address_are_named() -> None:
    luma = {"driver": "luma", "options": {"display": "ssd1306", "i2c_address": "0x20"}}
    found = mistakes({**PI, "display": [luma], "lamps": {"driver": "mcp23017"}})
    assert found == [
        "f.toml: lamps and display.0 both have address 0x20 on I2C bus 1; give one another address"
    ]  # fmt: skip


def test_an_address_that_is_none_is_named() -> None:
    luma = {"driver": "luma", "options": {"display": "ssd1306", "i2c_address": "3C"}}
    assert "'3C' is no address; write it like 0x3C" in mistakes({**PI, "display": [luma]})[0]


def test_as_many_red_pins_as_green_ones_are_wanted() -> None:
    assert "2 green pins but 1 red" in mistakes({**PI, "lamps": {"driver": "gpio", "green": [4, 5], "red": [6]}})[0]


def test_overrides_are_laid_over_the_profile_and_known_by_their_file(tmp_path: Path) -> None:
    mine = tmp_path / "hardware.toml"
    mine.write_text('profile = "pi-oled"\nlanguage = "fr"\n[buttons]\ndriver = "gpio"\nbounce_ms = 50\n')
    loaded = load(chosen(mine, "simulated"), mine)
    assert loaded.profile.name == "pi-oled"
    assert loaded.profile.language == "fr"
    settings = leaves(loaded.profile)
    assert (settings["buttons.bounce_ms"], settings["buttons.turn"]) == (50, 16)
    assert loaded.origins["buttons.bounce_ms"] == str(mine)
    assert loaded.origins["buttons.turn"] == "profile pi-oled"
    assert "patience.put_right_s" not in loaded.origins, "what nobody set is a default"


def test_another_driver_starts_from_its_own_defaults(tmp_path: Path) -> None:
    mine = tmp_path / "hardware.toml"
    mine.write_text('[lamps]\ndriver = "display"\n')
    assert load("pi-oled", mine).profile.lamps.driver == "display"


def test_a_profile_that_does_not_exist_is_suggested() -> None:
    with pytest.raises(BadProfile, match="did you mean pi-oled"):
        load("pi-oledd")


def test_a_file_that_is_not_toml_is_named(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("name = ")
    with pytest.raises(BadProfile, match="is not TOML"):
        load(str(bad))
