"""When the water is high: a tide table, and the next time that a depth is reached."""

import math

#: Minutes from one high water to the next.
TIDE_PERIOD = 745


def water_level(minute, mean=4.0, range_=3.2):
    """The level of the water in metres, a cosine around the mean."""
    return mean + range_ / 2 * math.cos(2 * math.pi * minute / TIDE_PERIOD)


def next_high_water(minute):
    """The first minute from ``minute`` on at which the tide is highest."""
    return math.ceil(minute / TIDE_PERIOD) * TIDE_PERIOD


def wait_for_depth(minute, depth):
    """The first minute from ``minute`` on at which the water is ``depth`` metres deep; None when it never is."""
    for later in range(minute, minute + TIDE_PERIOD + 1):
        if water_level(later) >= depth:
            return later
    return None
