"""The parcel itself."""

from parcels.clock import now
from parcels.errors import BadParcel


class Parcel:
    """What is sent: where to, how heavy, and where it is now."""

    def __init__(self, number, weight, start, goal):
        if weight <= 0:
            raise BadParcel(number, "it weighs nothing")
        self.number = number
        self.weight = weight
        self.start = start
        self.goal = goal
        self.depot = start
        self.due = None
        self.accepted = now()

    def move_to(self, depot):
        self.depot = depot

    def arrived(self):
        return self.depot == self.goal
