"""What sending a parcel costs."""

from parcels.errors import BadParcel

ZONES = {"city": 4.0, "land": 6.5, "abroad": 14.0}
HEAVY = 20


def price(parcel, zone):
    """The price in crowns, by zone and weight."""
    if zone not in ZONES:
        raise BadParcel(parcel.number, "no such zone: " + zone)
    total = ZONES[zone] + 0.8 * parcel.weight
    return total + surcharge(parcel)


def surcharge(parcel):
    """Extra for what one person cannot lift."""
    return 9.0 if parcel.weight > HEAVY else 0.0


def rebate(account, total):
    """What a business gets back at the end of the month."""
    return total * (0.1 if account.parcels > 100 else 0.0)
