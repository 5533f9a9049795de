"""The counter: accept a parcel, look one up, run the night round."""

import sys

from parcels.labels import label
from parcels.night import night_round
from parcels.parcel import Parcel
from parcels.prices import price
from parcels.routes import plan_route
from parcels.tracking import history


def accept(network, number, weight, start, goal, zone):
    """Everything that happens at the counter: weigh, price, label, plan the way."""
    parcel = Parcel(number, weight, start, goal)
    start.take_in(parcel)
    plan_route(network, parcel)
    return price(parcel, zone), label(parcel)


def main(arguments, network, depots):
    if arguments[:1] == ["night"]:
        print(night_round(network, depots), "parcels sent another way")
        return 0
    if arguments[:1] == ["find"]:
        for hour, depot, what in history(arguments[1]):
            print(hour, depot, what)
        return 0
    print("usage: parcels night | find NUMBER", file=sys.stderr)
    return 2
