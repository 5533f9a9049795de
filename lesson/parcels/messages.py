"""Words to people: by mail, one message an event."""

from parcels.retry import again_later

_outbox = []


class MailDown(Exception):
    pass


def send_mail(address, text):
    """Hand one mail to the post office of the internet."""
    if not address:
        raise MailDown("no address")
    _outbox.append((address, text))


def tell_sender(parcel, text):
    """Tell whoever sent a parcel what became of it; a mail that fails is tried again."""
    try:
        send_mail(getattr(parcel, "sender", ""), text)
    except MailDown:
        again_later(send_mail, getattr(parcel, "sender", ""), text)
