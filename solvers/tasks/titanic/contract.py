"""What a passenger's row has to look like. Source: the competition's data page."""

import pandera.pandas as pa


class Passenger(pa.DataFrameModel):
    """One passenger of the Titanic, as train and test hold it."""

    PassengerId: int = pa.Field(unique=True)
    Pclass: int = pa.Field(isin=(1, 2, 3), description="1, 2 or 3, the class of the ticket")
    Name: str = pa.Field(
        str_contains=r", [^.]+\.", description="a surname, a comma, a title with a full stop, names"
    )
    Sex: str = pa.Field(isin=("female", "male"), description="female or male")
    Age: float = pa.Field(nullable=True, ge=0, le=120, description="an age of 0 to 120 years")
    SibSp: int = pa.Field(ge=0, le=20, description="a number of siblings and spouses, 0 to 20")
    Parch: int = pa.Field(ge=0, le=20, description="a number of parents and children, 0 to 20")
    Ticket: str = pa.Field(description="a number, often with letters before it")
    Fare: float = pa.Field(nullable=True, ge=0, le=10_000, description="pounds, 0 to 10,000")
    Cabin: str = pa.Field(nullable=True, description="cabins such as C22 C26")
    Embarked: str = pa.Field(isin=("C", "Q", "S"), nullable=True, description="C, Q or S")

    class Config:
        """Text becomes pandas' own text dtype; the other columns arrive typed."""

        coerce = True
