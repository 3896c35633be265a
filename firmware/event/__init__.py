"""An event: many stations, one hub. Stations referee alone; the hub keeps a copy of every journal and shows them all.

docs/event.md says how it fits together. A station that has no broker in its profile imports nothing of it but `facts`.
"""
