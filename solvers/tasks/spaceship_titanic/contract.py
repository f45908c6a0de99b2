"""What a passenger's row has to look like. Source: the competition's data page."""

from typing import Any

import pandas as pd
import pandera.pandas as pa

CREDITS = "an amount of 0 to 1,000,000 credits"


def _bill() -> Any:
    return pa.Field(nullable=True, ge=0, le=1_000_000, description=CREDITS)


class Passenger(pa.DataFrameModel):
    """One passenger of the Spaceship Titanic, as train and test hold it."""

    PassengerId: str = pa.Field(
        str_matches=r"^[0-9]{4}_[0-9]{2}$",
        unique=True,
        description="gggg_pp, the party and the place in it, such as 0013_01",
    )
    HomePlanet: str = pa.Field(
        isin=("Earth", "Europa", "Mars"), nullable=True, description="Earth, Europa or Mars"
    )
    CryoSleep: pd.BooleanDtype = pa.Field(nullable=True, description="True or False")
    Cabin: str = pa.Field(
        str_matches=r"^[A-GT]/[0-9]{1,5}/[PS]$",
        nullable=True,
        description="deck/number/side, such as F/12/S, with a deck of A to G or T",
    )
    Destination: str = pa.Field(
        isin=("55 Cancri e", "PSO J318.5-22", "TRAPPIST-1e"),
        nullable=True,
        description="55 Cancri e, PSO J318.5-22 or TRAPPIST-1e",
    )
    Age: float = pa.Field(nullable=True, ge=0, le=120, description="an age of 0 to 120 years")
    VIP: pd.BooleanDtype = pa.Field(nullable=True, description="True or False")
    RoomService: float = _bill()
    FoodCourt: float = _bill()
    ShoppingMall: float = _bill()
    Spa: float = _bill()
    VRDeck: float = _bill()
    Name: str = pa.Field(nullable=True, description="a first name and a surname")

    @pa.check("PassengerId", "Cabin")
    def one_word(cls, texts: pd.Series) -> pd.Series:
        """Hold no blanks: a pattern's end also matches before a line end."""
        return ~texts.str.contains(r"\s", regex=True)

    class Config:
        """Text becomes pandas' own text dtype; the other columns arrive typed."""

        coerce = True
