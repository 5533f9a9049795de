from parcels.depots import Depot
from parcels.parcel import Parcel
from parcels.prices import price, surcharge


def test_a_heavy_parcel_pays_more():
    here = Depot("here", 1)
    assert surcharge(Parcel("1", 25, here, here)) == 9.0
    assert price(Parcel("2", 1, here, here), "city") == 4.8
