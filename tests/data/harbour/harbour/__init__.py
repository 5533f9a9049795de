"""Plans which vessel lies at which berth, and when the tide lets her in."""

from harbour.schedule import plan_arrivals

__all__ = ["plan_arrivals"]
