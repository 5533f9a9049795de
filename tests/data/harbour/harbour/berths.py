"""Quays and their berths, and who lies where."""


class NoBerth(Exception):
    """No berth is free, or none is long enough."""


class Berth:
    """A place at a quay, for one vessel at a time."""

    def __init__(self, number, length):
        self.number = number
        self.length = length
        self.vessel = None

    def is_free(self):
        return self.vessel is None

    def fits(self, vessel):
        """Whether a vessel is short enough for this berth."""
        return vessel.length <= self.length


class Quay:
    """A row of berths."""

    def __init__(self, berths):
        self.berths = list(berths)

    def free_berths(self):
        return [berth for berth in self.berths if berth.is_free()]


def allocate_berth(quay, vessel):
    """Give a vessel the shortest free berth that is long enough. Raises NoBerth."""
    fitting = [berth for berth in quay.free_berths() if berth.fits(vessel)]
    if not fitting:
        raise NoBerth("no berth is free for " + vessel.name)
    berth = min(fitting, key=lambda each: each.length)
    berth.vessel = vessel
    return berth


def release_berth(berth):
    """The vessel leaves, and the berth is free again."""
    vessel, berth.vessel = berth.vessel, None
    return vessel
