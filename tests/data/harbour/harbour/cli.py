"""Print the plan of a day."""

import sys

from harbour.berths import Berth, Quay, release_berth
from harbour.schedule import plan_arrivals
from harbour.ships import Ferry, Tanker


def make_quay(lengths):
    return Quay(Berth(number, length) for number, length in enumerate(lengths, 1))


def print_plan(arrivals, waiting):
    """One line a vessel, those that wait at the end."""
    for arrival in arrivals:
        print(arrival.minute, arrival.vessel.name, "berth", arrival.berth.number)
    for vessel in waiting:
        print("waiting:", vessel.name, file=sys.stderr)


def main():
    quay = make_quay([120, 180, 260])
    arrivals, waiting = plan_arrivals(quay, [Ferry("Skald", 110, 4.5), Tanker("Brage", 240, 11.0)])
    print_plan(arrivals, waiting)
    for arrival in arrivals:
        release_berth(arrival.berth)


if __name__ == "__main__":
    main()
