"""What is written inside the columns: title, surname, deck, ticket; and who travels with whom."""

import pandas as pd

# Everything else is an adult man's title, or a woman's by her sex.
_TITLES = {"Master": "Master", "Miss": "Miss", "Mlle": "Miss", "Ms": "Miss"}


def parse(rows: pd.DataFrame) -> pd.DataFrame:
    """Add the parts of names, cabins and tickets as columns of their own, and the parties."""
    title = rows["Name"].str.extract(r", ([^.]+)\.", expand=False).str.strip()
    plain = title.map(_TITLES).fillna(rows["Sex"].map({"female": "Mrs", "male": "Mr"}))
    rows = rows.assign(
        Surname=rows["Name"].str.split(",").str[0].str.strip(),
        Written=title,
        Title=plain,
        # A Miss is a girl or an unmarried woman; a woman doctor is a Mrs.
        WomanOrChild=(rows["Sex"].eq("female") | plain.eq("Master")).astype("float64"),
        Deck=rows["Cabin"].str.extract(r"([A-GT])", expand=False),
    )
    return rows.assign(Party=parties(rows))


def parties(rows: pd.DataFrame) -> pd.Series:
    """Number the parties: who shares a ticket, or a surname, class, port and fare with relatives.

    Two people are of one party if they hold one ticket, or if both have relatives aboard and share
    surname, class and port. A party's number is the place of its first member.
    """
    family = (
        rows["Surname"] + "|" + rows["Pclass"].astype(str) + "|" + rows["Embarked"].fillna("S")
    ).where(rows["SibSp"] + rows["Parch"] > 0)
    ticket = rows["Ticket"].where(rows["Ticket"] != "LINE")  # staff of the line travelled on none
    number = pd.Series(range(len(rows)), index=rows.index, dtype="int64")
    for _ in range(len(rows)):
        before = number
        for key in (ticket, family):
            least = number.groupby(key).transform("min")
            number = least.fillna(number).astype("int64")
        if number.equals(before):
            break
    return number


def party_of(rows: pd.DataFrame) -> pd.Series:
    """Tell the party each passenger travels in."""
    return rows["Party"]
