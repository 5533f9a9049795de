"""A route finder for road maps, kept here as it came."""

import math


def distance(one, other):
    """Kilometres between two points on a sphere, in degrees."""
    a, b = math.radians(other[0] - one[0]), math.radians(other[1] - one[1])
    half = math.sin(a / 2) ** 2 + math.cos(math.radians(one[0])) * math.cos(math.radians(other[0])) * math.sin(b / 2) ** 2
    return 6371 * 2 * math.asin(math.sqrt(half))


def reroute(roads, start, goal, blocked):
    """Another route around blocked roads; the parcel's driver is told to turn."""
    open_roads = [road for road in roads if road not in blocked]
    return sorted(open_roads, key=lambda road: distance(road, goal))
