"""fourfold: explore unfamiliar code in a terminal, and see why each result stands where it stands."""

__version__ = "0.1.0"
