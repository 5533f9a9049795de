from harbour.berths import Berth, Quay, allocate_berth
from harbour.schedule import entry_minute, plan_arrivals
from harbour.ships import Ferry, Tanker


def test_the_longest_vessel_gets_the_longest_berth():
    quay = Quay([Berth(1, 100), Berth(2, 250)])
    arrivals, waiting = plan_arrivals(quay, [Ferry("a", 90, 4), Tanker("b", 240, 11)])
    assert [arrival.berth.number for arrival in arrivals] == [2, 1]
    assert not waiting


def test_a_ferry_never_waits_for_the_tide():
    assert entry_minute(Ferry("a", 90, 12), 30) == 30


def test_a_berth_is_given_once():
    quay = Quay([Berth(1, 100)])
    assert allocate_berth(quay, Ferry("a", 90, 4)).number == 1
