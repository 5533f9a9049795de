from parcels.clock import set_hour
from parcels.delays import is_late, reroute
from parcels.depots import Depot
from parcels.parcel import Parcel
from parcels.routes import Network, plan_route


def network():
    north, middle, south = Depot("north", 9), Depot("middle", 9), Depot("south", 9)
    net = Network()
    net.connect(north, middle, 2)
    net.connect(middle, south, 2)
    net.connect(north, south, 7)
    return net, north, middle, south


def test_a_late_parcel_is_rerouted_around_the_depot():
    net, north, middle, south = network()
    parcel = Parcel("17", 2.5, north, south)
    north.take_in(parcel)
    plan_route(net, parcel)
    set_hour(5)
    assert is_late(parcel)
    assert reroute(net, parcel, blocked=[middle]) == [north, south]
