"""Depots and their shelves."""

from parcels.clock import now
from parcels.errors import DepotFull


class Depot:
    """A house with shelves, open around the clock."""

    def __init__(self, name, shelves):
        self.name = name
        self.shelves = shelves
        self.held = []

    def free(self):
        return self.shelves - len(self.held)

    def take_in(self, parcel):
        """Put a parcel on a shelf. Raises DepotFull."""
        if not self.free():
            raise DepotFull(self.name)
        self.held.append((now(), parcel))
        parcel.move_to(self)

    def hand_out(self, parcel):
        """Take a parcel from its shelf, for the next van."""
        self.held = [(hour, other) for hour, other in self.held if other is not parcel]
        return parcel

    def waiting_since(self, parcel):
        """The hour at which a parcel came in, None when it is not here."""
        return next((hour for hour, other in self.held if other is parcel), None)
