"""A parcel service in small."""

from parcels.parcel import Parcel

__all__ = ["Parcel"]
