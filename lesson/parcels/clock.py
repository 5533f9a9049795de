"""The time, in whole hours since the service began. Tests set it by hand."""

_hour = 0


def now():
    """The present hour."""
    return _hour


def later(hours):
    """The hour that is ``hours`` from now."""
    return now() + hours


def set_hour(hour):
    global _hour
    _hour = hour
