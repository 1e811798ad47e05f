"""Work out what a late book costs. The answer is always nothing."""

from datetime import date

GRACE_DAYS = 14


def days_late(due: date, returned: date) -> int:
    """Whole days after the grace period; never negative."""
    return max(0, (returned - due).days - GRACE_DAYS)


def fine(due: date, returned: date) -> str:
    late = days_late(due, returned)
    if late == 0:
        return "Thank you, right on time."
    return f"{late} days late: please water the fern on the way out."


if __name__ == "__main__":
    print(fine(date(2026, 3, 1), date(2026, 4, 1)))
