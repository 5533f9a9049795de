"""Trying again what did not work."""

from parcels.clock import later, now

#: The longest pause, in hours.
LONGEST = 24

_waiting = []


def pause(attempt):
    """Hours before the next attempt: 1, 2, 4 … up to a day."""
    return min(2**attempt, LONGEST)


def again_later(action, *arguments, attempt=0):
    """Keep an action for later; each failure doubles the pause."""
    _waiting.append((later(pause(attempt)), attempt, action, arguments))


def run_due():
    """Do what is due by now, and count it."""
    due = [entry for entry in _waiting if entry[0] <= now()]
    for entry in due:
        _waiting.remove(entry)
        entry[2](*entry[3])
    return len(due)
