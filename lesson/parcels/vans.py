"""Vans, their drivers and the last stretch to the door."""

from parcels.clock import now
from parcels.tracking import record


class Van:
    """Carries parcels from one depot to the next."""

    def __init__(self, plate, space):
        self.plate = plate
        self.space = space
        self.load = []

    def fill(self, depot, parcels):
        """Load what fits, the earliest due first."""
        for parcel in sorted(parcels, key=lambda each: each.due or now()):
            if len(self.load) < self.space:
                self.load.append(depot.hand_out(parcel))
                record(parcel, "loaded")

    def unload(self, depot):
        while self.load:
            parcel = self.load.pop()
            depot.take_in(parcel)
            record(parcel, "arrived")
