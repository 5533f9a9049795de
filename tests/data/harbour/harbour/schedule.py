"""The order in which vessels come in: who must wait for the tide, and which berth each one gets."""

from harbour.berths import NoBerth, allocate_berth
from harbour.tides import next_high_water, wait_for_depth

BAR_DEPTH = 7.5


class Arrival:
    """A vessel, the minute at which she may enter, and her berth."""

    def __init__(self, vessel, minute, berth):
        self.vessel = vessel
        self.minute = minute
        self.berth = berth


def entry_minute(vessel, minute, depth=BAR_DEPTH):
    """When a vessel may pass the bar: at once, or when the tide has made enough water."""
    if not vessel.needs_tide(depth):
        return minute
    later = wait_for_depth(minute, vessel.draught + vessel.clearance())
    return later if later is not None else next_high_water(minute)


def plan_arrivals(quay, vessels, start=0):
    """Schedule vessels one after the other, the longest first; those without a berth are left waiting."""
    arrivals, waiting = [], []
    for vessel in sorted(vessels, key=lambda each: -each.length):
        try:
            berth = allocate_berth(quay, vessel)
        except NoBerth:
            waiting.append(vessel)
            continue
        arrivals.append(Arrival(vessel, entry_minute(vessel, start), berth))
    return arrivals, waiting
