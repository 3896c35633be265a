"""The page: what a station shows and lets people do in a browser.

Served beside the station by a thread of its own. It reads frozen snapshots and hands errands over to the thread that
owns the state; it never touches that state itself.
"""
