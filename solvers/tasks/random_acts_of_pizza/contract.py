"""What a request looks like, and what is written inside its columns."""

from typing import Any

import pandas as pd
import pandera.pandas as pa

TEXT = pd.StringDtype("python")
_PREFIX, _SUFFIX = "requester_", "_at_request"


def _count() -> Any:
    """A number of things, or of days: missing, or within what a counter can hold."""
    return pa.Field(nullable=True, ge=0, lt=1e12, description="a number of 0 or more")


class Request(pa.DataFrameModel):
    """One request for a pizza, as train and test hold it.

    Who gave is not read: whether it is known who did tells whether somebody did. Nor is what the
    table knows from afterwards, or the second clock, which is the first with the wrong hour.
    """

    request_id: str = pa.Field(unique=True)
    request_title: str = pa.Field(nullable=True)
    request_text_edit_aware: str = pa.Field(nullable=True)
    unix_timestamp_of_request_utc: float = pa.Field(
        ge=0, lt=2**33, description="seconds since 1970"
    )
    requester_username: str = pa.Field(nullable=True)
    requester_account_age_in_days_at_request: float = _count()
    requester_days_since_first_post_on_raop_at_request: float = _count()
    requester_number_of_comments_at_request: float = _count()
    requester_number_of_comments_in_raop_at_request: float = _count()
    requester_number_of_posts_at_request: float = _count()
    requester_number_of_posts_on_raop_at_request: float = _count()
    requester_number_of_subreddits_at_request: float = _count()
    requester_upvotes_plus_downvotes_at_request: float = _count()
    requester_upvotes_minus_downvotes_at_request: float = pa.Field(
        nullable=True, gt=-1e12, lt=1e12, description="a number"
    )

    class Config:
        """Text becomes pandas' own text dtype; the other columns arrive typed."""

        coerce = True


def parse(rows: pd.DataFrame) -> pd.DataFrame:
    """Shorten names, put title and text together, and read the clock."""
    rows = rows.rename(columns=short)
    title, text = (rows[name].fillna("") for name in ("request_title", "request_text_edit_aware"))
    return rows.assign(
        title=title,
        text=text,
        request=title + "\n" + text,
        when=pd.to_datetime(rows["unix_timestamp_of_request_utc"], unit="s"),
    )


def usual_history(rows: pd.DataFrame) -> pd.DataFrame:
    """What is not known of a requester is as it is of most."""
    told = rows.select_dtypes("float64")
    return rows.fillna(told.median().fillna(0.0).to_dict())


def short(name: str) -> str:
    """Take off what the names of all columns about the requester share.

    Examples
    --------
    >>> short("requester_number_of_posts_at_request")
    'n_posts'
    """
    if not name.startswith(_PREFIX):
        return name
    return name.removeprefix(_PREFIX).removesuffix(_SUFFIX).replace("number_of_", "n_")
