"""Profiles are checked as a whole, every mistake is named, and it is known where each setting came from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from firmware.games import GAMES, refereed
from hardware_config.load import BadProfile, check, chosen, leaves, load, shipped
from hardware_config.profile import HEADER, VARIANTS

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
        "f.toml: lamps.activehigh is not a setting; did you mean active_high?"
    ]


def test_a_wrong_type_and_an_unknown_driver_are_named_together() -> None:
    found = mistakes({**PI, "camera": {"driver": "v4l3"}, "patience": {"settle_frames": "many"}})
    assert len(found) == 2
    assert "no driver 'v4l3'; there are 'simulated', 'folder', 'v4l2', 'picamera2'" in found[0]
    assert found[1] == 'f.toml: patience.settle_frames = "many": should be a whole number'


def test_a_pin_used_twice_is_named_with_both_users() -> None:
    found = mistakes({**PI, "lamps": {"driver": "gpio", "green": [4, 16], "red": [5, 6]},
                      "buttons": {"driver": "gpio", "turn": 16}})  # fmt: skip
    assert found == [
        "f.toml: GPIO 16 is used twice: by lamps (lamp 2 green), buttons (button turn); give each a pin of its own"
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
    assert '"3C" is no address; write it like 0x3C' in mistakes({**PI, "display": [luma]})[0]


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
    assert loaded.origin("buttons.bounce_ms") == str(mine)
    assert loaded.origin("buttons.turn") == "profile pi-oled"
    assert loaded.origin("patience.put_right_s") == "default"


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


def test_mistakes_of_every_kind_are_named_at_once_each_with_its_file(tmp_path: Path) -> None:
    mine = tmp_path / "hardware.toml"
    mine.write_text('[camera]\ngain = "high"\n[buttons]\nturn = 4\nclaim = 99\n[table]\nvariant = "bruce"\n')
    with pytest.raises(BadProfile) as caught:
        load("pi-oled", mine)
    over = f"{mine} over profile pi-oled"
    assert caught.value.mistakes == [
        f'{mine}: camera.gain = "high": should be a number',
        f"{over}: GPIO 4 is used twice: by lamps (lamp 1 green), buttons (button turn); give each a pin of its own",
        f"{over}: buttons (button claim) wants GPIO 99, which the Pi's header has not; it has 2 to 27",
        f"{over}: table.variant: schotten-totten has no variant 'bruce'; it has base, tactic, expert",
    ]


@pytest.mark.parametrize(
    ("settings", "mistake"),
    [
        ({"camera": {"driver": "picamera2", "size": [0, 1296]}}, "camera.size.0 = 0: should be greater than or"),
        ({"camera": {"driver": "picamera2", "size": [640]}}, "camera.size.1 is missing"),
        ({"camera": {"driver": "picamera2", "size": [640, 480, 3]}}, "should have at most 2 items, not 3"),
        ({"camera": "usb"}, 'camera = "usb": should be a table'),
        ({"camera": {"size": [640, 480]}}, "camera needs a driver"),
        ({"lamps": {"driver": "gpio", "red": [5]}}, "lamps.green is missing"),
        ({"lamps": {"driver": "gpio", "green": [4], "red": [5], "active_high": "no"}}, "should be true or false"),
        ({"buttons": {"driver": "gpio", "turn": True}}, "buttons.turn = true: should be a whole number"),
        ({"patience": {"settle_frames": "3"}}, 'patience.settle_frames = "3": should be a whole number'),
        ({"display": {"driver": "terminal"}}, "begin each with [[display]]"),
        ({"display": []}, "begin each with [[display]]"),
        ({"table": {"game": "scotten-totten"}}, "there are schotten-totten, lords-of-scotland"),
        ({"language": "de"}, "language = \"de\": should be 'en', 'fr' or 'es'"),
    ],
)
def test_what_will_not_do_is_named_in_plain_words(settings: dict[str, Any], mistake: str) -> None:
    (found,) = mistakes({**PI, **settings})
    assert mistake in found


def test_options_of_luma_are_checked_like_any_setting() -> None:
    options = {"displai": "ssd1306", "width": "wide", "interface": "usb", "i2c_address": "3C"}
    assert mistakes({**PI, "display": [{"driver": "luma", "options": options}]}) == [
        'f.toml: display.0.options.width = "wide": should be a whole number',
        "f.toml: display.0.options.interface = \"usb\": should be 'i2c', 'noop', 'spi', 'gpio_cs_spi', 'bitbang', "
        "'ftdi_spi', 'ftdi_i2c', 'pcf8574' or 'bitbang_6800'",
        'f.toml: display.0.options.i2c_address = "3C" is no address; write it like 0x3C',
        "f.toml: display.0.options.displai is not a setting; did you mean display?",
    ]


def test_the_light_behind_a_colour_display_has_a_pin() -> None:
    lcd = {"driver": "luma", "options": {"display": "st7789", "interface": "spi"}}
    found = mistakes({**PI, "display": [lcd], "buttons": {"driver": "gpio", "turn": 18}})
    assert "GPIO 18 is used twice: by display.0 (display BACKLIGHT), buttons" in found[0]


def test_a_framebuffer_takes_neither_pins_nor_an_address() -> None:
    framebuffer = {"driver": "luma", "options": {"display": "linux_framebuffer", "framebuffer_device": "/dev/fb0"}}
    oled = {"driver": "luma", "options": {"display": "ssd1306"}}
    profile = check({**PI, "display": [framebuffer, oled]}, "f.toml")
    assert {part for part, _, _ in profile.wires()} == {"display.1"}


def test_the_games_of_a_profile_are_those_of_the_station() -> None:
    assert {game: set(refereed(game).variants) for game in GAMES} == {
        game: set(variants) for game, variants in VARIANTS.items()
    }


def test_settings_of_another_driver_do_not_pass_for_set(tmp_path: Path) -> None:
    mine = tmp_path / "hardware.toml"
    mine.write_text('[camera]\ndriver = "picamera2"\n')
    loaded = load("webcam", mine)
    assert (loaded.origin("camera.driver"), loaded.origin("camera.size")) == (str(mine), "default")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"language = '\xff'", "is not text in UTF-8"),
        (b"profile = 5", "profile = 5 should be the name of a profile in quotes"),
        (None, "cannot be read"),
        (b'profile = "a\\u0000b.toml"', "there is no file a"),
        (b"profile = '" + b"x" * 5000 + b"'", "there is no profile 'xxx"),
        (b"x = " + b"[" * 5000 + b"]" * 5000, "stand too deep in one another"),
        (b"description = " + b"[" * 300 + b"]" * 300, "stand too deep in one another"),
        (b"[" + b".".join([b"a"] * 3000) + b"]", "stand too deep in one another"),
        (b"page.port = " + b"9" * 5000, "more digits than any setting takes"),
        (b"page.port = 0x" + b"f" * 5000, "more digits than any setting takes"),
    ],
)
def test_settings_that_cannot_be_read_are_a_mistake_and_no_crash(
    tmp_path: Path, content: bytes | None, why: str
) -> None:
    mine = tmp_path / "hardware.toml"
    mine.mkdir() if content is None else mine.write_bytes(content)
    with pytest.raises(BadProfile, match=why):
        load(chosen(mine, "simulated"), mine)


def test_the_mark_that_some_editors_put_first_is_no_mistake(tmp_path: Path) -> None:
    mine = tmp_path / "hardware.toml"
    mine.write_bytes(b'\xef\xbb\xbflanguage = "es"\n')
    assert load("simulated", mine).profile.language == "es"


def test_one_wrong_setting_hides_no_other_of_the_same_part() -> None:
    buttons = {"driver": "gpio", "turn": "16", "claim": 2, "pause": -1, "bounce_ms": -1}
    oled = {"driver": "luma", "options": {"display": "ssd1306", "width": "wide"}}
    assert mistakes({**PI, "display": [oled], "buttons": buttons, "table": {"deck": "", "game": "chess"}}) == [
        'f.toml: display.0.options.width = "wide": should be a whole number',
        'f.toml: buttons.turn = "16": should be a whole number',
        "f.toml: buttons.bounce_ms = -1: should be greater than or equal to 0",
        'f.toml: table.deck = "": should have at least 1 character',
        "f.toml: buttons (button pause) wants GPIO -1, which the Pi's header has not; it has 2 to 27",
        "f.toml: buttons (button claim) wants GPIO 2, which is I2C SDA; choose another pin",
        "f.toml: table.game: there is no game 'chess'; there are schotten-totten, lords-of-scotland",
    ]


def test_a_bad_name_and_a_list_with_two_mistakes_hide_nothing_either() -> None:
    oled, terminal = {"driver": "luma"}, {"driver": "terminal", "size": [0, 0]}
    assert mistakes({**PI, "name": "X Y", "display": [oled, terminal, oled], "table": {"game": "chess"}}) == [
        "f.toml: name = \"X Y\": should match pattern '^[a-z0-9][a-z0-9-]*$'",
        "f.toml: display.1.size.0 = 0: should be greater than or equal to 16",
        "f.toml: display.1.size.1 = 0: should be greater than or equal to 16",
        "f.toml: display.2 and display.0 both have address 0x3C on I2C bus 1; give one another address",
        "f.toml: table.game: there is no game 'chess'; there are schotten-totten, lords-of-scotland",
    ]
    for bad in ({"driver": "lume"}, {}, {"driver": "luma", "options": {"spi_port": -1}}):
        assert len(mistakes({**PI, "display": [oled, bad, oled]})) == 2


@pytest.mark.parametrize(
    "settings",
    [
        {"board": "pie", "buttons": {"driver": "gpio", "turn": 4}},
        {"table": {"game": 5, "variant": "bruce"}},
        {"display": [{"driver": "luma", "options": {"i2c_address": "0x20"}}],
         "lamps": {"driver": "mcp23017", "addresses": ["0x22"]}},
        {"lamps": {"driver": "gpio", "green": [4, 5], "red": [6, "7"]}},
        {"camera": {"driver": "v4l2", "size": [640]}},
    ],
)  # fmt: skip
def test_nobody_is_blamed_for_what_another_mistake_leaves_open(settings: dict[str, Any]) -> None:
    assert len(mistakes({**PI, **settings})) == 1


@pytest.mark.parametrize(
    ("settings", "mistake"),
    [
        ({"camera": {"driver": "v4l2", "device": -1}}, "camera.device = -1 is no camera; write its number"),
        ({"camera": {"driver": "v4l2", "device": ""}}, 'camera.device = "" is no camera'),
        ({"camera": {"driver": "v4l2", "device": True}}, "should be a whole number or text in quotes"),
        ({"camera": {"driver": "v4l2", "fourcc": "éabc"}}, "is no picture format"),
        ({"camera": {"driver": "picamera2", "white_balance": [1.0, -1.0]}}, "should be greater than or equal to 0"),
        ({"patience": {"idle_s": float("inf")}}, "patience.idle_s = Infinity: should be a finite number"),
        ({"display": [{"driver": "luma", "options": {"i2c_address": ""}}]}, '"" is no address; write it like 0x3C'),
        ({"display": [{"driver": "luma", "options": {"i2c_address": -5}}]}, "has address -0x05; I2C devices have"),
        ({"display": [{"driver": "luma", "options": {"i2c_address": 1.5}}]}, "a whole number or text in quotes"),
        ({"lamps": {"driver": "mcp23017", "addresses": [0x30], "count": 8}}, "an MCP23017 has 0x20 to 0x27"),
        ({"lamps": {"driver": "mcp23017", "addresses": [0x20, 0x20]}}, "address 0x20 on I2C bus 1 twice"),
        ({"lamps": {"driver": "apa102", "step": 10**9}}, "lamps.step = 1000000000: should be less than or equal"),
        ({"page": {"host": ""}}, 'page.host = "": should have at least 1 character'),
    ],
)
def test_what_no_part_can_be_set_to_is_named(settings: dict[str, Any], mistake: str) -> None:
    (found,) = mistakes({**PI, **settings})
    assert mistake in found


def spi_oled(**options: Any) -> dict[str, Any]:
    return {"driver": "luma", "options": {"display": "ssd1306", "interface": "spi", **options}}


def test_the_system_keeps_both_chip_selects_of_spi() -> None:
    for part in ({"display": [spi_oled()]}, {"lamps": {"driver": "apa102"}}):
        (found,) = mistakes({**PI, **part, "buttons": {"driver": "gpio", "turn": 7}})
        assert "buttons (button turn) wants GPIO 7, which is SPI 0 CE1; choose another pin" in found
    reset = {"gpio_data_command": 5, "gpio_reset": 6}
    check({**PI, "display": [spi_oled(), spi_oled(spi_device=1, **reset)]}, "f.toml")


def test_a_bus_has_the_pins_of_its_number() -> None:
    second = check({**PI, "display": [spi_oled(spi_port=1)]}, "f.toml").wires()
    assert {("display.0", "SPI 1 MOSI", 20), ("display.0", "SPI 1 SCLK", 21), ("display.0", "display CS", 18)} < {
        *second
    }
    soft = {"driver": "luma", "options": {"display": "ssd1306", "i2c_port": 3}}
    assert check({**PI, "display": [soft], "buttons": {"driver": "gpio", "turn": 2}}, "f.toml").wires() == (
        ("buttons", "button turn", 2),
    )
    (found,) = mistakes({**PI, "display": [spi_oled(spi_device=2)]})
    assert "display.0 has spi_device = 2; SPI 0 of the header has 0 to 1" in found


def test_a_strip_shares_its_bus_with_nobody() -> None:
    (found,) = mistakes({**PI, "display": [spi_oled()], "lamps": {"driver": "apa102"}})
    assert "lamps and display.0 are both on SPI 0, but a strip has no chip select" in found
    check({**PI, "display": [spi_oled()], "lamps": {"driver": "apa102", "spi_port": 1}}, "f.toml")


def test_a_board_without_a_header_is_one_mistake_a_part() -> None:
    found = mistakes({"name": "x", "buttons": {"driver": "gpio", "turn": 16, "undo": 4}})
    assert found == ['f.toml: buttons wants GPIO 4, 16, but board = "none" has no header; set board = "pi"']
