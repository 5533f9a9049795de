"""What happened to each parcel, in order."""

from parcels.clock import now
from parcels.errors import NotKnown

_events = {}


def record(parcel, what):
    """Note that something happened to a parcel in the depot where it is."""
    _events.setdefault(parcel.number, []).append((now(), parcel.depot.name, what))


def history(number):
    """All events of a parcel, oldest first. Raises NotKnown."""
    if number not in _events:
        raise NotKnown(number)
    return list(_events[number])


def last_seen(number):
    """The depot where a parcel was last recorded."""
    return history(number)[-1][1]
