"""The round that runs every night over all depots."""

from parcels.delays import held_up, is_late, reroute
from parcels.retry import run_due


def night_round(network, depots):
    """Look at every shelf, and send another way what cannot go on."""
    moved = 0
    for depot in depots:
        for _, parcel in list(depot.held):
            if is_late(parcel) or held_up(depot, parcel):
                moved += reroute(network, parcel, blocked=[depot]) is not None
    return moved + run_due()
