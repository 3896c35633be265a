"""What a station is built of, as data: profiles, their checks and their wiring."""
