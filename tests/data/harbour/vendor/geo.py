"""Distances on a sphere."""

import math


def distance(a, b):
    """Metres between two points given in degrees."""
    d = math.radians(b[0] - a[0])
    return 6371000 * 2 * math.asin(math.sin(d / 2))


def berth_position(quay, number):
    return quay.origin[0] + number * 0.001, quay.origin[1]
