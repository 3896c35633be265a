"""The hub's page: all tables at a glance, judge calls, rounds, standings, and a view for the projector.

Built on the station's page (`firmware.web`): its guard, its server, its noticeboard and its look.
"""
