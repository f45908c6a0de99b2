"""What makes two days alike at one hour of the day: the kernel of a Gaussian process."""

from solvers.models.gaussian_process import GaussianProcess, Rough, Smooth, Term

TERMS = (
    # Commuters, their nights before and after a day off, and how weekdays differ.
    Term(0.5, (Smooth("at_work", 0.7),)),
    Term(
        0.05, (Smooth("at_work_before", 1.0), Smooth("at_work", 1.0), Smooth("at_work_after", 1.0))
    ),
    Term(0.03, (Smooth("weekday", 3.0), Smooth("at_work", 1.0))),
    # Seasons and growth, not the same for work and leisure, and spells of some days.
    Term(0.47, (Smooth("day", 120.0),)),
    Term(0.025, (Smooth("day", 55.0), Smooth("at_work", 0.6))),
    Term(0.03, (Rough("day", 12.0),)),
    # Warmth, then all of the weather at once, then wet streets and days of rain.
    Term(0.4, (Smooth("temp", 20.0),)),
    Term(
        0.14,
        (
            Smooth("temp", 13.0),
            Smooth("humidity", 60.0),
            Smooth("weather", 1.6),
            Smooth("windspeed", 50.0),
        ),
    ),
    Term(0.22, (Smooth("rain_before", 0.9),)),
    Term(0.08, (Smooth("sky_around", 1.0),)),
    Term(0.25, (Smooth("rain_of_day", 0.7),)),
)
# One process for each hour: what rain or a day off does at 8 is another thing at 2.
PROCESS = GaussianProcess(TERMS, noise=0.17, by="hour")
