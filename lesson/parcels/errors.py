"""Everything that can go wrong, in one place."""


class ParcelError(Exception):
    """The base of all errors of this package."""


class BadParcel(ParcelError):
    def __init__(self, number, reason):
        super().__init__("parcel %s: %s" % (number, reason))


class NoWay(ParcelError):
    """No chain of depots leads from here to there."""


class DepotFull(ParcelError):
    """No shelf is free."""


class NotKnown(ParcelError):
    """Nobody has heard of that number."""
