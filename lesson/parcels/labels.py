"""The label on the box: an address and a code that machines read."""


def check_digit(number):
    """The last digit of a parcel number, so that a misread one is noticed."""
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(str(number)))
    return (10 - total % 10) % 10


def bars(number):
    """A bar code as wide and narrow strokes."""
    return "".join("| " if int(digit) % 2 else "|| " for digit in str(number))


def label(parcel):
    code = "%s%d" % (parcel.number, check_digit(parcel.number))
    return "\n".join([parcel.goal.name, bars(code), code])
