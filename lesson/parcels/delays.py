"""What is done about parcels that are held up."""

from parcels.clock import now
from parcels.errors import NoWay
from parcels.messages import tell_sender
from parcels.retry import again_later
from parcels.routes import detour
from parcels.tracking import record

#: Hours that a parcel may lie in one depot before somebody acts.
PATIENCE = 6


def is_late(parcel):
    """Whether a parcel should have been there by now."""
    return parcel.due is not None and now() > parcel.due


def held_up(depot, parcel):
    """Whether a parcel has been lying in a depot for too long."""
    since = depot.waiting_since(parcel)
    return since is not None and now() - since > PATIENCE


def reroute(network, parcel, blocked):
    """Send a late parcel another way, around the depots where it cannot go on."""
    try:
        way = detour(network, parcel, blocked)
    except NoWay:
        again_later(reroute, network, parcel, blocked)
        return None
    record(parcel, "rerouted")
    tell_sender(parcel, "Your parcel takes another way and comes a little later.")
    return way
