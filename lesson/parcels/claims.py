"""Money back for what was lost or broken."""

from parcels.errors import ParcelError
from parcels.tracking import history


class NoClaim(ParcelError):
    """The parcel arrived in time."""


def compensation(number, value, late_hours):
    """How much the sender gets back: all of it for a lost parcel, a tenth for each day of delay."""
    if "lost" in [what for _, _, what in history(number)]:
        return value
    if late_hours <= 0:
        raise NoClaim(number)
    return min(value, value * 0.1 * (late_hours // 24))
