"""Vessels of several kinds, and how much water they need."""


class Vessel:
    """A ship with a name, a length and a draught, in metres."""

    def __init__(self, name, length, draught):
        self.name = name
        self.length = length
        self.draught = draught

    def needs_tide(self, depth):
        """Whether she must wait for the tide to pass a bar of ``depth`` metres."""
        return self.draught + self.clearance() > depth

    def clearance(self):
        """Metres of water that must stay under the keel."""
        return 1.0


class Tanker(Vessel):
    """Carries oil, so she keeps more water under the keel."""

    def clearance(self):
        return 2.5


class Ferry(Vessel):
    """Comes and goes every day, whatever the tide does."""

    def needs_tide(self, depth):
        return False
