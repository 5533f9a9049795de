"""The way of a parcel through the network of depots."""

import heapq

from parcels.errors import NoWay


class Network:
    """Which depot has a van line to which, and how many hours it takes."""

    def __init__(self):
        self.lines = {}

    def connect(self, one, other, hours):
        self.lines.setdefault(one, []).append((other, hours))
        self.lines.setdefault(other, []).append((one, hours))

    def shortest(self, start, goal, avoid=()):
        """Depots from start to goal by the least hours, none of them in ``avoid``. Raises NoWay."""
        best, heap = {}, [(0, id(start), [start])]
        while heap:
            hours, _, way = heapq.heappop(heap)
            last = way[-1]
            if last == goal:
                return way, hours
            if best.get(last, hours + 1) <= hours:
                continue
            best[last] = hours
            for depot, more in self.lines.get(last, ()):
                if depot not in avoid:
                    heapq.heappush(heap, (hours + more, id(depot), [*way, depot]))
        raise NoWay(start, goal)


def plan_route(network, parcel):
    """The way that a new parcel takes, and the hour at which it should be there."""
    way, hours = network.shortest(parcel.depot, parcel.goal)
    parcel.due = parcel.accepted + hours
    return way


def detour(network, parcel, blocked):
    """Another way around the blocked depots. Raises NoWay."""
    way, _ = network.shortest(parcel.depot, parcel.goal, avoid=blocked)
    return way
